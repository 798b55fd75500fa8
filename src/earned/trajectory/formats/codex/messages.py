"""Who speaks in a message of a Codex session: the user, or the harness in the user's name.

Before the task stand messages with the role of a user that Codex wrote itself: the environment, instructions of files, skills.
New builds name the kind of each part; of older ones a part is the harness's when it is wholly within one of its marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from earned.records.trajectory import Actor
from earned.trajectory.decode.messages import content_text
from earned.trajectory.formats.codex.records import Message

_MARKS = (
    *("environment_context", "user_instructions", "skill", "user_shell_command", "turn_aborted", "subagent_notification"),
    *("recommended_plugins", "agent_message_board_notification", "permissions instructions", "collaboration_mode"),
    *("multi_agent_mode", "apps_instructions", "skills_instructions", "plugins_instructions", "user_action"),
)
_OPENINGS = tuple(f"<{mark}>" for mark in _MARKS)
_AGENTS = "# agents.md instructions"
_CWD = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>|[Cc]urrent working directory: ([^\n]{1,4096})")


def speakers(message: Message) -> Iterator[tuple[Actor, str]]:
    """The parts of a message that is not the agent's, joined where one speaker said several in a row."""
    if message.role != "user":
        yield "harness", content_text(message.content)
        return
    parts = message.content if isinstance(message.content, list) else [message.content]
    kinds = _kinds(message, len(parts))
    said: list[str] = []
    speaker: Actor = "user"
    for part, kind in zip(parts, kinds, strict=True):
        text = content_text([part] if isinstance(part, dict) else part)
        actor: Actor = "harness" if _is_injected(text, kind) else "user"
        if said and actor != speaker:
            yield speaker, "\n".join(said)
            said = []
        speaker = actor
        said.append(text)
    if said:
        yield speaker, "\n".join(said)


def _kinds(message: Message, count: int) -> list[str]:
    """The kind of each part; empty texts where none are recorded."""
    passed = message.internal_chat_message_metadata_passthrough
    kinds = passed.get("content_item_kinds") if isinstance(passed, dict) else None
    if isinstance(kinds, list) and len(kinds) == count:
        return [kind if isinstance(kind, str) else "" for kind in kinds]
    return [""] * count


def _is_injected(text: str, kind: str) -> bool:
    if kind:
        return not kind.startswith("user.")
    bare = text.strip()
    if bare[:1] not in {"<", "#"}:
        return False
    start = bare[:64].lower()
    if start.startswith(_AGENTS):
        return True
    mark = next((opening for opening in _OPENINGS if start.startswith(opening)), "")
    return bool(mark) and bare[-64:].lower().endswith(f"</{mark[1:]}")


def text_of(content: Any) -> str:
    """The text of a content; mostly it is one part."""
    if not content:
        return ""
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        text = content[0].get("text")
        if isinstance(text, str):
            return text
    return content_text(content)


def cwd_in(text: str) -> str:
    """The working directory that the harness's description of the environment names; empty where it names none."""
    found = _CWD.search(text[:8192])
    return (found.group(1) or found.group(2)).strip() if found else ""
