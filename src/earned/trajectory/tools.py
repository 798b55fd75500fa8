"""Which kind of action a tool call is: one table from the names that harnesses use to what the call does.

Names are compared in lower case without a `functions.` or `mcp__server__` prefix. An unknown name is `other`, unless its
arguments hold a command: `command` or `cmd` as text is one whatever the tool is called.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from earned.records import Action, Edit
from earned.trajectory.addresses import named_address, read_address
from earned.trajectory.cells import skill_call
from earned.trajectory.decode.broken_arguments import salvaged
from earned.trajectory.decode.lenient import as_json

Arguments = Mapping[str, Any]
MAX_SHLEX = 64 * 1024
"""Characters of a text command that are split into words; longer ones stay whole."""

_COMMAND_KEYS = (
    *("command", "cmd", "keystrokes", "commands", "script", "bash", "input", "chars", "code"),
    *("argv", "args", "command_line", "line", "text"),
)
_TOLD_KEYS = ("command", "cmd", "keystrokes", "script", "commands", "argv", "args", "command_line", "line", "input", "chars")
"""Arguments that are a command where the name of the tool says that it runs one."""
_RUNNERS = ("bash", "shell", "exec", "terminal", "command", "run_cmd", "process", "console", "ssh", "tmux", "pty", "stdin")
_CODE_RUNNERS = ("repl", "run", "eval", "exec", "interpreter", "process", "python", "script")
_VERBS = frozenset(
    {"view", "read", "open", "create", "write", "overwrite", "insert", "append", "str_replace", "replace", "edit"}
    | {"undo_edit", "delete", "rename", "plan"}
)
"""`command` of an editor that is in no table: what it does, and no command."""
_PATH_KEYS = ("path", "file_path", "filepath", "file", "filename", "file_name", "target_file", "notebook_path", "absolute_path")
_CWD_KEYS = ("cwd", "workdir", "working_directory", "working_dir", "dir_path")
_NEW_KEYS = ("file_text", "content", "contents", "text", "new_str", "new_string", "new_text", "code_edit", "body")
_PATCH_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.{1,4096})$|^\+\+\+ (?:b/)?([^\t\n]{1,4096})", re.MULTILINE)


def text_of(arguments: Arguments, keys: tuple[str, ...]) -> str:
    """The first of these arguments that is text; empty when none is."""
    for key in keys:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
    return ""


def action_of(name: str, arguments: object, call_id: str = "") -> Action:
    """The action that a call of tool `name` with decoded JSON `arguments` is. Never raises."""
    given: Arguments = arguments if isinstance(arguments, dict) else {}
    if isinstance(arguments, str) and arguments:
        if broken := salvaged(arguments):
            return replace(action_of(name, broken, call_id), arguments=arguments)
        make = _BY_NAME.get(name) or _maker(name, given)
        if make is _other:
            return Action(kind="other", tool=name, call_id=call_id, arguments=arguments)
        given = {"command": arguments, "patch": arguments, "input": arguments}
    else:
        make = _BY_NAME.get(name) or _maker(name, given)
    return make(name, given, call_id)


def _maker(name: str, arguments: Arguments) -> Maker:
    """For a name that is not in the table as it stands."""
    plain = plain_name(name)
    return _BY_NAME.get(plain) or _by_arguments(plain, arguments)


def plain_name(name: str) -> str:
    """The name without name spaces, in lower case."""
    plain = name.rsplit("__", 1)[-1] if name.startswith("mcp__") else name
    return plain.rsplit(".", 1)[-1].lower().replace("-", "_").strip()


def _by_arguments(plain: str, arguments: Arguments) -> Maker:
    """For a tool that is in no table: what its arguments hold."""
    command = text_of(arguments, ("command",)) or text_of(arguments, ("cmd",))
    if command.strip().lower() in _VERBS:
        return _editor if text_of(arguments, _PATH_KEYS) else _other
    if command or (any(word in plain for word in _RUNNERS) and any(arguments.get(key) for key in _TOLD_KEYS)):
        return _shell
    if read_address(plain, arguments):
        return _fetch
    is_code = "brows" not in plain and isinstance(arguments.get("code"), str) and any(word in plain for word in _CODE_RUNNERS)
    return _code if is_code and not text_of(arguments, _PATH_KEYS) else _other


def command_text(value: object) -> str:
    """A command as text: a list of words is quoted, and `[bash, -lc, X]` is X."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return "" if value is None else as_json(value)
    if len(value) == 3 and value[0].rsplit("/", 1)[-1] in {"bash", "sh", "zsh"} and value[1] in {"-c", "-lc", "-ic"}:
        return str(value[2])
    return shlex.join(value)


