"""A bundle decides ancestry exactly, its scratch clone goes away, and what is no bundle is named."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from earned.errors import InputError
from earned.gitgraph import KnownGraph
from earned.records import GitUse

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}
SCRIPT = """
git init -q -b main; git commit -q --allow-empty -m 1; git tag v1; git commit -q --allow-empty -m 2
git checkout -qb fix; git commit -q --allow-empty -m 3; git tag -a v2 -m v2; git checkout -q main
git bundle create -q b.bundle --all
"""


def sh(folder: Path, command: str) -> str:
    return subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    sh(folder, SCRIPT)
    return folder


@pytest.fixture(scope="module")
def graph(folder: Path) -> Iterator[KnownGraph]:
    with KnownGraph.from_bundle(folder / "b.bundle", sh(folder, "git rev-parse main")) as known:
        yield known


@pytest.mark.parametrize(
    ("ref", "ancestor"),
    [
        ("HEAD", "yes"),
        ("HEAD~1", "yes"),
        ("main", "yes"),
        ("v1", "yes"),
        ("fix~1", "yes"),
        ("refs/heads/fix~2", "yes"),
        ("fix", "no"),
        ("v2", "no"),
        ("v2^{commit}", "no"),
        ("nothing", "unknown"),
        ("--help", "unknown"),
        ("stash@{0}", "unknown"),
        ("HEAD~9", "unknown"),
        ("deadbeef", "unknown"),
    ],
)
def test_a_revision_is_decided_by_the_objects(graph: KnownGraph, ref: str, ancestor: str) -> None:
    assert graph.of(ref).ancestor == ancestor


def test_abbreviated_and_full_hashes_are_decided(graph: KnownGraph, folder: Path) -> None:
    fix = sh(folder, "git rev-parse fix")
    assert graph.of(fix).ancestor == graph.of(fix[:8]).ancestor == "no"


@pytest.mark.parametrize(
    ("use", "ancestor"),
    [
        (GitUse(operation="diff", refs=("HEAD", "fix")), "no"),
        (GitUse(operation="diff", refs=("HEAD", "v1")), "yes"),
        (GitUse(operation="diff"), "yes"),
        (GitUse(operation="log", refs=("--all",)), "unknown"),
        (GitUse(operation="show", refs=("nothing", "fix")), "no"),
    ],
)
def test_a_use_is_decided_by_all_its_revisions(graph: KnownGraph, use: GitUse, ancestor: str) -> None:
    assert graph.ancestry(use).ancestor == ancestor


def test_the_scratch_clone_is_removed(folder: Path) -> None:
    with KnownGraph.from_bundle(folder / "b.bundle", sh(folder, "git rev-parse main")) as known:
        assert known.folder.is_dir()
    assert not known.folder.exists()
    assert known.of("fix").ancestor == "unknown"


def test_what_is_no_bundle_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("no bundle")
    with pytest.raises(InputError, match="git bundle"):
        KnownGraph.from_bundle(tmp_path / "x", "abcd1234")
    with pytest.raises(InputError, match="found none"):
        KnownGraph.from_bundle(tmp_path / "y", "abcd1234")


@pytest.mark.parametrize("base", ["", "--help", "main; rm x", "0" * 40])
def test_a_base_commit_that_is_none_is_an_input_error(folder: Path, base: str) -> None:
    with pytest.raises(InputError):
        KnownGraph.from_bundle(folder / "b.bundle", base)


def test_configuration_of_the_caller_is_not_used(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text("[broken\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    with KnownGraph.from_bundle(folder / "b.bundle", sh(folder, "git rev-parse main")) as known:
        assert known.of("fix").ancestor == "no"
