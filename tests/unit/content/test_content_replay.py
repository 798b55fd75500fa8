from __future__ import annotations

import msgspec
import pytest
from cost import check_in_proportion

from earned.content.apply import apply_hunks
from earned.content.envelope import is_envelope, parse_envelope
from earned.content.patch import parse_patch
from earned.content.replay import MAX_TEXT, FileReplay, ReplayedFile
from earned.records import Edit

FIRST = "one\ntwo\nthree\nfour\nfive\n"
DIFF = "--- a/f.py\n+++ b/f.py\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+dazu\n three\n@@ -5 +6 @@\n-five\n+fünf\n"
ENVELOPE = """*** Begin Patch
*** Update File: f.py
@@ two
-three
+drei
 four
*** Add File: new.py
+alpha
+beta
*** Delete File: old.py
*** End Patch
"""


def only(replay: FileReplay) -> ReplayedFile:
    (file,) = replay.files()
    return file


def known(text: str = FIRST) -> FileReplay:
    return FileReplay({"f.py": text})


def test_edits_of_a_known_text_give_the_final_text() -> None:
    replay = known()
    for edit in (
        Edit(path="f.py", operation="replace", old="two", new="zwei"),
        Edit(path="f.py", operation="insert", new="start", line=0),
        Edit(path="f.py", operation="insert", new="between\n", line=3),
        Edit(path="f.py", operation="append", new="six\n"),
    ):
        replay.apply(edit)
    file = only(replay)
    assert file.text == "start\none\nzwei\nbetween\nthree\nfour\nfive\nsix\n"
    assert (file.added, file.is_certain) == (("start", "zwei", "between", "six"), True)


def test_a_written_file_is_known_from_then_on() -> None:
    replay = FileReplay()
    replay.append("f.py", "lost\n")
    replay.apply(Edit(path="f.py", operation="write", new="a\nb\n"))
    replay.append("f.py", "c\n")
    assert only(replay) == ReplayedFile(path="f.py", text="a\nb\nc\n", added=("a", "b", "c"))


def test_of_an_unknown_text_the_added_lines_are_certain() -> None:
    replay = FileReplay()
    replay.replace("f.py", "keep\nold", "keep\nnew line\nmore")
    replay.replace("f.py", "new line", "newer line")
    replay.insert("f.py", "inserted", line=3)
    assert only(replay) == ReplayedFile(path="f.py", text=None, added=("newer line", "more", "inserted"), removed=("old",))


@pytest.mark.parametrize("old", ["missing", "e"])
def test_a_replacement_that_does_not_fit_once_makes_the_file_uncertain(old: str) -> None:
    replay = known()
    replay.replace("f.py", old, "x")
    assert not only(replay).is_certain


def test_replacing_every_occurrence_is_certain() -> None:
    replay = known("a a\n")
    replay.replace("f.py", "a", "b", every=True)
    assert only(replay) == ReplayedFile(path="f.py", text="b b\n", added=("b b",), removed=("a a",), base="a a\n")


def test_a_deleted_file_has_no_lines_and_can_come_back() -> None:
    replay = known()
    replay.apply(Edit(path="f.py", operation="delete"))
    assert only(replay) == ReplayedFile(path="f.py", text=None, added=(), base=FIRST, is_deleted=True)
    replay.append("f.py", "back\n")
    assert (only(replay).text, only(replay).is_deleted) == ("back\n", False)


def test_a_diff_is_applied_to_a_known_text() -> None:
    replay = known()
    replay.apply(Edit(path="f.py", operation="patch", new=DIFF))
    assert only(replay).text == "one\nzwei\ndazu\nthree\nfour\nfünf\n"


def test_a_diff_of_an_unknown_text_gives_its_added_lines() -> None:
    replay = FileReplay()
    replay.patch(DIFF)
    assert only(replay) == ReplayedFile(path="f.py", text=None, added=("zwei", "dazu", "fünf"), removed=("two", "five"))


def test_a_diff_that_does_not_fit_gives_its_added_lines_with_a_doubt() -> None:
    replay = known("else\n")
    replay.patch(DIFF)
    assert (only(replay).text, only(replay).added, only(replay).is_certain) == (None, ("zwei", "dazu", "fünf"), False)


