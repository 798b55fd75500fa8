"""Whether a command starts an agent's program: a known one by its name, any other where it is all that a trial ran.

A harness that installs an agent types one command, with the task as its argument or in a file that the program knows; an agent
at a terminal types many. So a trial's only command is the start of one, and no act, where it hands a text to a program that is
no usual tool, or where it runs a program whose text the trial does not show: an act that nothing shows is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_AGENTS = (
    "claude|codex|gemini|qwen|aider|goose|opencode|openhands|cursor-agent|mini|mini-swe-agent|sweagent|swe-agent|droid|cline"
    "|crush|auggie|kimi|trae-cli|terminus|copilot|amp|plandex|letta|devin|kilocode|roo|grok"
)
_BEFORE = r"(?:(?:sudo|exec|nohup|time|stdbuf \S+|timeout \S+|uvx|npx(?: -y)?|env|\w+=\S*)\s+)*(?:\S*/)?"
_NAMED = re.compile(rf"\s*{_BEFORE}(?:{_AGENTS})(?:\s|$)")
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
_AROUND = re.compile(r"\s*(?:$|#|\.\s|\w+=\S*\s*$|(?:cd|export|source|clear|set|mkdir)\b)")
"""What stands around the start of a program."""
_RUNS = re.compile(rf"\s*{_BEFORE}([A-Za-z0-9_.+-]{{1,80}})(?:\s+(.*))?", re.DOTALL)
_SCRIPTED = _INTERPRETERS - {"uv", "npx", "uvx", "bunx", "pipx"} | {"bash", "sh", "zsh"}
_TOLD = frozenset({"-m", "-c", "-e"})
"""Behind these an interpreter is told what to run."""
MAX_WORDS = 20
_MODULES = frozenset({"pytest", "pip", "venv", "unittest", "http.server", "json.tool", "build", "compileall", "timeit"})
_TASK_FOLDER = "/app"
"""The working directory of nearly all tasks of Terminal-Bench 1."""


def starts_agent(piece: str) -> bool:
    """Whether one command of a list starts an agent that is known by its name, whatever its arguments."""
    return _NAMED.match(piece) is not None or _LAUNCH.match(piece) is not None


def is_known_launch(text: str) -> bool:
    """Whether a command starts an agent that is known by its name."""
    return _LAUNCH.match(text) is not None


def is_only_launch(commands: Iterable[str], instruction: str = "", *, types_itself: bool = False, cwd: str = "") -> bool:
    """Whether what was typed is one command, and that starts an agent's program.

    Args:
        commands: All that was typed, without the harness's own.
        instruction: What the agent was told.
        types_itself: The agent is known to act by typing, so that its one command may run any program.
        cwd: The folder in which the command ran; empty when it is not known.
    """
    listed = list(commands)
    if len(listed) != 1:
        return False
    text = listed[0].strip()
    told = " ".join(instruction.split())
    if is_known_launch(text) or (len(told) >= 20 and told in " ".join(text.split())):
        return True
    pieces = [piece.strip() for piece in _PIECES.split(text)]
    return any(map(_hands_text, pieces[:4])) or (not types_itself and _runs_only_hidden(pieces, cwd or _TASK_FOLDER))


def _runs_only_hidden(pieces: Sequence[str], cwd: str) -> bool:
    """Whether all that runs is a program whose text nothing shows."""
    runs = [piece for piece in pieces if not _AROUND.match(piece)]
    return bool(runs) and all(starts_agent(piece) or _is_hidden(piece, cwd) for piece in runs)


def _is_hidden(command: str, cwd: str) -> bool:
    """No usual tool, or an interpreter's script from outside of the task's folder."""
    found = _RUNS.match(command)
    if found is None:
        return False
    program, rest = found.group(1), found.group(2) or ""
    if program in {"docker", "podman"}:
        return rest.startswith("run ")
    if program not in _SCRIPTED:
        return program not in _TOOLS and program not in _INTERPRETERS
    words = rest.split()[:MAX_WORDS]
    place = next((number for number, word in enumerate(words) if word in _TOLD or not word.startswith("-")), len(words))
    name = words[place] if place < len(words) else ""
    if name == "-m":
        return place + 1 < len(words) and words[place + 1] not in _MODULES
    return name.startswith("/") and not name.startswith(f"{cwd.rstrip('/')}/")


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
