from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from made_files import candidates, only, write_text
from made_terminal import acts, own, plain, read_log, session, trial_folder, typed

from earned.trajectory.reading import Reading
from earned.trajectory.terminal.keys import is_named_key, keys_of, typed_in
from earned.trajectory.terminal.log import read_log_text, width_of


def test_commands_at_a_prompt_are_the_agents_acts_with_their_output(tmp_path: Path) -> None:
    made = read_log(tmp_path, session(typed("ls -la", "total 0\na.py"), typed("cat a.py", "a = 1")))
    assert acts(made) == [("ls -la", "total 0\na.py"), ("cat a.py", "a = 1")]
    assert {(action.kind, action.tool, action.cwd) for step in own(made) for action in step.actions} == {
        ("shell", "terminal", "/app")
    }
    assert made.completeness.grade == "terminal_text"
    assert own(made)[0].source == "sessions/agent.log#line 4"


def test_what_the_harness_types_is_not_the_agents(tmp_path: Path) -> None:
    made = read_log(tmp_path, session(typed("ls", "a.py")))
    told = [(step.actor, step.actions[0].command) for step in made.steps if step.actions]
    assert told == [("harness", "asciinema rec --stdin /logs/agent.cast"), ("harness", "clear"), ("agent", "ls")]


def test_the_wait_that_the_harness_puts_behind_a_command_is_nobodys(tmp_path: Path) -> None:
    assert acts(read_log(tmp_path, session(typed("ls; tmux wait -S done", "a.py")))) == [("ls", "a.py")]


def test_a_here_document_is_one_command(tmp_path: Path) -> None:
    command = "cat > a.py <<'EOF'\nprint(1)\n\nEOF"
    assert acts(read_log(tmp_path, session(typed(command), typed("ls", "a.py")))) == [(command, ""), ("ls", "a.py")]
    unmarked = plain("cat > a.py <<'EOF'") + "".join(f"> {line}\r\n" for line in command.split("\n")[1:]) + plain("ls", "a.py")
    assert acts(read_log(tmp_path / "b", unmarked)) == [(command, ""), ("ls", "a.py")]


def test_a_line_that_begins_like_a_continuation_is_output_behind_a_whole_command(tmp_path: Path) -> None:
    assert acts(read_log(tmp_path, plain("cat mail", "> quoted"))) == [("cat mail", "> quoted")]
    assert acts(read_log(tmp_path / "b", session(typed("cat mail", "> quoted")))) == [("cat mail", "> quoted")]


@pytest.mark.parametrize("command", ["echo 'a\nb'", 'echo "a\nb"', "ls &&\npwd", "ls \\\n-l", "cat <<X\na\nX"])
def test_a_command_goes_on_while_the_shell_asks_for_more(tmp_path: Path, command: str) -> None:
    first, *more = command.split("\n")
    log = plain(first) + "".join(f"> {line}\r\n" for line in more) + "done\r\n" + plain("pwd", "/app")
    assert acts(read_log(tmp_path, log)) == [(command, "done"), ("pwd", "/app")]


def test_a_command_that_the_terminal_wrapped_is_whole(tmp_path: Path) -> None:
    command = "echo " + "word " * 80 + "end"
    shown = typed(command, "ok")
    assert acts(read_log(tmp_path, session(shown))) == [(command, "ok")]


def test_a_prompt_behind_output_without_a_line_end_is_a_prompt(tmp_path: Path) -> None:
    log = session(typed("ls", "a"), typed("printf x"), "x", typed("pwd", "/app"))
    assert acts(read_log(tmp_path, log)) == [("ls", "a"), ("printf x", "x"), ("pwd", "/app")]


def test_a_program_that_prints_a_prompt_makes_no_act_where_the_line_editor_marks_its_own(tmp_path: Path) -> None:
    fake = "root@c8eed1ca2e5b:/app# git log --all\n$ ls"
    assert acts(read_log(tmp_path, session(typed("cat transcript", fake)))) == [("cat transcript", fake)]


@pytest.mark.parametrize(
    "prompt", ["(venv) root@c8eed1ca2e5b:~/x# ", "[user@host app]$ ", "agent@host:/srv/a b$ ", "bash-5.2# ", "sh-5.1$ "]
)
def test_prompts_of_other_shells_are_known(tmp_path: Path, prompt: str) -> None:
    assert acts(read_log(tmp_path, plain("ls", "a", prompt=prompt) + plain("pwd", "/", prompt=prompt))) == [
        ("ls", "a"),
        ("pwd", "/"),
    ]


