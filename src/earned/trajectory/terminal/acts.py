"""Who did what in a terminal: what the harness typed, what the agent did, what its own program printed of its acts.

Only what is evident is an act: a command at a shell's prompt that no harness typed, or an act that a known program prints. The
launch of an agent's program is the harness's doing, and everything that follows in that terminal is the program's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.account import Account
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, observation
from earned.trajectory.terminal.codex import read_codex
from earned.trajectory.terminal.keys import Typed
from earned.trajectory.terminal.launch import is_known_launch, is_only_launch
from earned.trajectory.terminal.listed import WAITS, Listed
from earned.trajectory.terminal.log import MAX_SHOWN, Log
from earned.trajectory.terminal.mini import read_mini
from earned.trajectory.terminal.openhands import acts_hidden, read_openhands
from earned.trajectory.terminal.prompts import Command, commands, erased_commands
from earned.trajectory.terminal.reader import Reader
from earned.trajectory.terminal.stream import read_stream
from earned.trajectory.tools import action_of

MAX_SETUP = 8 * 1024
"""Characters that are kept of what a command of the harness printed: its end."""
_SETUP = re.compile(r"(?:asciinema rec\b|(?:source|\.|bash|sh) /installed-agent/|tmux (?:wait|pipe-pane)\b)")
_GRADER = re.compile(r"(?:bash|sh)\s{1,4}/tests/run-tests\.sh")
MAX_AROUND = 20
"""Keys that a harness types around the one command that starts an agent's program."""
_ENDS = frozenset({"C-c", "C-d"})
"""Keys that end a program."""
_ORACLE = re.compile(r"(?:bash|sh)\s{1,4}/oracle/")


class Session(NamedTuple):
    """What is known of a terminal besides its record."""

    typed: Sequence[Typed] = ()
    """Keys that the harness sent into the terminal, its own and its agent's."""
    place: str = ""
    """The file that they stand in, as steps name it."""
    is_scripted: bool = False
    """The benchmark's own solution was typed: none of it is an agent's act."""
    has_tests: bool = False
    """The tests ran in a terminal of their own."""
    instruction: str = ""
    """What the agent was told."""
    types_itself: bool = False
    """The agent is one that acts by typing."""

    @property
    def is_installed(self) -> bool:
        """A program was installed as the agent: the harness typed its launch, the agent typed nothing."""
        if any(_SETUP.match(item.text) and "/installed-agent/" in item.text for item in self.typed):
            return True
        if len(self.typed) > MAX_AROUND:
            return False
        own = [item for item in self.typed if not _is_harness(item.text, is_last=item is self.typed[-1], session=self)]
        is_typed_on = any(item.is_key and item.text not in _ENDS for item in own)
        commands = [item.text for item in own if not item.is_key]
        return not is_typed_on and is_only_launch(commands, self.instruction, types_itself=self.types_itself)


class Told(NamedTuple):
    """What a terminal told besides the steps that were appended."""

    launched: str = ""
    """The command that started the agent's program."""
    printed_by: str = ""
    """Whose text showed the acts; empty when a shell's prompts did."""
    hidden: int = 0
    """Acts that the program says it did, without showing one."""
    last_words: str = ""
    """The last line that the agent's program printed."""
    account: Account | None = None


def append_acts(reading: Reading, path: str, log: Log, session: Session, steps: Steps) -> Told:
    """Append everything that a terminal shows, in order."""
    return _Terminal(reading, path, log, session, steps).told()


def append_typed(session: Session, steps: Steps) -> None:
    """Append what was typed, where no record shows what came of it."""
    for item in session.typed:
        if not _is_harness(item.text, is_last=item is session.typed[-1], session=session):
            _append_typed(item, session, steps)


def _append_typed(item: Typed, session: Session, steps: Steps, *, is_command: bool = True) -> None:
    """What was typed without a prompt in front: a command where nothing else is recorded, else keys for a running program."""
    if item.is_key or not is_command:
        made = Action(kind="other", tool="terminal", arguments=item.text)
    else:
        made = action_of("terminal", {"command": item.text})
    actor: Actor = "harness" if session.is_scripted or session.is_installed else "agent"
    steps.append(Step(index=steps.next, actor=actor, actions=(made,), source=f"{session.place}#line {item.number}"))


