from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from earned.content.patch import parse_patch
from earned.records import Action, Observation, Reason, Step, WrittenFile
from earned.trajectory import completeness_of, recover
from earned.trajectory.steps import observation
from earned.trajectory.tools import action_of

DIFF = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"


def turns(*calls: tuple[str, dict[str, Any], str | None], actor: Any = "agent", copied: bool = False) -> tuple[Step, ...]:
    made: list[Step] = []
    for name, arguments, result in calls:
        results = () if result is None else (observation(result, 0),)
        action = action_of(name, arguments)
        made.append(Step(index=len(made), actor=actor, actions=(action,), observations=results, copied=copied))
    return tuple(made)


def bash(command: str, result: str = "") -> tuple[str, dict[str, Any], str | None]:
    return ("bash", {"command": command}, result)


def files_of(steps: Sequence[Step]) -> dict[str, str]:
    return {file.path: file.text for file in recover(steps).files}


def added(steps: Sequence[Step]) -> list[str]:
    return [line.text for file in parse_patch(recover(steps).patch) for line in file.added]


def test_a_recorded_patch_wins_over_everything() -> None:
    made = recover(turns(bash("git diff", DIFF)), patch="recorded", artifact_patch="artifact")
    assert (made.patch, made.recovered, made.certainty) == ("recorded", "recorded", "certain")


def test_an_empty_recorded_patch_falls_through() -> None:
    assert recover(turns(bash("git diff", DIFF)), patch="\n").recovered == "last_diff"


@pytest.mark.parametrize(
    "command",
    ["git diff", "git add -A && git diff --cached", "cd /w; git --no-pager diff HEAD", "git commit -qam x; git show HEAD"],
)
def test_the_last_full_diff_of_own_work_is_likely_the_submission(command: str) -> None:
    made = recover(turns(bash(command, f"{DIFF}[The command completed with exit code 0.]")))
    assert (made.patch, made.recovered, made.certainty) == (DIFF, "last_diff", "likely")


@pytest.mark.parametrize(
    "command",
    ["git diff origin/main", "git show HEAD", "git show abc123", "git diff x.py", "git diff HEAD~3", "cat some.patch"],
)
def test_a_diff_of_other_work_or_of_a_part_is_not(command: str) -> None:
    assert recover(turns(bash(command, DIFF))).recovered == "none"


def test_a_diff_that_was_cut_is_not() -> None:
    assert recover(turns(bash("git diff", f"{DIFF}[... 100 lines truncated ...]"))).recovered == "none"


def test_a_diff_before_further_edits_is_weak() -> None:
    later = ("write_file", {"path": "/y", "content": "y"}, "ok")
    assert recover(turns(bash("git diff", DIFF), later)).certainty == "weak"


def test_edits_are_replayed_in_order() -> None:
    steps = turns(
        ("write_file", {"path": "/a.py", "content": "one\ntwo\n"}, "ok"),
        ("str_replace", {"path": "/a.py", "old_str": "two", "new_str": "three"}, "ok"),
        ("insert", {"path": "/a.py", "insert_line": 1, "new_str": "middle\n"}, "ok"),
    )
    assert files_of(steps) == {"/a.py": "one\nmiddle\nthree\n"}
    made = recover(steps)
    assert (made.recovered, made.certainty) == ("edits_replayed", "likely")


def test_an_edit_that_was_refused_changes_nothing() -> None:
    refused = "No replacement was performed, old_str `x` did not appear verbatim in /a.py."
    steps = turns(
        ("str_replace", {"path": "/a.py", "old_str": "x", "new_str": "y"}, refused),
        ("str_replace", {"path": "/a.py", "old_str": "p", "new_str": "q"}, "ok"),
    )
    assert added(steps) == ["q"]


def test_an_edit_of_a_file_whose_text_is_unknown_names_what_was_added() -> None:
    steps = turns(
        ("str_replace", {"path": "/a.py", "old_str": "old\nline", "new_str": "new\nlines\nhere"}, "ok"),
        ("str_replace", {"path": "/a.py", "old_str": "lines", "new_str": "words"}, "ok"),
        ("str_replace", {"path": "/b.py", "old_str": "gone", "new_str": ""}, "ok"),
    )
    assert added(steps) == ["new", "words", "here"]
    assert [(file.path, [line.text for line in file.removed]) for file in parse_patch(recover(steps).patch)] == [
        ("a.py", ["old", "line"]),
        ("b.py", ["gone"]),
    ]


