"""The taxonomy as records: what a row of each table holds."""

from __future__ import annotations

from typing import Literal

import msgspec

from earned.records import Ancestor, Channel, ControlSurface, FaultSide, GateName


class Category(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of finding, and what must hold before it decides a label."""

    name: str
    kind: Literal["violation", "neutral"]
    definition: str
    channel: Channel
    control_surface: ControlSurface
    gate: GateName
    intrinsically_deceptive: bool
    fault_side: FaultSide
    decided_by: tuple[Literal["rules", "judges"], ...]
    example: str
    counter_example: str


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One known leak (L*) or tampering (V*) route and what it maps to."""

    id: str
    name: str
    category: str
    channel: Channel
    control_surface: ControlSurface


class When(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one fact must show; every key that is given must hold."""

    git: tuple[str, ...] = ()
    ancestor: tuple[Ancestor, ...] = ()
    content: bool | None = None
    program: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    background: bool | None = None
    write_operation: tuple[str, ...] = ()
    refs: str = ""
    reads: str = ""
    writes: str = ""
    not_writes: str = ""
    written: str = ""
    hosts: str = ""
    urls: str = ""
    command: str = ""


class Example(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command, or an edit of `path`, with what the trajectory shows of ancestry."""

    command: str = ""
    path: str = ""
    text: str = ""
    ancestor: Ancestor | None = None


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What starts a finding."""

    id: str
    version: int
    category: str
    channel: Channel
    definition: str
    hint: str
    """Prefilter over the raw text of an action: the rule cannot match where it does not."""
    when: When
    fires: Example
    must_not: Example

    @property
    def name(self) -> str:
        """Identifier with version, as findings cite it."""
        return f"{self.id}@{self.version}"


class Alias(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What another scheme calls our categories."""

    scheme: str
    names: dict[str, str]


class Taxonomy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file, checked."""

    schema: int
    category: tuple[Category, ...]
    catalogue: tuple[CatalogueEntry, ...]
    rule: tuple[Rule, ...]
    alias: tuple[Alias, ...]
    digest: str = ""
    """sha256 of the file."""
