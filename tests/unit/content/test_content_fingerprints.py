from __future__ import annotations

from earned.content.fingerprints import GRAM, WINDOW, fingerprint, overlap

PROSE = "The keeper wrote every reading into the green book, and nobody asked why the seventh page was always left empty. "
OTHER = "Salt crept up the walls of the customs house until the clerks could taste the tide in the ink of their ledgers."


def test_a_text_covers_itself() -> None:
    found = overlap(fingerprint(PROSE), fingerprint(OTHER + PROSE + OTHER))
    assert found.share > 0.8
    first, last = found.spans[0], found.spans[-1]
    assert (first.start < GRAM, last.end > len(PROSE) - GRAM) == (True, True)
    assert all(len(OTHER) - GRAM < span.start < span.end < len(OTHER + PROSE) + GRAM for span in found.other_spans)


def test_texts_that_have_nothing_in_common_do_not_overlap() -> None:
    found = overlap(fingerprint(PROSE), fingerprint(OTHER))
    assert (found.shared, found.share, found.spans, found.other_spans) == (0, 0.0, (), ())


def test_line_breaks_and_indentation_do_not_matter() -> None:
    found = overlap(fingerprint(PROSE), fingerprint(PROSE.replace(" ", "\n\t  ")))
    assert found.share == 1.0


def test_a_short_text_has_no_fingerprint() -> None:
    assert len(fingerprint("x" * (GRAM - 1)).hashes) == 0
    assert len(fingerprint("").hashes) == 0
    assert overlap(fingerprint(""), fingerprint(PROSE)).share == 0.0


def test_a_text_of_one_gram_has_a_fingerprint() -> None:
    print_ = fingerprint(PROSE[:GRAM])
    assert (list(print_.starts), list(print_.ends)) == ([0], [GRAM])


def test_selection_is_sparse() -> None:
    text = "".join(chr(97 + (number * number * 7919) % 26) for number in range(20_000))
    assert len(fingerprint(text).hashes) < 3 * len(text) / WINDOW


def test_a_long_text_is_selected_as_its_parts_are() -> None:
    text = "".join(chr(97 + (number * number // 7 * 7919) % 26) for number in range(80_000))
    middle = fingerprint(text[30_000:36_000])
    assert overlap(middle, fingerprint(text)).share > 0.98
