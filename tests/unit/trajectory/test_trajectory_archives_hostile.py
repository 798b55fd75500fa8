"""What is wrong in an archive is a row that says so, and costs nothing else."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from made_archives import PACKERS, gzipped, packed, refused, skips, tarred, zipped, zstandard
from made_files import atif, bash, candidates, only, rows, trajectories, write_json

from earned.records import Skip, Trajectory
from earned.store import trajectory_line

KINDS = pytest.mark.parametrize("kind", PACKERS)


@pytest.mark.parametrize("name", ["../up.json", "a/../../up.json", "/etc/x.json", "C:/x.json", "a\\b.json", "a\nb.json"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_name_that_leads_elsewhere_is_a_row(tmp_path: Path, name: str, pack: Callable[[dict[str, bytes]], bytes]) -> None:
    document = write_json(tmp_path / "x.json", atif(bash("ls"))).read_bytes()
    archive = tmp_path / "a.bin"
    archive.write_bytes(pack({name: document, "fine.json": document}))
    (reason, detail) = refused(archive)[name]
    assert reason == "unreadable"
    assert "its name" in detail
    assert [item.path for item in candidates(archive)] == [f"{archive}/fine.json"]


def test_a_name_written_in_another_way_is_the_same_file(tmp_path: Path) -> None:
    document = write_json(tmp_path / "x.json", atif(bash("ls"))).read_bytes()
    archive = tmp_path / "a.bin"
    archive.write_bytes(tarred({"./runs//x.json": document}))
    assert [item.member for item in candidates(archive)] == ["runs/x.json"]


def test_of_two_files_of_one_name_the_last_counts_and_both_are_named(tmp_path: Path) -> None:
    old, new = (write_json(tmp_path / f"{n}.json", atif(bash(f"echo {n}"))).read_bytes() for n in (1, 2))
    (tmp_path / "zip").write_bytes(zipped({"a.json": old, "b.json": new}).replace(b"b.json", b"a.json"))
    (tmp_path / "tar").write_bytes(_twice(old, new))
    for name in ("zip", "tar"):
        assert only(tmp_path / name).steps[2].actions[0].command == "echo 2"
        assert refused(tmp_path / name)["a.json"][0] == "duplicate"


def _twice(*contents: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for data in contents:
            header = tarfile.TarInfo("a.json")
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return stream.getvalue()


def test_links_devices_and_pipes_of_a_tar_are_rows(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind in (
            ("soft", tarfile.SYMTYPE),
            ("hard", tarfile.LNKTYPE),
            ("dev", tarfile.CHRTYPE),
            ("p", tarfile.FIFOTYPE),
        ):
            header = tarfile.TarInfo(name)
            header.type, header.linkname = kind, "/etc/passwd"
            archive.addfile(header)
        archive.addfile(tarfile.TarInfo("empty"))
    (tmp_path / "a.tar").write_bytes(stream.getvalue())
    found = refused(tmp_path / "a.tar")
    assert {name: detail for name, (_, detail) in found.items() if name != "empty"} == {
        "soft": "a symbolic link in an archive is not followed",
        "hard": "a hard link in an archive is not followed",
        "dev": "a device is not read",
        "p": "a pipe is not read",
    }
    assert found["empty"] == ("not_a_trajectory", "the file is empty")


def test_an_encrypted_member_is_a_row(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.json": b"{}", "b.json": b"{}"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(bytes(data))
    assert refused(tmp_path / "a.zip")["a.json"] == ("unreadable", "it is encrypted")


@KINDS
def test_of_an_archive_that_is_cut_off_the_whole_files_are_read(tmp_path: Path, kind: str) -> None:
    for number in range(20):
        write_json(tmp_path / "runs" / f"{number:02}.json", atif(bash(f"echo {number}", os.urandom(16_000).hex())))
    archive = packed(tmp_path / "runs", tmp_path / "a.bin", kind)
    whole = archive.read_bytes()
    archive.write_bytes(whole[: len(whole) * 2 // 3])
    made = rows(archive)
    assert 5 < len(made) < 20
    assert all(isinstance(row, Trajectory) for row in made)
    assert any("cut off" in detail for _, detail in refused(archive).values())


@pytest.mark.parametrize("pack", [gzipped, zstandard])
def test_of_a_compressed_file_that_is_cut_off_the_whole_attempts_are_read_and_the_cut_is_a_row(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    attempts = [only(write_json(tmp_path / "x.json", atif(bash(f"echo {n}", os.urandom(16_000).hex())))) for n in range(20)]
    whole = pack(b"".join(map(trajectory_line, attempts)))
    (tmp_path / "a.gz").write_bytes(whole[: len(whole) // 2])
    made = rows(tmp_path / "a.gz")
    assert 5 < len([row for row in made if isinstance(row, Trajectory)]) < 15
    assert isinstance(made[-1], Skip)
    assert made[-1].detail == "the compressed file is cut off; what stands before that was read"
    (tmp_path / "a.gz").write_bytes(whole)
    assert [row.id for row in trajectories(tmp_path / "a.gz")] == [row.id for row in attempts]


def test_a_checksum_that_does_not_fit_costs_only_its_member(tmp_path: Path) -> None:
    documents = {f"{name}.json": write_json(tmp_path / name, atif(bash(f"echo {name}"))).read_bytes() for name in "ab"}
    data = zipped(documents, zipfile.ZIP_STORED).replace(b"echo a", b"echo x")
    (tmp_path / "a.zip").write_bytes(data)
    ((member, (reason, detail)),) = refused(tmp_path / "a.zip").items()
    assert (member, reason) == ("a.json", "unreadable")
    assert "checksum" in detail
    assert only(tmp_path / "a.zip").source.member == "b.json"


def test_too_many_files_are_a_row_and_those_before_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earned.trajectory.sources.archives.archive.MAX_MEMBERS", 3)
    document = write_json(tmp_path / "x.json", atif(bash("ls"))).read_bytes()
    for pack in (zipped, tarred):
        (tmp_path / "a.bin").write_bytes(pack({f"{number}.json": document for number in range(5)}))
        assert len(candidates(tmp_path / "a.bin")) == 3
        assert refused(tmp_path / "a.bin")[""][0] == "too_large"


def test_a_member_that_claims_more_than_can_be_unpacked_is_a_row(tmp_path: Path) -> None:
    data = write_json(tmp_path / "x.json", atif(bash("ls"), notes="x" * 9000)).read_bytes()
    raw = bytearray(zipped({"a.json": data}))
    at = raw.index(b"PK\x01\x02") + 24
    raw[at : at + 4] = (300 << 20).to_bytes(4, "little")
    (tmp_path / "a.zip").write_bytes(bytes(raw))
    found = [*skips(tmp_path / "a.zip"), *(row for row in rows(tmp_path / "a.zip") if isinstance(row, Skip))]
    assert [(skip.reason, skip.member) for skip in found] == [("too_large", "a.json")]
