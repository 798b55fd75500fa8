"""What a reader of a format is, and the table of those that ship.

A format tells by content whether a file (or a folder) is its own, says why, and turns it into trajectories. Adding one adds a
file under `formats/` and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from earned.errors import ConfigurationError
from earned.records import Skip, Trajectory
from earned.registry import load
from earned.trajectory.account import Account
from earned.trajectory.candidate import Candidate
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

FORMATS: dict[str, str] = {
    "harbor": "earned.trajectory.formats.harbor.trial:FORMAT",
    "terminal-bench": "earned.trajectory.formats.terminal_bench.trial:FORMAT",
    "earned": "earned.trajectory.formats.earned_jsonl.reader:FORMAT",
    "atif": "earned.trajectory.formats.atif:FORMAT",
    "claude-code": "earned.trajectory.formats.claude_code.session:FORMAT",
    "claude-code-stream": "earned.trajectory.formats.claude_code.stream:FORMAT",
    "openhands-v1": "earned.trajectory.formats.openhands.v1:FORMAT",
    "openhands": "earned.trajectory.formats.openhands.v0:FORMAT",
    "inspect": "earned.trajectory.formats.inspect.log:FORMAT",
    "codex": "earned.trajectory.formats.codex.rollout:FORMAT",
    "codex-exec": "earned.trajectory.formats.codex.exec:FORMAT",
    "mini-swe-agent": "earned.trajectory.formats.mini_swe_agent:FORMAT",
    "swe-agent": "earned.trajectory.formats.swe_agent.reader:FORMAT",
    "mcp-atlas": "earned.trajectory.formats.mcp_atlas.table:FORMAT",
    "tau-bench": "earned.trajectory.formats.tau_bench.reader:FORMAT",
    "chat": "earned.trajectory.formats.chat.reader:FORMAT",
}
"""Short name -> dotted path, in the order in which files are tried: the particular before the general."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as discovery sees it before it goes into it."""

    path: Path
    files: tuple[str, ...]
    """Names of the regular files in it, sorted."""
    folders: tuple[str, ...]
    """Names of the folders in it, sorted; links are not among them."""


@dataclass(frozen=True, slots=True)
class Family:
    """How a file is related to others by content, where a name does not tell it."""

    main: Path | None = None
    """The file whose trajectory it is a part of."""
    parts: tuple[Path, ...] = ()
    """Files that are parts of its own."""
    kind: str = "continuation"
    """What it is, where it is a part."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format."""

    name: str
    version: int
    """Of the reader: goes up when the same bytes give another trajectory."""
    read: Callable[[Candidate], Iterator[Trajectory | Skip]]
    """The trajectories of one candidate, one at a time. Raises FormatError, or yields a Skip for one member of many."""
    recognise: Callable[[Head], str]
    """Why a file is of this format; empty when it is not."""
    recognise_folder: Callable[[Folder], str] | None = None
    """Why a folder as a whole is one candidate; empty when it is not."""
    role: Callable[[str], str] | None = None
    """What a file of such a folder is, by its path below it: `source`, `outcome`, or the kind of companion."""
    around: Callable[[Path], tuple[Path, ...]] | None = None
    """Files outside of such a folder, those of its run, that hold the verifier's word on it as well."""
    main_of: Callable[[str], str] | None = None
    """The name of the file that a file of this name continues; empty when it stands alone."""
    family: Callable[[Path, Head, Sequence[str]], Family] | None = None
    """The files that a file goes together with, wherever they lie; the names are those of its folder, sorted."""
    names_of: Callable[[Candidate], tuple[str, ...]] | None = None
    """What the verifier's files call the attempt: candidates of other names are two attempts, whatever bytes they share."""
    read_log: Callable[[Reading, str, Steps], Account] | None = None
    """Appends the steps of one file of this format that lies within another harness's record, such as a trial's folder, where
    it is the agent's own log. None when the format is never one."""
    graded_by_reports: bool = False
    """The outcome stands in reports beside the trajectory, found by the instance's id."""
    reports_of: Callable[[Path, Sequence[Path]], tuple[Path, ...]] | None = None
    """The reports that may speak of a file of several attempts, from its path and the reports that were found near it; None:
    those that were found."""
    repeated: Callable[[Candidate], Collection[str]] | None = None
    """Tasks at which a file holds several attempts: reports that name the task say nothing of either."""


@lru_cache(maxsize=64)
def load_format(name: str) -> Format:
    """The format of that name: built in, an entry point of `earned.formats`, or `module:attribute`.

    Raises ConfigurationError (slug `unknown-name`) when there is none, or when it is not a Format.
    """
    found = load(name, FORMATS, family="formats")
    if not isinstance(found, Format):
        raise ConfigurationError(
            f"Expected {name!r} of the formats to be an earned.trajectory.Format; found {type(found).__name__}.",
            slug="unknown-name",
        )
    return found
