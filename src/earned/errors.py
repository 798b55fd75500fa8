"""Every error that `earned` raises on purpose.

    EarnedError                 base; carries a slug (an anchor in docs/reference/messages.md) and an exit code
    ├── UsageError              the call cannot be carried out as given: exit 3
    │   ├── InputError          a path is missing, empty, or holds nothing that is recognised
    │   ├── ConfigurationError  a used folder, an option, a rule file or a name that does not fit
    │   └── MissingExtraError   the option needs a package that is not installed
    └── FormatError             one input cannot be read: becomes a row in skipped.jsonl, never ends a run

A message says what was expected, what was found (place and value) and what to do.
"""

from __future__ import annotations

from functools import partial


class EarnedError(Exception):
    """Base of all errors of this package; catch it to catch them all."""

    exit_code = 1

    def __init__(self, message: str, *, slug: str) -> None:
        super().__init__(message)
        self.slug = slug

    def __reduce__(self) -> tuple[object, ...]:
        # a worker's error reaches its parent by pickle, which knows of positional arguments only
        return partial(type(self), slug=self.slug), self.args, self.__dict__


class UsageError(EarnedError):
    """The call cannot be carried out as given."""

    exit_code = 3


class InputError(UsageError):
    """A path is missing, a folder empty, or nothing in it recognised."""


class ConfigurationError(UsageError):
    """Settings that contradict each other, the folder they are used on, or the list of known names."""


class MissingExtraError(UsageError):
    """An option needs a package that is not installed."""


class FormatError(EarnedError):
    """One input cannot be read; `offset` is the byte at which reading failed, where it is known."""

    def __init__(self, message: str, *, slug: str = "unreadable", offset: int | None = None) -> None:
        super().__init__(message, slug=slug)
        self.offset = offset
