"""Codex's calls as actions and its results as text with an exit code, over all the tools that it has had.

Shell tools: `shell` with a list of words, `shell_command`, `exec_command` with `write_stdin`, `container.exec`, the model's own
`local_shell`. A result is text, a list of parts, or JSON text of output and metadata; the text keeps the headers that Codex
writes above an output, which tell the exit code.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from typing import Any

import msgspec
from msgspec.structs import replace

from earned.records import Action, Edit
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import content_text, decoded_arguments
from earned.trajectory.formats.codex.records import LocalShellCall
from earned.trajectory.formats.codex.turns import Result
from earned.trajectory.tools import MAX_SHLEX, action_of, command_text

SHELLS = frozenset({"shell", "shell_command", "exec_command", "container.exec", "local_shell", "unified_exec"})
PROGRAM = "exec"
"""The custom tool of code mode, whose input is a JavaScript program that calls the other tools."""
HEADER = 400
"""Characters in which the header above an output stands."""
_EXITED = re.compile(r"(?:^|\n)(?:Exit code: |Process exited with code )(-?\d{1,6})(?:\n|$)")
_WRAPPED = re.compile(r"(?:/[\w./-]{0,100}/)?(?:bash|sh|zsh) -l?i?c ", re.ASCII)
_ESCAPED = re.compile(r'\\(["\\$`])')


class Shell(msgspec.Struct, gc=False):
    """Arguments of a shell tool."""

    command: str | list[str] | None = None
    cmd: str | None = None
    workdir: str | None = None


class _Metadata(msgspec.Struct):
    exit_code: int | None = None


class _Wrapped(msgspec.Struct):
    """A result as JSON text."""

    output: str | None = None
    metadata: _Metadata | None = None


_shell_arguments = msgspec.json.Decoder(Shell).decode
_wrapped = msgspec.json.Decoder(_Wrapped).decode


def function_call(name: str, arguments: Any, call_id: str, cwd: str) -> Action:
    """The action of a function call; `cwd` is the working directory of its turn."""
    if name in SHELLS and isinstance(arguments, str):
        try:
            given = _shell_arguments(arguments)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            pass
        else:
            command = given.command if given.command is not None else given.cmd
            if isinstance(command, list):
                command = command_text(command)
            if command:
                return Action(kind="shell", tool=name, call_id=call_id, command=command, cwd=_within(cwd, given.workdir))
    return placed(action_of(name, decoded_arguments(arguments), call_id), cwd)


def _within(cwd: str, workdir: str | None) -> str:
    """The directory of a call: its own, which may be relative to that of the turn, or that."""
    if not workdir or workdir == ".":
        return cwd
    return workdir if workdir[:1] == "/" else posixpath.normpath(posixpath.join(cwd, workdir))


def placed(action: Action, cwd: str) -> Action:
    """An action with the working directory of its turn where it does something in one and names none."""
    if action.kind == "shell" and action.cwd:
        return replace(action, cwd=_within(cwd, action.cwd))
    works = (action.kind == "shell" and bool(action.command)) or action.edits or action.paths
    return replace(action, cwd=cwd) if works and cwd and not action.cwd else action


def is_program(name: str, given: Any) -> bool:
    """Whether the input of a custom tool is a JavaScript program, and not the arguments of a command as JSON."""
    if name not in {PROGRAM, "js_repl"} or not isinstance(given, str):
        return False
    return given.lstrip()[:1] != "{" or not isinstance(decoded_arguments(given), dict)


def full_name(name: str, namespace: str) -> str:
    """The name of a tool as tools are compared: those of a server as `mcp__server__tool`."""
    if namespace and not namespace.startswith("functions"):
        name = f"{namespace}__{name}"
    return f"mcp__{name}" if "__" in name and not name.startswith("mcp__") else name


def local_shell_call(call: LocalShellCall, cwd: str) -> Action:
    """The action of the model's own shell."""
    action = call.action if isinstance(call.action, dict) else {}
    workdir = action.get("working_directory")
    return Action(
        kind="shell",
        tool="local_shell",
        call_id=call.call_id or call.id or "",
        command=command_text(action.get("command")),
        cwd=_within(cwd, workdir if isinstance(workdir, str) else None),
    )


