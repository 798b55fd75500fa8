"""Steps of a Codex session as its items come in: words, calls and results, joined by call id.

Words and calls until the first result make one step; results that come later still find their call.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.completeness.results import is_cut
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.codex.script import actions_in
from earned.trajectory.steps import Steps, observation

_ABORTED = ("aborted by user", "command was aborted", "aborted after")
"""What Codex writes as the result of a call that was stopped."""


class Result(NamedTuple):
    """What came back from a call."""

    text: str
    exit_code: int | None = None
    is_plain: bool = True
    """An exit code that is not recorded may be looked for in the text: not below a header that has none."""


class Turns:
    """The step that is open, and the calls of earlier ones that wait for their result."""

    def __init__(self, steps: Steps, oddities: Oddities, place: str) -> None:
        self.steps = steps
        self.place = place
        """Of the file; lines are counted behind it."""
        self.oddities = oddities
        self.actor: Actor = "agent"
        self.subagent = ""
        """Name of the subagent whose session this is; empty for the main agent."""
        self.copied = False
        self._waiting: dict[str, tuple[int, int]] = {}
        self._late: dict[int, list[Observation]] = {}
        self._ids: dict[str, int] = {}
        self._time = ""
        self._heard: list[str] = []
        self._codes: dict[int, int] = {}
        self._scripts: dict[int, str] = {}
        self._has_inner = False
        self._reset()

    def _reset(self) -> None:
        self._line = 0
        self._texts: list[str] = []
        self._thoughts: list[str] = []
        self._actions: list[Action] = []
        self._results: list[Observation] = []
        self._before = self._ids
        self._ids = {}

    def _open(self, line: int, time: str) -> None:
        self._line = line
        self._time = time

    def say(self, text: str, line: int, time: str) -> None:
        """Words of the agent."""
        if self._actions or not self._line:
            self.close()
            self._open(line, time)
        if text:
            self._texts.append(text)

    def think(self, text: str, line: int, time: str) -> None:
        """Reasoning of the agent."""
        if self._actions or not self._line:
            self.close()
            self._open(line, time)
        if text:
            self._thoughts.append(text)

    def overhear(self, text: str, line: int, time: str) -> None:
        """Reasoning as an event repeats it: kept where the item itself shows none."""
        if self._results or not self._line:
            self.close()
            self._open(line, time)
        self._heard.append(text)

    def act(self, action: Action, line: int, time: str, *, script: str = "") -> None:
        """A call. `script` is the program of one that calls other tools itself."""
        if self._results or not self._line:
            self.close()
            self._open(line, time)
        if script:
            self._scripts[len(self._actions)] = script
        self._add(action)

    def act_within(self, action: Action, line: int, time: str) -> None:
        """A call that the program of an open call made."""
        if self._scripts:
            self._has_inner = True
        elif self._results or not self._line:
            self.close()
            self._open(line, time)
        self._add(action)

    def _add(self, action: Action) -> None:
        if action.call_id:
            self._ids[action.call_id] = len(self._actions)
        self._actions.append(action)

    def knows(self, call_id: str) -> bool:
        """Whether a call of the open step, of the one before, or one that waits has this id."""
        return call_id in self._ids or call_id in self._before or call_id in self._waiting

    def answer(self, call_id: str, result: Result, line: int, time: str) -> None:
        """A result."""
        text, code, guess = result
        index = self._ids.get(call_id)
        if index is None and not call_id and len(self._results) < len(self._actions):
            index = len(self._results)
        if code is None and guess:
            made = observation(text, -1 if index is None else index)
        else:
            made = Observation(text=text, action=-1 if index is None else index, exit_code=code, truncated=is_cut(text))
        if index is not None:
            self._results.append(made)
            if text.startswith(_ABORTED):
                self.steps.missing("a call was stopped before its result came", step=self.steps.next, acts=False)
        elif call_id in self._waiting:
            step, number = self._waiting.pop(call_id)
            self._late.setdefault(step, []).append(replace(made, action=number))
        else:
            self.oddities.add("a result of a call that is not recorded", f"{self.place}#line {line}")
            self.tell("environment", "", line, time, results=(made,))
            if not self.copied:
                self.steps.missing("a result answers a call that is not in the record")

    def exited(self, call_id: str, code: int) -> None:
        """The exit code of a call of the open step, recorded apart from its result."""
        index = self._ids.get(call_id)
        if index is not None:
            self._codes[index] = code

    def tell(
        self, actor: Actor, text: str, line: int, time: str, *, name: str = "", results: tuple[Observation, ...] = ()
    ) -> None:
        """Something that is not of this agent; `name` is the subagent's."""
        self.close()
        self.steps.append(
            Step(
                index=self.steps.next,
                actor=actor,
                time=time,
                text=text,
                observations=results,
                subagent=name,
                copied=self.copied,
                source=f"{self.place}#line {line}",
            )
        )

    def close(self) -> None:
        """Append the step that is open."""
        if not self._line:
            return
        index = self.steps.next
        if self._scripts:
            self._unfold()
        if self._codes:
            self._results = [
                replace(item, exit_code=self._codes[item.action]) if item.action in self._codes else item
                for item in self._results
            ]
            self._codes = {}
        if len(self._ids) > 1 or len(self._results) < len(self._ids):
            answered = {item.action for item in self._results}
            self._waiting.update((call_id, (index, number)) for call_id, number in self._ids.items() if number not in answered)
        if self._texts or self._thoughts or self._heard or self._actions:
            self._append(index)
        self._reset()

    def _append(self, index: int) -> None:
        thoughts = self._thoughts or self._heard
        self._heard = []
        self.steps.steps.append(
            Step(
                index=index,
                actor=self.actor,
                time=self._time,
                text="\n".join(self._texts) if self._texts else "",
                reasoning="\n".join(thoughts) if thoughts else "",
                actions=tuple(self._actions),
                observations=tuple(self._results),
                subagent=self.subagent,
                copied=self.copied,
                source=f"{self.place}#line {self._line}",
            )
        )

    def _unfold(self) -> None:
        """The calls that a program's text names, where nothing says which it really made."""
        scripts, self._scripts = self._scripts, {}
        if self._has_inner:
            self._has_inner = False
            return
        for number, script in scripts.items():
            found, is_whole = actions_in(script, self._actions[number])
            if not is_whole and not self.copied:
                what = "a program made calls whose arguments it put together itself: what they did is not recorded"
                self.steps.missing(what, step=self.steps.next)
            if len(found) == 1 and is_whole:
                self._actions[number] = found[0]
            elif found:
                self._actions += found
                self._results = [replace(item, action=-1) if item.action == number else item for item in self._results]

    def finish(self) -> None:
        """Append what is open, and give late results to their steps."""
        self.close()
        steps = self.steps.steps
        for index, late in self._late.items():
            steps[index] = replace(steps[index], observations=(*steps[index].observations, *late))
        self._late.clear()
