"""What was graded, recovered from the most certain source that the record holds.

In order: a patch that the harness recorded, a patch or files among the artifacts, the last full diff of the agent's own work
that an observation shows, the agent's edits replayed. The way and its certainty travel with the result.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import msgspec

from earned.content import parse_patch
from earned.records import Action, Fact, Observation, Step, Submission, Write, WrittenFile
from earned.shell import command_facts, program_facts
from earned.trajectory.later_output import with_later_output
from earned.trajectory.submission.carried_out import carried_out, doubtful
from earned.trajectory.submission.expansions import Expansions
from earned.trajectory.submission.refusals import patch_failed, was_refused, write_failed
from earned.trajectory.submission.replay import Replay
from earned.trajectory.submission.shown_diff import Shown, shown_diff
from earned.trajectory.submission.shown_file import shown_file
from earned.trajectory.submission.worktree import SCRATCH, Worktree

MAX_COMMAND = 1024 * 1024
"""Characters of a command that is parsed for the files it writes."""
MAX_BESIDE = 50
"""Commands of one step that may share a result in which a diff is looked for."""
_COMMIT = re.compile(r"\bgit\b[^;&|\n]{0,200}\b(?:commit|cherry-pick|am)\b")
_WRITES = re.compile(
    r">|tee\b|<<|sed +-[A-Za-z]*i|perl +-[A-Za-z]*i|ruby +-[A-Za-z]*i|cp\b|mv\b|rm\b|patch\b|apply\b|install\b"
    r"|open\(|write_text\("
    r"|git\b[^;&|\n]{0,200}\b(?:checkout|reset|restore|stash|clean)\b"
)
"""What may write a file. Each choice begins with letters, and no word border stands before them: that is many times as fast. A
command that passes is parsed anyway."""
_PROGRAM_WRITES = re.compile(r"\bopen\(|\bwrite|%%writefile|\bsystem\(|\bsubprocess\b|^\s*!", re.MULTILINE)
_PATCHED = re.compile(r"^(?:\*\*\* Update File: (.{1,400})|\+\+\+ ([^\t\n]{1,400}))$", re.MULTILINE)
_REMOVED = re.compile(r"^Removing ([^\n]{1,1000})$", re.MULTILINE)
"""What `git clean` says of each file."""
_PUTS_AWAY = frozenset({"stash", "stash push", "stash save"})
_IN_PLACE = frozenset({"replace", "append", "patch"})
_Act = tuple[Action, Observation | None, Sequence[Fact]]


def recover(
    steps: Sequence[Step],
    *,
    patch: str | None = None,
    artifact_patch: str = "",
    artifacts: Sequence[WrittenFile] = (),
    answer: str = "",
) -> Submission:
    """The submission of an attempt.

    Args:
        steps: All steps; only those of the agent and its subagents are used.
        patch: What the harness recorded as submitted; None when it records none. An empty text means that nothing was changed.
        artifact_patch: Patches that the harness collected after the run.
        artifacts: Other text files that it collected.
        answer: The text answer, for benchmarks that ask for one.
    """
    if patch is not None and patch.strip():
        return Submission(patch=patch, answer=answer, recovered="recorded", certainty="certain")
    if artifact_patch.strip():
        return Submission(
            patch=artifact_patch, files=tuple(artifacts), answer=answer, recovered="artifact", certainty="certain"
        )
    if answer:
        return Submission(answer=answer, files=tuple(artifacts), recovered="recorded", certainty="certain")
    steps = with_later_output(steps)
    rebuilt = last_diff(steps)
    if rebuilt is None:
        rebuilt = replayed(steps)
    return _with_artifacts(rebuilt, artifacts)


def _with_artifacts(rebuilt: Submission, artifacts: Sequence[WrittenFile]) -> Submission:
    """Collected files are certain; what the agent's edits add beside them is not."""
    if not artifacts:
        return rebuilt
    collected = {file.path.lstrip("/") for file in artifacts}
    beside = tuple(file for file in rebuilt.files if file.path.lstrip("/") not in collected)
    alone = not beside and not rebuilt.patch
    return Submission(
        patch=rebuilt.patch,
        files=(*artifacts, *beside),
        recovered="artifact",
        certainty="certain" if alone else "likely",
    )


def _own(steps: Iterable[Step]) -> Iterable[Step]:
    return (step for step in steps if step.actor in {"agent", "subagent"} and not step.copied and step.actions)


def last_diff(steps: Sequence[Step]) -> Submission | None:
    """The last full diff of the agent's own work that is shown whole.

    What the agent changed after it stands behind it, as far as it is known, and the certainty is weak: some of the diff's lines
    may be gone.
    """
    asked = list(_git_commands(steps))
    committed = _first_commit(asked)
    work = Worktree(lambda: _changed_paths(steps))
    for step, numbers in reversed(asked):
        results = _results_of(step)
        for number in reversed(numbers):
            place = step.index, number
            is_own_head = committed is not None and place >= committed
            shown = _diff_shown(step, number, results[number], is_own_head=is_own_head)
            if shown is not None and work.holds(step.actions[number], [file.path for file in parse_patch(shown.patch)]):
                return _with_others(shown, steps, place)
    return None


