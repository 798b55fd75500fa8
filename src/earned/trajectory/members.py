"""Names of attempts that are unique within a file: the native name, with `#2`, `#3` behind a repeated one."""

from __future__ import annotations


class Members:
    """Hands out names; holds those of one file."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def name(self, native: str) -> str:
        """The name that an attempt of this native name gets."""
        count = self._given.get(native, 0) + 1
        name = native if count == 1 else f"{native}#{count}"
        while count > 1 and name in self._given:
            count += 1
            name = f"{native}#{count}"
        self._given[native] = count
        if name != native:
            self._given.setdefault(name, 1)
        return name
