"""Output that comes later than the command that caused it: which command an action belongs to that polls, waits or types.

A process that goes on is known by the id that the first result names (`session ID 7` of Codex, a task in the background of
Claude Code), by the file that its output goes to, or, in a terminal without ids, by being the last command. What is typed into
a running shell or Python is commands or program text itself, once its line has ended; into any other program it is input.
A page that a browser opened is shown by what is done in the browser next, and is what the opening act fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from earned.records import Action, Observation, Step
from earned.trajectory.tools import plain_name

Place: TypeAlias = tuple[int, int]
"""(step, action)."""

MAX_ARGUMENTS = 256 * 1024
"""Characters of arguments in which the id of a process is looked for."""
WINDOW = 2_000
"""Characters at the begin or end of a result in which a harness says that the process goes on."""
MAX_PENDING = 64 * 1024
"""Characters typed without a line end that are kept."""

_STATE = re.compile(
    r"(?:(?:Command|Chunk ID|Wall time): [^\n]{0,1000}\n){0,4}"
    r"Process (?:running with session ID (\w{1,64})|(exited) with code -?\d{1,10})(?:\n|$)"
)
"""What Codex puts before the output of a process, and so no program can print there."""
_STARTERS = frozenset({"exec_command", "unified_exec", "write_stdin"})
"""Tools whose results begin so."""
_BACKGROUND = re.compile(r"\bbackground(?:ed)?[\w -]{0,40}(?:with |\()ID:? ([\w-]{1,64})")
_ENDING = ".output"
_FILE = re.compile(r"Output is being written to: ([^\n]{1,1000}\.output)\b")
_GOES_ON = re.compile(r"\[The command (?:has no new output|timed out) after ")
"""OpenHands, whose one terminal has no id."""
_BROWSER = re.compile(
    r"brows|playwright|puppeteer|chrome|(?:^|_)(?:take_snapshot|take_screenshot|evaluate_script|read_page|get_page_text)$"
)
"""Tools that open pages in a browser and show what stands there."""
_KEYS = frozenset({"", "C-c", "C-d", "C-z", "^C", "\x03", "\x04"})
"""What only waits for output or stops a program."""
_PAGER_KEYS = frozenset({"", "q", "Q"})
_INTERRUPT = re.compile("[\x03\x04\x1a]")
_SHELL = re.compile(r"(?:^|[\s/])(?:bash|sh|zsh|dash|ksh|su)(?:\s+-(?:i|l|il|li|-login|-norc|-noprofile|-posix))*\s*$")
_PYTHON = re.compile(r"(?:^|[\s/])i?python[\d.]*(?:\s+-[iqu]+)*\s*$")

Reads: TypeAlias = Literal["commands", "python", "input"]


class Typed(NamedTuple):
    """What was typed into a process, as the process takes it."""

    action: Action
    """A command, a piece of a program, or `other` where it is input or its line has not ended."""
    process: Place
    """The action that started the process."""
    cwd: str
    """The folder in which it was started."""


class LaterOutput(msgspec.Struct, frozen=True):
    """How the actions of one trajectory belong to processes that earlier ones started."""

    origins: dict[Place, Place] = {}
    """An action that shows what an earlier one prints, to that earlier one."""
    typed: dict[Place, Typed] = {}
    """Actions that type into a process which is known."""
    later: dict[Place, tuple[Place, ...]] = {}
    """`origins` the other way round, in order."""

    def shown_at(self, place: Place) -> tuple[Place, ...]:
        """All actions whose results show what one action prints: itself first."""
        return (place, *self.later.get(place, ()))


class _Ids(msgspec.Struct):
    """Arguments by which tools name a process."""

    session_id: Any = None
    bash_id: Any = None
    task_id: Any = None


_ids = msgspec.json.Decoder(_Ids).decode


class _Process:
    """One that goes on."""

    def __init__(self, start: Place, action: Action) -> None:
        self.start = start
        self.asker = start
        """The action whose output is shown next: the start, or in a shell the last command typed."""
        self.reads: Reads = "input"
        if action.kind == "shell" and _SHELL.search(action.command[-WINDOW:]):
            self.reads = "commands"
        elif action.kind == "shell" and _PYTHON.search(action.command[-WINDOW:]):
            self.reads = "python"
        self.cwd = action.cwd
        self.pending = ""

    def type(self, place: Place, action: Action) -> Typed:
        """Take what an action types; a line that has ended is what the process runs now."""
        text = action.command.replace("\r", "\n")
        if _INTERRUPT.search(text):
            self.pending = ""
            text = text[max(match.end() for match in _INTERRUPT.finditer(text)) :]
        if not self.pending and text.strip(" ") in _PAGER_KEYS:
            text = ""  # for a pager: the shell reads what comes next
        ended, _, rest = (self.pending + text).rpartition("\n")
        self.pending = rest[:MAX_PENDING]
        if self.reads == "input" or not ended.strip():
            return Typed(replace(action, kind="other", command=""), self.start, self.cwd)
        self.asker = place
        kind: Literal["shell", "code"] = "shell" if self.reads == "commands" else "code"
        language = "" if kind == "shell" else "python"
        return Typed(replace(action, kind=kind, command=ended, language=language, cwd=""), self.start, self.cwd)


class _Reader:
    """Follows the processes of one trajectory."""

    def __init__(self) -> None:
        self.origins: dict[Place, Place] = {}
        self.typed: dict[Place, Typed] = {}
        self.running: dict[tuple[str, str], _Process] = {}
        """By subagent and id."""
        self.files: dict[str, _Process] = {}
        self.last: dict[tuple[str, str, str], Place] = {}
        """The last command of a terminal: by subagent, tool, and the name of the terminal where it has one."""
        self.waiting: set[Place] = set()
        """Commands of such a terminal that still run by what the last result says."""
        self.opened: dict[str, Place] = {}
        """What opened the page that a browser stands at, by subagent."""

    def step(self, step: Step) -> None:
        for number, action in enumerate(step.actions):
            if action.kind == "message":
                continue
            place = step.index, number
            name = _named(action)
            process = self.running.get((step.subagent, name)) if name else None
            if process is not None:
                self._poll(step, place, name, process)
                continue
            if self.files and (process := self._by_file(action)) is not None:
                self.origins[place] = process.asker
            elif action.kind == "shell":
                self._in_terminal(place, action, (step.subagent, action.tool, name))
            elif self.opened or action.kind == "fetch":
                self._in_browser(place, action, step.subagent)
            self._announced(step, place, action)

    def _poll(self, step: Step, place: Place, name: str, process: _Process) -> None:
        action = step.actions[place[1]]
        if action.kind == "shell" and action.command:
            self.typed[place] = process.type(place, action)
        if process.asker != place:
            self.origins[place] = process.asker
        if any(_state(text, action)[1] for text in _results(step, place[1])):
            del self.running[step.subagent, name]

    def _by_file(self, action: Action) -> _Process | None:
        """The process whose output an action reads from its file."""
        texts = [text for text in (action.command, *action.paths) if _ENDING in text]
        if not texts:
            return None
        return next((process for path, process in self.files.items() if any(path in text for text in texts)), None)

    def _in_terminal(self, place: Place, action: Action, terminal: tuple[str, str, str]) -> None:
        before = self.last.get(terminal)
        if before is not None and (action.command.strip(" \n") in _KEYS or before in self.waiting):
            self.origins[place] = before
        else:
            self.last[terminal] = place

    def _in_browser(self, place: Place, action: Action, subagent: str) -> None:
        """A browser goes on showing the page that was opened last, whatever is done there."""
        if _BROWSER.search(action.tool) is None:
            return
        if action.kind == "fetch" and action.url:
            self.opened[subagent] = place
        elif subagent in self.opened:
            self.origins[place] = self.opened[subagent]

    def _announced(self, step: Step, place: Place, action: Action) -> None:
        """What the result of an action says of a process that goes on."""
        for text in _results(step, place[1]):
            name, _ = _state(text, action)
            if name:
                # an id that is taken stays so until its process is seen to end
                self.running.setdefault((step.subagent, name), _Process(place, action))
            elif "background" in text[-WINDOW:]:
                self._in_background(step.subagent, place, action, text[-WINDOW:])
            command = self.origins.get(place, place)
            self.waiting.discard(command)
            if _GOES_ON.search(text[-WINDOW:]):
                self.waiting.add(command)

    def _in_background(self, subagent: str, place: Place, action: Action, text: str) -> None:
        found = _BACKGROUND.search(text)
        if found is None or action.kind != "shell":
            return
        # the first holds: a program can print the same words about an id that is taken
        process = self.running.setdefault((subagent, found.group(1)), _Process(place, action))
        path = _FILE.search(text)
        if path is not None:
            self.files.setdefault(path.group(1), process)


def later_output(steps: Iterable[Step]) -> LaterOutput:
    """Which actions of the agent and its subagents show or feed what earlier ones started; copies take no part."""
    reader = _Reader()
    for step in steps:
        if step.actions and step.actor in ("agent", "subagent") and not step.copied:
            reader.step(step)
    later: dict[Place, list[Place]] = {}
    for place, origin in reader.origins.items():
        later.setdefault(origin, []).append(place)
    return LaterOutput(reader.origins, reader.typed, {origin: tuple(places) for origin, places in later.items()})


def with_later_output(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps as they were run: what was typed is commands, and a command's result holds all that came back for it later."""
    if not any(_may_go_on(action) for step in steps for action in step.actions):
        return steps
    found = later_output(steps)
    made = list(steps)
    for (step, number), typed in found.typed.items():
        actions = list(made[step].actions)
        actions[number] = replace(typed.action, cwd=typed.cwd)
        made[step] = replace(made[step], actions=tuple(actions))
    for origin, places in found.later.items():
        came = [item for place in (origin, *places) for item in _observations(steps[place[0]], place[1])]
        made[origin[0]] = _answered(made[origin[0]], origin[1], came)
    return made


