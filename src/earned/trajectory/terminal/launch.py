"""Whether a command starts an agent's program: a known one by its name, any other where it is all that a trial ran.

A harness that installs an agent types one command, with the task as its argument; an agent at a terminal types many. So a
trial's only command that hands a text to a program that is no usual tool is the start of one, and no act.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SETTINGS = r"(?:[A-Za-z_][A-Za-z0-9_]{0,60}=\S{0,200} ){0,20}"
_LAUNCH = re.compile(
    rf"{_SETTINGS}(?:\S{{0,200}}/)?(?:"
    r"claude\b.{0,4000} (?:-p|--print)\b|codex\b.{0,400} ?exec\b|mini\b.{0,400} (?:-t|--task)\b|openhands\b.{0,400}--task\b"
    r"|python3?\b.{0,100} -m openhands\b|aider\b.{0,400}--message\b|goose run\b|gemini\b.{0,4000} (?:-p|--prompt)\b"
    r"|opencode\b.{0,400} ?run\b|cursor-agent\b|grok\b.{0,400} -p\b|droid exec\b|qwen\b|python3? -m \S{1,200}agent\b"
    r"|swe-agent\b|sweagent run\b|echo .{0,4000}\| qwen\b)",
    re.DOTALL,
)
_PROGRAM = re.compile(rf"{_SETTINGS}(?:\S{{0,200}}/)?([A-Za-z0-9_.+-]{{1,80}})(?:\s+(.*))?", re.DOTALL)
_INTERPRETERS = frozenset({"node", "bun", "deno", "python", "python3", "java", "ruby", "npx", "uvx", "uv", "bunx", "pipx"})
_USUAL = (
    "alias apk apt apt-get ar as awk base64 bash bc bunzip2 bzip2 cargo cat cc cd chmod chown clang cmake cmp cp crontab curl"
    " cut date dd df diff dig dnf docker du echo ed egrep emacs env eval ex exec export expr fgrep file find for function g++"
    " gawk gcc gdb getent gh git go gpg grep groupadd gunzip gzip head hexdump hostname iconv id if install ip iptables jq"
    " kill less ln locale ls make md5sum mkdir mkfifo mktemp more mount mv mysql nano nc nl nohup npm openssl paste patch"
    " perl pip pip3 pkill pnpm printf ps psql pwd pytest read readlink redis-cli rev rg rm rmdir rsync rustc scp sed seq set"
    " service sh sha256sum shuf sleep socat sort source split sqlite3 ss ssh ssh-keygen stat strings sudo su systemctl tac tail"
    " tar tee test time timeout tmux touch tr tree type ulimit uname uniq unset unzip useradd usermod vi vim wc wget which"
    " while xargs xxd xz yarn yq yum zcat zip zsh"
)
_TOOLS = frozenset(_USUAL.split())
_SCRIPT = re.compile(r"(?:run\s+)?(?:-\w\s+|--\S+\s+){0,10}(?:-m\s+\S+|[^\s'\"-]\S*)\s")
_TEXT = re.compile(r"""(?:^|[\s=])(?:"[^"]*[^"\s]|'[^']*[^'\s]|\$'|"\$|\$\(|<<)""")
_TASK = re.compile(r"(?:^|\s)--?(?:task|prompt|message|instruction|instructions|query|goal|print)\b")
_PIECES = re.compile(r"&&|\|\||;|\n")


def is_known_launch(text: str) -> bool:
    """Whether a command starts an agent that is known by its name."""
    return _LAUNCH.match(text) is not None


def is_only_launch(commands: Iterable[str], instruction: str = "") -> bool:
    """Whether what was typed is one command, and that starts a program which is given the task, or some text as one."""
    listed = list(commands)
    if len(listed) != 1:
        return False
    text = listed[0].strip()
    told = " ".join(instruction.split())
    if is_known_launch(text) or (len(told) >= 20 and told in " ".join(text.split())):
        return True
    return any(_hands_text(piece.strip()) for piece in _PIECES.split(text)[:4])


def _hands_text(command: str) -> bool:
    """Whether a program that is no usual tool is given a text."""
    if is_known_launch(command):
        return True
    found = _PROGRAM.match(command)
    if found is None or found.group(1) in _TOOLS:
        return False
    rest = found.group(2) or ""
    if found.group(1) in _INTERPRETERS:
        script = _SCRIPT.match(rest)
        if script is None:
            return False
        rest = rest[script.end() :]
    return _TASK.search(rest) is not None or _TEXT.search(rest) is not None
