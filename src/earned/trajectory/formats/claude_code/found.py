"""What a Claude Code session tells besides its steps: who asked for what, which model answered, what is missing or odd."""

from __future__ import annotations

import re
from collections.abc import Sequence

from earned.records import Cohort
from earned.trajectory.account import Account
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.claude_code.records import Tokens
from earned.trajectory.formats.claude_code.told import CLEAR, COMMAND
from earned.trajectory.formats.claude_code.tree import Tree
from earned.trajectory.formats.claude_code.turns import Call, Line, Turn, Turns
from earned.trajectory.formats.claude_code.usage import usage_of
from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.steps import Steps

HARNESS = "claude-code"
"""Also the name that Harbor gives to every stream, so that it names no task."""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
_ACTS = frozenset({"shell", "code", "edit", "write"})
SHOWN = 10
"""Steps that are named one by one."""


class Found:
    """Filled while a session is read."""

    def __init__(self) -> None:
        self.spoken = 0
        """Lines of the main conversation with a message."""
        self.sessions: dict[str, int] = {}
        """Session id that those lines name, in the order of appearance, and how many do."""
        self.session = self.version = self.started = self.finished = ""
        self.cost: float | None = None
        self.tokens: list[Tokens] = []
        self.is_alone = False
        """A subagent's file without the session that started it."""
        self.prompts: list[Turn] = []
        """What a person typed, commands of Claude Code left out."""
        self.expanded: Turn | None = None
        """What Claude Code made of a command of the user's, where nothing was typed before."""
        self.abandoned: list[Turn] = []
        """Turns on branches that a rewind left behind."""
        self.unread: list[tuple[str, int, bool]] = []
        """Lines that are no records: file, number, and whether a line end follows."""
        self.lost: list[str] = []
        """Why acts may be missing of which nothing shows where."""
        self.said: list[str] = []
        self._commanded = self._is_behind = False
        self._cleared: list[Turn] = []

    def note(self, session: str | None, time: str | None, version: str | None = None) -> None:
        """A line of the main conversation with a message."""
        self.spoken += 1
        if session:
            self.session = session
            self.sessions[session] = self.sessions.get(session, 0) + 1
        if time:
            self.finished = time
            if not self.started:
                self.started = time
        if version:
            self.version = version

    def note_typed(self, turn: Turn, text: str) -> None:
        """What a person typed."""
        start = text.lstrip()[:200]
        if CLEAR in start:
            self._cleared.append(turn)
        elif start.startswith(COMMAND):
            self._commanded = True
        else:
            self.prompts.append(turn)

    def note_injected(self, turn: Turn) -> None:
        """What Claude Code put in: behind a command of the user's that is what the command stands for."""
        if self._commanded and self.expanded is None and not self.prompts:
            self.expanded = turn

    def note_compaction(self, turns: Turns, line: Line, *, is_known: bool) -> None:
        """Where the context was replaced by a summary; `is_known`: of a conversation that is in the file."""
        turn = turns.add("harness", "Conversation compacted", line)
        if not (self.spoken or is_known or line.agent):
            self._is_behind = True
            turns.gaps.append(("the conversation before a compaction is not in the file", turn))

    def note_summary(self, turns: Turns, turn: Turn, line: Line) -> None:
        """A summary of what came before; with no answer of the agent's before it, that is not in the file."""
        if line.agent or self._is_behind or any(one.actor == "agent" and not one.agent for one in turns.turns):
            return
        self._is_behind = True
        turns.gaps.append(("the beginning is not recorded: the session goes on from a summary", turn))

    def note_main(self, turns: Turns, tree: Tree, ends: Sequence[int]) -> None:
        """Once the session's own file was read: where it begins and what it repeats."""
        orphans = tree.missing()
        if self.is_alone:
            for turn in turns.turns:
                if turn.copied and turn.actor == "subagent":
                    turn.actor, turn.copied, turn.agent = "user", False, ""
                    self.prompts.append(turn)
            return
        if orphans and ends and orphans[0] == ends[0]:
            turns.gaps.append(("the session begins behind a line that is not in the file", turns.turns[0]))
            orphans = orphans[1:]
        if orphans:
            what = f"lines follow lines that are not in the file ({len(orphans)}); the order of the file is kept"
            first = next((turn for turn in turns.turns if turn.line.node >= orphans[0]), turns.turns[-1])
            turns.gaps.append((what, first))
        if tree.repeated:
            self.said.append(f"lines have the id of an earlier line ({tree.repeated})")
        if turns.replayed:
            self.said.append(f"calls, results and texts that stand there again are left out ({turns.replayed})")

    def note_agents(
        self, turns: Turns, left: Sequence[str], unseen: Sequence[Call], short: Sequence[tuple[Call, int, int]] = ()
    ) -> None:
        """Subagents without a call, calls without a subagent's lines, and with fewer of its calls than the record counts."""
        if left:
            names = ", ".join(left[:SHOWN])
            self.said.append(f"subagents are attributed to no call ({names})")
        turns.gaps += [("the steps of the subagent that a call started are not there", call.turn) for call in unseen]
        turns.gaps += [
            (f"the record counts {count} calls of a subagent, of which {shown} are there", call.turn)
            for call, count, shown in short
        ]

    def settle(self, turns: Sequence[Turn], marks: bytearray, *, circles: int) -> None:
        """Which turns were abandoned; `marks`: for each line whether it is on such a branch; `circles`: links that go back."""
        own = (turn for turn in turns if turn.line.node >= 0 and turn.actor in {"agent", "user"})
        self.abandoned = [turn for turn in own if marks[turn.line.node]]
        if circles:
            self.said.append("lines follow each other in a circle; the order of the file is kept")

    def has_abandoned_acts(self) -> bool:
        """Whether something was done on an abandoned branch that may have changed files."""
        return any(action.kind in _ACTS for turn in self.abandoned for action in turn.actions)

    def tell(self, turns: Turns, steps: Steps, oddities: Oddities, path: str) -> None:
        """Write down what is missing and odd, once every turn has its step."""
        steps.keeps_all = True
        for what, turn in turns.gaps:
            steps.missing(what, step=turn.index)
        if self.is_alone:
            steps.missing("the session that started this subagent is not among the files", step=-1)
        for what in self.lost:
            steps.missing(what, step=-1)
        self._tell_unread(steps)
        if self.abandoned:
            where = _listed([turn.index for turn in self.abandoned])
            self.said.append(
                f"steps {where} stand on a branch that was left, as by a rewind; what they did was done and counts"
            )
        self.said += [f"the conversation was cleared at step {turn.index}; what follows begins anew" for turn in self._cleared]
        self.said += [
            f"lines of the session {name}, which was resumed here, count as this run's ({count})"
            for name, count in self.sessions.items()
            if name != self.session
        ]
        models = [name for is_side, name in turns.models if not is_side]
        if len(models) > 1:
            self.said.append(f"the main agent's answers are of several models ({', '.join(models[:SHOWN])})")
        if turns.interrupted:
            self.said.append(f"commands were interrupted ({turns.interrupted})")
        if turns.collided:
            self.said.append(f"calls have the id of another call ({turns.collided})")
        for what in self.said:
            oddities.add(what, path)

    def _tell_unread(self, steps: Steps) -> None:
        if not self.unread:
            return
        cut = [item for item in self.unread if not item[2]]
        for name, _, _ in cut:
            steps.missing(f"the file ends within a line: {name}")
        whole = len(self.unread) - len(cut)
        if whole:
            name, number, _ = next(item for item in self.unread if item[2])
            steps.missing(f"lines cannot be read ({whole}), the first is line {number} of {name}", step=-1)

    def account(self, turns: Turns, path: str) -> Account:
        """What is known of the attempt besides its steps."""
        stem = stem_of(path.rpartition("/")[2]).removesuffix(".txt").removesuffix(".log")
        session = stem if stem in self.sessions else self.session or stem
        is_named = stem not in {session, HARNESS} and not stem.startswith("agent-") and not _UUID.match(stem)
        left = {id(turn) for turn in self.abandoned}
        asked = [turn for turn in self.prompts if id(turn) not in left] or self.prompts
        asked += [self.expanded] if self.expanded is not None else []
        models = sorted(turns.models)  # the main agent's before subagents'
        return Account(
            task=stem if is_named else "",
            attempt=session,
            model=next((name for is_side, name in turns.models if not is_side), models[0][1] if models else ""),
            harness=HARNESS,
            harness_version=self.version,
            cohort=Cohort(started=self.started or "unknown", finished=self.finished or "unknown"),
            instruction=asked[0].text if asked else None,
            usage=usage_of(self.tokens, self.cost),
        )


def _listed(numbers: list[int]) -> str:
    """Numbers of steps, neighbours as ranges."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:SHOWN]]
    return ", ".join(shown) + (f" and {len(ranges) - SHOWN} more ranges" if len(ranges) > SHOWN else "")
