"""File names in patch headers: quotes, `a/` and `b/`, time stamps and `/dev/null` are taken off, and nothing else."""

from __future__ import annotations

import re

NULL_PATH = "/dev/null"
PREFIXES = (("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("old/", "new/"), ("1/", "2/"))
"""Prefix pairs that git (`diff.mnemonicPrefix` included) and common tools put before old and new paths."""

_ESCAPE = re.compile(r'\\(?:([0-3][0-7]{2})|([abtnvfr"\\]))')
_PLAIN = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_EPOCH = re.compile(r"\t(?:1970-01-01 0|1969-12-31 |Thu Jan +1 0)")


def unquote(path: str) -> str:
    r"""Undo git's C-style quoting (`"caf\303\251"`); a path without quotes is returned as it is."""
    path = path.strip()
    if len(path) < 2 or path[0] != '"' or path[-1] != '"':
        return path
    raw = bytearray()
    at = 1
    inside = path[:-1]
    for found in _ESCAPE.finditer(inside, 1):
        raw += inside[at : found.start()].encode("utf-8", "surrogatepass")
        raw.append(int(found[1], 8) if found[1] else _PLAIN[found[2]])
        at = found.end()
    raw += inside[at:].encode("utf-8", "surrogatepass")
    return raw.decode("utf-8", "replace")


def header_path(line: str) -> str:
    """The path of a `--- path` or `+++ path` line, without time stamp."""
    name = line.removesuffix("\r")[4:]
    if not name.startswith('"'):
        name = name.split("\t", 1)[0]
    return unquote(name)


def is_absent(line: str) -> bool:
    """Whether a header line says that the file does not exist on its side: `/dev/null`, or the epoch of `diff -N`."""
    return header_path(line) == NULL_PATH or _EPOCH.search(line) is not None


def strip_prefixes(old: str, new: str) -> tuple[str, str]:
    """Old and new path without `a/`, `b/`; a pair of prefixes that do not belong together is part of the paths."""
    for left, right in PREFIXES:
        old_fits = old.startswith(left) or old == NULL_PATH
        new_fits = new.startswith(right) or new == NULL_PATH
        if old_fits and new_fits and old != new:
            return old.removeprefix(left), new.removeprefix(right)
    return old, new


def git_paths(names: str) -> tuple[str, str]:
    """Old and new path of a `diff --git` line's two names, which may hold spaces when they are equal."""
    names = names.strip()
    if names.startswith('"') or names.endswith('"'):
        return strip_prefixes(*_split_quoted(names))
    middle = len(names) // 2
    for left, right in (*PREFIXES, ("", "")):
        first, second = names[:middle], names[middle + 1 :]
        if names[middle : middle + 1] == " " and first.startswith(left) and second == right + first.removeprefix(left):
            return first.removeprefix(left), second.removeprefix(right)
    first, _, second = names.partition(" b/")
    if second:
        return first.removeprefix("a/"), second
    first, _, second = names.rpartition(" ")
    return strip_prefixes(first or second, second)


def _split_quoted(names: str) -> tuple[str, str]:
    if names.endswith('"'):
        opening = names.rfind(' "')
        if opening > 0:
            return unquote(names[:opening]), unquote(names[opening + 1 :])
    first, _, second = names.partition('" ')
    return unquote(first + '"'), unquote(second)