def _may_go_on(action: Action) -> bool:
    """Whether an action may poll or feed what an earlier one started, by itself: nearly none does."""
    return (
        '_id"' in action.arguments or _ENDING in action.command or (action.kind == "shell" and action.command.strip() in _KEYS)
    )


def _answered(step: Step, number: int, came: Sequence[Observation]) -> Step:
    """The step with all that came back for one action as its result."""
    whole = Observation(
        text="\n".join(item.text for item in came),
        action=number,
        exit_code=next((item.exit_code for item in reversed(came) if item.exit_code is not None), None),
        truncated=any(item.truncated for item in came),
    )
    own = _observations(step, number)
    return replace(step, observations=(*(item for item in step.observations if item not in own), whole))


def _state(text: str, action: Action) -> tuple[str, bool]:
    """What the head of a result says of its process: the id under which it goes on, and whether it ended."""
    if not text.startswith(("Process ", "Chunk ID", "Wall time", "Command")) or plain_name(action.tool) not in _STARTERS:
        return "", False
    found = _STATE.match(text)
    return (found.group(1) or "", found.group(2) is not None) if found else ("", False)


def _named(action: Action) -> str:
    """The id of the process that an action names; empty when it names none."""
    if '_id"' not in action.arguments or len(action.arguments) > MAX_ARGUMENTS:
        return ""
    try:
        found = _ids(action.arguments)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return ""
    ids = (found.session_id, found.bash_id, found.task_id)
    return next((str(item) for item in ids if isinstance(item, str | int) and not isinstance(item, bool)), "")


def _results(step: Step, number: int) -> Iterator[str]:
    return (item.text for item in _observations(step, number))


def _observations(step: Step, number: int) -> Sequence[Observation]:
    is_alone = len(step.actions) == 1
    return [item for item in step.observations if item.action == number or (is_alone and item.action == -1)]
