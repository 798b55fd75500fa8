"""A result counts as cut where a harness says so, and not where a file, a program or a manual talks of truncation."""

from __future__ import annotations

from pathlib import Path

import pytest
from cost import check_text_in_proportion

from earned.trajectory.completeness import cuts
from earned.trajectory.completeness.cuts import is_cut

CLAUDE_CODE = [
    "<persisted-output>\nOutput too large (1.1MB). Full output saved to: /home/a/tool-results/b.txt\n\nPreview (first 2KB):\nx",
    "Output too large (2.9MB). Full output saved to: x",
    "a\n... [12 lines truncated] ...\nb",
    "x\n\n... [1,204 characters truncated] ...\n\ny",
    "a\n(Results are truncated. Consider using a more specific path or pattern.)",
    "     1\tx\n\n<system-reminder>\nNote: The file /a/b.py was too large and has been truncated to the first 2000 lines.",
    "a\n[OUTPUT TRUNCATED - exceeded 25000 token limit]",
    "  a\n     … +12 lines (ctrl+o to expand)",
    "… +3 lines",
]
CODEX = [
    "Warning: truncated output (original token count: 12345)\nTotal output lines: 900\n\na",
    "foo…34387 tokens truncated….map((size)",
    "foo...1961 tokens truncated...bar",
    "…12 chars truncated…",
    "a\n[... omitted 12 of 345 lines ...]\nb",
    "a\n[... output truncated to fit 10240 bytes ...]\n",
]
GEMINI_CLI = [
    "a\n[... 120 lines truncated ...]\nb",
    "Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /x\nOutput: y",
    "<tool_output_masked>\nOutput too large. Showing first 8,000",
    "a\n\n... [123,456 characters omitted] ...\n\nb",
    "Tool output was too large and has been truncated.\nThe full output has been saved to: x\n",
    "[File content truncated: showing lines 1-2000 of 5000 total lines. Use offset and limit]\n1 x",
]
OPENHANDS = [
    "x\n[... Observation truncated due to length ...]\ny",
    "abc<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to you.</NOTE>",
]
SWE_AGENT = [
    "abc<response clipped>\n<NOTE>Observations should not exceeded 100 characters. 12 characters were elided.</NOTE>",
    "Observations should not exceeded 100000 characters. 5000 characters were elided. Please try a different command",
    "<response clipped>",
]
OTHERS = [
    "a\n..._This content has been truncated to stay below 20000 characters_...\nb",
    "abc ...[19034 chars truncated]... xyz",
    "Tool result too large, the result of this tool call call_1 was saved in the filesystem at this path: /large/x",
    "</output_head>\n<elided_chars>\n447 characters elided\n</elided_chars>\n<output_tail>",
    "a\n[... output limited to 10000 bytes; 71 interior bytes omitted ...]\n:",
    "The output of your call to bash was too long to be displayed.\nHere is a truncated version:\n<START_TOOL_OUTPUT>\nx",
    "x\n\n<bash_metadata>\nbash tool truncated output as it exceeded 30000 char limit\n</bash_metadata>",
    "a\n\n(100 files found. Results are truncated, consider using a more specific pattern.)",
    "private note: output was 268 lines and we are only showing the most recent lines, remainder of lines in /tmp/x",
    "a\n[...20 lines omitted...]\nb",
    "#12 1.0 x\n[output clipped, log limit 2MiB reached]\n",
    "a\n[Tool output truncated to fit the context budget; narrow your query]",
    "... (4702 characters truncated) ...",
    "[Output truncated]",
    "[Truncated: 12 lines]",
    "...[truncated]",
    "the text goes on ... [truncated]",
    "the text goes on…[truncated]\n",
    "<output truncated>",
    "a\n[244 lines omitted]\nb",
    "a\n[... 37 messages omitted ...]\nb",
]
GONE = [
    "[Old tool result content cleared]",
    "Old environment output: (9 lines omitted)",
    "\n Old environment output: (9 lines omitted)\n",
    "[... 37 messages omitted ...]",
    "<output truncated>",
]


@pytest.mark.parametrize("text", [*CLAUDE_CODE, *CODEX, *GEMINI_CLI, *OPENHANDS, *SWE_AGENT, *OTHERS, *GONE])
def test_a_result_that_the_harness_cut_is_cut(text: str) -> None:
    assert is_cut(text)


@pytest.mark.parametrize(
    "text",
    [
        'return text[:n] + f"... [{len(text) - n} lines truncated] ..."',
        'MARK = "[... 10 lines truncated ...]"',
        "  12\t[... 10 lines truncated ...]",
        "a.py:12:    marker = '[... 10 lines truncated ...]'",
        "assert is_cut('[... 10 lines truncated ...]')",
        "+[... {n} lines truncated ...]",
        "# long output is truncated, see docs",
        "* If a `command` generates a long output, it will be truncated and marked with `<response clipped>`.",
        "<elided_chars>\n{{ elided_chars }} characters elided\n</elided_chars>",
        "E   ...Full output truncated (43 lines hidden), use '-vv' to show",
        "FAILED test_truncated.py::test_it - assert 'truncated' in text",
        "def truncated(text):\n    return text",
        "elided_chars = len(x) - 10",
        "The list (truncated) is here",
        "see [truncated] in the manual",
        "Note: some lines were omitted for brevity",
        "the list was truncated",
        "xxx Output was truncated xxx in the middle of a sentence",
        "The result may be truncated to 10 characters.",
        "DataError: string or binary data would be truncated",
        "Traceback: error: output too large for buffer",
        "warning: 12 lines omitted from the diff stat",
        "TRUNCATE TABLE x; -- 12 rows truncated",
        "truncated division toward zero (C99)",
        "+    truncated = []\n-    omitted = 3",
        '  "text": "…676 tokens…"',
        "…",
        "Loading…",
        "wait… 12 lines",
        "Building wheels… done",
        "[5 rows x 3 columns]",
        "...skipping...",
        "omitted",
        "cache.py:3: TEXT = '[Old tool result content cleared]'",
        "The harness writes [Old tool result content cleared] there.",
        "[Old tool result content cleared]\nis what the harness writes, and a lot more stands here",
        "Old environment output: (n lines omitted)",
        "Old environment",
        "37 messages omitted",
        "[File: a (100 lines total)]",
        "(12 more lines above)",
        "Showing 10 of 20 results",
        "",
    ],
)
def test_a_text_that_talks_of_cutting_is_whole(text: str) -> None:
    assert not is_cut(text)


@pytest.mark.parametrize("text", GONE)
def test_a_result_in_whose_place_other_words_stand_is_gone(text: str) -> None:
    assert cuts.is_gone(text)


@pytest.mark.parametrize("text", ["", "a\n[... 37 messages omitted ...]\nb", "Old news", "[244 lines]", *CODEX[:2]])
def test_a_result_of_which_something_is_left_is_not_gone(text: str) -> None:
    assert not cuts.is_gone(text)


def test_our_own_source_and_a_manual_of_truncation_are_whole_when_they_are_shown_with_numbers() -> None:
    source = Path(cuts.__file__).read_text(encoding="utf-8")
    numbered = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(source.split("\n"), 1))
    assert "runcated" in numbered
    assert not is_cut(numbered)


@pytest.mark.parametrize(
    "text", ["truncated … omitted\n", "…", "... truncated elided ", "[" * 50 + "truncated", "…9 tokens truncated "]
)
def test_a_text_full_of_such_words_takes_time_in_proportion(text: str) -> None:
    check_text_in_proportion(is_cut, text * (4_000_000 // len(text)))
