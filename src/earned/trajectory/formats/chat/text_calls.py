"""Calls that stand in the text of a message, for harnesses that do not use the provider's notation for tools.

Three protocols are read, also beside a native call: `TOOL_CALL: name {json}`, `<tool_call>{json}</tool_call>` (Hermes,
Qwen) and `<function=name><parameter=key>value</parameter></function>` (SWE-smith, OpenHands, Qwen-Coder), the last one
also as `<invoke name="…">` with `<parameter name="…">`. A fenced block of code is no
call: nothing says that it was run. Nor is a call that stands in a fence or between backticks: then somebody's text is shown.
Some models fence the call that they mean, so that a result behind it tells that it was one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

MAX_FAILURES = 50
"""Calls of one message whose arguments are no JSON; the rest of the message is then text, so that the work stays linear."""
_MARKED = re.compile(r"(?:^|\| |\[)TOOL_CALL: ?([A-Za-z_][A-Za-z0-9_.-]{0,100}) ?", re.MULTILINE)
_FUNCTION = re.compile(r"""<function=([^>\s]{1,100})>|<invoke name="([^">\s]{1,100})">""")
_PARAMETER = re.compile(r"""<parameter=([^>\s]{1,100})>\n?|<parameter name="([^">\s]{1,100})"[^>\n]{0,100}>\n?""")
_CLOSES = ("</function>", "</invoke>")
_TAGS = ("<function=", "<invoke name=", "<tool_call>")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_ENDING = re.compile(r"(?:[\s`~]|</[\w:]{1,40}>)*")
_RESULTS = ("OBSERVATION:", "<tool_response>", "EXECUTION RESULT of", "<function_results>", "<returncode>", "Observation:")
_DECODER = json.JSONDecoder(strict=False)


class TextCall(NamedTuple):
    """One call found in a text."""

    start: int
    """Where it begins."""
    name: str
    arguments: Any
    end: int = 0
    """Behind it."""


def may_call(text: str) -> bool:
    """Whether a text holds a mark of one of the protocols."""
    return "TOOL_CALL:" in text or ("<" in text and any(mark in text for mark in _TAGS))


def text_calls(text: str) -> Sequence[TextCall]:
    """The calls of a message's text, in order; none when the text only talks."""
    if "<function=" in text or "<invoke name=" in text:
        return list(_functions(text))
    if "<tool_call>" in text:
        return list(_tagged(text))
    return list(_marked(text)) if "TOOL_CALL:" in text else ()


def unquoted(text: str, calls: Sequence[TextCall]) -> Sequence[TextCall]:
    """The calls of a text that do not stand in a fence or between backticks. What a call itself holds opens neither."""
    if "`" not in text and "~~~" not in text:
        return calls
    meant: list[TextCall] = []
    is_fenced, at, line = False, 0, ""
    for call in calls:
        before = text[at : call.start]
        is_fenced ^= len(_FENCE.findall(before)) % 2 == 1
        head, broken, rest = before.rpartition("\n")
        line = rest if broken or head else line + rest
        is_inline = line.replace("```", "").count("`") % 2 == 1 and "`" in text[call.end :].partition("\n")[0]
        if not (is_inline or (is_fenced and _FENCE.search(text, call.end))):
            meant.append(call)
        at = call.end
    return meant


def answers_quoted(text: str, calls: Sequence[TextCall], answer: str) -> bool:
    """Whether what a user says is the result of calls that look quoted: it begins as results do, or they end their message."""
    return answer.lstrip().startswith(_RESULTS) or _ENDING.fullmatch(text, calls[-1].end) is not None


def text_results(text: str, expected: int) -> Sequence[str]:
    """The results in the message that follows `expected` calls: one for each, or one for all of them."""
    if "<tool_response>" in text:
        parts = [part.partition("</tool_response>")[0].strip("\n") for part in text.split("<tool_response>")[1:]]
        return parts if len(parts) == expected else ["\n".join(parts)]
    return [text.removeprefix("OBSERVATION:\n")]


def _marked(text: str) -> Iterator[TextCall]:
    failures = position = 0
    while failures < MAX_FAILURES and (found := _MARKED.search(text, position)):
        position = found.end()
        arguments: Any = {}
        if text[position : position + 1] == "{":
            try:
                arguments, position = _DECODER.raw_decode(text, position)
            except (ValueError, RecursionError):
                failures += 1
                continue
        yield TextCall(found.start(), found.group(1), arguments, position)


def _tagged(text: str) -> Iterator[TextCall]:
    failures = 0
    position = text.find("<tool_call>")
    while position >= 0 and failures < MAX_FAILURES:
        end = text.find("</tool_call>", position)
        inner = text[position + len("<tool_call>") : end if end >= 0 else len(text)]
        try:
            call = _DECODER.decode(inner.strip())
        except (ValueError, RecursionError):
            call = None
        name = call.get("name") if isinstance(call, dict) else None
        if isinstance(name, str):
            arguments = call.get("arguments", call.get("parameters"))
            yield TextCall(position, name, arguments, end if end >= 0 else len(text))
        else:
            failures += 1
        position = text.find("<tool_call>", end) if end >= 0 else -1


def _functions(text: str) -> Iterator[TextCall]:
    for match, body in _pieces(_FUNCTION, text):
        closed = min((at for mark in _CLOSES if (at := body.find(mark)) >= 0), default=-1)
        start = text.rfind("<tool_call>", max(0, match.start() - 20), match.start())
        inner = body[:closed] if closed >= 0 else body
        name, end = match.group(1) or match.group(2), match.end() + len(inner)
        yield TextCall(start if start >= 0 else match.start(), name, _parameters(inner), end)


def _parameters(body: str) -> dict[str, str]:
    """The parameters of one call, of which there may be none: `<function=submit>`."""
    found = {}
    for match, piece in _pieces(_PARAMETER, body):
        found[match.group(1) or match.group(2)] = piece.rstrip().removesuffix("</parameter>").removesuffix("\n")
    return found


def _pieces(mark: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each mark with the text behind it up to the next one."""
    starts = list(mark.finditer(text))
    for number, match in enumerate(starts, 1):
        yield match, text[match.end() : starts[number].start() if number < len(starts) else len(text)]