def _commands_text(value: object) -> str:
    """Several whole commands, one a line, each a text or an object that holds one; or the words of one shell."""
    if not isinstance(value, list):
        return command_text(value)
    is_shell = len(value) == 3 and value[1] in ("-c", "-lc", "-ic")
    texts = [text_of(item, _COMMAND_KEYS) if isinstance(item, dict) else item for item in value]
    if is_shell or not all(isinstance(text, str) for text in texts):
        return command_text(value)
    return "\n".join(texts)


def _shell(name: str, arguments: Arguments, call_id: str) -> Action:
    command = arguments.get("command")
    if isinstance(command, str) and command and len(arguments) == 1:
        return Action(kind="shell", tool=name, call_id=call_id, command=command)
    if not isinstance(command, str) or not command:
        key = next((key for key in _COMMAND_KEYS if arguments.get(key)), "")
        command = _commands_text(arguments[key]) if key == "commands" else command_text(arguments.get(key))
    else:
        command = _with_words(command, arguments.get("args"))
    cwd = text_of(arguments, _CWD_KEYS) if len(arguments) > 1 else ""
    raw = "" if command and "session_id" not in arguments else _raw(arguments)
    return Action(kind="shell", tool=name, call_id=call_id, command=command, cwd=cwd, arguments=raw)


def _with_words(command: str, words: object) -> str:
    """A program whose arguments stand beside it as a list."""
    if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
        return command
    return f"{command} {shlex.join(words)}" if len(command.split()) != 1 else command_text([command, *words])


def _code(name: str, arguments: Arguments, call_id: str) -> Action:
    command = text_of(arguments, ("code", "source", "script", "command", "input", "cell", "text"))
    language = text_of(arguments, ("language",)) or "python"
    if language == "python" and (skill := skill_call(command)) is not None:
        return action_of(skill.name, skill.arguments, call_id)
    return Action(
        kind="code",
        tool=name,
        call_id=call_id,
        command=command,
        language=language,
        arguments="" if command else _raw(arguments),
    )


def _editor(name: str, arguments: Arguments, call_id: str) -> Action:
    """One tool with sub-commands: `str_replace_editor` and its kin."""
    verb = text_of(arguments, ("command", "operation", "action"))
    path = text_of(arguments, _PATH_KEYS)
    if verb in {"view", "read", "open"}:
        return Action(kind="read", tool=name, call_id=call_id, paths=(path,), arguments=_raw(arguments))
    if verb in {"create", "write", "overwrite"}:
        return _write(name, arguments, call_id)
    if verb == "insert":
        return _insert(name, arguments, call_id)
    if verb == "undo_edit" or not path:
        return Action(kind="other", tool=name, call_id=call_id, arguments=_raw(arguments))
    return _replace(name, arguments, call_id)


def _write(name: str, arguments: Arguments, call_id: str) -> Action:
    edit = Edit(path=text_of(arguments, _PATH_KEYS), operation="write", new=text_of(arguments, _NEW_KEYS))
    return Action(kind="write", tool=name, call_id=call_id, edits=(edit,), arguments=_raw(arguments))


def _append(name: str, arguments: Arguments, call_id: str) -> Action:
    edit = Edit(path=text_of(arguments, _PATH_KEYS), operation="append", new=text_of(arguments, _NEW_KEYS))
    return Action(kind="write", tool=name, call_id=call_id, edits=(edit,), arguments=_raw(arguments))