def test_an_envelope_updates_adds_and_deletes() -> None:
    replay = FileReplay({"f.py": FIRST, "old.py": "x\n"})
    replay.patch(ENVELOPE)
    by_path = {file.path: file for file in replay.files()}
    assert by_path["f.py"].text == "one\ntwo\ndrei\nfour\nfive\n"
    assert by_path["new.py"].text == "alpha\nbeta\n"
    assert by_path["old.py"].is_deleted


def test_a_rename_moves_the_text() -> None:
    replay = FileReplay({"a.py": "x\n"})
    replay.patch("diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n")
    assert [(file.path, file.text) for file in replay.files()] == [("b.py", "x\n")]


def test_a_diff_of_a_new_and_a_deleted_file() -> None:
    replay = FileReplay({"d.py": "x\n"})
    replay.patch(
        "--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"
        "--- a/d.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    )
    assert [(file.path, file.text, file.is_deleted) for file in replay.files()] == [
        ("d.py", None, True),
        ("n.py", "x\ny", False),
    ]


def test_growth_is_bounded() -> None:
    replay = known("a" * 1000)
    for _ in range(6):
        replay.replace("f.py", "a", "a" * 100, every=True)
    text = only(replay).text
    assert text is None or len(text) <= MAX_TEXT


def test_an_insertion_beyond_the_end_is_kept_with_a_doubt() -> None:
    replay = known()
    replay.insert("f.py", "x", line=99)
    assert (only(replay).text, only(replay).added, only(replay).is_certain) == (None, ("x",), False)


def test_an_envelope_is_told_from_a_diff_that_adds_one() -> None:
    assert is_envelope(ENVELOPE)
    assert is_envelope("Some words\n" + ENVELOPE)
    assert not is_envelope(DIFF)
    assert not is_envelope("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n" + "".join(f"+{line}\n" for line in ENVELOPE.splitlines()))


def test_an_envelope_has_the_records_of_a_patch() -> None:
    update, add, delete = parse_envelope("prose\n" + ENVELOPE + "prose\n+no line\n")
    assert [line.text for line in update.added] == ["drei"]
    assert (update.hunks[0].section, update.hunks[0].old) == ("two", ("three", "four"))
    assert (add.is_new, [line.number for line in add.added]) == (True, [1, 2])
    assert (delete.is_deleted, delete.path, delete.hunks) == (True, "old.py", ())


def test_an_envelope_can_move_a_file() -> None:
    (file,) = parse_envelope(
        "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n-x\n+y\n*** End of File\n*** End Patch"
    )
    assert (file.is_rename, file.old_path, file.path) == (True, "a.py", "b.py")


@pytest.mark.parametrize(
    ("text", "patched"),
    [
        ("zero\n" + FIRST, "zero\none\nzwei\ndazu\nthree\nfour\nfünf\n"),
        ("\tone\n\ttwo  \n three\nfour\nfive", "\tone\nzwei\ndazu\n three\nfour\nfünf\n"),
        (FIRST.replace("\n", "\r\n"), "one\r\nzwei\r\ndazu\r\nthree\r\nfour\r\nfünf\r\n"),
        ("one\ntwo\n", None),
        ("", None),
    ],
)
def test_hunks_are_placed_where_their_old_lines_stand(text: str, patched: str | None) -> None:
    assert apply_hunks(text, parse_patch(DIFF)[0]) == patched


def test_placing_hunks_in_a_file_of_equal_lines_takes_time_in_proportion() -> None:
    hunk = "@@\n x\n x\n x\n-y\n+z\n"
    text = "x\n" * 3 + "y\n"
    file = parse_patch("--- a/f\n+++ b/f\n" + hunk * 400)[0]
    assert apply_hunks(text * 400, file) == "x\nx\nx\nz\n" * 400
    assert apply_hunks("x\n" * 50_000, file) is None

    def apply(count: int) -> None:
        apply_hunks(text * count, msgspec.structs.replace(file, hunks=file.hunks[:count]))
        apply_hunks("x\n" * 125 * count, file)

    check_in_proportion(apply, 400)


def test_a_copy_knows_what_its_source_knew_and_goes_its_own_way() -> None:
    replay = FileReplay()
    replay.write("a.py", "x\n")
    replay.copy("a.py", "b.py")
    replay.append("a.py", "y\n")
    replay.replace("c.py", "old", "new")
    replay.copy("c.py", "d.py")
    replay.replace("c.py", "new", "newer")
    assert (replay.text("a.py"), replay.text("b.py")) == ("x\ny\n", "x\n")
    assert [(file.path, file.added) for file in replay.files()[2:]] == [("c.py", ("newer",)), ("d.py", ("new",))]


@pytest.mark.parametrize("source", ["never-seen.py", "gone.py", "f.py"])
def test_a_copy_of_nothing_known_or_of_itself_changes_nothing(source: str) -> None:
    replay = known()
    replay.delete("gone.py")
    before = replay.files()
    replay.copy(source, "f.py")
    assert replay.files() == before


def test_a_folder_is_deleted_with_what_is_in_it_and_nothing_beside_it() -> None:
    replay = FileReplay({"w/a.py": "a\n", "w/deep/b.py": "b\n", "web.py": "c\n"})
    replay.delete("w")
    assert [(file.path, file.is_deleted) for file in replay.files()] == [
        ("w/a.py", True),
        ("w/deep/b.py", True),
        ("web.py", False),
    ]


def test_the_files_of_a_patch_lie_in_the_folder_it_is_applied_in() -> None:
    replay = FileReplay({"/w/f.py": FIRST})
    replay.patch(DIFF, folder="/w")
    assert only(replay).added == ("zwei", "dazu", "fünf")
    replay.patch("diff --git a/f.py b/g.py\nsimilarity index 100%\nrename from f.py\nrename to g.py\n", folder="/w")
    assert [file.path for file in replay.files()] == ["/w/g.py"]


def test_many_hunks_of_an_unknown_file_take_time_in_proportion() -> None:
    def replayed(count: int) -> FileReplay:
        hunks = "".join(f"@@ -{number},1 +{number},2 @@\n a\n+b{number}\n" for number in range(1, count + 1))
        replay = FileReplay()
        replay.patch(f"--- a/f.py\n+++ b/f.py\n{hunks}")
        return replay

    assert len(only(replayed(8_000)).added) == 8_000
    check_in_proportion(replayed, 8_000)


def test_a_file_that_is_shown_is_known_unless_it_was_touched_before() -> None:
    replay = FileReplay()
    replay.replace("a.py", "x", "y")
    replay.show("a.py", FIRST)
    replay.show("b.py", FIRST)
    replay.replace("b.py", "two", "zwei")
    a, b = replay.files()
    assert (a.text, a.base, a.added) == (None, None, ("y",))
    assert (b.base, b.added, b.removed) == (FIRST, ("zwei",), ("two",))
    assert b.text == FIRST.replace("two", "zwei")


def test_what_something_unknown_wrote_is_not_known_and_not_certain() -> None:
    replay = known()
    replay.replace("f.py", "two", "zwei")
    replay.forget("f.py")
    file = only(replay)
    assert (file.text, file.added, file.base, file.is_certain) == (None, (), FIRST, False)


def test_a_file_that_is_put_back_is_as_it_was() -> None:
    replay = known()
    replay.replace("f.py", "two", "zwei")
    replay.write("new.py", "n\n")
    replay.revert("other.py")
    replay.revert("f.py")
    f, new = replay.files()
    assert (f.text, f.added) == (FIRST, ())
    assert new.text == "n\n"


def test_when_all_is_put_back_a_written_file_may_have_been_new() -> None:
    replay = known()
    replay.replace("f.py", "two", "zwei")
    replay.write("new.py", "n\n")
    replay.revert_all()
    f, new = replay.files()
    assert (f.text, f.is_certain) == (FIRST, True)
    assert (new.text, new.is_certain) == ("n\n", False)


def test_lines_that_are_replaced_by_number_are_added_and_leave_no_text() -> None:
    replay = known()
    replay.apply(Edit(path="f.py", operation="replace", new="drei", line=3))
    file = only(replay)
    assert (file.text, file.added, file.is_certain) == (None, ("drei",), False)
    empty = known("")
    empty.apply(Edit(path="f.py", operation="replace", new="a\nb", line=1))
    assert only(empty).text == "a\nb"


def test_a_piece_of_an_envelope_without_its_end_mark_is_applied_as_it_stands() -> None:
    replay = FileReplay({"f.py": FIRST})
    replay.patch("*** Begin Patch\n*** Update File: f.py\n@@\n four\n-five\n+fünf\n")
    found = only(replay)
    assert (found.text, found.is_certain) == (FIRST.replace("five", "fünf"), True)
