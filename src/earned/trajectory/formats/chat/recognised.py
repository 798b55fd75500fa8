"""Why a file is taken for a recorded attempt in chat messages, by what its first bytes show.

Messages alone do not make an attempt. They do when an assistant acts in them (calls of tools, results of calls), or when what
stands around them names a benchmark's task, trial or reward and an assistant answers. So that these are left alone: prompts
without an assistant's turn, pairs for training, plain conversations, accounts and settings whose objects have a `role`.
"""

from __future__ import annotations

import re

from earned.trajectory.formats.chat.row import KEYS
from earned.trajectory.formats.chat.shapes import ITEMS, ROLES
from earned.trajectory.peek import Head

_ACTS = re.compile(
    r'"tool_calls"\s{0,20}:\s{0,20}\[\s{0,20}[{"]'
    r'|"function_call"\s{0,20}:\s{0,20}\{'
    r'|"role"\s{0,20}:\s{0,20}"(?:tool|function)"'
    r'|"type"\s{0,20}:\s{0,20}"(?:[a-z_]{0,40}tool_use|[a-z_]{0,40}tool_result|[a-z_]{1,40}_call|[a-z_]{1,40}_call_output)"'
)
_ASSISTANT = re.compile(r'"role"\s{0,20}:\s{0,20}"assistant"')
_IN_TEXT = re.compile(r"TOOL_CALL: ?[A-Za-z_]|<tool_call>|<function=|<invoke name=")
_OF_A_BENCHMARK = frozenset(
    {
        "reward",
        "passed",
        "resolved",
        "is_resolved",
        "task_id",
        "instance_id",
        "problem_id",
        "example_id",
        "rollout_id",
        "trajectory_id",
        "traj_id",
        "trial",
        "episode_id",
    }
)


def recognise(head: Head) -> str:
    """Why, in words; empty when the file is no attempt."""
    if head.shape not in {"object", "array", "lines"}:
        return ""
    where, row = _messages(head)
    if not where:
        return ""
    text = head.text.replace('\\"', '"') if where.endswith("text") else head.text
    if _ACTS.search(text) or "tool_call_id" in head.tail:
        return f"{where} with tool calls"
    answers = "completion" in where or _ASSISTANT.search(text) is not None or head.tail.get("role") == "assistant"
    if answers and _IN_TEXT.search(text):
        return f"{where} with tool calls in the text"
    is_seen = len(head.text) >= head.size
    if row is not None and not is_seen and f"{row}/tools/*" in head.values and head.tail.get("role") in {"assistant", "tool"}:
        return f"{where} with tools, and the agent has the last word"
    if row is not None and answers:
        keys = {path.rsplit("/", 1)[1] for path in head.values if path.rpartition("/")[0] in {row, f"{row}/metadata"}}
        known = sorted(keys & _OF_A_BENCHMARK)
        if known:
            return f"{where} with {', '.join(known)}"
    return ""


def _messages(head: Head) -> tuple[str, str | None]:
    """Where messages stand, in words, and the path of the object around them; None when there is none."""
    if head.shape == "array":
        if _is_turn(head, "/*"):
            return "a list of messages", None
        if _is_turn(head, "/*/*"):
            return "a list of lists of messages", None
        return _around(head, "/*", "a list of ")
    if head.shape == "lines" and _is_turn(head, ""):
        return "a message on each line", None
    return _around(head, "", "lines of " if head.shape == "lines" else "")


def _around(head: Head, row: str, what: str) -> tuple[str, str | None]:
    if _is_turn(head, f"{row}/completion/*") or (_is_turn(head, f"{row}/prompt/*") and f"{row}/completion" in head.values):
        return f"{what}prompt and completion", row
    for key in KEYS:
        if _is_turn(head, f"{row}/{key}/*"):
            return f"{what}{key}", row
        text = head.value(f"{row}/{key}")
        if text.startswith(("[{", '"[{')) and "role" in text:
            return f"{what}{key} as JSON text", row
    return "", None


def _is_turn(head: Head, path: str) -> bool:
    """Whether a message, or an item of the Responses notation, stands at a path."""
    role, kind = head.value(f"{path}/role"), head.value(f"{path}/type")
    if role in ROLES:
        return any(f"{path}/{key}" in head.values for key in ("content", "tool_calls", "function_call"))
    return not role and kind in ITEMS
