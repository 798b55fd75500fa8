"""The rows of the bench, how they are compared with one another, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

REFERENCES = ("wc -l", "rg -c", "msgspec decode", "atif-scan")
"""Rows that every other row is compared with."""
HEAD = ("row", "MB", "wall s", "cpu s", "MB/s core", "peak MB", *(f"x {name.split()[0]}" for name in REFERENCES), "note")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One measured command."""

    name: str
    megabytes: float = 0.0
    """Of JSON that it went through, in 10^6 bytes."""
    wall: float = 0.0
    processor: float = 0.0
    """User and system seconds, with every process that it started."""
    peak: float = 0.0
    """Resident memory of the largest process, in 10^6 bytes."""
    note: str = ""
    """What the row stands for, or why there are no numbers."""

    @property
    def rate(self) -> float:
        """Megabytes in a second of one core; 0 where nothing was measured."""
        return self.megabytes / self.processor if self.processor else 0.0


class MicroRow(msgspec.Struct, frozen=True, kw_only=True):
    """One function on texts from the same trials."""

    name: str
    function: str
    amount: float = 0.0
    unit: str = "MB"
    seconds: float = 0.0
    note: str = ""


def compared(row: Row, rows: Sequence[Row]) -> dict[str, float | None]:
    """How many times the processor time of each reference a megabyte takes in this row; None where one was not measured."""
    rates = {other.name: other.rate for other in rows if other.name in REFERENCES}
    return {name: rates[name] / row.rate if row.rate and rates.get(name) else None for name in REFERENCES}


def render(rows: Sequence[Row]) -> str:
    """The table as text."""
    lines = [HEAD, *(_cells(row, rows) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD) - 1)]
    return "\n".join("  ".join([*_aligned(line, widths), line[-1]]).rstrip() for line in lines)


def render_micro(rows: Sequence[MicroRow]) -> str:
    """The rows of single functions as text."""
    names = max(len(row.name) for row in rows)
    functions = max(len(row.function) for row in rows)
    return "\n".join(f"{row.name:{names}}  {row.function:{functions}}  {row.note or _speed(row)}" for row in rows)


def _speed(row: MicroRow) -> str:
    return f"{row.amount / row.seconds:,.4g} {row.unit}/s of one core ({row.amount:,.3g} {row.unit})"


def _cells(row: Row, rows: Sequence[Row]) -> tuple[str, ...]:
    if not row.processor:
        return (row.name, *[""] * (len(HEAD) - 2), row.note)
    numbers = (f"{row.megabytes:.1f}", f"{row.wall:.2f}", f"{row.processor:.2f}", f"{row.rate:.4g}", f"{row.peak:.0f}")
    factors = ("-" if factor is None else f"{factor:.3g}" for factor in compared(row, rows).values())
    return (row.name, *numbers, *factors, row.note)


def _aligned(line: tuple[str, ...], widths: list[int]) -> list[str]:
    return [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:], strict=True))]