def test_files_that_commands_write_are_part_of_it() -> None:
    steps = turns(
        bash("cat > /a.py <<'EOF'\nx = 1\nEOF"),
        bash("echo 'y = 2' >> /a.py"),
        bash("cp /a.py /b.py && rm /a.py"),
    )
    assert files_of(steps) == {"/b.py": "x = 1\ny = 2\n"}


def test_a_patch_that_a_tool_applies_is_part_of_it() -> None:
    update = "*** Begin Patch\n*** Update File: b.py\n@@\n ctx\n-a\n+b\n*** End Patch"
    assert added(turns(("apply_patch", {"patch": DIFF}, "ok"))) == ["b"]
    assert added(turns(("apply_patch", {"patch": update}, "ok"))) == ["b"]


def test_a_file_that_was_deleted_is_not() -> None:
    steps = turns(("write_file", {"path": "/w/t.py", "content": "x"}, "ok"), bash("rm -rf /w"))
    assert recover(steps).recovered == "none"


@pytest.mark.parametrize(("actor", "copied"), [("user", False), ("grader", False), ("agent", True)])
def test_what_others_or_copied_steps_do_is_not(actor: str, *, copied: bool) -> None:
    steps = turns(("write_file", {"path": "/a", "content": "x"}, "ok"), actor=actor, copied=copied)
    assert recover(steps).recovered == "none"


def test_artifacts_alone_are_certain() -> None:
    made = recover((), artifacts=[WrittenFile(path="a", text="x")])
    assert (made.recovered, made.certainty) == ("artifact", "certain")


def test_an_append_loop_cannot_grow_without_end() -> None:
    steps = turns(*[("append", {"path": "/a", "content": "x" * 1_000_000}, "ok") for _ in range(40)])
    first = turns(("write_file", {"path": "/a", "content": ""}, "ok"))
    assert 0 < len(recover((*first, *steps)).patch) <= 16 * 1024 * 1024


def test_a_trace_with_every_result_is_full() -> None:
    assert completeness_of(turns(bash("ls", "a"), ("submit", {}, None))).grade == "full"


def test_a_call_without_result_is_partial_and_names_its_step() -> None:
    made = completeness_of(turns(bash("ls", "a"), ("bash", {"command": "pwd"}, None)))
    assert (made.grade, made.reasons[0].step) == ("partial", 1)


def test_a_cut_result_is_partial() -> None:
    assert completeness_of(turns(bash("ls", "[... 10 lines truncated ...]"))).grade == "partial"


def test_no_action_is_none_unless_the_text_is_the_act() -> None:
    steps = (Step(index=0, actor="user", text="q"), Step(index=1, actor="agent", text="a"))
    assert completeness_of(steps).grade == "none"
    assert completeness_of(steps, acts_in_text=True).grade == "full"
    assert completeness_of(turns(bash("ls", "a"), copied=True)).grade == "none"


def test_a_terminal_shows_text_only() -> None:
    shown = Step(index=0, actor="environment", observations=(Observation(text="$ ls"),))
    assert completeness_of((shown,), terminal=True).grade == "terminal_text"
    assert completeness_of((), terminal=True).grade == "none"


def test_reasons_of_a_long_trace_are_bounded() -> None:
    step = Step(index=0, actor="agent", actions=(Action(kind="shell", tool="bash"),))
    made = completeness_of((step,) * 100, [Reason(what="x")])
    assert len(made.reasons) == 21
    assert "81 more" in made.reasons[-1].what


ENVELOPE = """*** Begin Patch
*** Update File: src/a.py
@@ def one():
 before
-old
+new
 after
@@ def two():
-older
+newer
*** Update File: src/b.py
@@
 context
+added
*** Add File: src/c.py
+whole
+file
*** Delete File: src/d.py
*** End Patch
"""
APPLIED = f"cat <<'PATCH' | git apply\n{DIFF}PATCH\n"


@pytest.mark.parametrize("tool", ["apply_patch", "bash"])
def test_an_envelope_of_several_files_adds_its_lines_and_no_context(tool: str) -> None:
    written = ("write_file", {"path": "src/d.py", "content": "gone\n"}, "ok")
    command = {"command": f"apply_patch <<'EOF'\n{ENVELOPE}EOF"} if tool == "bash" else {"patch": ENVELOPE}
    steps = turns(written, (tool, command, "ok"))
    assert files_of(steps) == {"src/c.py": "whole\nfile\n"}
    assert added(steps) == ["new", "newer", "added"]
    removed = [[line.text for line in file.removed] for file in parse_patch(recover(steps).patch)]
    assert removed == [["old", "older"], []]


