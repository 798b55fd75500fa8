"""A case: what speaks for one category in one trajectory, before anybody decides. Gates and labels read only this."""

from __future__ import annotations

from typing import Literal

import msgspec

from earned.records import Channel, Quote, Role, Strength


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One quoted piece of a case and the part it plays."""

    role: Role
    quote: Quote
    why: str


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What was established for one category through one channel."""

    category: str
    channel: Channel
    addresses: tuple[str, ...]
    kind: Literal["content", "tampering", "claim"]
    strength: Strength
    """`proof` when act and integration (content) or act and effect (tampering) are established beyond reading."""
    pieces: tuple[Piece, ...]
    is_effective: bool
    """Content: it is in the graded submission. Tampering: the changed outcome is shown, and still in place at the end."""
    is_relevant: bool
    """It touches what the verifier grades."""
    is_targeted: bool
    """The act itself, or the agent's words, show that it was meant."""
    is_inferred: bool = False
    """It rests on what the content tells: that the source is foreign was not shown itself."""
    why: str
    """In words, what is established and what is missing."""
    rule: str
    """Identifier and version of the rule or of the tracing that made it."""
    acts: tuple[tuple[int, int], ...] = ()
    """(step, action) of the acts that it rests on."""
    receipts: tuple[int, ...] = ()
    integrations: tuple[int, ...] = ()


def quotes(case: Case, role: Role) -> tuple[Quote, ...]:
    """The quotes of a case that play one part."""
    return tuple(piece.quote for piece in case.pieces if piece.role == role)
