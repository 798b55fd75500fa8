"""earned: was the pass earned? The public functions are the commands, with the same names and defaults."""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_COMMANDS = ("audit", "read")
"""Functions that are imported when they are first asked for, so that `import earned` stays quick."""


def __getattr__(name: str) -> object:
    if name not in _COMMANDS:
        raise AttributeError(f"module 'earned' has no attribute {name!r}")
    function = getattr(import_module(f"earned.flows.{name}"), name)
    globals()[name] = function  # the room of the same name was bound here by the import
    return function