def _insert(name: str, arguments: Arguments, call_id: str) -> Action:
    line = arguments.get("insert_line", arguments.get("line"))
    edit = Edit(
        path=text_of(arguments, _PATH_KEYS),
        operation="insert",
        new=text_of(arguments, ("insert_text", "new_str", "text", "content", "new_string")),
        line=line if isinstance(line, int) else None,
    )
    return Action(kind="edit", tool=name, call_id=call_id, edits=(edit,), arguments=_raw(arguments))


def _replace(name: str, arguments: Arguments, call_id: str) -> Action:
    path = text_of(arguments, _PATH_KEYS)
    new = text_of(arguments, ("new_str", "new_string", "new_text", "replace", "replacement", "content", "new_source"))
    edit = Edit(
        path=path,
        operation="replace",
        new=new if arguments.get("edit_mode") != "delete" else "",  # a notebook's cell goes
        old=text_of(arguments, ("old_str", "old_string", "old_text", "search", "target")),
    )
    return Action(kind="edit", tool=name, call_id=call_id, edits=(edit,), arguments=_raw(arguments))


def _multi_edit(name: str, arguments: Arguments, call_id: str) -> Action:
    path = text_of(arguments, _PATH_KEYS)
    changes = arguments.get("edits")
    if not isinstance(changes, list):
        return _replace(name, arguments, call_id)
    edits = tuple(
        Edit(
            path=text_of(change, _PATH_KEYS) or path,
            operation="replace",
            new=text_of(change, ("new_string", "new_str", "new_text")),
            old=text_of(change, ("old_string", "old_str", "old_text")),
        )
        for change in changes
        if isinstance(change, dict)
    )
    return Action(kind="edit", tool=name, call_id=call_id, edits=edits, arguments=_raw(arguments))


def _patch(name: str, arguments: Arguments, call_id: str) -> Action:
    text = text_of(arguments, ("patch", "input", "diff", "patch_text", "patchText", "content", "command"))
    raw = "" if text else _raw(arguments)
    return Action(kind="edit", tool=name, call_id=call_id, edits=patch_edits(text), arguments=raw)


def patch_edits(text: str) -> tuple[Edit, ...]:
    """A patch in either notation as edits: whole new files of `*** Add File` as writes, the rest as patches."""
    found = list(_PATCH_FILE.finditer(text))
    if not found or found[0].group(1) is None:
        path = found[0].group(3) if found else ""
        return (Edit(path=path, operation="patch", new=text),)
    edits: list[Edit] = []
    ends = [match.start() for match in found[1:]] + [len(text)]
    for match, end in zip(found, ends, strict=True):
        if match.group(1) is None:
            continue
        body = text[match.end() : end].removeprefix("\n")
        edits.append(_begin_patch_edit(match.group(1), match.group(2).strip(), body))
    return tuple(edits)


def _begin_patch_edit(verb: str, path: str, body: str) -> Edit:
    if verb == "Delete":
        return Edit(path=path, operation="delete")
    if verb == "Update":
        return Edit(path=path, operation="patch", new=f"*** Begin Patch\n*** Update File: {path}\n{body.rstrip()}\n")
    lines = [line[1:] for line in body.split("\n") if line.startswith("+")]
    return Edit(path=path, operation="write", new="".join(f"{line}\n" for line in lines))


def _delete(name: str, arguments: Arguments, call_id: str) -> Action:
    edit = Edit(path=text_of(arguments, _PATH_KEYS), operation="delete")
    return Action(kind="edit", tool=name, call_id=call_id, edits=(edit,), arguments=_raw(arguments))


def _read(name: str, arguments: Arguments, call_id: str) -> Action:
    return Action(kind="read", tool=name, call_id=call_id, paths=_paths(arguments), arguments=_raw(arguments))


def _search(name: str, arguments: Arguments, call_id: str) -> Action:
    return Action(
        kind="search",
        tool=name,
        call_id=call_id,
        paths=_paths(arguments),
        query=text_of(arguments, ("query", "pattern", "regex", "search_term", "q", "name", "dir")),
        arguments=_raw(arguments),
    )


