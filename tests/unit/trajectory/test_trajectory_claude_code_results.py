from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_claude_code import agent, answered, bash, ran, result, said, use, user, write_lines
from made_files import only

from earned.records import Step, Trajectory

START = user("u1", "Fix it.")
COMMANDS = [
    START,
    agent("a1", bash("ls"), parent="u1"),
    answered("r1", "x.py", "a1", toolUseResult=ran("x.py"), is_error=False),
]


def read(folder: Path, *lines: dict[str, Any] | str, name: str = "task-1.jsonl") -> Trajectory:
    return only(write_lines(folder / name, lines))


def own(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def odd(made: Trajectory) -> str:
    return "\n".join(item.what for item in made.oddities)


def gaps(made: Trajectory) -> list[tuple[str, int]]:
    return [(reason.what, reason.step) for reason in made.completeness.reasons]


@pytest.mark.parametrize(
    ("text", "is_error", "twin", "code"),
    [
        ("ok", False, ran("ok"), 0),
        ("Exit code 3\noops", True, "Error: Exit code 3\noops", 3),
        ("(Bash completed with no output)", False, ran(returnCodeInterpretation="No matches found"), None),
        ("Command running in background with ID: b1", False, ran(backgroundTaskId="b1"), None),
        ("half", False, {**ran("half"), "interrupted": True}, None),
        ("ok", False, None, None),
        ("Exit code 1", False, ran("Exit code 1"), 0),
        ("ok", False, ran("ok", exitCode=4), 4),
    ],
)
def test_an_exit_code_is_what_the_record_says(tmp_path: Path, text: str, is_error: bool, twin: Any, code: int | None) -> None:
    lines = [START, agent("a1", bash("make"), parent="u1"), answered("r1", text, "a1", is_error=is_error, toolUseResult=twin)]
    seen = read(tmp_path, *lines).steps[1].observations[0]
    assert (seen.text, seen.exit_code) == (text, code)


def test_an_interrupted_command_is_said(tmp_path: Path) -> None:
    twin = {**ran("half"), "interrupted": True}
    made = read(tmp_path, START, agent("a1", bash("make"), parent="u1"), answered("r1", "half", "a1", toolUseResult=twin))
    assert "commands were interrupted (1)" in odd(made)
    assert "interrupted" not in odd(read(tmp_path, *COMMANDS, name="other.jsonl"))


@pytest.mark.parametrize(
    ("tool", "arguments", "text", "twin", "is_cut"),
    [
        ("Bash", {"command": "x"}, "<persisted-output>\nOutput too large (90KB). Full output saved to: /f", ran("all"), True),
        ("Bash", {"command": "x"}, "a\n\n... [12 lines truncated] ...\n\nb", ran("all"), True),
        ("Bash", {"command": "x"}, "commit 1f0\n[... 40 lines truncated ...]\n", ran("all"), True),
        ("Bash", {"command": "x"}, "the word truncated", ran("all"), False),
        ("Bash", {"command": "x"}, "short", ran("short", persistedOutputPath="/f"), True),
        ("Read", {"file_path": "/a"}, "1\tx", {"file": {"numLines": 1, "startLine": 1, "totalLines": 9}}, True),
        ("Read", {"file_path": "/a", "limit": 1}, "1\tx", {"file": {"numLines": 1, "startLine": 1, "totalLines": 9}}, False),
        ("Read", {"file_path": "/a"}, "1\tx", {"file": {"numLines": 1, "startLine": 1, "totalLines": 1}}, False),
        (
            "Read",
            {"file_path": "/a"},
            "... 12 lines truncated",
            {"file": {"numLines": 1, "startLine": 1, "totalLines": 1}},
            False,
        ),
        ("Glob", {"pattern": "*"}, "/a", {"filenames": ["/a"], "truncated": True}, True),
        ("Glob", {"pattern": "*"}, "/a", {"filenames": ["/a"], "truncated": False}, False),
        ("Grep", {"pattern": "x"}, "/a", {"mode": "content", "appliedLimit": 100}, True),
        ("Grep", {"pattern": "x", "head_limit": 100}, "/a", {"mode": "content", "appliedLimit": 100}, False),
        ("Grep", {"pattern": "x"}, "Error: result (90,000 characters) exceeds maximum allowed tokens.", None, True),
    ],
)
def test_what_was_left_out_of_a_result_is_known(
    tmp_path: Path, tool: str, arguments: dict[str, Any], text: str, twin: Any, is_cut: bool
) -> None:
    lines = [START, agent("a1", use(tool, arguments), parent="u1"), answered("r1", text, "a1", toolUseResult=twin)]
    made = read(tmp_path, *lines)
    assert made.steps[1].observations[0].truncated is is_cut
    assert made.completeness.grade == ("partial" if is_cut else "full")


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("The user doesn't want to proceed with this tool use. The tool use was rejected.", {}),
        ("Claude requested permissions to use Bash, but you haven't granted it yet.", {}),
        ("Permission to use Bash with command rm has been denied.", {}),
        ("This command requires approval", {}),
        ("<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>", {}),
        ("no reason that is known", {"toolDenialKind": "permission-rule"}),
    ],
)
def test_a_command_that_was_denied_is_no_act(tmp_path: Path, text: str, more: dict[str, Any]) -> None:
    call = agent("a1", bash("cat > /w/x.py <<'E'\nx = 1\nE"), parent="u1")
    made = read(tmp_path, START, call, answered("r1", text, "a1", is_error=True, **more))
    (action,) = made.steps[1].actions
    assert (action.kind, action.tool, action.command) == ("other", "Bash", "")
    assert "x = 1" in action.arguments
    assert made.submission.recovered == "none"


