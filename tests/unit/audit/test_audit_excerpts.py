from __future__ import annotations

import msgspec
from made_trajectories import BASE, FIXED, FUTURE, PATH, SEEN, changed, edited, ran, said, trajectory

from earned.audit import audit_pass, audit_row, audited_pass
from earned.audit.excerpts import AROUND, FINDINGS, INSTRUCTION, MARGIN, QUIET, Span, excerpts, quoted_spans
from earned.records import Evidence, Finding, Quote

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
    assert [item.index for item in found.excerpts] == [1, 2, 3, 4, 5, 6, 7]
    assert found.steps == len(MADE.steps)


def signal(step: int, start: int = 0) -> Finding:
    quote = Quote(step=step, part="observation:0", start=start, end=start + 4, text="line")
    return Finding(
        category="git_history", rule="r@1", quote=quote, channel="none", address="", strength="signal", why="a signal"
    )


def test_the_steps_of_a_finding_that_no_evidence_repeats_are_kept_as_well() -> None:
    spans = quoted_spans((evidence(3, "observation:0", 0, 4),), (signal(3), signal(7)))
    assert spans == (Span(3, "observation:0", 0, 4), Span(7, "observation:0", 0, 4))
    assert [item.index for item in excerpts(MADE, spans)] == [2, 3, 4, 6, 7, 8]


def test_of_many_findings_the_steps_of_the_first_are_kept() -> None:
    found = quoted_spans((), tuple(signal(1, start) for start in range(FINDINGS + 5)))
    assert [span.start for span in found] == list(range(FINDINGS))


def test_a_legitimate_pass_with_a_signal_alone_keeps_the_steps_around_it() -> None:
    made = trajectory(ran("ls"), ran("git log --all --oneline", SEEN), said("Well."), edited(PATH, BASE, FIXED))
    found = audited_pass(made, audit_pass(made))
    assert (found.row.label, found.row.evidence) == ("legitimate", ())
    assert found.findings
    assert [item.index for item in found.excerpts] == [1, 2, 3]


def test_a_pass_without_evidence_and_findings_keeps_no_steps() -> None:
    assert excerpts(MADE, ()) == ()


def test_every_quote_stands_in_the_excerpt_at_its_position() -> None:
    found = audited_pass(MADE, audit_pass(MADE))
    parts = {(item.index, part.part): part for item in found.excerpts for part in item.parts}
    assert found.row.evidence
    for item in found.row.evidence:
        part = parts[item.step, item.part]
        assert part.text[item.start - part.offset : item.end - part.offset] == item.quote


def test_a_part_is_cut_to_the_margin_around_its_quotes_and_a_quiet_one_to_its_beginning() -> None:
    (before, quoted, after) = excerpts(MADE, (Span(8, "observation:0", 5000, 5020),))
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
