"""`manifest.json`: whose folder it is, with which configuration it was made, and what it came to.

A folder is used again only with the configuration it was made with, for rows of two configurations in one table would be
a number that nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from earned.errors import ConfigurationError
from earned.records import SCHEMA
from earned.store.columns import json_text
from earned.store.lock import LOCK_NAME
from earned.store.whole import TEMPORARY, write_whole

JSON: TypeAlias = bool | int | float | str | list["JSON"] | dict[str, "JSON"] | None

MANIFEST = "manifest.json"
KIND = "earned audit folder"
RESERVED = ("kind", "schema", "state", "configuration", "counts")
"""Keys that the store itself writes."""

_UNSET = "(not set)"


def is_unused(folder: Path) -> bool:
    """Whether the folder holds nothing but what a run leaves that was killed before it began."""
    return all(entry.name == LOCK_NAME or entry.name.startswith(TEMPORARY) for entry in folder.iterdir())


def read_manifest(folder: Path) -> dict[str, JSON]:
    """The manifest of an audit folder.

    Raises ConfigurationError: `not-an-audit-folder` when there is none or it is not ours, `audit-folder-schema` when another
    version of the tool made the folder.
    """
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise not_an_audit_folder(folder, f"no readable {MANIFEST} in it") from error
    if manifest.get("kind") != KIND:
        raise not_an_audit_folder(folder, f"a {MANIFEST} that is not of an audit")
    if manifest.get("schema") != SCHEMA:
        raise ConfigurationError(
            f"Expected an audit folder of schema {SCHEMA}; found schema {manifest.get('schema')!r} in {str(folder)!r}. "
            "Use the version of earned that made it, or audit into another folder.",
            slug="audit-folder-schema",
        )
    return manifest


def not_an_audit_folder(folder: Path, found: str) -> ConfigurationError:
    """The error for a path that holds something else; nothing of it has been touched."""
    return ConfigurationError(
        f"Expected {str(folder)!r} to be missing, empty or the audit folder of an earlier run; found {found}. "
        "Give another --out. Nothing was changed.",
        slug="not-an-audit-folder",
    )


def no_audit_to_read(folder: Path) -> ConfigurationError:
    """The error for a path that is to be read and is no audit folder."""
    if not folder.exists():
        found = "nothing there"
    elif not folder.is_dir():
        found = "a file"
    else:
        found = f"no {MANIFEST} of an audit in it"
    return ConfigurationError(
        f"Expected the folder of an audit at {str(folder)!r}; found {found}. "
        "Name the folder that `earned audit --out` was given (earned-audit when it was given none).",
        slug="not-an-audit-folder",
    )


def write_manifest(folder: Path, manifest: Mapping[str, JSON]) -> None:
    """Write the manifest whole, in a form that people can read."""
    write_whole(folder / MANIFEST, [msgspec.json.format(json_text(manifest), indent=2).encode() + b"\n"])


def check_same(folder: Path, stored: JSON, wanted: JSON) -> None:
    """Raise ConfigurationError (`configuration-differs`) that names every differing key with both values."""
    differences = list(_differences(stored, wanted, ""))
    if differences:
        raise ConfigurationError(
            f"Expected the configuration that {str(folder)!r} was made with; found {'; '.join(differences)}. "
            "Use the same options to resume, or give another --out.",
            slug="configuration-differs",
        )


def as_json(value: object) -> JSON:
    """The value as it comes back from a file: tuples as lists, mapping keys in order."""
    decoded: JSON = msgspec.json.decode(msgspec.json.encode(value, order="sorted"))
    return decoded


def _differences(stored: JSON, wanted: JSON, prefix: str) -> Iterator[str]:
    if isinstance(stored, dict) and isinstance(wanted, dict):
        for key in sorted(stored.keys() | wanted.keys()):
            yield from _differences(stored.get(key, _UNSET), wanted.get(key, _UNSET), f"{prefix}.{key}" if prefix else key)
    elif stored != wanted:
        yield f"{prefix}: {_shown(stored)} there, {_shown(wanted)} now"


def _shown(value: JSON) -> str:
    return _UNSET if value == _UNSET else json_text(value)
