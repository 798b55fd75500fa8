"""Texts of any parts of the protocols of textual calls are read without an error, and each call stands where it is said to."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from earned.trajectory.formats.chat.text_calls import may_call, text_calls

PARTS = st.sampled_from(
    [
        *(
            "<function=submit>",
            "</function>",
            "<function=",
            "<parameter=command>",
            "</parameter>",
            "<parameter=",
            '<invoke name="a">',
        ),
        *(
            '<parameter name="b">',
            "</invoke>",
            "<tool_call>",
            "</tool_call>",
            '{"name": "bash", "arguments": {}}',
            '{"name": 1}',
            "{",
        ),
        *("TOOL_CALL: bash ", 'TOOL_CALL: a {"b": 1}', "TOOL_CALL: a {", "\n", "```\n", "`", "ls", ">", "\ud800"),
    ]
)


@settings(max_examples=300)
@given(st.lists(PARTS, max_size=12).map("".join))
def test_calls_in_any_text_are_read_in_order(text: str) -> None:
    calls = text_calls(text)
    starts = [call.start for call in calls]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
    assert not calls or may_call(text)
