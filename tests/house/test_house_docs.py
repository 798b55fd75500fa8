"""The documentation is complete and fresh: generated pages say what the code says, and the site builds without a warning."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from house_sources import ROOT


def reference(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the check of the generated pages in a copy of the repository's documentation and scripts."""
    command = [sys.executable, "-m", "tools.reference", "--check"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("docs", "tools", "examples/trials"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("mkdocs.yml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    schema = Path("src/earned/records/integrity-card.schema.json")
    (tmp_path / schema.parent).mkdir(parents=True)
    shutil.copy(ROOT / schema, tmp_path / schema)
    return tmp_path


def build_site(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder / "site")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_generated_pages_are_fresh(copy: Path) -> None:
    result = reference(copy)
    assert result.returncode == 0, result.stderr


def test_a_stale_and_a_missing_page_are_named(copy: Path) -> None:
    (copy / "docs" / "reference" / "records.md").write_text("# Records\n")
    (copy / "docs" / "reference" / "taxonomy.md").unlink()
    readme = (copy / "README.md").read_text(encoding="utf-8")
    (copy / "README.md").write_text(readme.replace("legitimate", "honest"), encoding="utf-8")
    result = reference(copy)
    assert result.returncode == 1
    assert "records.md is stale" in result.stderr
    assert "taxonomy.md is stale" in result.stderr
    assert "README.md is stale" in result.stderr
    assert "cli.md" not in result.stderr


def test_the_site_builds_with_warnings_as_errors(copy: Path) -> None:
    result = build_site(copy)
    assert result.returncode == 0, result.stderr
    assert (copy / "site" / "index.html").is_file()


def test_a_link_that_leads_nowhere_breaks_the_site(copy: Path) -> None:
    page = copy / "docs" / "index.md"
    page.write_text(page.read_text() + "\n[gone](reference/gone.md)\n")
    result = build_site(copy)
    assert result.returncode != 0
    assert "gone.md" in result.stderr


def test_the_site_loads_nothing_from_another_host(copy: Path) -> None:
    assert build_site(copy).returncode == 0
    pages = {path: path.read_text(encoding="utf-8") for path in (copy / "site").rglob("*.html")}
    assert pages
    assert [path for path, text in pages.items() if 'src="http' in text or 'stylesheet" href="http' in text] == []
