"""A submission rebuilt from what is shown: edits in files that were shown whole, `sed -i`, what was refused and taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from earned.audit.targets import submission_targets
from earned.content.patch import parse_patch
from earned.records import Action, Edit, Observation, Step, Submission
from earned.trajectory import recover
from earned.trajectory.steps import observation
from earned.trajectory.tools import action_of

TEXT = "import os\n\n\ndef f():\n    return 1\n"
NUMBERED = "".join(f"{number:6}\t{line}\n" for number, line in enumerate(TEXT.splitlines(), 1))
ARROWS = NUMBERED.replace("\t", "\u2192").rstrip("\n")
EDIT = ("str_replace", {"path": "/w/a.py", "old_str": "return 1", "new_str": "return 2"}, "ok")

Call = tuple[str, dict[str, Any], str | None]


def steps(*calls: Call | Step) -> list[Step]:
    made: list[Step] = []
    for item in calls:
        if isinstance(item, Step):
            made.append(item)
            continue
        name, arguments, result = item
        results = () if result is None else (observation(result, 0),)
        made.append(Step(index=len(made), actor="agent", actions=(action_of(name, arguments),), observations=results))
    return made


def bash(command: str, result: str = "") -> Call:
    return ("bash", {"command": command}, result)


def read(result: str, **arguments: Any) -> Call:
    return ("read_file", {"path": "/w/a.py", **arguments}, result)


def whole(*calls: Call | Step) -> dict[str, str]:
    return {file.path: file.text for file in recover(steps(*calls)).files}


def changed(made: Submission) -> list[tuple[str, list[str], list[str]]]:
    files = parse_patch(made.patch)
    return [(file.path, [line.text for line in file.removed], [line.text for line in file.added]) for file in files]


@pytest.mark.parametrize(
    "shown",
    [
        read(TEXT),
        read(NUMBERED),
        read(ARROWS + "\n\n<system-reminder>\nWhenever you read a file\n</system-reminder>"),
        read("Here's the result of running `cat -n` on /w/a.py:\n" + NUMBERED),
        read(TEXT, offset=None, limit=None),
        ("str_replace_editor", {"command": "view", "path": "/w/a.py"}, "Here's the content of /w/a.py:\n" + NUMBERED),
        bash("cat /w/a.py", TEXT),
        bash("cat -n /w/a.py", NUMBERED),
        bash("cd /w && cat a.py", TEXT + "\n[The command completed with exit code 0.]\n[Current working directory: /w]"),
        bash("cat /w/a.py", f"<returncode>0</returncode>\n<output>\n{TEXT}</output>"),
    ],
)
def test_an_edit_of_a_file_that_was_shown_whole_yields_the_whole_file(shown: Call) -> None:
    made = recover(steps(shown, EDIT))
    assert [(file.path, file.text) for file in made.files] == [("/w/a.py", TEXT.replace("return 1", "return 2"))]
    assert changed(made) == [("w/a.py", ["    return 1"], ["    return 2"])]
    assert (made.recovered, made.certainty) == ("edits_replayed", "likely")


@pytest.mark.parametrize(
    "shown",
    [
        read(TEXT, offset=1),
        read(NUMBERED, limit=20),
        read("     4\tdef f():\n     5\t    return 1\n"),
        ("str_replace_editor", {"command": "view", "path": "/w/a.py", "view_range": [4, 5]}, NUMBERED),
        read(f"{TEXT}\n... [120 lines truncated] ..."),
        read("<tool_use_error>File does not exist.</tool_use_error>"),
        bash("cat /w/a.py | head -3", TEXT),
        bash("head -5 /w/a.py", TEXT),
        bash("cat /w/a.py /w/b.py", TEXT + TEXT),
        bash("cat /w/a.py; ls", TEXT + "a.py"),
        bash("cat /w/a.py", "cat: /w/a.py: No such file or directory"),
        read("[File: /w/a.py (90 lines total)]\n" + TEXT.replace("\n", "\n1:")),
        bash("cat /x/a.py", TEXT),
    ],
)
def test_a_part_of_a_file_or_another_one_is_no_base(shown: Call) -> None:
    made = recover(steps(shown, EDIT))
    assert made.files == ()
    assert changed(made) == [("w/a.py", ["return 1"], ["return 2"])]


def test_lines_that_stood_in_the_file_are_no_targets() -> None:
    targets = submission_targets(recover(steps(read(TEXT), EDIT)))
    assert [(line.path, line.text) for line in targets.lines] == [("w/a.py", "    return 2")]
    assert targets.paths == ("w/a.py",)


def test_a_file_that_is_as_it_was_shown_is_no_part() -> None:
    back = ("str_replace", {"path": "/w/a.py", "old_str": "return 2", "new_str": "return 1"}, "ok")
    assert recover(steps(read(TEXT), EDIT, back)).recovered == "none"
    assert recover(steps(read(TEXT))).recovered == "none"


def test_a_file_that_is_shown_after_an_edit_is_no_base_of_it() -> None:
    made = recover(steps(EDIT, read(TEXT.replace("return 1", "return 2"))))
    assert changed(made) == [("w/a.py", ["return 1"], ["return 2"])]


def test_an_edit_that_does_not_fit_what_was_shown_is_weak() -> None:
    other = ("str_replace", {"path": "/w/a.py", "old_str": "return 9", "new_str": "return 2"}, "ok")
    assert recover(steps(read(TEXT), other, EDIT)).certainty == "weak"
    twice = read(TEXT + TEXT)
    assert recover(steps(twice, EDIT)).certainty == "weak"
    every = ("Edit", {"file_path": "/w/a.py", "old_string": "return 1", "new_string": "return 2", "replace_all": True}, "ok")
    made = recover(steps(twice, every))
    assert made.certainty == "likely"
    assert made.files[0].text.count("return 2") == 2


def test_an_insertion_and_a_patch_find_their_place_in_what_was_shown() -> None:
    insert = ("insert", {"path": "/w/a.py", "insert_line": 1, "new_str": "import sys\n"}, "ok")
    assert whole(read(TEXT), insert)["/w/a.py"].startswith("import os\nimport sys\n")
    update = "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    return 1\n+    return 2\n*** End Patch"
    for applied in (bash(f"cd /w && apply_patch <<'EOF'\n{update}\nEOF"), ("apply_patch", {"input": update}, "ok")):
        path = "/w/a.py" if applied[0] == "bash" else "a.py"
        assert whole(bash(f"cat {path}", TEXT), applied)[path].endswith("return 2\n")


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("sed -i 's/return 1/return 2/' /w/a.py", "    return 2"),
        ("cd /w && sed -i -e '5s/1/3/' a.py", "    return 3"),
        ("sed -i -E 's/return ([0-9])/return -\\1/' /w/a.py", "    return -1"),
        ("sed -i.bak '5c\\    return 4' /w/a.py", "    return 4"),
        ("sed -i '5a\\    # end' /w/a.py", "    # end"),
    ],
)
def test_sed_in_a_file_that_is_known_is_carried_out(command: str, line: str) -> None:
    made = recover(steps(read(TEXT), bash(command)))
    assert made.certainty == "likely"
    assert changed(made)[0][2] == [line]
    assert line in made.files[0].text.splitlines()


def test_sed_whose_effect_is_not_known_leaves_no_text_and_makes_it_weak() -> None:
    unknown = bash("sed -i '/f/{n;s/1/2/}' /w/a.py")
    assert recover(steps(read(TEXT), unknown)).recovered == "none"
    other = ("write_file", {"path": "/w/b.py", "content": "b\n"}, "ok")
    for command in (unknown, bash("sed -i 's/x/y/' /w/never-shown.py"), bash("perl -pi -e 's/1/2/' /w/a.py")):
        made = recover(steps(read(TEXT), other, command))
        assert (made.certainty, [file.path for file in made.files]) == ("weak", ["/w/b.py"])
    failed = bash("sed -i 's/(/' /w/a.py", "sed: -e expression #1, char 5: unterminated `s' command")
    assert recover(steps(read(TEXT), EDIT, failed)).certainty == "likely"


def test_a_program_that_writes_over_a_file_makes_its_text_unknown() -> None:
    written = ("write_file", {"path": "/w/b.py", "content": "b\n"}, "ok")
    assert recover(steps(written, bash("cd /w && python gen.py > b.py"))).recovered == "none"
    assert whole(written, bash("cd /w && python gen.py > c.py")) == {"/w/b.py": "b\n"}
    program = "python - <<'E'\ns = open('/w/a.py').read()\nopen('/w/a.py', 'w').write(s.replace('1', '2'))\nE"
    assert recover(steps(written, bash(program))).certainty == "weak"
    scratch = program.replace("/w/", "/tmp/")
    assert recover(steps(written, bash(scratch))).certainty == "likely"


def test_a_cell_that_writes_a_file_is_part_of_it() -> None:
    code = Action(kind="code", tool="ipython", command="open('/w/n.py', 'w').write('n = 1\\n')", language="python")
    cell = Step(index=0, actor="agent", actions=(code,), observations=(Observation(text="6", action=0),))
    assert whole(cell) == {"/w/n.py": "n = 1\n"}


def test_what_git_puts_back_is_no_part_any_more() -> None:
    other = ("write_file", {"path": "/w/b.py", "content": "b\n"}, "ok")
    for command in ("git checkout -- a.py", "git restore a.py", "git checkout HEAD -- a.py"):
        assert whole(read(TEXT), EDIT, other, bash(f"cd /w && {command}")) == {"/w/b.py": "b\n"}
        assert changed(recover(steps(EDIT, other, bash(f"cd /w && {command}")))) == []
    made = recover(steps(read(TEXT), EDIT, other, bash("cd /w && git reset --hard")))
    assert ([file.path for file in made.files], made.certainty) == (["/w/b.py"], "weak")
    assert recover(steps(read(TEXT), EDIT, bash("cd /w && git stash"))).certainty == "weak"
    kept = recover(steps(read(TEXT), EDIT, bash("cd /w && git restore --staged a.py"), bash("git diff --stat")))
    assert kept.certainty == "likely"
    assert len(kept.files) == 1


def test_a_file_taken_from_another_commit_is_not_known() -> None:
    assert recover(steps(read(TEXT), EDIT, bash("cd /w && git checkout origin/main -- a.py"))).recovered == "none"


REFUSALS = [
    "<tool_use_error>String to replace not found in file.\nString: return 1</tool_use_error>",
    "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    "<tool_use_error>Found 2 matches of the string to replace, but replace_all is false.</tool_use_error>",
    "ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in /w/a.py.",
    "No replacement was performed. Multiple occurrences of old_str `x` in lines [1, 2]. Please ensure it is unique",
    "Your proposed edit has introduced new syntax error(s). Please read this error message carefully\n",
    "Failed to edit, could not find the string to replace.",
    "Failed to edit, 0 occurrences found for old_string in /w/a.py.",
    "apply_patch verification failed: Failed to find expected lines in /w/a.py",
    "patch rejected by user",
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    "oldString not found in content",
    "<error_details>\nNo sufficiently similar match found at line: 5",
    "Invalid `path` parameter: /w/a.py. File already exists",
]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refused_edit_changes_nothing(refusal: str) -> None:
    assert recover(steps((EDIT[0], EDIT[1], refusal))).recovered == "none"
    write = ("write_file", {"path": "/w/b.py", "content": "b\n"}, refusal)
    assert recover(steps(write)).recovered == "none"


@pytest.mark.parametrize(
    "result",
    [
        "The file /w/a.py has been edited. Here's the result of running `cat -n` on a snippet:\n 1\traise Error('ERROR: x')",
        "The file /w/a.py has been updated successfully.",
        "Success. Updated the following files:\nM a.py",
        "ok",
        "",
    ],
)
def test_an_edit_that_was_made_is_made(result: str) -> None:
    assert changed(recover(steps((EDIT[0], EDIT[1], result)))) == [("w/a.py", ["return 1"], ["return 2"])]


def test_a_file_that_the_shell_could_not_write_is_no_part() -> None:
    failed = bash("cat > /no/x.py <<'E'\nx\nE", "bash: /no/x.py: No such file or directory")
    assert recover(steps(failed)).recovered == "none"


@pytest.mark.parametrize(("mode", "added"), [("replace", ["x = 1", "y = 2"]), ("insert", ["x = 1", "y = 2"]), ("delete", [])])
def test_a_cell_of_a_notebook_that_is_edited_adds_its_source(mode: str, added: list[str]) -> None:
    arguments = {"notebook_path": "/w/n.ipynb", "cell_id": "c1", "new_source": "x = 1\ny = 2", "edit_mode": mode}
    made = recover(steps(("NotebookEdit", arguments, "Updated cell c1")))
    assert [line for _, _, lines in changed(made) for line in lines] == added
    assert made.certainty == ("none" if mode == "delete" else "likely")


def test_lines_that_an_editor_replaces_by_number_are_added() -> None:
    edit = Action(kind="edit", tool="edit", edits=(Edit(path="/w/a.py", operation="replace", new="    return 7", line=5),))
    step = Step(index=1, actor="agent", actions=(edit,), observations=(Observation(text="[File: /w/a.py]", action=0),))
    unknown, known = recover([step]), recover([*steps(read(TEXT)), step])
    assert [lines for _, _, lines in changed(unknown)] == [["    return 7"]]
    assert [lines for _, _, lines in changed(known)] == [["    return 7"]]
    assert (unknown.certainty, known.certainty) == ("likely", "weak")


def test_a_thousand_reads_of_a_file_that_is_edited_take_little_time() -> None:
    made = recover(steps(*[read(TEXT * 100) for _ in range(1000)], EDIT))
    assert json.dumps(made.patch)


def test_every_update_of_one_envelope_is_carried_out() -> None:
    first = "*** Update File: /w/a.py\n@@ def f():\n-    return 1\n+    return 2"
    update = f"*** Begin Patch\n{first}\n*** Update File: /w/b.py\n@@\n-x\n+y\n*** End Patch"
    found = whole(bash("cat /w/a.py", TEXT), bash("cat /w/b.py", "x\n"), ("apply_patch", {"input": update}, "ok"))
    assert found["/w/a.py"].endswith("return 2\n")
    assert found["/w/b.py"] == "y\n"


@pytest.mark.parametrize(
    "program",
    [
        (
            "python3 - <<'E'\nfrom pathlib import Path\np = Path('/w/a.py')\n"
            "p.write_text(p.read_text().replace('return 1', 'return 2'))\nE"
        ),
        "python3 -c \"s = open('/w/a.py').read(); s = s.replace('return 1', 'return 2'); open('/w/a.py', 'w').write(s)\"",
    ],
)
def test_a_program_that_replaces_a_literal_is_an_edit_of_the_text_that_was_shown(program: str) -> None:
    made = recover(steps(read(TEXT), bash(program)))
    assert (made.certainty, made.files[0].text) == ("likely", TEXT.replace("return 1", "return 2"))
    assert recover(steps(read(TEXT), bash(program.replace("return 1", "return 9")))).certainty != "likely"
    unseen = recover(steps(bash(program)))
    assert (unseen.certainty, [line.text for line in submission_targets(unseen).lines]) == ("weak", ["return 2"])