def test_a_bare_prompt_is_one_only_where_its_command_was_typed(tmp_path: Path) -> None:
    log = plain("ls", "$ not typed", prompt="$ ") + plain("pwd", "/", prompt="$ ")
    assert acts(read_log(tmp_path, log, commands=["ls\n", "pwd\n"])) == [("ls", "$ not typed"), ("pwd", "/")]
    assert acts(read_log(tmp_path / "b", log)) == []


def test_a_shell_within_the_shell_shows_acts_where_they_were_typed(tmp_path: Path) -> None:
    log = session(typed("sh", "# whoami\nroot\n# exit"))
    made = read_log(tmp_path, log, commands=["sh\n", "whoami\n", "exit\n"])
    assert [command for command, _ in acts(made)] == ["sh", "whoami", "exit"]
    assert acts(read_log(tmp_path / "b", log)) == [("sh", "# whoami\nroot\n# exit")]


def test_keys_that_no_prompt_shows_are_acts_in_between(tmp_path: Path) -> None:
    log = session(typed("vim a.py", "\x1b[?1049h\x1b[1;1Hhello\x1b[?1049l"), typed("ls", "a.py"))
    made = read_log(tmp_path, log, commands=["vim a.py\n", "ihello", ["Escape"], ":wq\n", "ls\n"])
    assert [command for command, _ in acts(made)] == ["vim a.py", "ihello", "Escape", ":wq", "ls"]
    assert [step.actions[0].kind for step in own(made)] == ["shell", "other", "other", "other", "shell"]


ERASE = "\x1b[1A\x1b[2K"


def test_a_command_that_was_typed_is_an_act_also_where_its_prompt_was_erased(tmp_path: Path) -> None:
    log = plain("ls", "a.py") + plain("cp /x a.py; cat f") + ERASE + plain("ls") + plain("id", "root")
    made = read_log(tmp_path, log, commands=["ls\n", "cp /x a.py; cat f\n", "id\n"])
    assert [(step.actions[0].kind, step.actions[0].command) for step in own(made)][1:2] == [("shell", "cp /x a.py; cat f")]
    assert [command for command, _ in acts(made)][-1] == "id"


@pytest.mark.parametrize("erase", [ERASE, "\x1b[1A\x1b[J", "\x1b[1A\x1b[M", "\x1b[1A\x1b[200P", "\x1b[1A\x1b[200X", "\x1b[1A"])
def test_a_command_that_was_erased_and_is_listed_nowhere_is_a_gap(tmp_path: Path, erase: str) -> None:
    log = plain("ls", "a.py") + plain("cp /x a.py") + f"{erase}\r" + plain("echo hello") + plain("id", "root")
    told = [reason for reason in read_log(tmp_path, log).completeness.reasons if "cp /x a.py" in reason.what]
    assert [reason.hides_acts for reason in told] == [True]


@pytest.mark.parametrize(
    "log",
    [
        plain("make", "me@host 10%\x1b[2K\r\x1b[Ame@host 20%") + plain("ls", "a"),
        plain("ls -l\r\x1b[Kroot@c8eed1ca2e5b:/app# ls", "a"),
        typed("echo " + "word " * 40 + "\x1b[A\r\x1b[Jroot@c8eed1ca2e5b:/app# ls", "a"),
        plain("ls", "a") + "\x1b[H\x1b[2J" + plain("ls", "a") + "\x1b[H\x1b[J" + plain("id", "b"),
        plain("top") + "\x1b[?1049h\x1b[Hroot@c:/# x\x1b[2K\x1b[?1049l" + plain("ls", "a"),
        plain("ls") + "\x1b[1A\r" + plain("ls", "a"),
    ],
)
def test_a_screen_that_is_cleared_or_edited_hides_no_command(tmp_path: Path, log: str) -> None:
    assert not [reason for reason in read_log(tmp_path, log).completeness.reasons if "written over" in reason.what]


def test_after_an_editor_was_left_what_no_prompt_shows_is_a_command(tmp_path: Path) -> None:
    log = session(typed("vim a.py", "\x1b[?1049h\x1b[1;1Hhello\x1b[?1049l"), typed("ls", "a.py"))
    made = read_log(tmp_path, log, commands=["vim a.py\n", "ihello", ["Escape"], ":wq\n", "rm a.py\n", "ls\n"])
    assert [step.actions[0].kind for step in own(made)] == ["shell", "other", "other", "other", "shell", "shell"]


