"""`python -m tools.reference` writes generated pages and the schema; with `--check` it fails and names those that are stale."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.reference.card_schema import card_schema
from tools.reference.cli_page import cli_page
from tools.reference.records_page import records_page
from tools.reference.shown_output import with_fresh_output
from tools.reference.taxonomy_page import taxonomy_page

ROOT = Path(__file__).resolve().parents[2]
MADE = {
    "docs/reference/cli.md": cli_page,
    "docs/reference/records.md": records_page,
    "docs/reference/taxonomy.md": taxonomy_page,
    "src/earned/records/integrity-card.schema.json": card_schema,
}
SHOWING = ("README.md", "docs/reference/integrity-card.md", "docs/reference/traces.md", "docs/tutorial/first-audit.md")


def stale_pages(root: Path) -> dict[str, str]:
    """Paths of the pages that are missing or differ below `root`, each with the text that it should have."""
    fresh = {name: page() for name, page in MADE.items()}
    formats = sorted(str(path.relative_to(root)) for path in (root / "docs" / "reference" / "formats").glob("*.md"))
    for name in (*SHOWING, *formats):
        fresh[name] = with_fresh_output((root / name).read_text(encoding="utf-8"), ROOT / "examples" / "trials")
    return {name: text for name, text in fresh.items() if not _holds(root / name, text)}


def main(arguments: list[str]) -> int:
    """Writes or checks every page; the exit code is 1 if `--check` found a stale one."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(f"Expected no argument or --check; found {arguments!r}.", file=sys.stderr)
        return 3
    stale = stale_pages(ROOT)
    for name, text in stale.items():
        if check:
            print(f"{name} is stale; write it anew: make docs", file=sys.stderr)
        else:
            (ROOT / name).write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
