"""The whole text of a file, where an act showed it whole: then later edits of it can be carried out in place.

What harnesses write around a file is taken off: line numbers, wrappers, notes on exit codes. A part of a file, a cut result and
a result that holds anything else are no base for edits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from earned.records import Action, Fact, Observation

MAX_SHOWN = 2 << 20
"""Characters of a result that is looked at."""
SAMPLE = 50
"""Lines that tell whether a text is a numbered listing."""
_PART = re.compile(
    r'"(?:offset|limit|view_range|start_line|end_line|line_start|line_end|start|end|lines|line_range|pages|range|head|tail|query)"'
    r'\s*:\s*(?:-?\d|\[\s*-?\d|"[^"])'
)
"""Arguments that ask for a part of a file."""
_NUMBERED = re.compile(r"[ \t]{0,8}(\d{1,7})(?:\t|\u2192|: ?| ?[|\u2502] ?)(.*)", re.DOTALL)
_WRAPPERS = (
    re.compile(r"\s*<returncode>0</returncode>\s*<output>\n?(?P<text>.*)</output>\s*", re.DOTALL),
    re.compile(r"Here's the (?:result of running `cat -n` on|content of) [^\n]{1,500}:\n(?P<text>.*)", re.DOTALL),
    re.compile(r"\[File: [^\n]{1,500} \((?P<count>\d{1,7}) lines total\)\]\n(?P<text>.*)", re.DOTALL),
    re.compile(r"<file>\n(?P<text>.*)\n</file>\s*", re.DOTALL),
)
_NOTES = re.compile(
    r"\n{0,2}(?:\[The command completed with exit code 0\.\]|\[Current working directory:|\[Python [Ii]nterpreter:"
    r"|\[Command finished with exit code 0\]|<system-reminder>|\(End of file - total \d)"
)
_FAILED = re.compile(r"(?:cat: |Error|ERROR|<tool_use_error>|\[Errno|bash: )")
_LOOKERS = frozenset({"cd", "cat", "nl"})


class Shown(NamedTuple):
    """A file as it was shown."""

    path: str
    text: str


def shown_file(action: Action, result: Observation | None, facts: Sequence[Fact]) -> Shown | None:
    """The file that an act shows whole; None for any other act. `facts` are those of a shell command."""
    if result is None or result.truncated or len(result.text) > MAX_SHOWN or result.exit_code not in (None, 0):
        return None
    path = _path(action, facts)
    if not path or path.endswith(".ipynb") or _FAILED.match(result.text):
        return None
    text = _plain(result.text)
    return Shown(path, text if text.endswith("\n") or not text else f"{text}\n") if text is not None else None


def _path(action: Action, facts: Sequence[Fact]) -> str:
    """The one file that is shown from its begin to its end."""
    if action.kind == "read" and len(action.paths) == 1:
        return "" if _PART.search(action.arguments) else action.paths[0]
    showing = [fact for fact in facts if fact.program != "cd"]
    if len(showing) != 1 or showing[0].program not in _LOOKERS or not showing[0].shows:
        return ""
    fact = showing[0]
    is_plain = len(fact.reads) == 1 and not fact.writes and all(word in ("-n", fact.reads[0]) for word in fact.argv[1:])
    return fact.reads[0] if is_plain else ""


def _plain(text: str) -> str | None:
    """The text of the file within a result; None when it is a part of it."""
    count = None
    for wrapper in _WRAPPERS:
        found = wrapper.fullmatch(text)
        if found is not None:
            text = found["text"]
            count = int(found["count"]) if "count" in wrapper.groupindex else None
            break
    notes = _NOTES.search(text)
    if notes is not None:
        text = text[: notes.start()]
    lines = text.removesuffix("\n").split("\n")
    if _NUMBERED.fullmatch(lines[0]) is None:
        return text if count is None and not _is_listing(lines) else None
    made: list[str] = []
    for number, line in enumerate(lines, 1):
        match = _NUMBERED.fullmatch(line)
        if match is None or int(match[1]) != number:
            return None if _is_listing(lines) else text
        made.append(match[2])
    return "\n".join(made) if count in (None, len(made)) else None


def _is_listing(lines: Sequence[str]) -> bool:
    """Whether most lines are numbered: then it is a part of a file, or a file between other lines."""
    looked = lines[:SAMPLE]
    return sum(_NUMBERED.fullmatch(line) is not None for line in looked) * 2 > len(looked)
