"""Logs of single calls of a model, each a request with all messages before it and the response: no attempts of their own.

Agents write them beside the log of the run: OpenHands' `llm_completions/ID/MODEL-TIME.json`, `completions/` of its SDK, request
logs of LiteLLM. Such a file is known by its content, a provider's response beside the messages that were sent, and belongs to a
run of another format that lies in its folder or in one of the two above. Where none does, each is read as what it shows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from earned.errors import FormatError
from earned.trajectory.format import FORMATS, Family, Folder, Format, load_format
from earned.trajectory.peek import THIRD_LOOK, Head, look
from earned.trajectory.sources import places
from earned.trajectory.sources.files import lines_of, open_stream, read_bytes

KIND = "model_calls"
LEVELS = 3
"""Folders in which a run is looked for: the file's own and those above."""
MAX_LOOKS = 100
"""Files, and folders, of one of them that are looked at."""
_RESPONSE = frozenset({"choices", "output", "content", "candidates", "usage", "stop_reason"})
"""What the providers' responses hold."""


_ABSENT = msgspec.Raw()


class _Exchange(msgspec.Struct, gc=False):
    """Enough of a document to tell that a response stands beside the messages."""

    response: msgspec.Raw = _ABSENT
    fncall_response: msgspec.Raw = _ABSENT
    original_response: msgspec.Raw = _ABSENT


_decode = msgspec.json.Decoder(_Exchange).decode
_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def family(path: Path, head: Head, _names: Sequence[str]) -> Family:
    """The run that a log of calls belongs to; of any other file none."""
    main = next((run for folder in list(path.parents)[:LEVELS] if (run := _run_in(folder)) is not None), None)
    if main is None or main == path or not is_exchange(path, head):
        return Family()
    return Family(main=main, kind=KIND)


def is_exchange(path: Path, head: Head) -> bool:
    """Whether a file holds what was sent to a model and what it returned, once or one on each line."""
    try:
        exchange = _decode(_first(path, head))
    except (FormatError, OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    is_kept_whole = bytes(exchange.original_response) not in {b"", b"null"}
    return is_kept_whole or _is_response(exchange.response) or _is_response(exchange.fncall_response)


def _first(path: Path, head: Head) -> bytes:
    """The first document of a file."""
    if head.shape != "lines":
        return read_bytes(str(path), limit=THIRD_LOOK)
    with open_stream(str(path)) as stream:
        return next((line.data for line in lines_of(stream) if line.data.strip()), b"")


def _is_response(raw: msgspec.Raw) -> bool:
    try:
        return not _RESPONSE.isdisjoint(_object(raw))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _run_in(folder: Path) -> Path | None:
    """A file or folder right in a folder that a format other than this one knows."""
    place = str(folder)
    try:
        stamp = places.stamp(places.archive_of(place) or place)
    except OSError:
        return None
    return _kept(place, stamp)


@lru_cache(maxsize=64)
def _kept(folder: str, _stamp: str) -> Path | None:
    formats = [load_format(name) for name in FORMATS if name != "chat"]
    try:
        entries = places.listing(folder)
    except OSError:
        return None
    files = (Path(folder, entry.name) for entry in entries if entry.kind == "file")
    folders = (Path(folder, entry.name) for entry in entries if entry.kind == "folder")
    known = itertools.chain(
        (path for path in itertools.islice(files, MAX_LOOKS) if _is_known_file(path, formats)),
        (path for path in itertools.islice(folders, MAX_LOOKS) if _is_known_folder(path, formats)),
    )
    return next(known, None)


def _is_known_file(path: Path, formats: Sequence[Format]) -> bool:
    try:
        head = look(path)
    except OSError:
        return False
    return any(item.recognise(head) for item in formats)


def _is_known_folder(path: Path, formats: Sequence[Format]) -> bool:
    try:
        seen = Folder(path, tuple(_names(path, "file")), tuple(_names(path, "folder")))
    except OSError:
        return False
    return any(item.recognise_folder(seen) for item in formats if item.recognise_folder is not None)


def _names(path: Path, kind: places.Kind) -> Iterator[str]:
    return (entry.name for entry in places.listing(str(path)) if entry.kind == kind)
