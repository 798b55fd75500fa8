"""A scratch machine: one folder that plays `/`, in which commands are really run under fixed conditions.

Commands are recorded as an agent in a container would write them (`/app`, `/tests`, `/logs`, `/opt`, `/tmp`). Before they
run, these paths are pointed into the scratch folder; in what they print, the scratch folder is taken away again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SITE = "/opt/venv/lib/python3/site-packages"
"""Where the scratch machine has its installed packages."""
COMMAND_LIMIT = 60.0
"""Seconds; nothing here takes more than two."""

_PLACES = re.compile(r"(^|[\s\"'=:(<>;|&])/(app|tests|logs|opt|tmp)(/|\b)", re.MULTILINE)
_CLOCK = re.compile(r" in [0-9]+[.][0-9]+s( \([0-9:]+\))?")
_ADDRESS = re.compile(r"\b0x[0-9a-f]{8,16}\b")
_FIXED_ADDRESS = "0x7f2a6c51d3e0"


@dataclass(frozen=True)
class Ran:
    """What one command left: its output with errors merged in, and its exit code."""

    output: str
    code: int


@dataclass
class World:
    """One scratch machine, made anew for each trial."""

    root: Path
    date: str
    """Date of every commit made while the agent works, in git's internal format."""
    proxy: str = ""
    """Address of the local server that plays every remote host; never printed."""
    extra: dict[str, str] = field(default_factory=dict)

    def place(self, path: str) -> Path:
        """The real place of a path of the scratch machine; a relative path lies in `/app`."""
        return self.root / (path if path.startswith("/") else f"/app/{path}").lstrip("/")

    def read(self, path: str) -> str:
        """The text of a file of the scratch machine."""
        return self.place(path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        """Write a file of the scratch machine, with its folders."""
        place = self.place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def run(self, command: str, *, env: Mapping[str, str] | None = None) -> Ran:
        """Run one bash command in `/app` and give what it printed, neutral and without clock times or addresses of memory."""
        done = subprocess.run(
            ["bash", "-c", self._inward(command)],
            cwd=self.root / "app",
            env=self._environment() | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=COMMAND_LIMIT,
            check=False,
        )
        return Ran(self._outward(done.stdout.decode("utf-8", "replace")), done.returncode)

    def must(self, command: str, *, env: Mapping[str, str] | None = None) -> str:
        """Run a command that prepares the scratch machine; its failure is ours.

        Raises:
            RuntimeError: the command failed.
        """
        ran = self.run(command, env=env)
        if ran.code:
            raise RuntimeError(f"expected a command that works, found exit {ran.code}: {command}\n{ran.output}")
        return ran.output.strip()

    def _inward(self, command: str) -> str:
        return _PLACES.sub(lambda found: f"{found.group(1)}{self.root}/{found.group(2)}{found.group(3)}", command)

    def _outward(self, output: str) -> str:
        neutral = output.replace(str(self.root), "")
        for prefix in (sys.prefix, sys.base_prefix):
            neutral = neutral.replace(prefix, "/usr/local")
        return _ADDRESS.sub(_FIXED_ADDRESS, _CLOCK.sub("", neutral))

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}",
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "COLUMNS": "80",
            "TERM": "dumb",
            "PYTHONPATH": str(self.place(SITE)),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p no:cacheprovider",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(self.root / "home" / ".gitconfig"),
            "GIT_AUTHOR_DATE": self.date,
            "GIT_COMMITTER_DATE": self.date,
            "http_proxy": self.proxy,
            **self.extra,
        }


GITCONFIG = """[user]
\tname = Robin Vale
\temail = robin@maintainers.example
[init]
\tdefaultBranch = main
[core]
\tpager = cat
\tabbrev = 8
[gc]
\tauto = 0
[advice]
\tdetachedHead = false
[color]
\tui = false
"""


def make_world(root: Path, date: str, proxy: str = "") -> World:
    """An empty scratch machine under `root`, with the folders that commands may name."""
    world = World(root=root, date=date, proxy=proxy)
    for folder in ("/app", "/logs/agent", "/logs/verifier", "/tmp", "/home", SITE):
        world.place(folder).mkdir(parents=True, exist_ok=True)
    world.write("/home/.gitconfig", GITCONFIG)
    return world
