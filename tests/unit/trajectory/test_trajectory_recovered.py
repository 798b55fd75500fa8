"""What is no part of a submission: another repository's diff, half a diff, edits that did not take place."""

from __future__ import annotations

from typing import Any

import pytest

from earned.records import Step, Submission
from earned.trajectory import recover
from earned.trajectory.steps import observation
from earned.trajectory.tools import action_of

DIFF = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
Call = tuple[str, dict[str, Any], str]


def bash(command: str, result: str = "") -> Call:
    return ("bash", {"command": command}, result)


def write(path: str, result: str = "ok") -> Call:
    return ("write_file", {"path": path, "content": "x = 1\n"}, result)


def recovered(*calls: Call) -> Submission:
    return recover(
        [
            Step(index=number, actor="agent", actions=(action_of(name, arguments),), observations=(observation(result, 0),))
            for number, (name, arguments, result) in enumerate(calls)
        ]
    )


@pytest.mark.parametrize("command", ["cd /tmp/other && git diff", "git -C /tmp/other diff", "(cd /other; git diff HEAD)"])
def test_the_diff_of_another_repository_than_that_of_the_edits_is_not_the_submission(command: str) -> None:
    made = recovered(write("/app/fix.py"), bash(command, DIFF))
    assert (made.recovered, [file.path for file in made.files], made.patch) == ("edits_replayed", ["/app/fix.py"], "")


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("/app/x.py", "cd /app && git diff"),
        ("/app/x.py", "git -C /app diff"),
        ("/app/x.py", "cd /app/src && git diff"),
        ("/tmp/work/fix.py", "cd /tmp/work && git diff"),
        ("/tmp/try.py", "cd /app && git diff"),
        ("x.py", "cd /app && git diff"),
        ("/app/x.py", "git diff"),
    ],
)
def test_the_diff_of_the_repository_of_the_edits_is(path: str, command: str) -> None:
    made = recovered(write(path), bash(command, DIFF))
    assert (made.recovered, made.certainty, made.patch) == ("last_diff", "likely", DIFF)


@pytest.mark.parametrize(
    "command",
    [
        "cat /w/x.diff # git diff",
        "echo git diff; cat x.diff",
        "git diff && cat x.diff",
        "cat x.diff || git diff",
        "git diff; cat <<'E'\n@@ -1 +1 @@\n+z\nE",
        "git diff; echo '@@ -1 +1 @@'; echo +z",
        "git diff; git show HEAD~1",
        "git log -p; git diff",
        "git diff > p; cat p x.diff",
        "git diff > p; cat x.diff",
        "git diff > p",
        "bash -c 'git diff | head -5'",
        "bash -c 'git diff' | head -5",
        "git diff; python -c 'print(open(\"x\").read())'",
        "x=$(git diff); cat x.diff",
    ],
)
def test_a_diff_beside_what_may_print_another_is_not_the_submission(command: str) -> None:
    assert recovered(bash(command, DIFF)).recovered == "none"
    assert recovered(write("/w/x.py"), bash(command, DIFF)).recovered == "edits_replayed"


@pytest.mark.parametrize(
    "command",
    [
        "git status --short; echo '--- diff ---'; git diff",
        "cd /w && ls -la && git add -A && git diff --cached --no-color",
        "git diff --stat && git --no-pager diff",
        "git log --oneline -3; git diff HEAD",
        "git diff > p.diff && wc -l p.diff && cat ./p.diff",
        "bash -lc 'cd /w && git diff'",
        "timeout 9 git diff",
        "git diff # all of it",
    ],
)
def test_a_diff_beside_what_prints_none_is(command: str) -> None:
    made = recovered(write("/w/x.py"), bash(command, DIFF))
    assert (made.recovered, made.certainty, made.patch) == ("last_diff", "likely", DIFF)


@pytest.mark.parametrize("command", ["pytest -q; git diff", "git diff; python fix.py", "./run.sh && git diff"])
def test_a_diff_beside_the_output_of_a_program_is_weak(command: str) -> None:
    made = recovered(write("/w/x.py"), bash(command, DIFF))
    assert (made.recovered, made.certainty, made.patch) == ("last_diff", "weak", DIFF)


@pytest.mark.parametrize(("other", "way"), [("cat x.diff", "none"), ("ls", "last_diff")])
def test_a_result_of_several_commands_is_looked_at_with_all_of_them(other: str, way: str) -> None:
    actions = (action_of("bash", {"command": other}), action_of("bash", {"command": "git diff"}))
    assert recover([Step(index=0, actor="agent", actions=actions, observations=(observation(DIFF, -1),))]).recovered == way