def test_context_of_an_envelope_finds_its_place_in_a_known_file() -> None:
    steps = turns(
        ("write_file", {"path": "/w/src/a.py", "content": "before\nold\nafter\nolder\n"}, "ok"),
        bash(f"cd /w && apply_patch <<'EOF'\n{ENVELOPE}EOF"),
    )
    assert files_of(steps)["/w/src/a.py"] == "before\nnew\nafter\nnewer\n"


@pytest.mark.parametrize(
    "command",
    [
        f"cd /w && git apply -v - <<'PATCH'\n{DIFF}PATCH",
        f"cd /w && git apply <<'PATCH'\n{DIFF}PATCH",
        f"cd /w && patch -p1 <<EOF\n{DIFF}EOF",
        f"patch -d /w -p1 <<EOF\n{DIFF}EOF",
        f"patch /w/x.py <<EOF\n{DIFF}EOF",
        f"cat > /tmp/a.patch <<'EOF'\n{DIFF}EOF\ncd /w && git apply /tmp/a.patch && rm /tmp/a.patch",
    ],
)
def test_a_patch_that_a_command_applies_takes_part(command: str) -> None:
    unknown = turns(bash(command))
    assert [(file.path, file.text) for file in recover(unknown).files] == []
    assert [(file.path, [line.text for line in file.added]) for file in parse_patch(recover(unknown).patch)] == [
        ("w/x.py", ["b"])
    ]
    known = turns(("write_file", {"path": "/w/x.py", "content": "a\nz\n"}, "ok"), bash(command))
    assert files_of(known) == {"/w/x.py": "b\nz\n"}


@pytest.mark.parametrize(
    ("command", "result"),
    [
        (f"git apply --check - <<'PATCH'\n{DIFF}PATCH", ""),
        (f"git apply -R - <<'PATCH'\n{DIFF}PATCH", ""),
        (f"patch -p1 --dry-run <<'PATCH'\n{DIFF}PATCH", ""),
        (f"git apply - <<'PATCH'\n{DIFF}PATCH", "error: patch failed: x.py:1\nerror: x.py: patch does not apply"),
    ],
)
def test_a_patch_that_changed_nothing_or_takes_lines_back_does_not(command: str, result: str) -> None:
    assert recover(turns(bash(command, result))).recovered == "none"


LATER_DIFF = DIFF.replace("+b", "+c")


def test_of_two_full_diffs_the_last_one_wins() -> None:
    edit = ("str_replace", {"path": "/w/x.py", "old_str": "b", "new_str": "c"}, "ok")
    made = recover(turns(bash("git diff", DIFF), edit, bash("git diff", LATER_DIFF)))
    assert (made.patch, made.certainty) == (LATER_DIFF, "likely")


@pytest.mark.parametrize("command", ["git diff --stat", "git diff origin/main", "git log -p", "git show HEAD~1"])
def test_a_later_diff_of_other_work_or_a_summary_does_not_replace_it(command: str) -> None:
    made = recover(turns(bash("git diff", DIFF), bash(command, LATER_DIFF)))
    assert (made.patch, made.certainty) == (DIFF, "likely")


@pytest.mark.parametrize(
    "command",
    [
        "sed -i s/b/c/ x.py",
        "git checkout -- x.py",
        "git stash pop",
        "echo y >> /w/x.py",
        "cat > /w/new.py <<'E'\nn\nE",
        APPLIED,
    ],
)
def test_a_command_that_changes_the_work_after_a_diff_makes_it_weak(command: str) -> None:
    assert recover(turns(bash("cd /w; git diff", DIFF), bash(command))).certainty == "weak"


@pytest.mark.parametrize(
    "command", ["pytest -q > out.log 2>&1", "cat > /tmp/t.py <<'E'\nn\nE", "rm -f repro.py", "git status", "python x.py"]
)
def test_a_command_that_leaves_the_work_alone_does_not(command: str) -> None:
    assert recover(turns(bash("git diff", DIFF), bash(command))).certainty == "likely"


def test_an_edit_that_was_refused_after_a_diff_leaves_it_likely() -> None:
    refused = ("str_replace", {"path": "/w/x.py", "old_str": "q", "new_str": "c"}, "No replacement was performed, old_str")
    assert recover(turns(bash("git diff", DIFF), refused)).certainty == "likely"


def test_what_was_changed_after_a_diff_stands_behind_it() -> None:
    later = ("str_replace", {"path": "/w/y.py", "old_str": "q", "new_str": "later"}, "ok")
    steps = turns(bash("git diff", DIFF), later, ("write_file", {"path": "/w/new.py", "content": "n\n"}, "ok"))
    assert added(steps) == ["b", "later"]
    assert files_of(steps) == {"/w/new.py": "n\n"}
    assert recover(steps).recovered == "last_diff"