@pytest.mark.parametrize("more", [{}, {"toolDenialKind": "interrupted"}])
def test_a_command_that_failed_is_an_act(tmp_path: Path, more: dict[str, Any]) -> None:
    call = agent("a1", bash("make"), parent="u1")
    made = read(tmp_path, START, call, answered("r1", "Exit code 2\nerror", "a1", is_error=True, **more))
    assert (made.steps[1].actions[0].kind, made.steps[1].observations[0].exit_code) == ("shell", 2)


def test_an_edit_that_failed_changed_nothing(tmp_path: Path) -> None:
    write = agent("a1", use("Write", {"file_path": "/w/x.py", "content": "a = 1\n"}), parent="u1")
    edit = agent("a2", use("Edit", {"file_path": "/w/x.py", "old_string": "a = 1", "new_string": "a = 2"}, "c2"), parent="r1")
    done = [START, write, answered("r1", "File created successfully", "a1"), edit]
    kept = read(tmp_path, *done, answered("r2", "The file has been updated.", "a2", "c2"), name="a.jsonl")
    failed = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    left = read(tmp_path, *done, answered("r2", failed, "a2", "c2", is_error=True), name="b.jsonl")
    assert [[file.text for file in made.submission.files] for made in (kept, left)] == [["a = 2\n"], ["a = 1\n"]]


def test_server_tools_hidden_thoughts_and_images_are_shown(tmp_path: Path) -> None:
    hits = [{"type": "web_search_result", "title": "Fix", "url": "https://example.org/fix", "encrypted_content": "zzz"}]
    found = {"type": "web_search_tool_result", "tool_use_id": "w1", "content": hits}
    code = {"type": "code_execution_tool_result", "tool_use_id": "x1", "content": {"type": "r", "stdout": "2\n"}}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    made = read(
        tmp_path,
        START,
        agent(
            "a1",
            {"type": "redacted_thinking", "data": "zzz"},
            use("web_search", {"query": "the fix"}, "w1", "server_tool_use"),
            found,
            use("code_execution", {"code": "print(1 + 1)"}, "x1", "server_tool_use"),
            code,
            use("Read", {"file_path": "/w/a.png"}, "c1"),
            parent="u1",
        ),
        user("r1", [result([image, said("a picture")])], "a1"),
    )
    step = made.steps[1]
    assert step.reasoning == "[redacted]"
    assert [(action.kind, action.tool) for action in step.actions] == [
        ("search", "web_search"),
        ("other", "code_execution"),
        ("read", "Read"),
    ]
    assert step.actions[0].query == "the fix"
    assert [item.text for item in step.observations] == ["Fix https://example.org/fix", "2\n", "[image]\na picture"]