def web_action(action: Any, query: str, call_id: str) -> Action:
    """A search on the web, or a page that was opened."""
    given = action if isinstance(action, dict) else {}
    url = given.get("url")
    queries = given.get("queries")
    asked = given.get("query") or given.get("pattern") or query
    if not asked and isinstance(queries, list):
        asked = "\n".join(item for item in queries if isinstance(item, str))
    return Action(
        kind="fetch" if isinstance(url, str) else "search",
        tool="web_search",
        call_id=call_id,
        url=url if isinstance(url, str) else "",
        query=asked if isinstance(asked, str) else "",
        arguments=as_json(given) if given else "",
    )


def server_action(server: Any, tool: Any, arguments: Any, call_id: str) -> Action:
    """A call of an MCP server's tool."""
    named = "__".join(str(part) for part in (server, tool) if part)
    return action_of(f"mcp__{named}", decoded_arguments(arguments), call_id)


def change_action(changes: Any, call_id: str, cwd: str) -> Action:
    """Changes of files: with their diffs where they are recorded, else each a patch without text."""
    edits: list[Edit] = []
    if isinstance(changes, dict):
        edits = [edit for path, change in changes.items() for edit in _edits(path, change)]
    elif isinstance(changes, list):
        edits = [edit for change in changes if isinstance(change, dict) for edit in _edits(change.get("path"), change)]
    return placed(Action(kind="edit", tool="apply_patch", call_id=call_id, edits=tuple(edits)), cwd)


def is_recorded(action: Action) -> bool:
    """Whether the text of every change of files is recorded."""
    return all(edit.new or edit.operation != "patch" for edit in action.edits)


def _edits(path: Any, change: Any) -> list[Edit]:
    """The change of one file, in any of the notations that Codex has had: `{update: {…}}`, `{type: update, …}`, `kind`."""
    if not isinstance(path, str) or not isinstance(change, dict):
        return []
    kind = change.get("type") or change.get("kind") or next(iter(change), "")
    kind = kind.get("type") if isinstance(kind, dict) else kind
    inner = change.get(kind) if isinstance(kind, str) else None
    given = inner if isinstance(inner, dict) else change
    content, diff = given.get("content"), given.get("unified_diff")
    if kind == "delete":
        return [Edit(path=path, operation="delete")]
    if kind == "add" and isinstance(content, str):
        return [Edit(path=path, operation="write", new=content)]
    moved = given.get("move_path") or given.get("movePath")
    text = diff if isinstance(diff, str) else ""
    return [Edit(path=path, operation="patch", new=_whole_diff(path, text, moved if isinstance(moved, str) else ""))]


def _whole_diff(path: str, hunks: str, moved: str) -> str:
    """A diff with the names of its file; Codex records hunks alone. Empty where no change is recorded."""
    if hunks.startswith(("diff ", "--- ")):
        return hunks
    is_moved = moved not in {"", path}
    if not hunks and not is_moved:
        return ""
    name = moved if is_moved else path
    renamed = f"rename from {path}\nrename to {name}\n" if is_moved else ""
    return f"diff --git a/{path} b/{name}\n{renamed}--- a/{path}\n+++ b/{name}\n{hunks}"


def unwrapped(command: Any) -> str:
    """A command as `codex exec` prints it, without the shell around it: `bash -lc 'ls'` is `ls`."""
    if not isinstance(command, str):
        return command_text(command)
    match = _WRAPPED.match(command)
    if match is None:
        return command
    inner = command[match.end() :]
    if inner[:1] == "'" and inner.endswith("'") and inner.count("'") == 2:
        return inner[1:-1]
    if inner[:1] == '"' and inner.endswith('"') and inner.count('"') - inner.count('\\"') == 2:
        return _ESCAPED.sub(r"\1", inner[1:-1])
    if len(command) > MAX_SHLEX:
        return command
    try:
        return command_text(shlex.split(command))
    except ValueError:
        return command


def result_of(output: Any) -> Result:
    """A result with the exit code that its metadata or header says."""
    if isinstance(output, str):
        text = output
    elif isinstance(output, dict):
        text = content_text(output.get("content", output.get("output", [output])))
    else:
        text = content_text(output)
    if text[:1] == "{" and '"metadata"' in text and '"output"' in text:
        try:
            made = _wrapped(text)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            pass
        else:
            if made.output is not None and made.metadata is not None:
                return Result(made.output, made.metadata.exit_code, is_plain=False)
    end = text.find("\nOutput:", 0, HEADER)
    if end >= 0 and text.find("Wall time", 0, end) >= 0:
        found = _EXITED.search(text, 0, end)
        return Result(text, int(found.group(1)) if found else None, is_plain=False)
    return Result(text)
