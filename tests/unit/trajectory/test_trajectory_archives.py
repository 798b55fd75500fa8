"""An archive is read as the folder it was made of, with the same ids, and nothing in it is left out unsaid."""

from __future__ import annotations

import bz2
import lzma
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from made_archives import PACKERS, files_of, gzipped, job, packed, refused, skips, stored, tarred, zipped, zstandard
from made_attempt import RENDERINGS, Attempt, Call, Turn, rendering
from made_files import atif, bash, candidates, mini, only, swe_agent, trajectories, trial, write_json, write_text
from made_terminal import session, trial_folder, typed

from earned.flows.found import found_below
from earned.records import Skip, Trajectory
from earned.trajectory import FORMATS, Candidate, discover, load_format
from earned.trajectory.peek import look

KINDS = pytest.mark.parametrize("kind", PACKERS)


@KINDS
def test_an_archive_is_read_as_the_folder_it_was_made_of(tmp_path: Path, kind: str) -> None:
    folder = job(tmp_path / "runs")
    outside = trajectories(folder)
    archive = packed(folder, tmp_path / "some.bin", kind)
    inside = trajectories(archive)
    assert [item.id for item in inside] == [item.id for item in outside]
    assert [item.outcome for item in inside] == [item.outcome for item in outside]
    assert [item.steps for item in inside] == [item.steps for item in outside]
    assert {(item.source.path, item.source.member) for item in inside} == {
        (str(archive), "job/one__1"),
        (str(archive), "job/two__2"),
    }
    assert inside[0].source.place == f"{archive}/job/one__1"
    assert inside[0].source.files[0].path.startswith(f"{archive}/job/one__1/")


@KINDS
def test_the_same_trial_inside_and_outside_is_a_duplicate(tmp_path: Path, kind: str) -> None:
    folder = job(tmp_path / "all" / "runs")
    archive = packed(folder, tmp_path / "all" / "some.bin", kind)
    found = list(found_below([folder, archive]))
    twins = [item for item in found if isinstance(item, Skip)]
    assert len([item for item in found if isinstance(item, Candidate)]) == 2
    assert [(item.reason, item.path, item.member) for item in twins] == [
        ("duplicate", str(tmp_path / "all" / "some.bin"), "job/one__1"),
        ("duplicate", str(tmp_path / "all" / "some.bin"), "job/two__2"),
    ]
    assert all("the same source bytes as" in item.detail for item in twins)


@KINDS
def test_reports_beside_a_trajectory_are_found_in_an_archive(tmp_path: Path, kind: str) -> None:
    write_json(tmp_path / "runs" / "traj" / "org__x-1" / "org__x-1.traj", swe_agent(("ls", "a")))
    write_json(tmp_path / "runs" / "report" / "org__x-1" / "report.json", {"org__x-1": {"resolved": True, "tests_status": {}}})
    found = only(packed(tmp_path / "runs", tmp_path / "runs.bin", kind))
    assert found.outcome.status == "passed"
    assert found.outcome.source == f"{tmp_path}/runs.bin/report/org__x-1/report.json#/org__x-1/resolved"
    assert found.task == "org__x-1"


