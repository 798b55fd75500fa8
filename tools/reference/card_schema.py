"""src/earned/records/integrity-card.schema.json: the JSON schema of the integrity card, from its record."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from earned.records import IntegrityCard
from tools.reference.records_page import field_meanings

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def card_schema() -> str:
    """The schema as JSON text, each field with what its record says of it."""
    schema = msgspec.json.schema(IntegrityCard)
    meanings = field_meanings()
    for name, record in schema["$defs"].items():
        _describe(record, meanings.get(name, {}))
    return json.dumps({"$schema": DIALECT, **schema}, indent=2, ensure_ascii=False) + "\n"


def _describe(record: dict[str, Any], meanings: dict[str, str]) -> None:
    for field, kind in record.get("properties", {}).items():
        if meanings.get(field):
            kind["description"] = meanings[field]
