"""`python -m tools.reference` writes the generated pages; with `--check` it fails and names the pages that are stale."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.reference.cli_page import cli_page
from tools.reference.records_page import records_page
from tools.reference.taxonomy_page import taxonomy_page

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"
PAGES = {"cli.md": cli_page, "records.md": records_page, "taxonomy.md": taxonomy_page}


def stale_pages(folder: Path) -> dict[str, str]:
    """Names of the pages that are missing or differ in `folder`, each with the text that it should have."""
    fresh = {name: page() for name, page in PAGES.items()}
    return {name: text for name, text in fresh.items() if not _holds(folder / name, text)}


def main(arguments: list[str]) -> int:
    """Writes or checks every page; the exit code is 1 if `--check` found a stale one."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(f"Expected no argument or --check; found {arguments!r}.", file=sys.stderr)
        return 3
    stale = stale_pages(FOLDER)
    for name, text in stale.items():
        if check:
            print(f"docs/reference/{name} is stale; write it anew: make docs", file=sys.stderr)
        else:
            (FOLDER / name).write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
