"""Lines of a rollout that are not what most are: the oldest, flat ones, items of an unknown type, wrong types."""

from __future__ import annotations

from typing import Any

import msgspec

from earned.trajectory.decode.lenient import coerce
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.codex.line_records import (
    LINES,
    Compacted,
    Head,
    OtherLine,
    PassedOverLine,
    RolloutLine,
    TokenRecord,
    TurnContext,
)
from earned.trajectory.formats.codex.records import KINDS, AgentMessage, AnyItem, TypeOnly, Unknown

_ITEMS = ("response_item", "event_msg")
_BODIES: dict[str, type[msgspec.Struct]] = {
    "session_meta": Head,
    "turn_context": TurnContext,
    "compacted": Compacted,
    "token_usage_record": TokenRecord,
    "inter_agent_communication": AgentMessage,
}
"""The payload of each type of line that is read, besides items and events."""
_decode = msgspec.json.Decoder(OtherLine).decode
_decode_item: Any = msgspec.json.Decoder(AnyItem).decode
_decode_type = msgspec.json.Decoder(TypeOnly).decode


def decode_line(data: bytes) -> RolloutLine:
    """The record of a line that is none of a known type as it should be. Raises what msgspec raises."""
    line = _decode(data)
    body = data if len(line.payload) == 0 else bytes(line.payload)
    kind = line.type or _kind_without_type(line, data)
    if kind in _BODIES:
        payload: Any = msgspec.json.decode(body, type=_BODIES[kind])
    elif kind in KINDS and body is data:
        kind, payload = _ITEMS[0], _decode_item(data)
    elif kind in _ITEMS:
        name = _decode_type(body).type
        payload = _decode_item(body) if name in KINDS else Unknown(name=name or "")
    else:
        return PassedOverLine(timestamp=line.timestamp)
    return _line(kind, payload, line.timestamp, line.ordinal)


def _kind_without_type(line: OtherLine, data: bytes) -> str:
    """The first line before 0.32 is the header itself; lines that only mark a state have a `record_type`."""
    if line.record_type is not None:
        return ""
    head = msgspec.json.decode(data, type=Head)
    return "session_meta" if head.id is not None and head.timestamp is not None else ""


def _line(kind: str, payload: Any, time: str | None, ordinal: int | None) -> RolloutLine:
    made: Any = LINES[kind]
    line: RolloutLine = made(payload=payload, timestamp=time, ordinal=ordinal)
    return line


def lenient_line(value: dict[str, Any], place: str, oddities: Oddities) -> RolloutLine:
    """The same of an object in which something has a wrong type."""
    named, inner = value.get("type"), value.get("payload")
    body = inner if isinstance(inner, dict) else value
    kind = named if isinstance(named, str) else ""
    if not kind and "record_type" not in value and isinstance(value.get("id"), str) and "timestamp" in value:
        kind = "session_meta"
    if kind in _BODIES:
        payload: Any = coerce(body, _BODIES[kind], place, oddities)
    elif kind in _ITEMS or kind in KINDS:
        payload = lenient_item(body, place, oddities)
        kind = kind if kind in _ITEMS else _ITEMS[0]
    else:
        return PassedOverLine()
    time, ordinal = value.get("timestamp"), value.get("ordinal")
    return _line(kind, payload, time if isinstance(time, str) else None, ordinal if isinstance(ordinal, int) else None)


def lenient_item(value: Any, place: str, oddities: Oddities) -> Any:
    """The record of an item or event that was decoded without a type; one of an unknown type is that."""
    name = value.get("type") if isinstance(value, dict) else None
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        return Unknown(name=name if isinstance(name, str) else "")
    return coerce(value, kind, place, oddities)
