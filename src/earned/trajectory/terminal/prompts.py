"""Commands at a shell's prompt, each with what was shown until the next prompt.

Where the shell's line editor marks what it reads (bracketed paste), only lines that it read are prompts, so that no program's
output is taken for one. Without these marks a prompt is `user@host:path$`. A bare `$`, or a prompt without the mark where
others have it (a shell within the shell), is one only where its command is known to have been typed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from earned.trajectory.terminal.listed import WAITS
from earned.trajectory.terminal.log import Log

MAX_PROMPT = 400
"""Characters of a prompt."""

_PROMPT = re.compile(
    r"(?:\([\w.+-]{1,64}\) ?){0,4}\[?([A-Za-z_][\w.-]{0,63}@[A-Za-z0-9][\w.-]{0,127})[: ]"
    r"([~/][^#$%\n]{0,256}?|[\w.-]{0,64})\]?[#$%](?: |$)"
)
_BARE = re.compile(r"(?:(?:ba|z|da|a)?sh-\d{1,2}\.\d{1,3}[#$]|(/[\w./-]{0,200}) [#$]|[#$])(?: |$)")
_HEREDOC = re.compile(r"<<-?\s{0,8}(?:'([^'\n]{1,64})'|\"([^\"\n]{1,64})\"|\\?([A-Za-z_]\w{0,63}))")
_BARE_STARTS = frozenset("#$/bzsad")
_ENDED = "asciinema: recording finished"
_OPERATORS = ("\\", "&&", "||", "|")


class Command(NamedTuple):
    """One command that was typed at a prompt."""

    text: str
    cwd: str
    """As the prompt says it; empty when it does not."""
    line: int
    """Its first line."""
    start: int
    """First line of its output."""
    end: int
    """Behind the last line of its output."""
    rest: str
    """Output that stands before the next prompt in the prompt's own line."""

    def output(self, log: Log) -> str:
        """What was shown until the next prompt."""
        shown = log.text(self.start, self.end)
        return f"{shown}\n{self.rest}" if shown and self.rest else shown or self.rest


class _At(NamedTuple):
    """A prompt in a line."""

    line: int
    start: int
    end: int
    cwd: str


def commands(log: Log, known: Collection[str] = (), is_typed: Callable[[str], bool] | None = None) -> list[Command]:
    """All commands in order.

    Args:
        log: What the terminal showed.
        known: First lines of commands that were typed, which make a bare `$` a prompt.
        is_typed: Whether a line was typed, where that is known of all: the prompt of another is output.
    """
    prompts = list(_prompts(log, known))
    if is_typed is not None:
        prompts = [prompt for prompt in prompts if _is_listed(log.lines.texts[prompt.line][prompt.end :], is_typed)]
    made: list[Command] = []
    for number, prompt in enumerate(prompts):
        following = prompts[number + 1] if number + 1 < len(prompts) else None
        text, start = _typed(log, prompt, following.line if following else len(log.lines.texts))
        end = following.line if following else len(log.lines.texts)
        rest = log.lines.texts[following.line][: following.start] if following else ""
        if text.strip():
            made.append(Command(text, prompt.cwd, prompt.line, start, max(start, end), rest.rstrip()))
        elif made and _goes_on(log.lines.texts[start:end]):
            made[-1] = made[-1]._replace(end=max(start, end), rest=rest.rstrip())
    return made


def erased_commands(log: Log, shown: Collection[str]) -> list[str]:
    """Commands at prompts that were shown and then written over, without those of which one in `shown` begins so."""
    found = (match for row in log.lines.erased if (match := _PROMPT.match(row)))
    lines = {" ".join(match.string[match.end() :].split()): None for match in found}
    told = sorted(" ".join(text.split()) for text in shown)
    return [line for line in lines if line and not _begins_one(line, told)]


def _begins_one(line: str, told: Sequence[str]) -> bool:
    at = bisect_left(told, line)
    return at < len(told) and told[at].startswith(line)


def _is_listed(text: str, is_typed: Callable[[str], bool]) -> bool:
    return not text.strip() or is_typed(text)


def _goes_on(lines: Sequence[str]) -> bool:
    """Whether lines behind an empty prompt are a command's in the background, and not the recording's end."""
    return any(line.strip() for line in lines) and not any(line.startswith(_ENDED) for line in lines)


def _prompts(log: Log, known: Collection[str]) -> Iterator[_At]:
    texts, typed = log.lines.texts, log.lines.typed
    is_marked = any(typed)
    host = ""
    for number, text in enumerate(texts):
        if "@" not in text and text[:1] not in _BARE_STARTS:
            continue
        is_read = typed[number] or not is_marked
        found = _prompt(text, host if is_read else "")
        if found is not None:
            if is_read or text[found.end() :].strip() in known:
                host = found.group(1)
                yield _At(number, found.start(), found.end(), found.group(2).strip())
        elif text[:1] in _BARE_STARTS and (bare := _BARE.match(text)) is not None:
            is_evident = bool(typed[number]) or (is_read and text[0] not in "#$/")
            if is_evident or text[bare.end() :].strip() in known:
                yield _At(number, 0, bare.end(), bare.group(1) or "")


def _prompt(text: str, host: str) -> re.Match[str] | None:
    """The prompt in a line, also behind output that did not end its own: by the user and host of an earlier one."""
    found = _PROMPT.match(text)
    if not host or (found is not None and found.group(1) == host):
        return found
    at = text.rfind(f"{host}:")
    return (_PROMPT.match(text, at) if at > 0 else None) or found


def _typed(log: Log, prompt: _At, end: int) -> tuple[str, int]:
    """What was typed at a prompt, with its continuation lines, and the first line behind it."""
    texts, typed = log.lines.texts, log.lines.typed
    first = texts[prompt.line][prompt.end :]
    is_marked = bool(typed[prompt.line])
    parts, number = [first], prompt.line + 1
    opened = _Open()
    opened.take(first)
    while number < end and texts[number][:2].rstrip() == ">" and (typed[number] if is_marked else opened.is_open):
        parts.append(texts[number][2:])
        opened.take(parts[-1])
        number += 1
    return "\n".join(part.rstrip() for part in parts).removesuffix(WAITS).rstrip(), number


class _Open:
    """Whether a command that is taken line by line goes on: an open quote, here-document, or operator at its end."""

    def __init__(self) -> None:
        self._quote = ""
        self._delimiter = ""
        self._goes_on = False

    @property
    def is_open(self) -> bool:
        """Whether the shell asks for another line."""
        return bool(self._quote or self._delimiter or self._goes_on)

    def take(self, line: str) -> None:
        """One more line of the command."""
        if self._delimiter:
            self._delimiter = "" if line.strip() == self._delimiter else self._delimiter
            return
        was_open = bool(self._quote)
        escaped = False
        for character in line if "'" in line or '"' in line else "":
            if escaped:
                escaped = False
            elif character == "\\" and self._quote != "'":
                escaped = True
            elif character in "'\"" and self._quote in {"", character}:
                self._quote = "" if self._quote else character
        found = None if was_open or self._quote else _HEREDOC.search(line)
        self._delimiter = next(filter(None, found.groups()), "") if found else ""
        self._goes_on = line.rstrip().removesuffix(WAITS).endswith(_OPERATORS)
