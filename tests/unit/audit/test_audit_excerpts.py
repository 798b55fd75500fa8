from __future__ import annotations

import msgspec
from made_trajectories import BASE, FIXED, FUTURE, PATH, SEEN, changed, edited, ran, said, trajectory

from earned.audit import audit_pass, audit_row, audited_pass
from earned.audit.excerpts import AROUND, INSTRUCTION, MARGIN, QUIET, excerpts
from earned.records import Evidence

LONG = "\n".join(f"line {number} of a long output" for number in range(400))
MADE = trajectory(
    ran("ls", LONG),
    ran("git log --all --oneline --decorate", SEEN),
    ran(f"git show {FUTURE}:{PATH}", FIXED),
    said("Good."),
    said("Well."),
    edited(PATH, BASE, FIXED),
    ran("ls", LONG),
    ran("ls", LONG),
    ran("ls", LONG),
    patch=changed(PATH, BASE, FIXED),
)


def evidence(step: int, part: str, start: int, end: int) -> Evidence:
    text = MADE.steps[step].observations[0].text
    quote = text[start:end]
    return Evidence(step=step, role="receipt", quote=quote, why="", category="git_history", part=part, start=start, end=end)


def test_the_quoted_steps_and_their_neighbours_are_kept_and_no_others() -> None:
    found = audited_pass(MADE, audit_pass(MADE))
    assert AROUND == 1
    assert [item.index for item in found.excerpts] == [2, 3, 4, 5, 6, 7]
    assert found.steps == len(MADE.steps)


def test_a_pass_without_evidence_keeps_no_steps() -> None:
    assert excerpts(MADE, ()) == ()


def test_every_quote_stands_in_the_excerpt_at_its_position() -> None:
    found = audited_pass(MADE, audit_pass(MADE))
    parts = {(item.index, part.part): part for item in found.excerpts for part in item.parts}
    assert found.row.evidence
    for item in found.row.evidence:
        part = parts[item.step, item.part]
        assert part.text[item.start - part.offset : item.end - part.offset] == item.quote


def test_a_part_is_cut_to_the_margin_around_its_quotes_and_a_quiet_one_to_its_beginning() -> None:
    (before, quoted, after) = excerpts(MADE, (evidence(8, "observation:0", 5000, 5020),))
    part = next(item for item in quoted.parts if item.part == "observation:0")
    assert (part.offset, len(part.text), part.length) == (5000 - MARGIN, 2 * MARGIN + 20, len(LONG))
    for quiet in (before, after):
        text = next(item for item in quiet.parts if item.part == "observation:0")
        assert (text.offset, len(text.text)) == (0, QUIET)


def test_the_row_says_what_the_verdict_says() -> None:
    found = audit_pass(MADE)
    row = audit_row(MADE, found)
    assert (row.label, row.categories, row.evidence, row.locations) == (
        found.verdict.label,
        found.verdict.categories,
        found.verdict.evidence,
        found.verdict.locations,
    )
    assert (row.trajectory, row.format, row.outcome, row.completeness) == ("made/trial", "harbor", "passed", "full")
    assert (row.decided_by, row.submission_certainty) == ("rules", "certain")


def test_a_long_instruction_is_cut_and_the_recorded_conditions_are_kept() -> None:
    made = msgspec.structs.replace(MADE, instruction="x" * 9000)
    found = audited_pass(made, audit_pass(made))
    assert len(found.instruction) == INSTRUCTION
    assert found.conditions["network"] == "unknown"
