from __future__ import annotations

from typing import Any

import pytest

from earned.records import Action
from earned.trajectory.completeness.results import exit_code_of
from earned.trajectory.tools import action_of


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("execute_bash", {"command": "ls"}, "shell"),
        ("Bash", {"command": "ls", "description": "list"}, "shell"),
        ("functions.shell", {"command": ["bash", "-lc", "ls"]}, "shell"),
        ("mcp__box__exec", {"cmd": "ls"}, "shell"),
        ("my_terminal_tool", {"command": "ls"}, "shell"),
        ("my_terminal_tool", {"size": 3}, "other"),
        ("python", {"code": "1 + 1"}, "code"),
        ("str_replace_editor", {"command": "create", "path": "/a", "file_text": "x"}, "write"),
        ("str_replace_editor", {"command": "view", "path": "/a"}, "read"),
        ("str_replace_editor", {"command": "insert", "path": "/a", "insert_line": 2, "new_str": "x"}, "edit"),
        ("str_replace_editor", {"command": "undo_edit", "path": "/a"}, "other"),
        ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "y"}, "edit"),
        ("MultiEdit", {"file_path": "/a", "edits": [{"old_string": "x", "new_string": "y"}]}, "edit"),
        ("Write", {"file_path": "/a", "content": "x"}, "write"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}, "edit"),
        ("Read", {"file_path": "/a"}, "read"),
        ("Grep", {"pattern": "x"}, "search"),
        ("web_search", {"query": "x"}, "search"),
        ("WebFetch", {"url": "https://example.invalid/a", "prompt": "p"}, "fetch"),
        ("mark_task_complete", {}, "submit"),
        ("finish", {"message": "done"}, "submit"),
        ("think", {"thought": "hm"}, "message"),
        ("unheard_of", {"x": 1}, "other"),
        ("", None, "other"),
        ("bash", "ls -la", "shell"),
        ("bash", 5, "shell"),
        ("Edit", ["no object"], "edit"),
    ],
)
def test_each_tool_is_one_kind_of_action(name: str, arguments: Any, kind: str) -> None:
    made = action_of(name, arguments, "c1")
    assert (made.kind, made.call_id) == (kind, "c1")


@pytest.mark.parametrize(
    ("value", "command"),
    [("ls", "ls"), (["bash", "-lc", "ls | wc"], "ls | wc"), (["ls", "a b"], "ls 'a b'"), ([1, 2], "[1,2]"), (None, "")],
)
def test_a_command_is_text_whatever_way_it_is_given(value: Any, command: str) -> None:
    assert action_of("shell", {"command": value}).command == command


@pytest.mark.parametrize(
    ("name", "arguments", "command"),
    [
        ("mcp__desktop-commander__start_process", {"command": "cat /x", "timeout_ms": 5}, "cat /x"),
        ("process", {"action": "start", "command": "cat /x"}, "cat /x"),
        ("mystery_runner", {"command": "cat /x"}, "cat /x"),
        ("mystery_runner", {"cmd": "cat /x"}, "cat /x"),
        ("interact_with_process", {"pid": 3, "input": "cat /x"}, "cat /x"),
        ("bash", {"commands": ["cat a", "cat b"]}, "cat a\ncat b"),
        ("bash", {"commands": ["bash", "-lc", "cat a"]}, "cat a"),
        ("execute_commands", {"commands": [{"keystrokes": "cat a"}]}, "cat a"),
        ("run", {"args": ["bash", "-lc", "cat /x"]}, "cat /x"),
        ("run_process", {"command": "git", "args": ["show", "a b"]}, "git show 'a b'"),
        ("shell_exec", {"argv": ["cat", "/x y"]}, "cat '/x y'"),
        ("execute_bash", {"command": "", "is_input": "true", "input": "cat /x"}, "cat /x"),
        ("bash", '{"command": "cat /x', "cat /x"),
        ("mystery_runner", '{"command": "cat /x"', "cat /x"),
        ("bash", '{"command": "echo "a" > /x", "timeout": 3}', 'echo "a" > /x'),
        ("bash", '{"command": "cat\n/x"}', "cat\n/x"),
    ],
)
def test_a_tool_that_runs_a_command_is_seen_whatever_it_is_called(name: str, arguments: Any, command: str) -> None:
    made = action_of(name, arguments)
    assert (made.kind, made.command) == ("shell", command)


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("my_editor", {"command": "view", "path": "/a"}, "read"),
        ("my_editor", {"command": "create", "path": "/a", "file_text": "x"}, "write"),
        ("planner", {"command": "plan"}, "other"),
        ("think", {"command": "cat /x"}, "message"),
        ("search_code", {"code": "x"}, "other"),
        ("process", {"action": "list"}, "other"),
        ("lookup", {"input": "cat /x"}, "other"),
        ("lookup", '{"input": "cat /x', "other"),
        ("repl", {"code": "1 + 1"}, "code"),
    ],
)
def test_a_tool_that_runs_no_command_is_not_taken_for_a_shell(name: str, arguments: Any, kind: str) -> None:
    assert action_of(name, arguments).kind == kind