@pytest.mark.parametrize("start", ["python3", "./adventure", "cat > a.txt"])
def test_what_a_program_echoes_went_into_it(tmp_path: Path, start: str) -> None:
    log = session(typed(start, ">>> look around\nYou see a mailbox."), typed("ls", "a.py"))
    made = read_log(tmp_path, log, commands=[f"{start}\n", "look around\n", "ls\n"])
    assert [step.actions[0].kind for step in own(made)] == ["shell", "other", "shell"]


@pytest.mark.parametrize("show", [plain, typed])
@pytest.mark.parametrize("fake", ["cat /solution.sh", "clear", "source /installed-agent/x.sh", "ls -la"])
def test_a_prompt_whose_command_was_not_typed_is_output(tmp_path: Path, show: Callable[..., str], fake: str) -> None:
    log = show("cat notes") + show(fake, "SECRET") + show("ls", "a")
    made = read_log(tmp_path, log, commands=["cat notes\n", "ls\n"])
    assert [command for command, _ in acts(made)] == ["cat notes", "ls"]
    assert "SECRET" in acts(made)[0][1]


def test_without_a_list_of_what_was_typed_every_prompt_shows_an_act(tmp_path: Path) -> None:
    made = read_log(tmp_path, plain("cat notes") + plain("cat /solution.sh", "SECRET") + plain("ls", "a"))
    assert [command for command, _ in acts(made)] == ["cat notes", "cat /solution.sh", "ls"]


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ([["ls"], ["Enter"]], ["ls"]),
        ([["ba", "sh x", "Enter"]], ["bash x"]),
        ([["ba"], ["sh x", "Enter"]], ["bash x"]),
        ([["cat /sol", "Tab", "Enter"]], ["cat /solution"]),
        (["cat\t/s\n"], ["cat a /s"]),
        (["ls\n", ["Up", "Enter"]], ["ls", "ls"]),
        (["ls\n", ["Up"], " -v\n"], ["ls", "ls -v"]),
        (["ls\npwd\n"], ["ls", "pwd"]),
        (["echo  'a   b'; tmux wait -S done", ["Enter"]], ["echo  'a   b'"]),
    ],
)
def test_a_line_that_keys_made_is_one_that_was_typed(tmp_path: Path, keys: list[object], shown: list[str]) -> None:
    made = read_log(tmp_path, "".join(plain(command, "x") for command in shown), commands=keys)
    assert [step.actions[0].command for step in own(made) if step.actions[0].kind == "shell" and step.observations] == shown


@pytest.mark.parametrize(
    ("keys", "gaps"),
    [
        (["ls\n", "cat p x\n"], 1),
        (["ls\n", "cat p x\n", "ls\n"], 0),
        (["ls\ncat p x\nls\n"], 0),
        (["ls\n", "cat p x\n", ["Up", "Up", "Enter"]], 0),
        ([["ls"], ["Enter"], "cat p x\n", ["ls"], ["Enter"]], 0),
    ],
)
def test_a_prompt_that_shows_a_command_more_often_than_it_was_typed_is_a_gap(
    tmp_path: Path, keys: list[object], gaps: int
) -> None:
    made = read_log(tmp_path, plain("ls", "p") + plain("cat p x") + plain("ls", "SECRET"), commands=keys)
    assert [reason.hides_acts for reason in made.completeness.reasons if "more often" in reason.what] == [True] * gaps


def test_where_only_the_harness_typed_through_the_list_the_prompts_are_the_agents(tmp_path: Path) -> None:
    keys = [["asciinema rec --stdin /logs/agent.cast", "Enter"], ["clear", "Enter"], ["C-d"]]
    assert acts(read_log(tmp_path, session(typed("ls", "a")), commands=keys)) == [("ls", "a")]


def test_typed_commands_alone_are_acts_without_results(tmp_path: Path) -> None:
    keys = [["asciinema rec --stdin /logs/agent.cast", "Enter"], ["clear", "Enter"], "ls -la\n", ["C-c"], ["C-d"]]
    made = only(trial_folder(tmp_path, commands=keys))
    assert [(step.actions[0].kind, step.actions[0].text) for step in own(made)] == [("shell", "ls -la"), ("other", "C-c")]
    assert own(made)[0].source == "commands.txt#line 3"
    assert made.completeness.grade == "terminal_text"
    assert [reason.what for reason in made.completeness.reasons] == ["the call of terminal has no result"] * 2


