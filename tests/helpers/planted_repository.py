"""Small git repositories that are really made, with a graph that sees what the agent's commands print."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from earned.gitgraph import Ancestry, SeenGraph, prints_commits
from earned.shell import command_facts

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = 1_700_000_000
        self.graph = SeenGraph()

    def sh(self, command: str) -> str:
        self.clock += 60
        date = {"GIT_AUTHOR_DATE": f"{self.clock} +0000", "GIT_COMMITTER_DATE": f"{self.clock} +0000"}
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=ENVIRONMENT | date, capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    def commit(self, name: str) -> str:
        (self.folder / name).write_text(f"{name}\n")
        self.sh(f"git add {name} && git commit -qm 'add {name}'")
        return self.sh("git rev-parse HEAD").strip()

    def agent(self, command: str) -> str:
        """The agent runs a command; the graph sees each git use in it with the output."""
        text = self.sh(command)
        uses = [(fact.git, fact.argv) for fact in command_facts(command) if fact.git is not None]
        printing = [use for use, _ in uses if prints_commits(use)]
        for use, argv in uses:
            self.graph.observe(use, argv, text, alone=printing in ([], [use]))
        return text

    def ask(self, command: str) -> Ancestry:
        use = next(fact.git for fact in command_facts(command) if fact.git is not None)
        return self.graph.ancestry(use)


class Planted(Repository):
    """main: c1 c2 c3 (HEAD); fix goes on from c3; side left c2 before c3 and was not merged; v1 stands at c2."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.sh("git init -q -b main")
        self.c1, self.c2 = self.commit("one"), self.commit("two")
        self.sh("git tag v1 && git checkout -qb side")
        self.side = self.commit("aside")
        self.sh("git checkout -q main")
        self.c3 = self.commit("three")
        self.sh("git checkout -qb fix")
        self.f1, self.f2 = self.commit("fix1"), self.commit("fix2")
        self.sh("git checkout -q main")