def _fetch(name: str, arguments: Arguments, call_id: str) -> Action:
    url = named_address(arguments) or read_address(plain_name(name), arguments)
    return Action(
        kind="fetch", tool=name, call_id=call_id, url=url, query=text_of(arguments, ("prompt",)), arguments=_raw(arguments)
    )


def _message(name: str, arguments: Arguments, call_id: str) -> Action:
    return Action(kind="message", tool=name, call_id=call_id, arguments=_raw(arguments))


def _submit(name: str, arguments: Arguments, call_id: str) -> Action:
    return Action(kind="submit", tool=name, call_id=call_id, arguments=_raw(arguments))


def _other(name: str, arguments: Arguments, call_id: str) -> Action:
    return Action(
        kind="other",
        tool=name,
        call_id=call_id,
        paths=_paths(arguments),
        url=text_of(arguments, ("url",)),
        arguments=_raw(arguments),
    )


def _raw(arguments: Arguments) -> str:
    return as_json(arguments) if arguments else ""


def _paths(arguments: Arguments) -> tuple[str, ...]:
    path = text_of(arguments, _PATH_KEYS)
    if path:
        return (path,)
    several = arguments.get("paths", arguments.get("files"))
    return tuple(item for item in several if isinstance(item, str)) if isinstance(several, list) else ()


Maker = Callable[[str, Arguments, str], Action]


_NAMES: tuple[tuple[Maker, str], ...] = (
    (
        _shell,
        """
        bash bash_command execute_bash shell terminal run_command run_shell_command execute_command exec_command exec
        local_shell run_terminal_cmd run_in_terminal terminal_command cmd sh zsh powershell run write_stdin shell_command
        tmux execute bash_tool unified_exec run_bash interactive_bash send_keys command_line
        bash_session ssh
        """,
    ),
    (
        _code,
        """
        python ipython execute_ipython_cell run_ipython jupyter run_python python_exec code_interpreter execute_python notebook
        execute_code run_code
        """,
    ),
    (
        _editor,
        "str_replace_editor str_replace_based_edit_tool text_editor file_editor planning_file_editor edit_anthropic editor",
    ),
    (_write, "write write_file create_file create write_to_file save_file new_file add_file file_write fs_write"),
    (_append, "append append_file append_to_file"),
    (_insert, "insert insert_line insert_text insert_content insert_at_line"),
    (
        _replace,
        """
        edit edit_file str_replace replace replace_in_file file_edit search_replace search_and_replace update_file notebookedit
        """,
    ),
    (_multi_edit, "multiedit multi_edit multi_replace"),
    (_patch, "apply_patch patch apply_diff apply_edit git_apply"),
    (_delete, "delete delete_file remove_file rm"),
    (
        _read,
        """
        read read_file view open cat view_file open_file read_many_files file_read notebookread goto scroll_down scroll_up
        view_image fs_read
        """,
    ),
    (
        _search,
        """
        grep glob find search find_file search_dir search_file search_files list_files ls list_dir list_directory file_search
        grep_search codebase_search search_file_content web_search websearch google_search google_web_search search_web
        brave_web_search tavily_search grep_files
        """,
    ),
    (
        _fetch,
        """
        fetch webfetch web_fetch browse browser_navigate goto_url browser_goto open_url navigate url_fetch http_get
        visit_webpage get_url browser web_browser_go navigate_page new_page puppeteer_navigate
        """,
    ),
    (
        _submit,
        """
        submit finish mark_task_complete task_complete complete_task attempt_completion done final_answer submit_answer end_task
        """,
    ),
    (
        _message,
        """
        think message ask ask_user todowrite todo_write update_plan write_todos task_tracker reply send_message thought todo
        spawn_agent send_input wait_agent close_agent resume_agent list_agents interrupt_agent followup_task request_user_input
        create_goal update_goal get_goal askuserquestion enterplanmode exitplanmode taskcreate taskupdate taskget tasklist
        sendmessage
        """,
    ),
)
_BY_NAME: dict[str, Maker] = {name: make for make, names in _NAMES for name in names.split()}
"""Names are compared by `plain_name`."""
