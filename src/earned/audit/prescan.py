"""Every act of the agent as facts, with the ancestry of what git read decided. No judgement, no model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec
import re2

from earned.content import read_patch
from earned.gitgraph import Ancestry, SeenGraph, prints_commits
from earned.records import Action, Edit, Fact, GitUse, Observation, Step, Trajectory, Write
from earned.records.fact import WriteOperation
from earned.shell import Session, command_facts, program_facts
from earned.trajectory.later_output import LaterOutput, Place, Typed, later_output
from earned.trajectory.searches import shows_lines

_OPERATIONS = {"write": "write", "append": "append", "replace": "replace", "insert": "replace", "delete": "delete"}


_PERSISTENT = ("terminus", "swe-agent", "openhands", "claude-code", "codex")
"""Harnesses whose shell goes on from one action to the next. Elsewhere only an action that is nothing but `cd` moves the rest:
`cd /tmp && …` in a fresh shell says nothing of where the next action begins."""


_SILENT = frozenset({"cd", "export", "set", "true"})
"""Beside these a command's output is the whole observation; any other program may have cut it (`| head`) or added to it."""


MAX_OBSERVED = 64 * 1024 * 1024
"""Characters that the git commands of one action are given to read together: each gets what came back for the action."""

_OWN_LISTING = re2.compile(r"\bgit\b[^|;&\n]*\b(log|rev-list|rev-parse|merge-base|blame)\b")
_BEYOND = re2.compile(
    r"--all|--branches|--remotes|--tags|--walk-reflogs|\s-g\b|reflog|fsck|stash|origin/|upstream/|_HEAD|for-each-ref|ls-remote"
)


class Graph(Protocol):
    """What can say whether something that git read is an ancestor of the base: the trajectory itself, or a bundle."""

    def ancestry(self, use: GitUse) -> Ancestry:
        """`yes`, `no` or `unknown`, with the reason in words."""
        ...


class Scan(msgspec.Struct, frozen=True):
    """The facts of one trajectory, in the order of acting."""

    facts: tuple[Fact, ...]
    by_action: dict[tuple[int, int], tuple[int, ...]]
    """(step, action) to indices into `facts`."""
    sessions: tuple[Session, ...] = ()
    """What the shells of the agent and its subagents know at the end."""
    later: LaterOutput = LaterOutput()
    """Which actions show what an earlier one prints, or type into what it started."""

    def facts_shown(self, step: int, action: int) -> Iterator[int]:
        """Indices of the facts whose output an action's result shows: its own, and those of the command that it polls."""
        place = step, action
        yield from self.by_action.get(place, ())
        if place in self.later.origins:
            yield from self.by_action.get(self.later.origins[place], ())


def prescan(
    trajectory: Trajectory,
    *,
    graph: Graph | None = None,
    only: Callable[[Step, int], bool] | None = None,
    later: LaterOutput | None = None,
) -> Scan:
    """Facts of the actions that this run's agent (or one of its subagents) took.

    `graph` decides ancestry exactly where it can (`--protected`); otherwise what the trajectory showed decides. `only` (of a
    step and an action's number) leaves out actions; what is left out can matter after all when a session holds a definition
    that it uses (audit/prefilter.py). An action that polls has no facts: those are its command's, which acted once. `later`
    spares looking for them again.
    """
    later = later_output(trajectory.steps) if later is None else later
    facts: list[Fact] = []
    by_action: dict[Place, tuple[int, ...]] = {}
    sessions: dict[str, Session] = {}
    folders: dict[Place, str] = {}
    is_persistent = has_lasting_shell(trajectory)
    for step in agent_steps(trajectory):
        session = sessions.setdefault(step.subagent, Session())
        for number, action in enumerate(step.actions):
            place = step.index, number
            typed = later.typed.get(place)
            if typed is None and only is not None and not only(step, number):
                continue
            start = session.cwd
            read = action_facts(action, session=session) if typed is None else _typed_facts(typed, action, session, folders)
            found = tuple(_placed(fact, *place) for fact in read)
            if typed is not None or (not is_persistent and any(fact.program != "cd" for fact in found)):
                session.cwd = start
            if found:
                by_action[place] = tuple(range(len(facts), len(facts) + len(found)))
                facts.extend(found)
    return Scan(_with_ancestry(facts, by_action, trajectory, graph, later), by_action, tuple(sessions.values()), later)


