"""What a rollout says of its session: id, model, conditions, whose agent it is; and by what its files are known."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from earned.records import Cohort
from earned.records.trajectory import Network
from earned.trajectory.formats.codex.line_records import LINES, Head
from earned.trajectory.formats.codex.turns import Turns
from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.peek import Head as FileHead

_HEADER = {"/id", "/timestamp", "/instructions", "/git", "/cwd", "/originator", "/cli_version", "/source", "/model_provider"}
"""Keys that the first line may have where it has no type: before 0.32."""
_NATIVE = re.compile(r"rollout-\d{4}-\d\d-\d\dT")
_UNNAMED = frozenset({"codex", "codex-exec", "codex_exec", "output", "stdout", "events", "session", "log", "stream"})
"""Names of logs that name no task."""


class Session:
    """Filled as the heads of a rollout are read."""

    def __init__(self) -> None:
        self.id = ""
        self.version = ""
        self.model = ""
        self.started = ""
        self.finished = ""
        self.agent_path = "/root"
        """Of this session's agent, as agents address each other."""
        self.network: Network = "unknown"

    def begin(self, head: Head, time: str, turns: Turns) -> None:
        """The session's own head, before its first step."""
        self.id = head.id or ""
        self.version = head.cli_version or ""
        self.started = head.timestamp or time
        name = subagent_of(head)
        if name:
            turns.actor, turns.subagent = "subagent", name
            self.agent_path = head.agent_path or f"/root/{name}"

    def turn(self, head: Head) -> None:
        """The conditions of one turn."""
        self.model = self.model or head.model or ""
        if self.network == "unknown":
            self.network = network_of(head)

    def cohort(self) -> Cohort:
        """The conditions of the attempt."""
        return Cohort(network=self.network, started=self.started or "unknown", finished=self.finished or "unknown")


def subagent_of(head: Head) -> str:
    """Name of the subagent whose session this is; empty for the main agent."""
    source = head.source.get("subagent") if isinstance(head.source, dict) else None
    if isinstance(source, str) and source:
        return source
    spawn: Any = source.get("thread_spawn") if isinstance(source, dict) else None
    given = spawn if isinstance(spawn, dict) else {}
    if not (source or head.parent_thread_id):
        return ""
    names = (head.agent_path, given.get("agent_path"), head.agent_nickname, given.get("agent_nickname"), head.id)
    return next((name for name in names if isinstance(name, str) and name), "subagent")


def network_of(head: Head) -> Network:
    """Whether commands could reach the network, where Codex's own sandbox decides it and nobody was asked to lift it."""
    if isinstance(head.network, dict) and head.network.get("allowed_domains"):
        return "allow_list"
    policy = head.sandbox_policy if isinstance(head.sandbox_policy, dict) else {}
    mode = policy.get("type") or policy.get("mode")
    if policy.get("network_access") in (True, "enabled"):
        return "open"
    is_closed = mode in ("workspace-write", "read-only") and head.approval_policy == "never"
    return "closed" if is_closed else "unknown"


def task_of(path: str) -> str:
    """The name of a file, where somebody gave it one: not the name that Codex gives its sessions."""
    name = PurePosixPath(path).name
    for ending in (".zst", ".gz", ".txt", ".log"):
        name = name.removesuffix(ending)
    stem = stem_of(name)
    return "" if _NATIVE.match(stem) or stem.lower() in _UNNAMED else stem


def recognise(head: FileHead) -> str:
    """Why a file is a rollout; empty when it is none."""
    if head.shape not in {"object", "lines"}:
        return ""
    kind = head.value("/type")
    if kind in LINES and (head.value("/payload") == "{" or (kind == "session_meta" and "/id" in head.values)):
        return f"lines with type and payload, the first {kind}"
    top = {path for path in head.values if path.count("/") == 1}
    if {"/id", "/timestamp", "/instructions"} <= top <= _HEADER:
        return "id, timestamp and instructions as before 0.32"
    if kind == "message" and head.value("/content/*/type") in {"input_text", "output_text"} and head.shape == "lines":
        return "items of the Responses interface, one a line"
    return ""
