"""Archives of small files, of every kind that is read."""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from made_files import trial

from earned.records import Skip
from earned.trajectory import discover

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP of these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def stored(members: Mapping[str, bytes]) -> bytes:
    """A ZIP whose members are not compressed."""
    return zipped(members, zipfile.ZIP_STORED)


def tarred(members: Mapping[str, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar of these members."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=kind) as archive:
        for name, data in members.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return stream.getvalue()


def gzipped(data: bytes) -> bytes:
    """A gzip of these bytes, the same each time."""
    return gzip.compress(data, mtime=0)


def zstandard(data: bytes) -> bytes:
    """A zstd frame of these bytes."""
    return zstd.compress(data)


PACKERS: dict[str, Callable[[Mapping[str, bytes]], bytes]] = {
    "zip": zipped,
    "zip, stored": stored,
    "tar": tarred,
    "tar of GNU": lambda members: tarred(members, tarfile.GNU_FORMAT),
    "tar of old": lambda members: tarred(members, tarfile.USTAR_FORMAT),
    "tar.gz": lambda members: gzipped(tarred(members)),
    "tar.zst": lambda members: zstandard(tarred(members)),
}
"""Kind of archive -> how one is made."""


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its name from there, in order."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def packed(folder: Path, path: Path, kind: str) -> Path:
    """An archive at `path` of what lies in a folder."""
    path.write_bytes(PACKERS[kind](files_of(folder)))
    return path


def job(folder: Path) -> Path:
    """A job of two trials, one of them passed."""
    trial(folder / "job", name="one__1")
    trial(folder / "job", name="two__2", reward=0.0)
    return folder


def skips(*paths: Path) -> list[Skip]:
    """What discovery leaves out below these paths."""
    return [item for item in discover(paths) if isinstance(item, Skip)]


def refused(path: Path) -> dict[str, tuple[str, str]]:
    """Member -> reason and detail of every row of an archive."""
    return {skip.member: (skip.reason, skip.detail) for skip in skips(path)}
