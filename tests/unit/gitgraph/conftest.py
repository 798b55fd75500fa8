"""The planted repository, made once and copied for each test."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest
from planted_repository import Planted

from earned.gitgraph import SeenGraph


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return Planted(tmp_path_factory.mktemp("template"))


@pytest.fixture
def repository(template: Planted, tmp_path: Path) -> Planted:
    copied = copy.copy(template)
    copied.folder = tmp_path / "repository"
    shutil.copytree(template.folder, copied.folder)
    copied.clock += 3_600
    copied.graph = SeenGraph()
    return copied