@pytest.mark.parametrize("pack", [gzipped, zstandard])
def test_a_compressed_file_keeps_its_place_and_is_read_as_what_it_holds(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    plain = write_json(tmp_path / "org__x-1.traj", swe_agent(("ls", "a"), ("cat x", "b" * 20_000)))
    before = only(plain)
    packed_file = tmp_path / "org__x-1.traj.gz"
    packed_file.write_bytes(pack(plain.read_bytes()))
    after = only(packed_file)
    assert (after.id, after.task) == (before.id, "org__x-1")
    assert [step.observations for step in after.steps] == [step.observations for step in before.steps]
    assert (after.source.path, after.source.member) == (str(packed_file), "")
    (twin,) = [item for item in found_below([tmp_path]) if isinstance(item, Skip)]
    assert (twin.reason, twin.path) == ("duplicate", str(packed_file))


def test_the_compressed_file_comes_first_where_its_name_does(tmp_path: Path) -> None:
    plain = write_json(tmp_path / "b" / "runs" / "z.traj", swe_agent(("ls", "a")))
    packed_file = tmp_path / "a" / "runs" / "z.traj.gz"
    packed_file.parent.mkdir(parents=True)
    packed_file.write_bytes(gzipped(plain.read_bytes()))
    (twin,) = [item for item in found_below([tmp_path]) if isinstance(item, Skip)]
    assert (twin.reason, twin.path) == ("duplicate", str(plain))


def test_a_compressed_file_in_an_archive_is_read(tmp_path: Path) -> None:
    plain = write_json(tmp_path / "org__x-1.traj", swe_agent(("ls", "a")))
    for number, pack in enumerate([zipped, tarred]):
        archive = tmp_path / f"{number}.bin"
        archive.write_bytes(pack({"runs/org__x-1.traj.zst": zstandard(plain.read_bytes())}))
        found = only(archive)
        assert found.id == only(plain).id
        assert (found.source.member, found.task) == ("runs/org__x-1.traj.zst", "org__x-1")


def test_an_archive_in_an_archive_is_a_row_that_says_what_to_do(tmp_path: Path) -> None:
    inner = zipped(files_of(job(tmp_path / "runs")))
    for number, outer in enumerate([zipped({"a.zip": inner}), tarred({"a.zip": gzipped(tarred({"x": b"y"}))})]):
        archive = tmp_path / f"{number}.bin"
        archive.write_bytes(outer)
        assert refused(archive) == {"a.zip": ("unreadable", "an archive in an archive is not opened: unpack the outer one")}


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (gzipped(gzipped(b'{"trajectory": []}' * 100)), ".gz or .zst"),
        (lzma.compress(b"{}" * 500), ".xz"),
        (bz2.compress(b"{}" * 500), ".bz2"),
        (b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(99), ".7z"),
        (b"Rar!\x1a\x07\x01\0" + bytes(99), ".rar"),
    ],
)
def test_what_is_packed_in_another_way_is_a_row_that_says_what_to_do(tmp_path: Path, data: bytes, ending: str) -> None:
    (tmp_path / "a").write_bytes(data)
    said = f"packed as {ending} in a way that is not read: unpack it"
    assert [(skip.reason, skip.detail) for skip in skips(tmp_path / "a")] == [("unreadable", said)]
    (tmp_path / "b.zip").write_bytes(stored({"inner": data}))
    assert refused(tmp_path / "b.zip") == {"inner": ("unreadable", said)}


ATTEMPT = Attempt(
    turns=(
        Turn("I look.", (Call("bash", "ls", result="x.py"),)),
        Turn("I write.", (Call("bash", "cat > hello.txt <<'EOF'\nhello\nEOF\n", result=""),)),
    ),
    patch="diff --git a/hello.txt b/hello.txt\n--- /dev/null\n+++ b/hello.txt\n@@ -0,0 +1,1 @@\n+hello\n",
)


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tar.zst"])
@pytest.mark.parametrize("name", RENDERINGS)
def test_every_format_is_read_in_an_archive_as_outside(tmp_path: Path, name: str, kind: str) -> None:
    render, _ = rendering(name)
    made = render(ATTEMPT, tmp_path / "made" / "runs")
    outside = trajectories(made)
    archive = packed(tmp_path / "made", tmp_path / "made.bin", kind)
    inside = trajectories(archive / made.relative_to(tmp_path / "made"))
    assert [comparable(item, str(archive)) for item in inside] == [comparable(item, str(tmp_path / "made")) for item in outside]
    assert [item.id for item in trajectories(archive)] == [item.id for item in outside]
    if name != "earned":  # an exported trajectory keeps its first source
        assert {item.source.path for item in inside} == {str(archive)}


def comparable(trajectory: Trajectory, start: str) -> bytes:
    """Everything of a trajectory but where it lay."""
    bare = msgspec.structs.replace(trajectory, source=msgspec.structs.replace(trajectory.source, path="", member=""))
    return msgspec.json.encode(bare).replace(start.encode(), b"")


@KINDS
def test_a_run_of_terminal_bench_is_read_in_an_archive_as_outside(tmp_path: Path, kind: str) -> None:
    trial_folder(tmp_path / "made" / "run", log=session(typed("ls", "x.py"), typed("cat x.py", "a = 1")))
    outside = trajectories(tmp_path / "made")
    archive = packed(tmp_path / "made", tmp_path / "made.bin", kind)
    inside = trajectories(archive)
    assert [comparable(item, str(archive)) for item in inside] == [comparable(item, str(tmp_path / "made")) for item in outside]


def makes_a_file(name: str) -> bool:
    render, _ = rendering(name)
    with tempfile.TemporaryDirectory() as folder:
        return render(ATTEMPT, Path(folder) / "runs").is_file()


@pytest.mark.parametrize("name", [name for name in RENDERINGS if makes_a_file(name)])
def test_every_format_of_single_files_is_read_compressed(tmp_path: Path, name: str) -> None:
    render, _ = rendering(name)
    made = render(ATTEMPT, tmp_path / "runs")
    before = trajectories(made)
    for pack in (gzipped, zstandard):
        made.with_name(f"{made.name}.zst").write_bytes(pack(made.read_bytes()))
        after = trajectories(made.with_name(f"{made.name}.zst"))
        assert [item.id for item in after] == [item.id for item in before]
        assert [(item.task, item.attempt, item.outcome.status) for item in after] == [
            (item.task, item.attempt, item.outcome.status) for item in before
        ]


