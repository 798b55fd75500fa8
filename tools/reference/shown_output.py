"""Output that pages show: the commands are run on the example trials and their output put in its place.

A block is announced by `<!-- output of: earned … -->`; the fenced text after it is what the command prints. Only the time at
which a card was made is always the same. A page can bring files of its own: `<!-- file: NAME -->` announces a fenced block that
stands at NAME when the page's commands run.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"(<!-- output of: (earned [^\n]*) -->\n\n```(?:text|json)\n).*?(```\n)", re.DOTALL)
FILE = re.compile(r"<!-- file: ([A-Za-z0-9_./-]+) -->\n\n```[a-z]*\n(.*?)```\n", re.DOTALL)
TIME = re.compile(r'("time": )"[^"]*"')


def with_fresh_output(page: str, trials: Path) -> str:
    """The page with every shown output as the program gives it now. `trials` is what stands at `examples/trials`."""
    if not BLOCK.search(page):
        return page
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(trials, Path(scratch) / "examples" / "trials")
        for name, text in FILE.findall(page):
            place = Path(scratch) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return BLOCK.sub(lambda found: found[1] + _output(found[2], scratch) + found[3], page)


def _output(command: str, folder: str) -> str:
    program = Path(sys.executable).with_name("earned")
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR", "LINES")}
    words = [str(program), *shlex.split(command)[1:]]
    result = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"Expected {command!r} to run; it ended with {result.returncode}:\n{result.stderr}")
    printed = TIME.sub(r'\1"2026-03-10T08:00:00Z"', result.stdout)
    return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()) + "\n"
