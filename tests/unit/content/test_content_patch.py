from __future__ import annotations

import pytest
from cost import check_text_in_proportion

from earned.content.patch import PatchLine, parse_patch

GIT = """diff --git a/pkg/core.py b/pkg/core.py
index 1111111..2222222 100644
--- a/pkg/core.py
+++ b/pkg/core.py
@@ -1,3 +1,4 @@ class A:
 first
-second
+zweite
+dritte
 last
"""


def test_added_lines_carry_numbers_of_the_new_side() -> None:
    (file,) = parse_patch(GIT)
    assert file.added == (PatchLine(2, "zweite"), PatchLine(3, "dritte"))
    assert file.removed == (PatchLine(2, "second"),)
    assert file.context == (PatchLine(1, "first"), PatchLine(4, "last"))
    assert (file.path, file.old_path, file.hunks[0].section) == ("pkg/core.py", "pkg/core.py", "class A:")


def test_line_endings_of_the_patch_do_not_change_what_is_read() -> None:
    assert parse_patch(GIT.replace("\n", "\r\n")) == parse_patch(GIT)


def test_prose_and_blank_lines_around_diffs_are_passed_over() -> None:
    text = f"\n\nHere is my patch:\n\n{GIT}\n- a bullet\n+ another\n\n{GIT}"
    assert parse_patch(text) == parse_patch(GIT) * 2


def test_prose_alone_is_no_patch() -> None:
    assert parse_patch("--- \nsome rule\n--- more\n@@ -1 +1 @@\n+ still nothing") == ()
    assert parse_patch("- a\n+ b\n@@ -1 +1 @@\n+x\n") == ()


def test_new_deleted_renamed_binary_and_mode_only_files_are_told_apart() -> None:
    new, deleted, renamed, binary, mode = parse_patch(
        "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n"
        "diff --git a/d.py b/d.py\ndeleted file mode 100644\n--- a/d.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
        "diff --git a/old name.py b/new name.py\nsimilarity index 100%\nrename from old name.py\nrename to new name.py\n"
        "diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n"
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
    )
    assert (new.is_new, new.path, new.old_path) == (True, "n.py", "")
    assert (deleted.is_deleted, deleted.path, deleted.old_path) == (True, "d.py", "d.py")
    assert (renamed.is_rename, renamed.path, renamed.old_path) == (True, "new name.py", "old name.py")
    assert (binary.is_binary, binary.path) == (True, "x.png")
    assert (mode.path, mode.hunks, mode.is_binary, mode.is_new, mode.is_rename) == ("run.sh", (), False, False, False)


def test_removed_and_added_lines_that_look_like_a_header_stay_lines() -> None:
    (file,) = parse_patch("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n z\n")
    assert (file.removed, file.added) == ((PatchLine(1, "-- x"),), (PatchLine(1, "++ y"),))


def test_a_header_ends_a_hunk_whose_counts_are_too_large() -> None:
    first, second = parse_patch("--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-x\n+y\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-p\n+q\n")
    assert (first.added, second.path, second.added) == ((PatchLine(1, "y"),), "g", (PatchLine(1, "q"),))


def test_lines_beyond_counts_that_are_too_small_are_kept() -> None:
    (file,) = parse_patch("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n+z\n")
    assert file.added == (PatchLine(1, "y"), PatchLine(2, "z"))


def test_a_hunk_without_numbers_has_lines_without_numbers() -> None:
    (file,) = parse_patch("--- a/f\n+++ b/f\n@@ def g @@\n-x\n\n+y\n")
    assert (file.added, file.hunks[0].old) == ((PatchLine(0, "y"),), ("x", ""))


def test_the_signature_of_a_mailed_patch_is_not_a_removed_line() -> None:
    (file,) = parse_patch(GIT + "-- \n2.39.5\n")
    assert file.removed == (PatchLine(2, "second"),)


@pytest.mark.parametrize(
    ("head", "old", "new"),
    [
        ("--- a/p q.py\n+++ b/p q.py\n", "p q.py", "p q.py"),
        ("--- p.py\t2024-01-01 00:00:00\n+++ p.py\t2024-01-02 00:00:00\n", "p.py", "p.py"),
        ("--- a/x.py\n+++ a/x.py\n", "a/x.py", "a/x.py"),
        ("--- i/x.py\n+++ w/x.py\n", "x.py", "x.py"),
        ('--- "a/caf\\303\\251.py"\n+++ "b/caf\\303\\251.py"\n', "café.py", "café.py"),
    ],
)
def test_paths_lose_prefix_quotes_and_time_stamp_only(head: str, old: str, new: str) -> None:
    (file,) = parse_patch(head + "@@ -1 +1 @@\n-x\n+y\n")
    assert (file.old_path, file.path) == (old, new)


def test_an_epoch_time_stamp_means_that_the_file_is_absent() -> None:
    (file,) = parse_patch("--- n.py\t1970-01-01 00:00:00 +0000\n+++ n.py\t2024-01-01 00:00:00\n@@ -0,0 +1 @@\n+x\n")
    assert (file.is_new, file.old_path) == (True, "")


def test_no_newline_at_end_is_told_of_the_new_side_only() -> None:
    text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n"
    assert not parse_patch(text)[0].hunks[0].new_ends_open
    assert parse_patch(text + "\\ No newline at end of file\n")[0].hunks[0].new_ends_open


def test_a_merge_diff_gives_the_lines_that_a_parent_lacked() -> None:
    (file,) = parse_patch("diff --cc f.py\nindex 1,2..3\n--- a/f.py\n+++ b/f.py\n@@@ -1,1 -1,2 +1,3 @@@\n  a\n+ b\n++c\n -d\n")
    assert (file.path, file.added) == ("f.py", (PatchLine(2, "b"), PatchLine(3, "c")))
    assert file.removed == (PatchLine(0, "d"),)


def test_a_missing_old_name_is_tolerated_before_a_hunk() -> None:
    (file,) = parse_patch("+++ b/f.py\n@@ -1 +1 @@\n-x\n+y\n")
    assert (file.path, file.added) == ("f.py", (PatchLine(1, "y"),))


def test_a_second_hunk_numbers_its_lines_from_its_own_header() -> None:
    (file,) = parse_patch("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n@@ -10,0 +11 @@\n+z\n")
    assert file.added == (PatchLine(1, "y"), PatchLine(11, "z"))
    assert len(file.hunks) == 2


@pytest.mark.parametrize(
    "text",
    [
        "--- a\n+++ b\n" * 20_000,
        GIT * 2_000,
        "diff --git " + "a" * 300_000,
        "@@ -1 +1 @@\n+\n" * 10_000,
        "-" * 500_000,
        GIT + "+x\n" * 60_000,
    ],
)
def test_reading_a_patch_takes_time_in_proportion(text: str) -> None:
    check_text_in_proportion(parse_patch, text)