@KINDS
def test_a_place_in_an_archive_can_be_named(tmp_path: Path, kind: str) -> None:
    archive = packed(job(tmp_path / "runs"), tmp_path / "some.bin", kind)
    assert only(archive / "job" / "two__2").attempt == "two__2"
    assert [item.attempt for item in trajectories(archive / "job")] == ["one__1", "two__2"]
    write_json(tmp_path / "more" / "a.json", atif(bash("ls")))
    single = packed(tmp_path / "more", tmp_path / "more.bin", kind)
    assert only(single / "a.json").source.member == "a.json"


def test_a_mixed_folder_of_archives_and_files_just_works(tmp_path: Path) -> None:
    for number, kind in enumerate(PACKERS):
        trial(tmp_path / "made" / kind, name=f"t__{number}", document=atif(bash(f"echo {number}")))
        packed(tmp_path / "made" / kind, tmp_path / "all" / f"{number}.x" if number else _folder(tmp_path), kind)
    write_json(tmp_path / "all" / "plain.json", atif(bash("echo plain")))
    write_text(tmp_path / "all" / "notes.txt", "nothing of ours")
    assert len(trajectories(tmp_path / "all")) == len(PACKERS) + 1
    assert [skip.path for skip in skips(tmp_path / "all")] == [str(tmp_path / "all" / "notes.txt")]


def _folder(tmp_path: Path) -> Path:
    (tmp_path / "all").mkdir()
    return tmp_path / "all" / "0.x"


def test_an_archive_without_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({}))
    assert refused(tmp_path / "a.zip") == {"": ("not_a_trajectory", "the archive holds no file")}


def test_a_file_of_the_name_of_a_folder_is_a_row(tmp_path: Path) -> None:
    document = write_json(tmp_path / "x.json", atif(bash("ls"))).read_bytes()
    (tmp_path / "a.tar").write_bytes(tarred({"a": document, "a/b.json": document}))
    assert [item.member for item in candidates(tmp_path / "a.tar")] == ["a/b.json"]
    assert refused(tmp_path / "a.tar") == {"a": ("unreadable", "the archive holds a folder of the same name")}


def test_what_changes_an_archive_changes_what_is_read_from_it(tmp_path: Path) -> None:
    first, second = trial(tmp_path / "one", name="a__1"), trial(tmp_path / "two", name="b__2", reward=0.0)
    archive = packed(first.parent, tmp_path / "a.zip", "zip")
    assert only(archive).attempt == "a__1"
    packed(second.parent, tmp_path / "a.zip", "tar.gz")
    assert only(archive).attempt == "b__2"


def test_every_format_in_one_folder_and_in_one_archive_is_known_as_itself(tmp_path: Path) -> None:
    alone: dict[str, list[str]] = {}
    for name in RENDERINGS:
        render, _ = rendering(name)
        made = render(replace(ATTEMPT, task=f"task-{name}"), tmp_path / "all" / name)
        alone[name] = [item.format for item in candidates(made)]
    expected = sorted(kind for kinds in alone.values() for kind in kinds)
    assert set(FORMATS) - set(expected) <= {"terminal-bench"}  # which the tests cannot write from an attempt
    assert sorted(item.format for item in candidates(tmp_path / "all")) == expected
    for kind in ("zip", "tar.zst"):
        archive = packed(tmp_path / "all", tmp_path / "all.bin", kind)
        assert sorted(item.format for item in candidates(archive)) == expected


def test_a_file_that_two_formats_claim_goes_to_the_first(tmp_path: Path) -> None:
    path = write_json(tmp_path / "both.json", {**atif(bash("ls")), **mini(("ls", "a"))})
    head = look(path)
    claims = [name for name in FORMATS if load_format(name).recognise(head)]
    assert claims[:2] == ["atif", "mini-swe-agent"]
    (found,) = candidates(path)
    assert found.format == "atif"
    assert found.recognised


def test_what_a_mac_adds_to_an_archive_is_named_once_and_not_gone_through(tmp_path: Path) -> None:
    document = write_json(tmp_path / "x.json", atif(bash("ls"))).read_bytes()
    (tmp_path / "a.zip").write_bytes(zipped({"x.json": document, "__MACOSX/._x.json": b"\0\5\x16\7", "__MACOSX/y/._z": b"\0"}))
    found = list(discover([tmp_path / "a.zip"]))
    assert [type(item).__name__ for item in found] == ["Candidate", "Companion"]
    assert found[1].path == f"{tmp_path}/a.zip/__MACOSX"
