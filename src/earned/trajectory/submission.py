"""What was graded, recovered from the most certain source that the record holds.

In order: a patch that the harness recorded, a patch or files among the artifacts, the last full diff of the agent's own work
that an observation shows, the agent's edits replayed. The way and its certainty travel with the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from earned.records import Action, Edit, Fact, Observation, Step, Submission, WrittenFile
from earned.records.trajectory import EditOperation
from earned.shell import command_facts
from earned.trajectory.replay import Replay

MAX_COMMAND = 1024 * 1024
"""Characters of a command that is parsed for the files it writes."""
_DIFF = re.compile(r"\bgit\b(?: +-[^\s;&|]{1,200}(?: +[^\s;&|-][^\s;&|]{0,200})?){0,4} +(diff|show)\b([^;&|\n<>]{0,500})")
_COMMIT = re.compile(r"\bgit\b[^;&|\n]{0,200}\b(?:commit|cherry-pick|am)\b")
_WRITES = re.compile(r">|\btee\b|<<|\bsed +-[A-Za-z]*i|\bcp\b|\bmv\b|\brm\b|\bpatch\b|\bapply\b|\binstall\b|\bcheckout\b")
_TEXT_WRITES: dict[str, EditOperation] = {"write": "write", "append": "append"}
_OWN_REVISIONS = frozenset({"HEAD", "--cached", "--staged", "--no-color", "--no-pager", "--", "-U3", "--patch", "-p", "."})
_REFUSED = ("ERROR:", "Error:", "String to replace not found", "File has not been read", "Error editing file")
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
    """The last full diff of the agent's own work that is shown whole; weak when the agent edited files after it."""
    edited_after = False
    committed = _first_commit(steps)
    for step in reversed(list(_own(steps))):
        for number in range(len(step.actions) - 1, -1, -1):
            action = step.actions[number]
            is_own_head = committed is not None and (step.index, number) >= committed
            shown = _diff_shown(action, _result_of(step, number), is_own_head=is_own_head)
            if shown:
                return Submission(patch=shown, recovered="last_diff", certainty="weak" if edited_after else "likely")
            edited_after = edited_after or bool(action.edits)
    return None


def _first_commit(steps: Sequence[Step]) -> tuple[int, int] | None:
    """The agent's first commit: before it, HEAD is the base's last commit and nothing of the agent's."""
    for step in _own(steps):
        for number, action in enumerate(step.actions):
            if action.kind == "shell" and _COMMIT.search(action.command[:MAX_COMMAND]):
                return step.index, number
    return None


def _result_of(step: Step, number: int) -> Observation | None:
    """The result of one action, or the shared one of a step with a single result."""
    for observation in step.observations:
        if observation.action == number:
            return observation
    only = step.observations[0] if len(step.observations) == 1 else None
    return only if only is not None and only.action == -1 else None


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


def replayed(steps: Sequence[Step]) -> Submission:
    """The agent's edits and the files that its commands write, applied in order."""
    replay = Replay()
    for step in _own(steps):
        for number, action in enumerate(step.actions):
            if action.edits and not _was_refused(_result_of(step, number)):
                for edit in action.edits:
                    replay.apply(edit, cwd=action.cwd)
            elif action.kind == "shell" and _WRITES.search(action.command) and len(action.command) <= MAX_COMMAND:
                _apply_facts(replay, command_facts(action.command, cwd=action.cwd))
    return replay.submission()


def _apply_facts(replay: Replay, facts: Iterable[Fact]) -> None:
    for fact in facts:
        _apply_fact(replay, fact)


def _was_refused(result: Observation | None) -> bool:
    """Whether the edit tool said that it changed nothing."""
    if result is None:
        return False
    start = result.text[:200].lstrip()
    return (
        start.startswith(_REFUSED) or "No replacement was performed" in start or "did not appear verbatim" in result.text[:2000]
    )


def _apply_fact(replay: Replay, fact: Fact) -> None:
    for write in fact.writes:
        if write.operation == "delete":
            replay.delete(write.path, cwd=fact.cwd)
        elif write.operation in _TEXT_WRITES and write.text is not None:
            replay.apply(Edit(path=write.path, operation=_TEXT_WRITES[write.operation], new=write.text), cwd=fact.cwd)
        elif write.operation == "copy" and write.source:
            replay.copy(write.source, write.path, cwd=fact.cwd)
            if fact.program == "mv":
                replay.delete(write.source, cwd=fact.cwd)
        elif write.operation == "patch" and write.text is not None:
            replay.apply(Edit(path=write.path, operation="patch", new=write.text), cwd=fact.cwd)


def with_patch(submission: Submission, patch: str) -> Submission:
    """The same submission with a patch that a predictions file records."""
    return msgspec.structs.replace(submission, patch=patch, recovered="recorded", certainty="certain")
