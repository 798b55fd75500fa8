"""Exact ancestry from a git bundle, by git itself in a scratch clone that is removed again.

git runs without configuration, hooks, prompts, lazy fetches or network: the bundle is data that others made.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self

from earned.errors import InputError
from earned.gitgraph.ancestry import HEX, Ancestry, beyond, combined, named_revisions, split_ref

if TYPE_CHECKING:
    from types import TracebackType

    from earned.records.fact import GitUse

TIMEOUT = 120.0
"""Seconds for the clone and the listing of ancestors; a question afterwards has `ASK_TIMEOUT`."""
ASK_TIMEOUT = 10.0
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "protocol.allow=never",
    "protocol.file.allow=always",
    "core.fsmonitor=false",
    "gc.auto=0",
)


class KnownGraph:
    """Ancestors of a base commit, from the objects themselves. Use as a context manager, or call `close`."""

    def __init__(self, folder: Path, base: str, ancestors: frozenset[str]) -> None:
        self.folder = folder
        self.base = base
        self.ancestors = ancestors

    @classmethod
    def from_bundle(cls, bundle: Path, base_commit: str) -> Self:
        """Reads a bundle. Raises InputError when it is missing, no bundle, or does not hold the base commit."""
        if not bundle.is_file():
            raise InputError(
                f"Expected a git bundle at {bundle}, found none. Create it with: git bundle create FILE --all",
                slug="bundle-missing",
            )
        if not HEX.fullmatch(base_commit.strip()):
            raise InputError(
                f"Expected a commit hash as base_commit of {bundle}, found {base_commit[:80]!r}.", slug="base-commit"
            )
        folder = Path(tempfile.mkdtemp(prefix="earned-bundle-"))
        try:
            return cls._read(bundle.resolve(), base_commit.strip(), folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    @classmethod
    def _read(cls, bundle: Path, base_commit: str, folder: Path) -> Self:
        _git(folder, "clone", "--quiet", "--bare", "--mirror", "--template=", str(bundle), str(folder / "repo"), where=bundle)
        base = _git(folder / "repo", "rev-parse", "--verify", "--quiet", f"{base_commit}^{{commit}}", where=bundle).strip()
        ancestors = _git(folder / "repo", "rev-list", base, where=bundle).split()
        return cls(folder, base, frozenset(ancestors))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Removes the scratch clone; asking afterwards gives `unknown` for what is not a full hash of an ancestor."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def ancestry(self, use: GitUse) -> Ancestry:
        """Whether all that the command reads is an ancestor of the base, or the base itself."""
        refs, _ = named_revisions(use)
        answers = [self.of(ref) for ref in refs]
        reaching = beyond(use)
        if reaching:
            answers.append(Ancestry(ancestor="unknown", why=reaching))
        return combined(answers)

    def of(self, ref: str) -> Ancestry:
        """The answer for one revision. HEAD is the base; a name or hash that the bundle lacks is unknown."""
        name, suffix = split_ref(ref)
        if name in {"HEAD", "@"}:
            name = self.base
        commit = self._resolve(f"{name}{suffix}")
        if commit is None:
            return Ancestry(ancestor="unknown", why=f"the bundle does not hold {ref}")
        if commit in self.ancestors:
            return Ancestry(ancestor="yes", why=f"{ref} is {commit[:12]}, an ancestor of {self.base[:12]} in the bundle")
        return Ancestry(ancestor="no", why=f"{ref} is {commit[:12]}, not an ancestor of {self.base[:12]} in the bundle")

    def _resolve(self, revision: str) -> str | None:
        if revision in self.ancestors:
            return revision
        if not self.folder.exists() or revision.startswith("-") or "\0" in revision or len(revision) > 1_000:
            return None
        try:
            return _git(
                self.folder / "repo",
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                f"{revision}^{{commit}}",
                timeout=ASK_TIMEOUT,
            ).strip()
        except InputError:
            return None


def _environment() -> dict[str, str]:
    """Nothing of the caller's git configuration, and nothing that could ask, fetch or page."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_CEILING_DIRECTORIES": "/",
    }


def _git(folder: Path, *arguments: str, where: Path | None = None, timeout: float = TIMEOUT) -> str:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    try:
        done = subprocess.run(
            ["git", *settings, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except FileNotFoundError as error:
        raise InputError(
            "Expected the program git on PATH to read a bundle, found none. Install git.", slug="git-missing"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"git {arguments[0]} on {where or folder} took over {timeout:.0f} s. Use a smaller bundle.", slug="bundle-slow"
        ) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()[:300] or "nothing more"
        raise InputError(
            f"Expected a git bundle that holds the base commit at {where or folder}; git {arguments[0]} said: {said}",
            slug="bundle-unreadable",
        )
    return done.stdout.decode("utf-8", "replace")