@pytest.mark.parametrize(
    ("calls", "files"),
    [
        ([write("/w/x.py"), write("/w/new.py")], ["/w/new.py"]),
        ([write("/w/new.py"), bash("cd /w && git add . && git commit -qm x"), write("/w/x.py")], ["/w/new.py"]),
        ([write("/w/x.py"), write("/tmp/new.py")], []),
        ([write("/w/x.py"), write("/w/repro.py"), bash("rm /w/repro.py")], []),
    ],
)
def test_what_the_agent_wrote_and_a_diff_does_not_show_stands_beside_it(calls: list[Call], files: list[str]) -> None:
    made = recovered(*calls, bash("cd /w && git diff", DIFF))
    assert (made.patch, [file.path for file in made.files]) == (DIFF, files)
    assert made.certainty == ("weak" if files else "likely")


def test_an_edit_that_a_diff_does_not_show_stands_behind_it() -> None:
    edit = ("str_replace", {"path": "/w/y.py", "old_str": "q", "new_str": "hidden"}, "ok")
    made = recovered(edit, bash("cd /w && git add x.py && git diff --cached", DIFF))
    assert (made.certainty, "+hidden" in made.patch) == ("weak", True)


@pytest.mark.parametrize("command", ["git stash", "git stash -u", "git stash push -m x", "git reset --hard", "git checkout ."])
def test_a_diff_whose_changes_are_taken_back_is_not_likely(command: str) -> None:
    assert recovered(bash("git diff", DIFF), bash(command)).certainty == "weak"


@pytest.mark.parametrize("command", ["git stash list", "git stash show -p", "git reset", "git log"])
def test_a_diff_whose_changes_stay_is_likely(command: str) -> None:
    assert recovered(bash("git diff", DIFF), bash(command)).certainty == "likely"


@pytest.mark.parametrize(
    "pipe",
    [
        "| head -5",
        "| tail -n 6",
        "| grep '^+'",
        "2>&1 | sed -n 1,9p",
        "| cat | head",
        "> p && head -9 p",
        "| awk 1",
        "|& cut -c1-80",
    ],
)
def test_a_diff_that_a_pipe_may_cut_is_not_whole(pipe: str) -> None:
    assert recovered(bash(f"git diff {pipe}", DIFF)).recovered == "none"


@pytest.mark.parametrize(
    "rest", ["| cat", "| tee p.diff", "2>&1 | less", "| head -50", "| tail -n 50", "; ls | head -5", "|| head x", "> p; cat p"]
)
def test_a_diff_that_nothing_cuts_is_whole(rest: str) -> None:
    assert recovered(bash(f"git diff {rest}", DIFF)).patch == DIFF


@pytest.mark.parametrize("behind", ["fatal: x\n", "warning: CRLF\n\nfatal: y", "\n$ ls\na.py\n", "bash: no such command\n"])
def test_lines_behind_a_diff_are_no_part_of_it(behind: str) -> None:
    assert recovered(bash("git diff; false", DIFF + behind)).patch == DIFF


def test_all_parts_of_a_diff_are_kept() -> None:
    other = (
        "diff --git a/y b/z\nsimilarity index 90%\nrename from y\nrename to z\nindex 1..2 100644\n--- a/y\n+++ b/z\n"
        "@@ -1,3 +1,2 @@ def f():\n a\n--- b\n\n\\ No newline at end of file\n@@ -9,0 +9 @@\n+c\n"
        "diff --git a/q b/q\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/q differ\n"
        "diff --git a/r b/r\nindex 0..1\nGIT binary patch\nliteral 4\nLc$abc\n\nliteral 0\nHcmV?d00001\n"
    )
    assert recovered(bash("git diff", DIFF + other)).patch == DIFF + other
    assert recovered(bash("git diff; git diff --cached", f"{DIFF}---\n{other}")).patch == DIFF + other


def test_a_hunk_of_other_lines_than_it_says_is_kept_as_it_stands() -> None:
    odd = DIFF.replace("-1 +1", "-1,9 +1,9") + "fatal: x\n"
    assert recovered(bash("git diff", odd)).patch == odd


@pytest.mark.parametrize(
    "result",
    [
        "<tool_use_error>File has not been read yet.</tool_use_error>",
        "Permission denied by user",
        "The user doesn't want to proceed with this tool use.",
        "EACCES: permission denied, open '/app/a.py'",
        "Read-only file system",
        "PreToolUse:Write hook error: blocked by policy",
        "Unknown tool: Write",
        "Tool 'Write' not found",
        '{"success": false, "error": "EPERM"}',
        '{"error":"denied"}',
        "[Request interrupted by user for tool use]",
        "Could not write file: disk full",
        "Traceback (most recent call last):\nPermissionError: [Errno 13]",
    ],
)
def test_an_edit_that_was_refused_did_not_take_place(result: str) -> None:
    assert recovered(write("/app/a.py", result)).recovered == "none"