@pytest.mark.parametrize(
    ("name", "arguments", "url"),
    [
        ("fetch_fetch", {"url": "https://code.example/a"}, "https://code.example/a"),
        ("mcp__firecrawl__firecrawl_scrape", {"url": "https://code.example/a"}, "https://code.example/a"),
        ("mcp__chrome-devtools__navigate_page", {"url": "code.example/a"}, "code.example/a"),
        ("browse_interactive", {"browser_actions": "goto('https://code.example/a')\nnoop()"}, "https://code.example/a"),
        ("browser_run_code", {"code": "await page.goto(`https://code.example/a`)"}, "https://code.example/a"),
        ("mcp__github__get_file_contents", {"owner": "a", "repo": "b", "path": "c/d.py"}, "https://github.com/a/b/c/d.py"),
        ("github_get_file_contents", {"owner": "a", "repo": "b", "path": "/"}, "https://github.com/a/b"),
        ("mcp__github__pull_request_read", {"owner": "a", "repo": "b", "pullNumber": 3}, "https://github.com/a/b"),
    ],
)
def test_a_tool_that_reads_an_address_is_a_fetch_of_it(name: str, arguments: Any, url: str) -> None:
    made = action_of(name, arguments)
    assert (made.kind, made.url) == ("fetch", url)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("browse_interactive", {"browser_actions": "click('12')"}),
        ("browser_run_code", {"code": "await page.click('a')"}),
        ("mcp__github__create_pull_request", {"owner": "a", "repo": "b", "title": "c"}),
        ("mcp__github__get_file_contents", {"owner": 3, "repo": "b"}),
        ("get_record", {"url": "the homepage"}),
    ],
)
def test_a_tool_that_reads_no_address_is_no_fetch(name: str, arguments: Any) -> None:
    assert action_of(name, arguments).kind == "other"


def test_a_working_directory_is_kept() -> None:
    assert action_of("exec_command", {"cmd": "ls", "workdir": "/w"}).cwd == "/w"


def test_edits_hold_path_old_and_new_text() -> None:
    (edit,) = action_of("str_replace_editor", {"command": "str_replace", "path": "/a", "old_str": "x", "new_str": "y"}).edits
    assert (edit.path, edit.operation, edit.old, edit.new) == ("/a", "replace", "x", "y")


def test_a_patch_of_several_files_gives_an_edit_for_each() -> None:
    add = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n+y = 2\n"
    text = f"{add}*** Update File: b.py\n@@\n-a\n+b\n*** Delete File: c.py\n*** End Patch"
    edits = action_of("apply_patch", {"patch": text}).edits
    assert [(edit.path, edit.operation) for edit in edits] == [("a.py", "write"), ("b.py", "patch"), ("c.py", "delete")]
    assert edits[0].new == "x = 1\ny = 2\n"


def test_arguments_that_nothing_else_holds_are_kept_raw() -> None:
    assert action_of("unheard_of", {"x": 1}) == Action(kind="other", tool="unheard_of", arguments='{"x":1}')


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<returncode>2</returncode>\n<output>x</output>", 2),
        ("x\n[The command completed with exit code 1.]", 1),
        ("x\n[Command finished with exit code -1]", -1),
        ("Exit code 1\nboom", 1),
        ('{"output": "x", "metadata": {"exit_code": 3}}', 3),
        ("Process exited with code 0\nOutput:\nx", 0),
        ("<exit_code>7</exit_code>", 7),
        ("x" * 5000 + "\n[The command completed with exit code 4.]", 4),
        ("Exit code 5\n" + "x" * 5000, 5),
        ("x" * 3000 + "Exit code 6" + "x" * 3000, None),
        ("the exit code of the program", None),
        ("sys.exit(2)", None),
        ("", None),
    ],
)
def test_an_exit_code_is_read_where_harnesses_print_it(text: str, code: int | None) -> None:
    assert exit_code_of(text) == code
