"""Keys that stand twice in one object: decoding takes the last one without a word, so that a later `reward` hides the first.

Where the values are the same nothing is lost. Where they differ it is an oddity; of what may tell an outcome it makes the
outcome conflicting, and of a list of steps it is a gap in which acts may be. Looked at are a record's own keys and those of
objects in it that hold a verifier's word, by going past the values (`spans`), not by decoding. Keys within messages are not,
but for two lists of calls with no `role` or `source` between them: one message may hold both, so they are gone through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earned.errors import FormatError
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.spans import Buffer, Span, elements, entries

WORDS = frozenset(
    (
        *("reward", "max_reward", "score", "max_score", "value", "failed", "total", "exit_code", "reward_valid"),
        *("passed", "resolved", "is_resolved", "success", "correct", "result", "outcome", "error_eval", "termination_reason"),
    )
)
"""Keys that tell an outcome."""
HOLDERS = frozenset(
    (
        *("rewards", "scores", "reward_info", "verifier_result", "test_result", "fine_grained_report", "eval_result"),
        *("evaluation", "eval", "report", "verifier", "grading", "metadata", "meta", "info", "extra_info", "final_score"),
    )
)
"""Keys of objects in which such keys stand."""
STEPS = frozenset(
    (
        *("messages", "traj", "trajectory", "conversation", "conversations", "history", "items"),
        *("prompt", "completion", "events", "steps"),
    )
)
"""Keys of lists in which acts stand."""
_TALKS = STEPS - {"events"}
"""Those in which messages stand, which hold calls themselves."""
_NAMED = frozenset(("scores", "rewards"))
"""Keys of objects in which every key is the name of a score."""
CALLS = "tool_calls"
"""The key of a message under which acts stand."""
_CALLS = f'"{CALLS}"'.encode()
_WHOSE = (b'"role"', b'"source"')
"""Keys by which a message says whose it is."""
MAX_LEVELS = 4
"""Objects in objects that are looked into."""


class _Repeated(NamedTuple):
    """A key whose values differ."""

    pointer: str
    key: str
    tells_outcome: bool


def note_repeated(data: Buffer, oddities: Oddities, place: str) -> None:
    """Note every key of an object that comes again with another value; what is no object, or broken, as far as it goes."""
    for found in _repeated(data, 0, "", MAX_LEVELS):
        where = f"{place}{'' if '#' in place else '#'}{found.pointer}"
        oddities.add("the key stands more than once, with different values: the last one is read", where)
        if found.key in STEPS or found.key == CALLS:
            oddities.lose(where)
        elif found.tells_outcome:
            oddities.torn = oddities.torn or f"{where} stands more than once, with different values"


def _repeated(data: Buffer, start: int, pointer: str, levels: int) -> Iterator[_Repeated]:
    is_named = pointer.rpartition("/")[2] in _NAMED
    first: dict[str, Span] = {}
    told: set[str] = set()
    has_twice = not pointer and _may_hold_calls_twice(data)
    try:
        for key, span in entries(data, start):
            before = first.setdefault(key, span)
            if before is not span and key not in told and data[before.start : before.end] != data[span.start : span.end]:
                told.add(key)
                yield _Repeated(f"{pointer}/{key}", key, is_named or key in WORDS or key in HOLDERS)
            if levels and (pointer or key in HOLDERS or key in WORDS) and data[span.start : span.start + 1] == b"{":
                yield from _repeated(data, span.start, f"{pointer}/{key}", levels - 1)
            if has_twice and key in _TALKS and data[span.start : span.start + 1] == b"[":
                yield from _in_messages(data, span.start, f"{pointer}/{key}")
    except FormatError:
        return


def _may_hold_calls_twice(data: Buffer) -> bool:
    """Whether two lists of calls stand there with nobody named between them; of what is mapped and no bytes it is not asked."""
    if not isinstance(data, bytes):
        return False
    before = data.find(_CALLS)
    while before >= 0 and (after := data.find(_CALLS, before + 1)) >= 0:
        if not any(data.find(name, before, after) >= 0 for name in _WHOSE):
            return True
        before = after
    return False


def _in_messages(data: Buffer, start: int, pointer: str) -> Iterator[_Repeated]:
    """Messages of a list that hold two lists of calls."""
    for number, message in enumerate(elements(data, start)):
        text = bytes(data[message.start : message.end])
        if text[:1] != b"{" or text.count(_CALLS) < 2:
            continue  # nearly every message; to go through its keys takes many times as long as to decode it
        spans = [span for key, span in entries(data, message.start) if key == CALLS]
        if any(data[span.start : span.end] != data[spans[0].start : spans[0].end] for span in spans[1:]):
            yield _Repeated(f"{pointer}/{number}/{CALLS}", CALLS, tells_outcome=False)
