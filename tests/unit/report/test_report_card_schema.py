"""The schema that ships with the package describes the cards that are made."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import msgspec
import pytest
from made_passes import STAMP, attempts_of, made_passes

from earned.records import AuditedPass
from earned.report import integrity_card

SCHEMA = json.loads(files("earned.records").joinpath("integrity-card.schema.json").read_text(encoding="utf-8"))
KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "null": type(None),
    "object": dict,
    "array": list,
}


def faults(value: Any, schema: dict[str, Any], place: str = "") -> list[str]:
    """Where a document departs from the part of JSON Schema that the card's schema uses."""
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    if "anyOf" in schema:
        each = [faults(value, option, place) for option in schema["anyOf"]]
        return min(each, key=len)
    if "enum" in schema:
        return [] if value in schema["enum"] else [place]
    if not isinstance(value, KINDS[schema["type"]]):
        return [place]
    found = []
    if isinstance(value, dict):
        found += [f"{place}/{name}" for name in schema.get("required", ()) if name not in value]
        named, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for name, inner in value.items():
            found += faults(inner, named.get(name) or others, f"{place}/{name}") if named.get(name) or others else [name]
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for number, inner in enumerate(value):
            found += faults(inner, first[number] if number < len(first) else schema["items"], f"{place}/{number}")
    return found


def card_of(passes: list[AuditedPass]) -> Any:
    card = integrity_card(passes, attempts=attempts_of(passes), skipped={"failed": 3}, stamp=STAMP, task_selection="all")
    return json.loads(msgspec.json.encode(card))


@pytest.mark.parametrize("passes", [made_passes(), []], ids=["many passes", "none"])
def test_a_card_fits_the_schema(passes: list[AuditedPass]) -> None:
    assert faults(card_of(passes), SCHEMA) == []


def test_a_card_that_lacks_a_field_or_has_another_type_does_not_fit() -> None:
    card = card_of(made_passes())
    del card["stamp"]["judge"]
    card["trajectory"]["gap"]["k"] = "3"
    card["cohorts"][0]["task"]["gap"]["unit"] = "hour"
    card["surprise"] = 1
    assert sorted(faults(card, SCHEMA)) == [
        "/cohorts/0/task/gap/unit",
        "/stamp/judge",
        "/trajectory/gap/k",
        "surprise",
    ]
