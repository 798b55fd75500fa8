"""A record becomes a flat row of columns and comes back without loss.

The columns follow from the record's own fields: a scalar is a real column, a record inside it is spread into columns with its
field's name in front (`gate_met`), and everything of variable length is JSON text. So a new field of a record is a new column
without code here, and a plain SQL engine reads all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import msgspec.inspect as mi
import pyarrow as pa

Record = TypeVar("Record", bound=msgspec.Struct)
Scalar = str | int | float | bool | None


class Column(NamedTuple):
    """One column: where its value stands in the record, and how it is kept."""

    name: str
    path: tuple[str, ...]
    arrow: pa.DataType
    nullable: bool
    """Whether the record itself allows None here."""
    json: bool
    """Kept as JSON text."""
    about: str
    """Kind of content in words, for the schema page."""


def columns_of(record: type[msgspec.Struct], *, leave_out: Sequence[str] = ()) -> tuple[Column, ...]:
    """The columns of a record type, in the order of its fields, without the fields named in `leave_out`."""
    info = mi.type_info(record)
    assert isinstance(info, mi.StructType)  # noqa: S101  # a Struct type has no other information
    return tuple(column for field in info.fields if field.name not in leave_out for column in _field_columns(field, ()))


class Flattener(Generic[Record]):
    """Turns records of one type into rows and rows into records; fields left out are supplied by the caller."""

    def __init__(self, record: type[Record], *, leave_out: Sequence[str] = ()) -> None:
        self.record = record
        self.columns = columns_of(record, leave_out=leave_out)
        self.fields = tuple(_arrow_field(column) for column in self.columns)

    def flat(self, record: Record) -> dict[str, Scalar]:
        """One row of scalars; text that is not valid Unicode has its lone surrogates replaced."""
        return {column.name: _cell(record, column) for column in self.columns}

    def restore(self, row: Mapping[str, object], /, **left_out: object) -> Record:
        """The record that `flat` was given. Raises msgspec.ValidationError for a row that does not hold one."""
        nested: dict[str, Any] = dict(left_out)
        for column in self.columns:
            value = row[column.name]
            if column.json and isinstance(value, str):
                value = msgspec.json.decode(value)
            _put(nested, column.path, value)
        return msgspec.convert(nested, self.record, strict=True)


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no file can hold, replaced by U+FFFD; of the same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text


def json_text(value: object) -> str:
    """Compact JSON text of a record or of builtins; lone surrogates replaced as in `well_formed`."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_well_formed_builtins(msgspec.to_builtins(value))).decode()


def _well_formed_builtins(value: object) -> object:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, Mapping):
        return {_well_formed_builtins(key): _well_formed_builtins(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_well_formed_builtins(item) for item in value]
    return value


def _field_columns(field: mi.Field, prefix: tuple[str, ...]) -> tuple[Column, ...]:
    path = (*prefix, field.name)
    if isinstance(field.type, mi.StructType):
        return tuple(column for inner in field.type.fields for column in _field_columns(inner, path))
    members = field.type.types if isinstance(field.type, mi.UnionType) else (field.type,)
    bare = tuple(member for member in members if not isinstance(member, mi.NoneType))
    arrow, about = _scalar(bare[0]) if len(bare) == 1 else (None, "")
    return (
        Column(
            name="_".join(path),
            path=path,
            arrow=arrow or pa.string(),
            nullable=len(bare) < len(members),
            json=arrow is None,
            about=about or "JSON text",
        ),
    )


def _scalar(kind: mi.Type) -> tuple[pa.DataType | None, str]:
    if isinstance(kind, mi.StrType):
        return pa.string(), "text"
    if isinstance(kind, mi.LiteralType):
        return pa.string(), "one of " + ", ".join(f"`{value}`" for value in kind.values)
    if isinstance(kind, mi.BoolType):
        return pa.bool_(), "true or false"
    if isinstance(kind, mi.IntType):
        return pa.int64(), "whole number"
    if isinstance(kind, mi.FloatType):
        return pa.float64(), "number"
    return None, ""


def _arrow_field(column: Column) -> pa.Field:
    return pa.field(column.name, column.arrow, nullable=column.nullable)


def _cell(record: msgspec.Struct, column: Column) -> Scalar:
    value: Any = record
    for name in column.path:
        value = getattr(value, name)
    if column.json:
        return json_text(value)
    return well_formed(value) if isinstance(value, str) else value


def _put(nested: dict[str, Any], path: tuple[str, ...], value: object) -> None:
    for name in path[:-1]:
        nested = nested.setdefault(name, {})
    nested[path[-1]] = value