@pytest.mark.parametrize(
    "result",
    [
        "ok",
        "File written. Permission denied errors are now handled in it.",
        "",
        '{"success": true, "error": null}',
        '{"error": "", "path": "/app/a.py"}',
        '{"error": null}',
        "Tool 'Write' finished: found 3 files",
    ],
)
def test_an_edit_that_was_not_refused_did(result: str) -> None:
    assert recovered(write("/app/a.py", result)).recovered == "edits_replayed"


@pytest.mark.parametrize(("code", "way"), [(1, "none"), (0, "edits_replayed"), (None, "edits_replayed")])
def test_an_edit_whose_result_is_an_error_did_not_take_place(code: int | None, way: str) -> None:
    action = action_of("write_file", {"path": "/app/a.py", "content": "x = 1\n"})
    seen = (observation("nope", 0, exit_code=code),)
    assert recover([Step(index=0, actor="agent", actions=(action,), observations=seen)]).recovered == way


@pytest.mark.parametrize(
    ("command", "result"),
    [
        ("[ -f /nope ] && echo x > z.py", ""),
        ("[[ -f /nope ]] && echo x > z.py", ""),
        ("test -d q || echo x > z.py", ""),
        ("grep -q q q.py && mkdir q && echo x > z.py", ""),
        ("pytest -q && echo x > z.py", ""),
        ("if [ -f q ]; then\necho x > z.py\nelse\necho y > z.py\nfi", ""),
        ("echo x > z.py\n)", "bash: line 2: syntax error near unexpected token `)'"),
    ],
)
def test_what_a_shell_may_not_have_written_is_weak(command: str, result: str) -> None:
    made = recovered(bash(command, result))
    assert ([file.path for file in made.files], made.certainty) == (["z.py"], "weak")


@pytest.mark.parametrize(("code", "certainty"), [(0, "likely"), (1, "weak"), (None, "weak")])
def test_that_a_command_ended_well_answers_its_question(code: int | None, certainty: str) -> None:
    action = action_of("bash", {"command": "[ -f q ] && echo x > z.py"})
    seen = (observation("", 0, exit_code=code),)
    assert recover([Step(index=0, actor="agent", actions=(action,), observations=seen)]).certainty == certainty


def test_what_git_cleans_away_is_gone_where_it_says_so_and_else_not_known() -> None:
    assert recovered(write("/w/new.py"), bash("cd /w && git clean -fd", "Removing new.py\n")).recovered == "none"
    kept = recovered(write("/w/x.py"), bash("cd /w && git clean -fd", "Removing new.py\n"))
    assert ([file.path for file in kept.files], kept.certainty) == (["/w/x.py"], "likely")
    silent = recovered(write("/w/x.py"), bash("cd /w && git clean -fdq"))
    assert ([file.path for file in silent.files], silent.certainty) == (["/w/x.py"], "weak")
    assert recovered(bash("cd /w && git clean -fd"), write("/w/new.py")).certainty == "likely"


@pytest.mark.parametrize(
    ("command", "way"),
    [
        ("git checkout . && git clean -fdq", "none"),
        ("git clean -fd; git reset --hard", "none"),
        ("git checkout . && git clean -fdq -e '*.py'", "edits_replayed"),
        ("git checkout . ; git clean -fdq sub", "edits_replayed"),
    ],
)
def test_a_tree_that_git_put_back_and_cleaned_holds_nothing_of_the_agents(command: str, way: str) -> None:
    assert recovered(write("/w/new.py"), bash(f"cd /w && {command}")).recovered == way


DOCUMENT = "<<'EOF'\nz\nEOF"


@pytest.mark.parametrize(
    ("command", "result"),
    [
        (f"cat > /ro/z.py {DOCUMENT}", "bash: /ro/z.py: Read-only file system"),
        (f"cat > /ro/z.py {DOCUMENT}", "bash: line 1: /ro/z.py: Permission denied"),
        (f"cat > /ro/z.py {DOCUMENT}", "zsh: no such file or directory: /ro/z.py"),
        (f"cat > /ro/z.py {DOCUMENT}", "sh: 1: cannot create /ro/z.py: Permission denied"),
        (f"false && cat > z.py {DOCUMENT}", ""),
        (f"true || cat > z.py {DOCUMENT}", ""),
        (f"cd /none && cat > z.py {DOCUMENT}", "bash: cd: /none: No such file or directory"),
        (f"cd /none && cat > z.py {DOCUMENT}", "sh: 1: cd: can't cd to /none"),
    ],
)
def test_what_a_shell_did_not_write_is_no_part_of_it(command: str, result: str) -> None:
    assert recovered(bash(command, result)).recovered == "none"