def _typed_facts(typed: Typed, action: Action, session: Session, folders: dict[Place, str]) -> tuple[Fact, ...]:
    """Facts of what was typed into a process, which stands in a folder of its own: `folders`, by where it was started."""
    session.cwd = folders.get(typed.process, typed.cwd)
    found = action_facts(typed.action, session=session)
    folders[typed.process] = session.cwd
    is_whole = action.command.startswith(typed.action.command.partition("\n")[0])
    return found if is_whole else tuple(msgspec.structs.replace(fact, start=0, end=0) for fact in found)


def has_lasting_shell(trajectory: Trajectory) -> bool:
    """Whether the harness is known to keep one shell from action to action."""
    harness = trajectory.harness.lower()
    return any(name in harness for name in _PERSISTENT) and not harness.startswith("mini")


def agent_steps(trajectory: Trajectory) -> Iterator[Step]:
    """The steps in which the agent or a subagent acted in this run: no copies, no demonstrations, no grader."""
    return (step for step in trajectory.steps if step.actor in ("agent", "subagent") and not step.copied)


def action_facts(action: Action, *, session: Session | None = None) -> tuple[Fact, ...]:
    """Facts of one action, whatever tool it used."""
    if action.kind == "shell":
        return tuple(chain.from_iterable(map(_unfolded, command_facts(action.command, cwd=action.cwd, session=session))))
    if action.kind == "code":
        found = program_facts(action.command, action.language or "python", session=session)
        return tuple(chain.from_iterable(map(_unfolded, found)))
    if action.kind in ("edit", "write"):
        writes = (write for edit in action.edits for write in _writes(edit))
        return tuple(Fact(program=action.tool, writes=(write,), shows=False) for write in writes)
    if action.kind in ("fetch", "search") and (action.url or action.query):
        host = urlsplit(action.url).hostname if "//" in action.url else None
        reads = action.paths if action.kind == "search" and shows_lines(action) else ()
        return (
            Fact(program=action.tool, urls=(action.url,) if action.url else (), hosts=(host,) if host else (), reads=reads),
        )
    if action.paths:
        return (Fact(program=action.tool, argv=(action.tool, *action.paths), reads=action.paths),)
    return ()


def shown(step: Step, action: int) -> str:
    """All text that came back for one action of a step, what came back for several at once included."""
    texts = [observation.text for observation in step.observations if observation.action in (action, -1)]
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def results(fact: Fact, later: LaterOutput, trajectory: Trajectory) -> Iterator[Observation]:
    """All that came back for a fact's action, at once and later."""
    for step, action in later.shown_at((fact.step, fact.action)):
        yield from (item for item in trajectory.steps[step].observations if item.action in (action, -1))


def _unfolded(fact: Fact) -> Iterator[Fact]:
    """The fact, and where it holds a patch one for each of the files that it changes: each is judged by itself."""
    if not any(write.operation == "patch" and write.text for write in fact.writes):
        yield fact
        return
    writes = [item for write in fact.writes for item in (_patched(write.text) if write.operation == "patch" else (write,))]
    yield msgspec.structs.replace(fact, writes=tuple(writes[:1]))
    for write in writes[1:]:
        yield msgspec.structs.replace(
            fact, writes=(write,), reads=(), hosts=(), urls=(), git=None, runs="", background=False, shows=False
        )


def _patched(text: str | None) -> Iterator[Write]:
    for file in read_patch(text or ""):
        added, removed = ("\n".join(line.text for line in lines) for lines in (file.added, file.removed))
        operation: WriteOperation = "delete" if file.is_deleted else "write" if file.is_new else "patch"
        yield Write(path=file.path, operation=operation, text=added, removed=removed)


def _writes(edit: Edit) -> Iterator[Write]:
    if edit.operation == "patch":
        yield from _patched(edit.new)
        return
    operation: Callable[[str], str] = _OPERATIONS.__getitem__
    yield Write(path=edit.path, operation=operation(edit.operation), text=edit.new)  # type: ignore[arg-type]


def _placed(fact: Fact, step: int, action: int) -> Fact:
    return msgspec.structs.replace(fact, step=step, action=action)


