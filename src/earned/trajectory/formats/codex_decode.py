"""A line of a rollout becomes a record: at once where it is an item or an event, by its own type where it is something else."""

from __future__ import annotations

from typing import Any

import msgspec

from earned.trajectory.formats.codex_records import (
    KINDS,
    AgentMessage,
    AnyItem,
    Compacted,
    Head,
    OtherLine,
    PassedOver,
    RolloutLine,
    TokenRecord,
    TurnContext,
    TypeOnly,
    Unknown,
)
from earned.trajectory.lenient import coerce
from earned.trajectory.oddities import Oddities

_ITEMS = ("response_item", "event_msg")
_OTHERS: dict[str, type[msgspec.Struct]] = {
    "session_meta": Head,
    "turn_context": TurnContext,
    "compacted": Compacted,
    "token_usage_record": TokenRecord,
    "inter_agent_communication": AgentMessage,
}
"""The payload of each type of line that is read, besides items and events."""
_decode_other = msgspec.json.Decoder(OtherLine).decode
_decode_item: Any = msgspec.json.Decoder(AnyItem).decode
_decode_type = msgspec.json.Decoder(TypeOnly).decode


def decode_line(data: bytes) -> RolloutLine:
    """The record of a line that is neither an item nor an event of a known type. Raises what msgspec raises."""
    line = _decode_other(data)
    body = data if len(line.payload) == 0 else bytes(line.payload)
    kind = line.type or _kind_without_type(line, data)
    if kind in _OTHERS:
        payload: Any = msgspec.json.decode(body, type=_OTHERS[kind])
    elif kind in KINDS and body is data:
        kind, payload = _ITEMS[0], _decode_item(data)
    elif kind in _ITEMS:
        payload = _item(body)
    else:
        payload = PassedOver()
    return RolloutLine(payload=payload, timestamp=line.timestamp, type=kind, ordinal=line.ordinal)


def _kind_without_type(line: OtherLine, data: bytes) -> str:
    """The first line before 0.32 is the header itself; lines that only mark a state have a `record_type`."""
    if line.record_type is not None:
        return "state"
    head = msgspec.json.decode(data, type=Head)
    return "session_meta" if head.id is not None and head.timestamp is not None else ""


def _item(body: bytes) -> Any:
    kind = _decode_type(body).type
    return _decode_item(body) if kind in KINDS else Unknown(name=kind or "")


def lenient_line(value: dict[str, Any], place: str, oddities: Oddities) -> RolloutLine:
    """The same of an object in which something has a wrong type."""
    named, inner = value.get("type"), value.get("payload")
    body = inner if isinstance(inner, dict) else value
    kind = named if isinstance(named, str) else ""
    if not kind and "record_type" not in value and isinstance(value.get("id"), str) and "timestamp" in value:
        kind = "session_meta"
    payload: Any = PassedOver()
    if kind in _OTHERS:
        payload = coerce(body, _OTHERS[kind], place, oddities)
    elif kind in _ITEMS or kind in KINDS:
        payload = lenient_item(body, place, oddities)
        kind = kind if kind in _ITEMS else _ITEMS[0]
    time, ordinal = value.get("timestamp"), value.get("ordinal")
    return RolloutLine(
        payload=payload,
        timestamp=time if isinstance(time, str) else None,
        type=kind,
        ordinal=ordinal if isinstance(ordinal, int) else None,
    )


def lenient_item(value: Any, place: str, oddities: Oddities) -> Any:
    """The record of an item or event that was decoded without a type; one of an unknown type is that."""
    name = value.get("type") if isinstance(value, dict) else None
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        return Unknown(name=name if isinstance(name, str) else "")
    return coerce(value, kind, place, oddities)
