"""Whether what was typed went into the program that ran, and not to the shell, where no prompt shows it.

A screen can be written over, so that a prompt which is gone proves nothing. A program took what was typed where its output
shows it (the terminal's echo), or where it is one that takes the whole screen, or reads without an echo.
"""

from __future__ import annotations

import re

from earned.trajectory.terminal.keys import Typed
from earned.trajectory.terminal.log import Log
from earned.trajectory.terminal.prompts import Command

MAX_ECHO = 256 * 1024
"""Characters at the end of an output in which what was typed is looked for."""
_SILENT = re.compile(
    r"(?:^|[\s;&|(/])(?:vi|vim|nvim|view|vimdiff|nano|pico|emacs|ed|ex|mc|less|more|most|man|top|htop|watch|tig|fzf|dialog|whiptail"
    r"|sudo|su|ssh|scp|sftp|passwd|mysql|psql|gpg|openssl|ssh-keygen|read\s+-\w*s\w*|git\s+(?:commit|rebase|log|diff|show|add\s+-p))"
    r"(?:[\s;&|)]|$)"
)
_LEAVES = frozenset({":q", ":q!", ":wq", ":wq!", ":x", "ZZ", "ZQ", "q", "exit", "quit"})


class Reader:
    """The program that a command started, while it reads."""

    def __init__(self, command: Command, log: Log) -> None:
        self._silent = _SILENT.search(command.text) is not None
        self._shown = f"{command.text}\n{command.output(log)[-MAX_ECHO:]}"

    def takes(self, item: Typed) -> bool:
        """Whether the program took what was typed next."""
        is_silent = self._silent
        self._silent = is_silent and item.text not in _LEAVES
        return is_silent or item.text.split("\n", 1)[0].strip() in self._shown
