from __future__ import annotations

import msgspec
from made_passes import Leak, Part, Turn, git_violation, make_pass, with_steps

from earned.records import AuditedPass
from earned.report.excerpts import EDGE, GAP, STEPS, Piece, citations, pieces, step_views

LEAK = Leak("network", "egress_policy", "agent", ("host",))


def marked(audited: AuditedPass) -> list[tuple[str, tuple[str, ...]]]:
    views = step_views(audited, citations(audited))
    return [(piece.text, piece.numbers) for view in views for part in view.parts for piece in part.pieces if piece.numbers]


def one_step(text: str, *quotes: str) -> AuditedPass:
    part = Part("text", "", text, tuple((quote, "mechanism", "why") for quote in quotes))
    return with_steps(make_pass(), [Turn(3, "agent", (part,))], LEAK, category="upstream_fetch")


def test_each_quote_is_marked_with_the_number_of_its_evidence() -> None:
    assert marked(one_step("one two three", "one", "three")) == [("one", ("1",)), ("three", ("2",))]


def test_overlapping_quotes_keep_every_character_once() -> None:
    found = pieces("abcdef", [(0, 4, "1"), (2, 6, "2")])
    assert [(piece.text, piece.numbers, piece.begins) for piece in found] == [
        ("ab", ("1",), ("1",)),
        ("cd", ("1", "2"), ("2",)),
        ("ef", ("2",), ()),
    ]


def test_a_quote_is_found_again_in_an_excerpt_that_was_cut() -> None:
    audited = one_step("xxxx quote yyyy", "quote")
    (excerpt,) = audited.excerpts
    cut = msgspec.structs.replace(excerpt.parts[0], text="quote yyyy", offset=5, length=15)
    audited = msgspec.structs.replace(audited, excerpts=(msgspec.structs.replace(excerpt, parts=(cut,)),))
    (part,) = step_views(audited, citations(audited))[0].parts
    assert (part.before, part.after) == (5, 0)
    assert part.pieces[0] == Piece("quote", ("1",), ("1",), 0)


def test_a_position_that_does_not_hold_the_quote_marks_the_words_where_they_are() -> None:
    audited = one_step("a quote here", "quote")
    wrong = msgspec.structs.replace(audited.row.evidence[0], start=0)
    audited = msgspec.structs.replace(audited, row=msgspec.structs.replace(audited.row, evidence=(wrong,)), findings=())
    assert marked(audited) == [("quote", ("1",))]


def test_a_quote_that_is_not_in_the_step_marks_nothing() -> None:
    audited = one_step("a quote here", "quote")
    absent = msgspec.structs.replace(audited.row.evidence[0], quote="absent")
    audited = msgspec.structs.replace(audited, row=msgspec.structs.replace(audited.row, evidence=(absent,)), findings=())
    assert marked(audited) == []


def test_a_quote_of_another_part_marks_nothing_here() -> None:
    audited = one_step("a quote here", "quote")
    other = msgspec.structs.replace(audited.row.evidence[0], part="reasoning")
    audited = msgspec.structs.replace(audited, row=msgspec.structs.replace(audited.row, evidence=(other,)), findings=())
    assert marked(audited) == []


def test_a_long_stretch_without_quotes_is_cut_and_its_length_said() -> None:
    first, gap, last = pieces("x" * (GAP + 1), [])
    assert (len(first.text), gap.left_out, len(last.text)) == (EDGE, GAP + 1 - 2 * EDGE, EDGE)


def test_a_stretch_within_the_limit_is_whole() -> None:
    assert pieces("x" * GAP, []) == (Piece("x" * GAP, (), (), 0),)


def test_an_empty_text_has_no_pieces() -> None:
    assert pieces("", []) == ()


def test_findings_that_repeat_the_evidence_are_not_cited_twice() -> None:
    assert [citation.number for citation in citations(git_violation())] == ["1", "2", "3"]


def test_findings_without_evidence_are_cited_with_their_rule() -> None:
    audited = git_violation()
    bare = msgspec.structs.replace(audited, row=msgspec.structs.replace(audited.row, evidence=()))
    cited = citations(bare)
    assert [citation.number for citation in cited] == ["F1", "F2", "F3"]
    assert cited[0].rule == "made.git_history@1"


def test_only_so_many_steps_are_shown() -> None:
    turns = [Turn(number, "agent", (Part("text", "", "x"),)) for number in range(STEPS + 5)]
    audited = with_steps(make_pass(), turns, LEAK, category="upstream_fetch")
    assert len(step_views(audited, ())) == STEPS
