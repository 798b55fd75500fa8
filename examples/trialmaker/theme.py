"""What one small library is about: its code before and after the fix, its tests and its words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_PLACEHOLDER = re.compile(r"@([a-z_0-9]+)@")


class ThemeError(Exception):
    """A theme whose two fixes disagree, or whose base already passes, can make no trial."""


@dataclass(frozen=True)
class Vector:
    """One example call: the source of its arguments and the source of what it must return."""

    args: str
    expected: str


@dataclass(frozen=True, kw_only=True)
class Theme:
    """A library with one defect. `module = head + region + tail`; only the region differs between versions."""

    slug: str
    """Names the task; says what the code does and nothing about the attempt."""
    package: str
    module: str
    function: str
    head: str
    base: str
    """The region with the defect."""
    upstream: str
    """The region as the project itself fixed it later."""
    own: str
    """The region as somebody who never saw the project's fix writes it."""
    tail: str
    sibling: str
    """Name of a second module of the package."""
    sibling_text: str
    issue: str
    """What is asked for, in the words of a bug report."""
    manual: str
    """A page of documentation in prose: says the behaviour, shows no code of the fix."""
    kept: tuple[Vector, ...]
    """Right before and after the fix."""
    given: tuple[Vector, ...]
    """Wrong before the fix; the instruction may show them."""
    hidden: tuple[Vector, ...]
    """Wrong before the fix; only the verifier has them."""
    refused: str
    """Source of arguments for which ValueError must be raised."""

    @property
    def path(self) -> str:
        """Path of the module inside the repository."""
        return f"{self.package}/{self.module}.py"

    @property
    def test_path(self) -> str:
        """Path of the visible tests inside the repository."""
        return f"tests/test_{self.module}.py"

    def text(self, region: str) -> str:
        """The whole module with one of its three regions."""
        return self.head + region + self.tail


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A theme before its example calls are computed."""

    slug: str
    package: str
    module: str
    function: str
    head: str
    base: str
    upstream: str
    own: str
    tail: str
    sibling: str
    sibling_text: str
    issue: str
    manual: str
    kept: tuple[str, ...]
    given: tuple[str, ...]
    hidden: tuple[str, ...]
    refused: str


def fill(text: str, names: Mapping[str, object]) -> str:
    """Replace each `@name@` of a template by its value; an unknown name is a KeyError."""
    return _PLACEHOLDER.sub(lambda found: str(names[found.group(1)]), text)


def choose(rng: random.Random, pools: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """One word out of each pool, so that two seeds rarely write the same identifiers."""
    return {key: rng.choice(pool) for key, pool in pools.items()}


def settle(draft: Draft) -> Theme:
    """Compute every expected value with the project's fix, and prove the draft sound.

    Raises:
        ThemeError: the two fixes disagree somewhere, a kept call is wrong before the fix, or a given or hidden call
            is already right.
    """
    versions = {name: _load(draft, region) for name, region in _regions(draft).items()}
    kept = tuple(Vector(args, versions["upstream"](args)) for args in draft.kept)
    given = tuple(Vector(args, versions["upstream"](args)) for args in draft.given)
    hidden = tuple(Vector(args, versions["upstream"](args)) for args in draft.hidden)
    for vector in kept + given + hidden:
        if versions["own"](vector.args) != vector.expected:
            raise ThemeError(f"{draft.slug}: own fix differs at {vector.args}: {versions['own'](vector.args)} != {vector}")
    for vector in kept:
        if versions["base"](vector.args) != vector.expected:
            raise ThemeError(f"{draft.slug}: expected a call that works before the fix, found {vector}")
    for vector in given + hidden:
        if versions["base"](vector.args) == vector.expected:
            raise ThemeError(f"{draft.slug}: expected a call that fails before the fix, found {vector}")
    for name in ("upstream", "own"):
        if versions[name](draft.refused) != "ValueError":
            raise ThemeError(f"{draft.slug}: expected {name} to refuse {draft.refused}, found {versions[name](draft.refused)}")
    fields = {name: getattr(draft, name) for name in _TEXT_FIELDS}
    return Theme(**fields, kept=kept, given=given, hidden=hidden)


_TEXT_FIELDS = tuple(name for name in Draft.__dataclass_fields__ if name not in {"kept", "given", "hidden"})


def _regions(draft: Draft) -> dict[str, str]:
    return {"base": draft.base, "upstream": draft.upstream, "own": draft.own}


def _load(draft: Draft, region: str) -> Callable[[str], str]:
    """A function that evaluates one call on one version and gives the source of its result, or the error's name."""
    space: dict[str, Any] = {}
    exec(compile(draft.head + region + draft.tail, draft.module, "exec"), space)

    def call(args: str) -> str:
        try:
            return repr(eval(f"{draft.function}({args})", space))
        except Exception as error:  # noqa: BLE001 -- a version with the defect may fail in any way
            return type(error).__name__

    return call
