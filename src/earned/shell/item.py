"""Shell text or an argument list that an inline program runs."""

from __future__ import annotations

from typing import NamedTuple


class Shell(NamedTuple):
    """`words` when the program gives a list, else `text`. `label` names the call: `subprocess.run`."""

    label: str
    text: str = ""
    words: tuple[str, ...] = ()
    cwd: str = ""
    shows: bool = True
