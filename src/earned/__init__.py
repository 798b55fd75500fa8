"""earned: was the pass earned? The public functions are the commands, with the same names and defaults.

`earned.audit` and `earned.report` are the functions, whichever module was imported before. The rooms behind them, for those who
build on them, are reached by `from earned.audit import …`; `import earned.audit as room` would give the function.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_COMMANDS = ("audit", "read", "report")
"""Functions that are imported when they are first asked for, so that `import earned` stays quick."""


class _Command:
    """A function of the package that a room of the same name cannot take the place of when it is imported."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, package: ModuleType | None, kind: type | None = None) -> Callable[..., Any]:
        return getattr(import_module(f"earned.flows.{self.name}"), self.name)  # type: ignore[no-any-return]  # by name

    def __set__(self, package: ModuleType, room: ModuleType) -> None:
        """The import system binds a room to its package; the name is taken."""


_Package = type("_Package", (ModuleType,), {name: _Command(name) for name in _COMMANDS})
sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted([*globals(), *_COMMANDS])
