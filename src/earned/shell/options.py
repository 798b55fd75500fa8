"""Splits arguments into options and operands, given which options take a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def names(text: str) -> frozenset[str]:
    """The words of `text`: how the tables of this room write a set of names."""
    return frozenset(text.split())


class Split(NamedTuple):
    """`options` as (name, value) in order, names with their dashes; `operands` in order; `rest` is what follows `--`."""

    operands: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    rest: tuple[str, ...]

    def has(self, *names: str) -> bool:
        """One of these options is given."""
        return any(name in names for name, _ in self.options)

    def value(self, *names: str) -> str:
        """Value of the last of these options that is given; empty when none is."""
        return next((value for name, value in reversed(self.options) if name in names), "")

    def values(self, *names: str) -> tuple[str, ...]:
        """Values of all of these options."""
        return tuple(value for name, value in self.options if name in names and value)


def split_options(arguments: Sequence[str], valued: Collection[str] = (), *, stop: bool = False) -> Split:
    """Splits `arguments`; `valued` names options (`-o`, `--output`) that take a value; with `stop`, an operand ends them."""
    operands: list[str] = []
    options: list[tuple[str, str]] = []
    position, size = 0, len(arguments)
    while position < size:
        argument = arguments[position]
        position += 1
        if argument == "--":
            return Split(tuple(operands), tuple(options), tuple(arguments[position:]))
        if len(argument) < 2 or argument[0] != "-":
            operands.append(argument)
            if stop:
                return Split((argument, *arguments[position:]), tuple(options), ())
        elif argument[1] == "-" or argument in valued:
            position += _long(argument, valued, arguments[position : position + 1], options)
        else:
            position += _cluster(argument, valued, arguments[position : position + 1], options)
    return Split(tuple(operands), tuple(options), ())


def _long(argument: str, valued: Collection[str], following: Sequence[str], options: list[tuple[str, str]]) -> int:
    name, equals, value = argument.partition("=")
    if not equals and name in valued and following:
        options.append((name, following[0]))
        return 1
    options.append((name, value))
    return 0


def _cluster(argument: str, valued: Collection[str], following: Sequence[str], options: list[tuple[str, str]]) -> int:
    """`-abc` or `-oVALUE`; gives how many following arguments it takes."""
    if len(argument) > 64:
        options.append((argument[:2], argument[2:]))
        return 0
    for index in range(1, len(argument)):
        name = f"-{argument[index]}"
        if name in valued:
            value = argument[index + 1 :]
            options.append((name, value or (following[0] if following else "")))
            return 0 if value else len(following)
        options.append((name, ""))
    return 0
