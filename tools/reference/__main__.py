"""`python -m tools.reference` writes the generated pages; with `--check` it fails and names the pages that are stale."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.reference.records_page import records_page
from tools.reference.taxonomy_page import taxonomy_page

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"records.md": records_page, "taxonomy.md": taxonomy_page}


def main(arguments: list[str]) -> int:
    """Writes or checks every page; the exit code is 1 if `--check` found a stale one."""
    check = arguments == ["--check"]
    if arguments and not check:
        print(f"Expected no argument or --check; found {arguments!r}.", file=sys.stderr)
        return 3
    stale = []
    for name, page in PAGES.items():
        path = ROOT / "docs" / "reference" / name
        text = page()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.write_text(text, encoding="utf-8")
    for path in stale:
        print(
            f"{path}: stale; write it anew: make docs" if check else f"wrote {path}", file=sys.stderr if check else sys.stdout
        )
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