def _git_commands(steps: Sequence[Step]) -> Iterator[tuple[Step, list[int]]]:
    """The agent's steps with commands that may use git, and the numbers of those."""
    for step in _own(steps):
        numbers = [number for number, action in enumerate(step.actions) if action.kind == "shell" and "git" in action.command]
        if numbers:
            yield step, numbers


def _changed_paths(steps: Sequence[Step]) -> Iterator[str]:
    """The paths of what the agent changed, from the root where the record says it."""
    for action, result in _acts(steps, after=(-1, -1)):
        if action.edits and not was_refused(action, result):
            yield from (posixpath.normpath(posixpath.join(action.cwd, edit.path)) for edit in action.edits if edit.path)
        elif not action.edits:
            for fact in _facts(action):
                kept = (write for write in fact.writes if write.operation != "delete" and not _has_failed(result, write))
                yield from (posixpath.normpath(posixpath.join(fact.cwd, write.path)) for write in kept)


def _with_others(shown: Shown, steps: Sequence[Step], place: tuple[int, int]) -> Submission:
    """A diff with the changes that were made after it, and with those before it that it does not show."""
    named = [file.path for file in parse_patch(shown.patch)]
    is_last = not any(_changes(action, result, named) for action, result in _acts(steps, after=place))
    missing = replayed(steps, is_wanted=lambda path: not _is_named(path, named) and not path.startswith(SCRATCH))
    if is_last and shown.is_alone and missing.recovered == "none":
        return Submission(patch=shown.patch, recovered="last_diff", certainty="likely")
    later = Submission() if is_last else replayed(steps, after=place, is_wanted=lambda path: _is_named(path, named))
    patch, files = shown.patch + later.patch + missing.patch, (*later.files, *missing.files)
    return Submission(patch=patch, files=files, recovered="last_diff", certainty="weak")


def _is_named(path: str, named: Sequence[str]) -> bool:
    """Whether a diff with these files shows the one at a path; neither need begin at the root."""
    return any(path == name or path.endswith(f"/{name}") or name.endswith(f"/{path}") for name in named)


def _changes(action: Action, result: Observation | None, named: Sequence[str]) -> bool:
    """Whether an action changes the work whose diff names these files."""
    if action.edits:
        return not was_refused(action, result)
    facts = _facts(action)
    if any(fact.git is not None and fact.git.operation in _PUTS_AWAY for fact in facts):
        return True
    return any(_changes_work(write, fact.cwd, named) for fact in facts for write in fact.writes)


def _changes_work(write: Write, cwd: str, named: Sequence[str]) -> bool:
    path = posixpath.normpath(posixpath.join(cwd, write.path))
    if any(path == name or path.endswith(f"/{name}") for name in named):
        return True
    is_content = write.text is not None or write.operation in {"copy", "patch"}
    return is_content and write.operation != "delete" and not path.startswith(SCRATCH)


def _first_commit(asked: Iterable[tuple[Step, list[int]]]) -> tuple[int, int] | None:
    """The agent's first commit: before it, HEAD is the base's last commit and nothing of the agent's."""
    for step, numbers in asked:
        for number in numbers:
            if _COMMIT.search(step.actions[number].command[:MAX_COMMAND]):
                return step.index, number
    return None


def _results_of(step: Step) -> Sequence[Observation | None]:
    """The result of each action, or the shared one of a step with a single result."""
    observations = step.observations
    alone = observations[0] if len(observations) == 1 and observations[0].action <= 0 else None
    if alone is not None and len(step.actions) == 1:
        return observations
    found = [alone if alone is not None and alone.action == -1 else None] * len(step.actions)
    for observation in reversed(observations):
        if 0 <= observation.action < len(found):
            found[observation.action] = observation
    return found


def _diff_shown(step: Step, number: int, result: Observation | None, *, is_own_head: bool) -> Shown | None:
    command = step.actions[number].command
    if result is None or result.truncated or len(command) > MAX_COMMAND or "diff --git " not in result.text:
        return None
    beside: list[Fact] = []
    if result.action == -1 and len(step.actions) > 1:
        others = [action for action in step.actions[:MAX_BESIDE] if action is not step.actions[number]]
        if len(step.actions) > MAX_BESIDE or any(
            action.kind != "shell" or len(action.command) > MAX_COMMAND for action in others
        ):
            return None
        beside = [fact for action in others for fact in command_facts(action.command, cwd=action.cwd)]
    facts = carried_out(command, command_facts(command, cwd=step.actions[number].cwd))
    return shown_diff(command, facts, result.text, is_own_head=is_own_head, beside=beside)