def _with_ancestry(
    facts: list[Fact],
    by_action: dict[Place, tuple[int, ...]],
    trajectory: Trajectory,
    graph: Graph | None,
    later: LaterOutput,
) -> tuple[Fact, ...]:
    """Decide each git use by what was shown before it, then again by all that was shown, and by the bundle first of all."""
    places = [index for index, fact in enumerate(facts) if fact.git is not None]
    if not places:
        return tuple(facts)
    seen = SeenGraph()
    place, together = (-1, -1), _Together(0, 0, "", "", is_cut=False)
    for index in places:
        fact = facts[index]
        if place != (fact.step, fact.action):
            place = fact.step, fact.action
            together = _together([facts[other] for other in by_action[place]], list(results(fact, later, trajectory)))
        facts[index] = _decided(fact, graph, seen)
        if (use := facts[index].git) is not None and use.ancestor == "unknown":
            facts[index] = _computed(facts[index], trajectory.steps[fact.step])
        if fact.git is not None and "xargs" in fact.via:
            facts[index] = _from_pipe(facts[index], together.beyond)
        if fact.git is not None:
            _observe(fact, together, seen)
    for index in places:
        if (use := facts[index].git) is not None and use.ancestor == "unknown":
            facts[index] = _decided(facts[index], None, seen)
    return tuple(facts)


def _computed(fact: Fact, step: Step) -> Fact:
    """A revision that the shell computes (`$(git log …)~1`, `$c`): an ancestor where only HEAD's own history is asked for."""
    use = fact.git
    if use is None or not any(mark in ref for ref in use.refs for mark in ("$", "{}", "`")):
        return fact
    text = step.actions[fact.action].text
    if not _OWN_LISTING.search(text) or _BEYOND.search(text):
        return fact
    why = "its revision is computed from a listing of HEAD's history"
    return msgspec.structs.replace(fact, git=msgspec.structs.replace(use, ancestor="yes", why=why))


class _Together(NamedTuple):
    """What the commands of one action are together."""

    printers: int
    """Those whose output may hold hashes of commits."""
    loud: int
    """Those that print at all."""
    beyond: str
    """The first revision beyond HEAD's history that a listing among them asks for."""
    text: str
    """What came back."""
    is_cut: bool


def _together(facts: list[Fact], came: list[Observation]) -> _Together:
    uses = [fact.git for fact in facts if fact.git is not None]
    text = came[0].text if len(came) == 1 else "\n".join(item.text for item in came)
    most = MAX_OBSERVED // max(1, len(uses))
    return _Together(
        printers=sum(map(prints_commits, uses)),
        loud=sum(fact.program not in _SILENT for fact in facts),
        beyond=next((ref for use in uses if not use.reads_content for ref in use.refs if ref.startswith("-")), ""),
        text=text[:most],
        is_cut=len(text) > most or any(item.truncated for item in came),
    )


def _from_pipe(fact: Fact, beyond: str) -> Fact:
    """A git command whose revisions come out of a pipe: they are what the listing before it asked for."""
    if fact.git is None or fact.git.refs not in ((), ("HEAD",)) or not beyond:
        return fact
    use = msgspec.structs.replace(fact.git, refs=(beyond,), ancestor="unknown", why=f"its revisions come from {beyond}")
    return msgspec.structs.replace(fact, git=use)


def _observe(fact: Fact, together: _Together, seen: SeenGraph) -> None:
    """Give the graph what one git command printed, and whether the text is its alone and whole."""
    if fact.git is None:
        return
    alone = together.printers == prints_commits(fact.git)
    whole = not together.is_cut and together.loud == (fact.program not in _SILENT)
    seen.observe(fact.git, fact.argv, together.text, whole=whole, alone=alone)


def _decided(fact: Fact, graph: Graph | None, seen: SeenGraph) -> Fact:
    use = fact.git
    if use is None or not (use.reads_content or use.delivers):
        return fact
    found = graph.ancestry(use) if graph is not None else None
    if found is None or found.ancestor == "unknown":
        found = seen.ancestry(use)
    return msgspec.structs.replace(fact, git=msgspec.structs.replace(use, ancestor=found.ancestor, why=found.why))
