"""What came back for a call: its text as the agent saw it, and what the structured twin says beyond it.

The text is never replaced by the twin, which holds outputs whole that the agent saw cut. From the twin come the exit code, that
a command was interrupted, and that a part is missing. After Claude Code 2.1: a command that fails is marked as an error and
begins with `Exit code N`; some codes other than 0 are no error there (`grep` without a hit), and are then put in words.
"""

from __future__ import annotations

import re
from typing import Any

from earned.records import Action, Observation
from earned.trajectory.completeness.results import exit_code_of, is_cut
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.formats.claude_code.records import Details, Part, Parts, Shown, Twin

_EXIT = re.compile(r"(?:Error: )?Exit code (-?\d{1,6})(?:\n|$)")
_SAVED = ("<persisted-output>", "Error: result (", "Output too large (")
"""How what is shown of a result begins that was saved to a file, being too large."""
_NOT_DONE = re.compile(
    r"<tool_use_error>"
    r"|The user doesn't want to (?:proceed|take)"
    r"|Claude requested permissions? to "
    r"|(?:Error: )?Permission (?:to|for) .{1,400}(?:has been|was) denied"
    r"|This command requires approval"
    r"|This Bash command contains multiple operations"
    r"|(?:Hook )?PreToolUse:"
    r"|\w{1,40} operation blocked by hook"
    r"|User rejected tool use",
    re.DOTALL,
)
"""How Claude Code says that a call was not carried out."""
_UNDECIDED = frozenset({None, "interrupted", "cancelled"})
"""Kinds of denial that do not say whether the call had begun."""
_BACKGROUND = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool"})
"""Tools that show what a command in the background has printed so far."""


def text_of(content: Parts) -> str:
    """The text of a result; images and other parts without text are named in brackets."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    return _part(content) if isinstance(content, Part) else "\n".join([_part(part) for part in content])


def _part(part: Part) -> str:
    if part.text is not None:
        return part.text
    if part.url is not None or part.title is not None:
        return " ".join(text for text in (part.title, part.url, _inner(part.content)) if text)
    for value in (part.content, part.stdout):
        if value is not None:
            return _inner(value)
    return f"[{part.type or 'part'}{f' {part.tool_name}' if part.tool_name else ''}{_error(part.error_code)}]"


def _error(code: Any) -> str:
    return "" if code is None else f" {code}"


def _inner(value: Any) -> str:
    """The text within a part of a part: a document that was fetched, a list of hits."""
    if value is None or isinstance(value, str):
        return value or ""
    source = value.get("source") if isinstance(value, dict) else None
    data = source.get("data") if isinstance(source, dict) else None
    return data if isinstance(data, str) and source is not None and source.get("type") == "text" else as_json(value)


def observation_of(text: str, number: int, action: Action, twin: Twin, *, is_error: bool | None) -> Observation:
    """The observation that answers action `number` of its step."""
    details = twin if isinstance(twin, Details) else None
    return Observation(
        text=text,
        action=number,
        exit_code=_exit_code(text, action, details, is_error=is_error),
        truncated=_is_cut(text, action, details),
    )


def _exit_code(text: str, action: Action, details: Details | None, *, is_error: bool | None) -> int | None:
    """As recorded; 0 only where the record says that the command ended by itself and without an error."""
    if action.kind != "shell":
        return exit_code_of(text) if action.tool in _BACKGROUND else None
    if is_error:
        found = _EXIT.match(text)
        return int(found.group(1)) if found else None
    if details is None:
        return None
    if details.exit_code is not None:
        return int(details.exit_code) if isinstance(details.exit_code, int) else None
    open_ended = details.interrupted or details.background_task_id or details.return_code_interpretation
    return 0 if isinstance(details.stdout, str) and not open_ended else None


def _is_cut(text: str, action: Action, details: Details | None) -> bool:
    if text.startswith(_SAVED):
        return True
    if details is None:
        return is_cut(text)
    if details.persisted_output_path or (details.truncated is True and action.kind == "search"):
        return True
    if isinstance(details.file, Shown):
        return _is_page(details.file) and '"limit"' not in action.arguments
    if details.applied_limit is not None and '"head_limit"' not in action.arguments:
        return True
    return is_cut(text)


def _is_page(shown: Shown) -> bool:
    """Whether lines follow behind those that were shown."""
    numbers = (shown.start_line, shown.num_lines, shown.total_lines)
    if not all(isinstance(number, int) for number in numbers):
        return False
    return bool(shown.start_line + shown.num_lines - 1 < shown.total_lines)


def is_undone(action: Action, text: str, *, is_error: bool | None, denial: str | None = None) -> bool:
    """Whether the record says that a call did nothing: it was denied, or an edit failed."""
    if denial not in _UNDECIDED:
        return True
    return is_error is True and (action.kind in {"edit", "write"} or _NOT_DONE.match(text) is not None)


def undone(action: Action) -> Action:
    """A call that did nothing: what was wanted stays readable, and nobody takes it for an act."""
    raw = action.arguments or as_json({"command": action.command or action.text})
    return Action(kind="other", tool=action.tool, call_id=action.call_id, arguments=raw)