def replayed(
    steps: Sequence[Step], *, after: tuple[int, int] = (-1, -1), is_wanted: Callable[[str], bool] = lambda _path: True
) -> Submission:
    """The agent's edits and the files that its commands write, applied in order.

    Args:
        steps: All steps.
        after: Step and action to begin behind.
        is_wanted: Which files are asked for, by path.
    """
    told = [(step, [_facts(action) for action in step.actions]) for step in _own(steps) if step.index >= after[0]]
    if not any(any(facts) or any(action.edits for action in step.actions) for step, facts in told):
        return Submission()  # nothing was written: what was shown need not be looked at
    acts = [act for step, facts in told for act in _with_results(step, facts, after)]
    names = _edited_names((action, facts) for action, _, facts in acts if facts or action.edits)
    replay = Replay()
    for action, result, facts in acts:
        if action.edits:
            _edit(replay, action, result)
        elif facts:
            _carry_out(replay, action, result, facts)
        elif names:
            _show(replay, action, result, names)
    return replay.submission(is_wanted)


def _with_results(step: Step, facts: Sequence[Sequence[Fact]], after: tuple[int, int]) -> Iterator[_Act]:
    """The actions of a step from behind a place on, each with its result and facts."""
    for number, act in enumerate(zip(step.actions, _results_of(step), facts, strict=True)):
        if (step.index, number) > after:
            yield act


def _edit(replay: Replay, action: Action, result: Observation | None) -> None:
    if was_refused(action, result):
        return
    every = '"replace_all":true' in action.arguments or '"allow_multiple":true' in action.arguments
    for edit in action.edits:
        replay.apply(edit, cwd=action.cwd, every=every)


def _carry_out(replay: Replay, action: Action, result: Observation | None, facts: Sequence[Fact]) -> None:
    command = action.command if action.kind == "shell" else ""
    done = carried_out(command, facts, result)
    unsure, values = doubtful(command, done, result), Expansions(command)
    for number, fact in enumerate(done):
        if fact.git is not None and fact.git.operation == "clean":
            replay.clean(fact, _REMOVED.findall(result.text) if result is not None else ())
            continue
        is_filled_in = partial(values.fill, fact)
        replay.carry_out(fact, has_failed=partial(_has_failed, result), is_filled_in=is_filled_in, is_doubtful=number in unsure)


def _has_failed(result: Observation | None, write: Write) -> bool:
    return write_failed(result, write.path) or (write.operation == "patch" and patch_failed(result))


def _edited_names(acts: Iterable[tuple[Action, Sequence[Fact]]]) -> frozenset[str]:
    """Names of files that are changed in place: what they held before is worth knowing."""
    names: set[str] = set()
    for action, facts in acts:
        names.update(edit.path for edit in action.edits if edit.operation != "write")
        names.update(write.path for fact in facts for write in fact.writes if write.operation in _IN_PLACE)
        patches = [edit.new for edit in action.edits if edit.operation == "patch"]
        patches += [write.text or "" for fact in facts for write in fact.writes if write.operation == "patch"]
        names.update(name for patch in patches for found in _PATCHED.findall(patch) for name in found)
    return frozenset(posixpath.basename(path) for path in names) - {"", "."}


def _show(replay: Replay, action: Action, result: Observation | None, names: frozenset[str]) -> None:
    """What an act shows of a file that is changed in place, and of which nothing is known yet."""
    facts: Sequence[Fact] = ()
    if action.kind == "shell" and "cat" in action.command and any(name in action.command for name in names):
        facts = command_facts(action.command, cwd=action.cwd) if len(action.command) <= MAX_COMMAND else ()
    paths = action.paths if action.kind == "read" else [path for fact in facts for path in fact.reads]
    cwd = next((fact.cwd for fact in facts if fact.reads), action.cwd)
    if not any(posixpath.basename(path) in names and not replay.is_known(path, cwd=cwd) for path in paths):
        return
    found = shown_file(action, result, facts)
    if found is not None:
        replay.show(found.path, found.text, cwd=cwd)


def _acts(steps: Sequence[Step], *, after: tuple[int, int]) -> Iterator[tuple[Action, Observation | None]]:
    """Actions of the agent with their results, in order, from behind a place on."""
    for step in _own(steps):
        results = _results_of(step)
        for number, action in enumerate(step.actions):
            if (step.index, number) > after:
                yield action, results[number]


def _facts(action: Action) -> Sequence[Fact]:
    """What a command or a program does, where it may write files."""
    if len(action.command) > MAX_COMMAND:
        return ()
    if action.kind == "code":
        return program_facts(action.command, action.language or "python") if _PROGRAM_WRITES.search(action.command) else ()
    if action.kind != "shell" or not _WRITES.search(action.command):
        return ()
    return carried_out(action.command, command_facts(action.command, cwd=action.cwd))


def with_patch(submission: Submission, patch: str, *, source: str = "") -> Submission:
    """The same submission with a patch that another file records: what was edited is then no part of it."""
    return msgspec.structs.replace(submission, patch=patch, files=(), recovered="recorded", certainty="certain", source=source)