def test_a_command_in_the_background_and_what_it_printed(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        START,
        agent("a1", bash("make", "c1", run_in_background=True), parent="u1"),
        answered("r1", "Command running in background with ID: b1", "a1", "c1", toolUseResult=ran(backgroundTaskId="b1")),
        agent("a2", use("BashOutput", {"bash_id": "b1"}, "c2"), parent="r1"),
        answered("r2", "<status>completed</status>\n\n<exit_code>2</exit_code>\n\n<stdout>\nno\n</stdout>", "a2", "c2"),
        agent("a3", use("KillShell", {"shell_id": "b1"}, "c3"), parent="r2"),
        answered("r3", "Successfully killed shell: b1", "a3", "c3"),
    )
    assert [step.actions[0].kind for step in own(made)] == ["shell", "other", "other"]
    assert [step.observations[0].exit_code for step in own(made)] == [None, 2, None]
    assert made.completeness.grade == "full"


def test_a_result_without_its_call_is_a_gap(tmp_path: Path) -> None:
    made = read(tmp_path, *COMMANDS, answered("r9", "strange", "r1", "unknown-call"))
    assert ("a result answers a call that is not in the record", 2) in gaps(made)
    assert (made.steps[2].actor, made.steps[2].observations[0].text) == ("environment", "strange")


def test_results_without_ids_answer_calls_without_ids_in_their_order(tmp_path: Path) -> None:
    calls = [{"type": "tool_use", "name": "Bash", "input": {"command": command}} for command in ("ls", "pwd")]
    answers = [{"type": "tool_result", "content": text} for text in ("x.py", "/w")]
    made = read(tmp_path, START, agent("a1", *calls, parent="u1"), user("r1", answers, "a1"))
    assert [(item.text, item.action) for item in made.steps[1].observations] == [("x.py", 0), ("/w", 1)]


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("Monitor", {"command": "tail -f log"}, "shell"),
        ("Write", {"file_path": "/w/a", "content": "x"}, "write"),
        ("MultiEdit", {"file_path": "/w/a", "edits": [{"old_string": "a", "new_string": "b"}]}, "edit"),
        ("NotebookEdit", {"notebook_path": "/w/a.ipynb", "new_source": "x"}, "edit"),
        ("Glob", {"pattern": "*.py"}, "search"),
        ("WebFetch", {"url": "https://example.org", "prompt": "the fix"}, "fetch"),
        ("WebSearch", {"query": "the fix"}, "search"),
        ("TodoWrite", {"todos": []}, "message"),
        ("ExitPlanMode", {"plan": "first"}, "message"),
        ("Task", {"prompt": "Look."}, "other"),
        ("mcp__files__read_file", {"path": "/w/a"}, "read"),
        ("Unheard", {"x": 1}, "other"),
        ("Bash", {"command": ["ls", "-a"]}, "shell"),
        ("Bash", "ls", "shell"),
        ("Bash", None, "shell"),
    ],
)
def test_each_tool_is_the_kind_of_act_that_it_is(tmp_path: Path, name: str, arguments: Any, kind: str) -> None:
    made = read(tmp_path, START, agent("a1", use(name, arguments), parent="u1"))
    assert (made.steps[1].actions[0].kind, made.steps[1].actions[0].tool) == (kind, name)
