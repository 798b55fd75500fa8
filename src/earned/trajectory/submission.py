"""What was graded, recovered from the most certain source that the record holds.

In order: a patch that the harness recorded, a patch or files among the artifacts, the last full diff of the agent's own work
that an observation shows, the agent's edits replayed. The way and its certainty travel with the result.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from earned.content import parse_patch
from earned.records import Action, Fact, Observation, Step, Submission, Write, WrittenFile
from earned.shell import command_facts
from earned.trajectory.replay import Replay

MAX_COMMAND = 1024 * 1024
"""Characters of a command that is parsed for the files it writes."""
_DIFF = re.compile(r"\bgit\b(?: +-[^\s;&|]{1,200}(?: +[^\s;&|-][^\s;&|]{0,200})?){0,4} +(diff|show)\b([^;&|\n<>]{0,500})")
_COMMIT = re.compile(r"\bgit\b[^;&|\n]{0,200}\b(?:commit|cherry-pick|am)\b")
_WRITES = re.compile(
    r">|tee\b|<<|sed +-[A-Za-z]*i|cp\b|mv\b|rm\b|patch\b|apply\b|install\b"
    r"|git\b[^;&|\n]{0,200}\b(?:checkout|reset|restore|stash)\b"
)
"""What may write a file. No word border stands before the words: that costs fifteen times as much, and a command that passes is
parsed anyway."""
_SCRATCH = ("/tmp/", "/dev/", "/var/", "/proc/")  # noqa: S108 - places that a diff of the work never names
_UNFITTING = (
    *("patch does not apply", "error: corrupt patch", "error: No valid patches", "Only garbage was found in the patch"),
    *("apply_patch verification failed", "Invalid patch hunk", "Failed to find expected lines"),
)
"""What `git apply`, `patch` and `apply_patch` say when they changed nothing."""
_OWN_REVISIONS = frozenset({"HEAD", "--cached", "--staged", "--no-color", "--no-pager", "--", "-U3", "--patch", "-p", "."})
_REFUSED = (
    *("ERROR:", "Error:", "String to replace not found", "File has not been read", "Error editing file"),
    *("apply_patch verification failed", "patch rejected", "Invalid patch"),
    *("[An error occurred during execution.]", "Action rejected:", "Error validating", "Error executing tool"),
)
_TRAILERS = re.compile(
    r"\[(?:The command|Command finished|Current working directory|Python Interpreter)|</?(?:output|returncode)"
)


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
    committed = _first_commit(steps)
    for step in reversed(list(_own(steps))):
        results = _results_of(step)
        for number in range(len(step.actions) - 1, -1, -1):
            place = step.index, number
            is_own_head = committed is not None and place >= committed
            shown = _diff_shown(step.actions[number], results[number], is_own_head=is_own_head)
            if shown:
                return _with_later(shown, steps, place)
    return None


def _with_later(shown: str, steps: Sequence[Step], place: tuple[int, int]) -> Submission:
    """A diff with the changes that were made after it."""
    named = [file.path for file in parse_patch(shown)]
    if not any(_changes(action, result, named) for action, result in _acts(steps, after=place)):
        return Submission(patch=shown, recovered="last_diff", certainty="likely")
    later = replayed(steps, after=place)
    return Submission(patch=shown + later.patch, files=later.files, recovered="last_diff", certainty="weak")


def _changes(action: Action, result: Observation | None, named: Sequence[str]) -> bool:
    """Whether an action changes the work whose diff names these files."""
    if action.edits:
        return not _was_refused(action, result)
    return any(_changes_work(write, fact.cwd, named) for fact in _facts(action) for write in fact.writes)


def _changes_work(write: Write, cwd: str, named: Sequence[str]) -> bool:
    path = posixpath.normpath(posixpath.join(cwd, write.path))
    if any(path == name or path.endswith(f"/{name}") for name in named):
        return True
    is_content = write.text is not None or write.operation in {"copy", "patch"}
    return is_content and write.operation != "delete" and not path.startswith(_SCRATCH)


def _first_commit(steps: Sequence[Step]) -> tuple[int, int] | None:
    """The agent's first commit: before it, HEAD is the base's last commit and nothing of the agent's."""
    for step in _own(steps):
        for number, action in enumerate(step.actions):
            if action.kind == "shell" and "git" in action.command and _COMMIT.search(action.command[:MAX_COMMAND]):
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


def _diff_shown(action: Action, result: Observation | None, *, is_own_head: bool) -> str:
    if action.kind != "shell" or result is None or result.truncated or "diff --git " not in result.text:
        return ""
    if len(action.command) > MAX_COMMAND or not any(
        _is_own_work(match, is_own_head=is_own_head) for match in _DIFF.finditer(action.command)
    ):
        return ""
    return _cut_out(result.text)


def _is_own_work(match: re.Match[str], *, is_own_head: bool) -> bool:
    """Whether a diff compares the working tree or index with HEAD, whole; `git show` only of a HEAD that the agent made."""
    words = match.group(2).split()
    if match.group(1) == "show":
        return is_own_head and words in ([], ["HEAD"])
    return all(word in _OWN_REVISIONS for word in words)


def _cut_out(text: str) -> str:
    """The diff within a result, without what the harness wrote around it."""
    lines = text[text.index("diff --git ") :].split("\n")
    end = next((number for number, line in enumerate(lines) if _TRAILERS.match(line)), len(lines))
    return "\n".join(lines[:end]).rstrip("\n") + "\n"


def replayed(steps: Sequence[Step], *, after: tuple[int, int] = (-1, -1)) -> Submission:
    """The agent's edits and the files that its commands write, applied in order; `after`: step and action to begin behind."""
    replay = Replay()
    for action, result in _acts(steps, after=after):
        if action.edits and not _was_refused(action, result):
            for edit in action.edits:
                replay.apply(edit, cwd=action.cwd)
        elif not action.edits:
            for fact in _facts(action):
                replay.carry_out(fact, patches=result is None or not any(word in result.text for word in _UNFITTING))
    return replay.submission()


def _acts(steps: Sequence[Step], *, after: tuple[int, int]) -> Iterator[tuple[Action, Observation | None]]:
    """Actions of the agent with their results, in order, from behind a place on."""
    for step in _own(steps):
        results = _results_of(step)
        for number, action in enumerate(step.actions):
            if (step.index, number) > after:
                yield action, results[number]


def _facts(action: Action) -> Sequence[Fact]:
    """What a shell command does, where it may write files."""
    if action.kind != "shell" or len(action.command) > MAX_COMMAND or not _WRITES.search(action.command):
        return ()
    return command_facts(action.command, cwd=action.cwd)


def _was_refused(action: Action, result: Observation | None) -> bool:
    """Whether the edit tool said that it changed nothing."""
    if result is None:
        return False
    if action.tool == "apply_patch" and result.exit_code not in {None, 0}:
        return True  # it applies all of a patch or nothing
    start = result.text[:200].lstrip()
    return (
        start.startswith(_REFUSED) or "No replacement was performed" in start or "did not appear verbatim" in result.text[:2000]
    )


def with_patch(submission: Submission, patch: str, *, source: str = "") -> Submission:
    """The same submission with a patch that another file records: what was edited is then no part of it."""
    return msgspec.structs.replace(submission, patch=patch, files=(), recovered="recorded", certainty="certain", source=source)
