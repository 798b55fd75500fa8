from __future__ import annotations

import tempfile
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_passes import STAMP, Leak, Part, Turn, attempts_of, make_pass, with_steps

from earned.records import AuditedPass, Condition, Gate, Skip
from earned.report import integrity_card, safe_line, safe_text, terminal_text, write_reports
from earned.report.excerpts import pieces
from earned.report.markdown import markdown_text

hostile = st.lists(
    st.one_of(
        st.text(max_size=5),
        st.sampled_from(
            [
                "<script>",
                "</pre>",
                "</style>",
                "<!--",
                "-->",
                '"',
                "'",
                "&",
                "{{",
                "}}",
                "{%",
                "\x1b[2J",
                "\u202e",
                "\x9b",
                "|",
                "`",
            ]
        ),
        st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"]),
    ),
    min_size=1,
    max_size=8,
).map(lambda parts: "x" + "".join(parts))


def filled(text: str) -> AuditedPass:
    turn = Turn(1, text, (Part("text", text, f"before {text} after", ((text, "mechanism", text),)),))
    audited = make_pass(
        f"runs/{text}",
        label="violation",
        **dict.fromkeys(("member", "benchmark", "task", "model", "harness", "attempt", "why", "undecided_reason"), text),
        gate=Gate(name="effectiveness", met=True, why=text),
        mechanism=Condition(met=True, why=text),
    )
    audited = msgspec.structs.replace(audited, instruction=text, oddities=(text,), conditions={text: text})
    return with_steps(audited, [turn], Leak("network", "egress_policy", "agent", (text,)), category=text)


def reports(text: str) -> tuple[str, str, str]:
    """HTML, Markdown and terminal text of an audit in which every free text is this one."""
    passes = [filled(text)]
    card = integrity_card(
        passes, attempts=attempts_of(passes), skipped={text: 1}, stamp=STAMP, task_selection=text, agreement_with_people=text
    )
    skip = Skip(path=text, reason="unreadable", detail=text, member=text)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_reports(folder, card, lambda: iter(passes), [skip])
        page = (folder / "report.html").read_bytes().decode()
        markdown = (folder / "report.md").read_bytes().decode()
    return page, markdown, terminal_text(card, [passes[0].row], {text: 1})


def tags(page: str) -> list[str]:
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append(f"{tag} {sorted(name for name, _ in attrs)}")  # type: ignore[method-assign]
    parser.feed(page)
    parser.close()
    return found


PLAIN = tags(reports("xplain")[0])


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(hostile)
def test_no_text_adds_a_tag_an_attribute_or_a_control_character(text: str) -> None:
    page, markdown, terminal = reports(text)
    assert tags(page) == PLAIN
    assert "<" not in markdown
    for written in (page, markdown, terminal):
        assert not [
            character
            for character in written
            if unicodedata.category(character) in {"Cc", "Cs"} - {"\n"} and character not in "\n\t"
        ]
        assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200b\u2060\ufeff\u2028\u2029") & set(written)


@given(hostile)
def test_safe_text_is_safe_again_and_keeps_what_was_seen(text: str) -> None:
    assert safe_text(safe_text(text)) == safe_text(text)
    assert "\n" not in safe_line(text)
    printable = "".join(character for character in text if character.isascii() and character.isprintable())
    remaining = iter(safe_line(text))
    assert all(character in remaining for character in printable)


@given(hostile)
def test_markdown_text_is_one_line_without_cells_or_tags(text: str) -> None:
    inert = markdown_text(text)
    assert "\n" not in inert
    assert "<" not in inert
    assert "|" not in inert.replace("\\\\", "").replace("\\|", "")


spans = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted), max_size=5)


@given(st.text(min_size=40, max_size=40), spans)
def test_marking_loses_and_repeats_no_character(text: str, found: list[list[int]]) -> None:
    marked = pieces(text, [(start, end, str(number)) for number, (start, end) in enumerate(found)])
    assert "".join(piece.text for piece in marked) == text
    begun = [number for piece in marked for number in piece.begins]
    assert sorted(begun) == sorted(str(number) for number, (start, end) in enumerate(found) if end > start)