@pytest.mark.parametrize(
    ("command", "result"),
    [
        (f"cat > z.py {DOCUMENT}", "bash: /ro/q.py: Read-only file system"),
        (f"false; cat > z.py {DOCUMENT}", ""),
        (f"false || cat > z.py {DOCUMENT}", ""),
        (f"true && cat > z.py {DOCUMENT}", ""),
        (f"false && ls\ncat > z.py {DOCUMENT}", ""),
        (f"[ -f q ] && ls; cat > z.py {DOCUMENT}", ""),
        (f"grep -q q q\ncat > z.py {DOCUMENT}", ""),
        (f"mkdir -p q && cat > z.py {DOCUMENT}", ""),
        (f"if [ -f q ]; then ls; fi; cat > z.py {DOCUMENT}", ""),
        ("cat > z.py <<'EOF' && cd /none\nz\nEOF", "bash: cd: /none: No such file or directory"),
        (f"cat > z.py {DOCUMENT}", "the text says syntax error near unexpected token"),
    ],
)
def test_what_a_shell_wrote_is(command: str, result: str) -> None:
    made = recovered(bash(command, result))
    assert ([(file.path, file.text) for file in made.files], made.certainty) == ([("z.py", "z\n")], "likely")


@pytest.mark.parametrize(
    ("command", "certainty"),
    [
        ("cat > z.sh <<EOF\n$HOME\nEOF", "weak"),
        ("cat > z.sh <<EOF\nx=$(date)\nEOF", "weak"),
        ("cat <<-END > z.sh\na\n`date`\nEND", "weak"),
        ('echo "$HOME" > z.sh', "weak"),
        ("echo $(date) > z.sh", "weak"),
        ("echo `date` | tee z.sh", "weak"),
        ("printf '%s\\n' \"$A\" >> z.sh", "weak"),
        ("echo 'it'\"s $A\" > z.sh", "weak"),
        ('echo "first\nx $A" | tee z.sh', "weak"),
        ("{ echo a; echo $A; } > z.sh", "weak"),
        ('cat <<< "$A" > z.sh', "weak"),
        ("cat <<EOF | tee z.sh\n${A}\nEOF", "weak"),
        ("bash -c 'echo \"$HOME\" > z.sh'", "weak"),
        ("bash <<'EOF'\ncat > z.sh <<END\n$A\nEND\nEOF", "weak"),
        ("cat > a.sh <<EOF\n$HOME\nEOF\nmv a.sh z.sh", "weak"),
        ("python - <<EOF\nopen('z.sh', 'w').write('$HOME')\nEOF", "weak"),
        ("git apply <<EOF\n--- a/z.sh\n+++ b/z.sh\n@@ -1 +1 @@\n-a\n+$A\nEOF", "weak"),
        ("echo '$HOME' > z.sh", "likely"),
        ('echo "\\$HOME" > z.sh', "likely"),
        ('A=1; echo "$A" > z.sh', "likely"),
        ("for i in 1 2; do echo $i > z.sh; done", "likely"),
        ("echo 'a\nx $A' | tee z.sh", "likely"),
        ("# it's $A\necho '$A' > z.sh", "likely"),
        ('cat > z.sh <<"EOF"\n$HOME\nEOF', "likely"),
        ("cat > z.sh <<\\EOF\n$HOME\nEOF", "likely"),
        ("cat > z.sh <<-'EOF'\n\t$HOME\n\tEOF\ncp z.sh $HOME/", "likely"),
        ("echo $HOME\ncat > z.sh <<'EOF'\nit's \"$HOME\"\nEOF", "likely"),
        ("echo $A; echo '$A' > z.sh", "likely"),
        ("python - <<'EOF'\nopen('z.sh', 'w').write('$HOME')\nEOF", "likely"),
        ("echo $A > z.sh\necho x > z.sh", "likely"),
        ("echo $A > /tmp/z.sh; rm /tmp/z.sh; echo x > z.sh", "likely"),
        ("cat > z.sh <<'EOF'\n$HOME\nEOF", "likely"),
        ("cat > z.sh <<EOF\n\\$HOME costs 5 $\nEOF", "likely"),
        ("cat > z.sh <<EOF\nplain\nEOF\necho $HOME", "likely"),
    ],
)
def test_a_text_into_which_the_shell_puts_values_is_not_exactly_known(command: str, certainty: str) -> None:
    assert recovered(bash(command)).certainty == certainty