def _is_harness(text: str, *, is_last: bool, session: Session) -> bool:
    """Whether Terminal-Bench types this itself. Tests run in the agent's terminal last, where they have none of their own."""
    if _SETUP.match(text) or text in {"clear", "C-d"}:
        return True
    return _GRADER.match(text) is not None and (session.has_tests or is_last)


class _Terminal:
    """One terminal's record while it is taken apart."""

    def __init__(self, reading: Reading, path: str, log: Log, session: Session, steps: Steps) -> None:
        self.reading = reading
        self.path = path
        self.log = log
        self.session = session
        self.steps = steps
        self.told_of = Told()
        known = {_first_line(item.text) for item in session.typed if not item.is_key}
        known |= {f"{text}{WAITS}" for text in known}
        known |= {line.removesuffix(WAITS) for line in log.typed.split("\r")}
        self.known = known - {""}
        self.typed = self._typed_by_agent()
        # a list without the agent's keys is none of what it typed
        self.listed = Listed(session.typed) if self.typed or session.is_installed else None
        self.commands = commands(log, self.known, self._is_typed_line(self.listed) if self.listed else None)
        self.is_installed = session.is_installed or any("/installed-agent/" in item.text for item in self.commands[:6])
        self.has_acted = False
        self.is_installed = self.is_installed or self._is_only_launch()

    def _is_typed_line(self, listed: Listed) -> Callable[[str], bool]:
        """Whether a line was typed; the first ones may be the harness's, which older lists leave out."""
        more = {line.removesuffix(WAITS).strip() for line in self.log.typed.split("\r")}
        is_begun = False

        def is_typed(text: str) -> bool:
            nonlocal is_begun
            if listed.has(text) or text.strip().removesuffix(WAITS) in more:
                is_begun = True
                return True
            return not is_begun and (_SETUP.match(text) is not None or text.strip() == "clear")

        return is_typed

    def _note_doubts(self, listed: Listed | None) -> None:
        """What the prompts leave in doubt."""
        shown = [_first_line(item.text) for item in self.commands]
        if listed is not None and (line := listed.too_often(shown)):
            self.steps.missing(f"a prompt shows a command more often than it was typed: {line[:100]}", step=-1)
        erased = [] if listed is not None else erased_commands(self.log, [item.text for item in self.commands])
        if erased:
            self.steps.missing(f"a command was written over on the screen: {erased[0][:100]}", step=-1)

    def _is_only_launch(self) -> bool:
        """Whether the one command that stands here, beside those of the harness, starts a program with the task."""
        last = len(self.commands) - 1
        own = [
            item
            for at, item in enumerate(self.commands)
            if not _is_harness(item.text, is_last=at == last, session=self.session)
        ]
        if len(self.typed) > 1 or len(own) != 1:
            return False
        session = self.session
        return is_only_launch([own[0].text], session.instruction, types_itself=session.types_itself, cwd=own[0].cwd)

    def _typed_by_agent(self) -> list[Typed]:
        """What the session's keys hold besides the harness's own."""
        typed = () if self.session.is_installed else self.session.typed
        return [item for item in typed if not _is_harness(item.text, is_last=item is typed[-1], session=self.session)]

    def told(self) -> Told:
        """Go through the commands; where there is none, the whole record is some program's."""
        if not self.commands:
            self._program(0, len(self.log.lines.texts))
        number = 0
        echoed = _Echo(self.typed, self.commands)
        while number < len(self.commands):
            command = self.commands[number]
            self._unshown(echoed.before(number), number)
            role = self._role(command, number)
            if role == "launch":
                number = self._launch(number)
            else:
                self._command(command, role)
                number += 1
        self._unshown(echoed.before(len(self.commands)), len(self.commands))
        self._note_doubts(self.listed)
        return self.told_of

    def _unshown(self, typed: Sequence[Typed], number: int) -> None:
        """What was typed before a command and is shown by no prompt: for a program that reads, else for the shell."""
        reader = Reader(self.commands[number - 1], self.log) if typed and number else None
        for item in typed:
            is_read = reader is not None and reader.takes(item)
            _append_typed(item, self.session, self.steps, is_command=not is_read)

    def _role(self, command: Command, number: int) -> str:
        text = command.text
        if _SETUP.match(text) or (text == "clear" and not self.has_acted and number < 3):
            return "setup"
        if _ORACLE.match(text):
            return "setup"
        is_last = number == len(self.commands) - 1
        if _GRADER.match(text) and not self.session.has_tests and is_last:
            return "grader"
        if self.is_installed or (not self.has_acted and is_known_launch(text)):
            return "launch"
        return "setup" if self.session.is_scripted else "agent"

    def _command(self, command: Command, role: str) -> None:
        """One command with what it printed."""
        shown = command.output(self.log)
        made = action_of("terminal", {"command": command.text, "cwd": command.cwd})
        if role == "agent":
            self.has_acted = True
            result = observation(shown, 0)
        else:
            result = Observation(text=shown[-MAX_SETUP:], action=0, truncated=len(shown) > MAX_SETUP)
        actor: Actor = "agent" if role == "agent" else "grader" if role == "grader" else "harness"
        step = Step(
            index=self.steps.next, actor=actor, actions=(made,), observations=(result,), source=self.log.at(command.line)
        )
        self.steps.append(step)

    def _launch(self, number: int) -> int:
        """The start of an agent's program; all that follows is its own, up to what the harness typed after it."""
        command = self.commands[number]
        made = action_of("terminal", {"command": command.text, "cwd": command.cwd})
        self.steps.append(Step(index=self.steps.next, actor="harness", actions=(made,), source=self.log.at(command.line)))
        self.told_of = self.told_of._replace(launched=command.text)
        following = number + 1
        while following < len(self.commands) and not self._is_typed(self.commands[following], following):
            following += 1
        self._program(command.start, self.commands[following - 1].end)
        return following

    def _is_typed(self, command: Command, number: int) -> bool:
        return self._role(command, number) in {"setup", "grader"} or _first_line(command.text) in self.known

    def _program(self, start: int, end: int) -> None:
        """What a program printed: its acts where it shows them, else its text."""
        log, steps = self.log, self.steps
        if read_mini(log, start, end, steps):
            self.told_of = self.told_of._replace(printed_by="mini-swe-agent")
        elif read_openhands(log, start, end, steps):
            self.told_of = self.told_of._replace(printed_by="OpenHands")
        elif read_codex(log, start, end, steps):
            self.told_of = self.told_of._replace(printed_by="Codex")
        elif (printed := read_stream(self.reading, self.path, log, (start, end), steps)) is not None:
            self.told_of = self.told_of._replace(printed_by=printed[0], account=printed[1])
        else:
            self._text(start, end)

    def _text(self, start: int, end: int) -> None:
        shown = self.log.text(start, end)
        hidden = acts_hidden(self.log, start, end)
        last = shown.rstrip().rsplit("\n", 1)[-1].strip()
        self.told_of = self.told_of._replace(hidden=hidden, last_words=last[:200])
        if shown.strip():
            cut = Observation(text=shown[:MAX_SHOWN], truncated=len(shown) > MAX_SHOWN)
            self.steps.append(Step(index=self.steps.next, actor="environment", observations=(cut,), source=self.log.at(start)))


class _Echo:
    """Typed keys beside the commands at the prompts that show them: what no prompt shows comes in between, in order."""

    def __init__(self, typed: Sequence[Typed], shown: Sequence[Command]) -> None:
        self._lines: dict[str, list[int]] = {}
        for number, command in enumerate(shown):
            self._lines.setdefault(_first_line(command.text), []).append(number)
        self._waiting: list[tuple[int, Typed]] = []
        self._done = place = 0
        for item in typed:
            found = None if item.is_key else self._next(_first_line(item.text), place)
            if found is None:
                self._waiting.append((place, item))
            else:
                place = found + 1

    def _next(self, line: str, place: int) -> int | None:
        """The first command from a place on that begins with a line."""
        numbers = self._lines.get(line, [])
        at = bisect_left(numbers, place)
        return numbers[at] if at < len(numbers) else None

    def before(self, number: int) -> list[Typed]:
        """What was typed before a command, and is shown by no prompt."""
        start = self._done
        while self._done < len(self._waiting) and self._waiting[self._done][0] <= number:
            self._done += 1
        return [item for _, item in self._waiting[start : self._done]]


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip()