def test_the_benchmarks_own_solution_is_not_an_agents_act(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("bash /oracle/solution.sh", "solved"), typed("ls", "a")))
    write_text(home.parents[1] / "run_metadata.json", '{"run_id": "run-1", "agent_name": "oracle"}')
    made = only(home)
    assert own(made) == []
    assert made.completeness.grade == "none"
    assert any("no agent acted" in reason.what for reason in made.completeness.reasons)


def test_tests_that_ran_in_the_agents_terminal_are_the_graders(tmp_path: Path) -> None:
    log = session(typed("ls", "a.py"), typed("bash /tests/run-tests.sh", "1 passed"))
    made = read_log(tmp_path, log)
    graders = [step for step in made.steps if step.actor == "grader"]
    assert [step.actions[0].command for step in graders] == ["bash /tests/run-tests.sh"]
    assert acts(made) == [("ls", "a.py")]


def test_an_agent_that_runs_the_tests_itself_did_so(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("bash /tests/run-tests.sh", "1 failed"), typed("ls", "a.py")))
    write_text(home / "sessions" / "tests.log", "1 passed\n")
    assert [command for command, _ in acts(only(home))] == ["bash /tests/run-tests.sh", "ls"]


def test_a_pane_is_read_where_there_is_no_log(tmp_path: Path) -> None:
    home = trial_folder(tmp_path)
    long = "x" * 150
    rows = [
        f"root@c:/app# echo {long}"[:160],
        f"root@c:/app# echo {long}"[160:],
        long,
        "root@c:/app# ls",
        "a.py",
        "root@c:/app#",
        "",
    ]
    write_text(home / "panes" / "post-agent.txt", "\n".join(rows))
    assert acts(only(home)) == [(f"echo {long}", long), ("ls", "a.py")]


def test_a_log_over_the_limit_is_read_up_to_it_and_said_to_be_cut(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=typed("ls", "a.py") * 3000)
    reading = Reading(candidates(home)[0])
    path = next(name for name in reading.candidate.files if name.endswith("agent.log"))
    assert not read_log_text(reading, path).is_cut
    assert read_log_text(reading, path, limit=1000).is_cut


@pytest.mark.parametrize(
    ("lines", "commands"),
    [
        (["['ls', 'Enter']"], ["ls"]),
        (["'ls -la\\n'"], ["ls -la"]),
        (["['ba', 'sh x', 'Enter']"], ["bash x"]),
        (["['cat <<EOF\\nx\\nEOF\\n']"], ["cat <<EOF\nx\nEOF"]),
        (["['vim a', 'Enter', 'ihi', 'Escape', ':wq', 'Enter']"], ["vim a", "ihi", "Escape", ":wq"]),
        (["['C-c']", "['\\n']", "['ls\\n']"], ["C-c", "ls"]),
        (['["it\'s", "Enter"]'], ["it's"]),
        (["['\\x03\\u00e9\\U0001f389\\t', 'Enter']"], ["\x03é🎉\t"]),
        (["import os", "[1, 2]", "['open"], []),
    ],
)
def test_keys_are_joined_until_enter(lines: list[str], commands: list[str]) -> None:
    assert [item.text for item in typed_in(enumerate(lines, 1))] == commands


def test_a_key_is_a_name_that_tmux_knows() -> None:
    assert all(map(is_named_key, ["C-c", "M-x", "C-M-a", "Escape", "F12", "^C", "C-Up"]))
    assert not any(map(is_named_key, ["C-ax", "ls", "Enter\n", "", "C", "F123"]))


def test_nothing_that_was_typed_is_evaluated() -> None:
    assert keys_of("[__import__('os').getcwd(), 'ls']") == ["os", "ls"]
    assert keys_of("print('x')") == []


@pytest.mark.parametrize("width", [60, 80, 132, 160])
def test_a_raw_logs_width_is_told_by_where_the_line_editor_broke_what_was_typed(tmp_path: Path, width: int) -> None:
    command = "echo " + " ".join(f"word{number}" for number in range(60))
    first = width - len("root@c8eed1ca2e5b:/app# ")
    rows = [command[:first], *(command[at : at + width] for at in range(first, len(command), width))]
    made = read_log(tmp_path, session(typed(" \r".join(rows), "done"), typed("ls", "a.py")))
    assert [text for text, _ in acts(made)] == [command, "ls"]


def test_a_log_in_which_no_typed_line_was_broken_has_the_width_of_terminal_bench() -> None:
    text = session(typed("ls", "a.py"), "spinning \r\x1b[2Kdone\r\n")
    assert (width_of(text), width_of("")) == (160, 160)
