"""The export of `earned read`: a file of trajectories that is never read by the call that writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from earned.errors import ConfigurationError
from earned.records import Trajectory
from earned.store import TrajectoryExport


def check_export(paths: Sequence[Path], export: Path | None) -> None:
    """Raises ConfigurationError (`cannot-write`) when the export is one of the inputs, or its folder is not there."""
    if export is None:
        return
    if any(path.resolve() == export.resolve() for path in paths):
        raise ConfigurationError(
            f"Expected another file than the inputs for --export; found {export} among them. Give another.", slug="cannot-write"
        )
    if not export.absolute().parent.is_dir():
        raise ConfigurationError(
            f"Expected a folder for --export {export}; found none at {export.absolute().parent}. Make it, or give another.",
            slug="cannot-write",
        )


@contextmanager
def exporting(export: Path | None) -> Iterator[Callable[[Trajectory], None]]:
    """What takes each trajectory; the file is there when the block ends well. Raises ConfigurationError (`cannot-write`)."""
    if export is None:
        yield _nowhere
        return
    with TrajectoryExport(export) as opened:
        yield opened.add


def _nowhere(_trajectory: Trajectory) -> None:
    pass


def export_among(paths: Sequence[Path], export: Path | None) -> Iterator[str]:
    """A note when the export lies among the inputs: the next call without it would read every trajectory twice."""
    if export is not None and any(export.resolve().is_relative_to(path.resolve()) for path in paths):
        yield f"{export} lies among the inputs: this call did not read it, a call without this --export does"
