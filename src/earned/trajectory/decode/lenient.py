"""A decoded JSON value of any shape becomes the record that was asked for; what does not fit is named, never fatal.

Used only after the strict, typed decoding refused a document, so its speed matters little.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any, TypeVar, cast

import msgspec
from msgspec import inspect

from earned.trajectory.decode.oddities import Oddities

T = TypeVar("T")
_UNFIT: Any = object()
MAX_DEPTH = 100
"""Levels of records in records (a subagent's subagent); deeper values are left out and named."""


def coerce(value: object, kind: type[T], place: str, oddities: Oddities) -> T:
    """`value` as a `kind`, a struct whose fields all have defaults; `place` is the JSON pointer of `value`."""
    fitted = _fit(value, _info(cast("Hashable", kind)), place, oddities, 0)
    if fitted is _UNFIT:
        oddities.lose(place)
        return kind()
    return cast("T", fitted)


@lru_cache(maxsize=64)
def _info(kind: Hashable) -> inspect.Type:
    return inspect.type_info(kind)


def _fit(value: Any, info: inspect.Type, place: str, oddities: Oddities, depth: int) -> Any:
    if isinstance(info, inspect.AnyType):
        return value
    if depth > MAX_DEPTH:
        oddities.add("nested too deeply", place)
        return _UNFIT
    if isinstance(info, inspect.UnionType):
        return _fit_union(value, info, place, oddities, depth)
    if isinstance(info, inspect.StructType):
        return _fit_struct(value, info, place, oddities, depth)
    if isinstance(info, (inspect.ListType, inspect.VarTupleType)):
        return _fit_list(value, info, place, oddities, depth)
    if isinstance(info, inspect.DictType):
        return _fit_dict(value, info, place, oddities, depth)
    return _fit_scalar(value, info, place, oddities)


def _fit_union(value: Any, info: inspect.UnionType, place: str, oddities: Oddities, depth: int) -> Any:
    if value is None and any(isinstance(option, inspect.NoneType) for option in info.types):
        return None
    options = [option for option in info.types if not isinstance(option, inspect.NoneType)]
    for option in options:
        if _natural(value, option):
            return _fit(value, option, place, oddities, depth)
    return _fit(value, options[0], place, oddities, depth)


def _natural(value: Any, info: inspect.Type) -> bool:
    """Whether a JSON value is of the kind that a type is written as."""
    if isinstance(info, (inspect.StructType, inspect.DictType)):
        return isinstance(value, dict)
    if isinstance(info, (inspect.ListType, inspect.VarTupleType)):
        return isinstance(value, list)
    if isinstance(info, inspect.StrType):
        return isinstance(value, str)
    if isinstance(info, inspect.BoolType):
        return isinstance(value, bool)
    if isinstance(info, (inspect.IntType, inspect.FloatType)):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(info, inspect.AnyType)


def _fit_struct(value: Any, info: inspect.StructType, place: str, oddities: Oddities, depth: int) -> Any:
    if not isinstance(value, dict):
        return _unfit(value, "an object", place, oddities)
    fields: dict[str, Any] = {}
    for field in info.fields:
        if field.encode_name in value:
            fitted = _fit(value[field.encode_name], field.type, f"{place}/{field.encode_name}", oddities, depth + 1)
            if fitted is not _UNFIT:
                fields[field.name] = fitted
    return info.cls(**fields)


def _fit_list(
    value: Any, info: inspect.ListType | inspect.VarTupleType, place: str, oddities: Oddities, depth: int
) -> list[Any]:
    is_of_records = _holds_records(info.item_type)
    if not isinstance(value, list):
        if is_of_records and value is not None:
            oddities.lose(place)
        return cast("list[Any]", _unfit(value, "an array", place, oddities))
    items: list[Any] = []
    for number, item in enumerate(value):
        here = f"{place}/{number}"
        fitted = _fit(item, info.item_type, here, oddities, depth + 1)
        if fitted is not _UNFIT:
            items.append(fitted)
        elif is_of_records:
            oddities.lose(here)
    return items


def _holds_records(info: inspect.Type) -> bool:
    """Whether entries of a list are records among which acts may be; a kind with `holds_acts = False` says that none are."""
    options = info.types if isinstance(info, inspect.UnionType) else (info,)
    kinds = [option.cls for option in options if isinstance(option, inspect.StructType)]
    return any(getattr(kind, "holds_acts", True) for kind in kinds)


def _fit_dict(value: Any, info: inspect.DictType, place: str, oddities: Oddities, depth: int) -> Any:
    if not isinstance(value, dict):
        return _unfit(value, "an object", place, oddities)
    pairs = ((key, _fit(item, info.value_type, f"{place}/{key}", oddities, depth + 1)) for key, item in value.items())
    return {key: item for key, item in pairs if item is not _UNFIT}


def _fit_scalar(value: Any, info: inspect.Type, place: str, oddities: Oddities) -> Any:
    if _natural(value, info):
        return _number(value, info, place, oddities)
    if isinstance(info, inspect.StrType) and value is not None:
        oddities.add(f"expected text, found {_name(value)}, kept as JSON", place)
        return as_json(value)
    return _unfit(value, _expected(info), place, oddities)


def _number(value: Any, info: inspect.Type, place: str, oddities: Oddities) -> Any:
    if isinstance(info, inspect.IntType) and isinstance(value, float):
        return int(value) if value.is_integer() else _unfit(value, "a whole number", place, oddities)
    if isinstance(info, inspect.FloatType):
        try:
            return float(value)
        except OverflowError:
            return _unfit(value, "a number", place, oddities)
    return value


def _unfit(value: Any, expected: str, place: str, oddities: Oddities) -> Any:
    oddities.add(f"expected {expected}, found {_name(value)}", place)
    return _UNFIT


def _expected(info: inspect.Type) -> str:
    names: dict[type, str] = {
        inspect.StrType: "text",
        inspect.BoolType: "true or false",
        inspect.IntType: "a whole number",
        inspect.FloatType: "a number",
    }
    return names.get(type(info), "another value")


def _name(value: Any) -> str:
    names: dict[type, str] = {dict: "an object", list: "an array", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def as_json(value: object) -> str:
    """A decoded JSON value as compact JSON text."""
    try:
        return msgspec.json.encode(value).decode("utf-8")
    except (TypeError, ValueError, RecursionError, OverflowError):
        return repr(value)
