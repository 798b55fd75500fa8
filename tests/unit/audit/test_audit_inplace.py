from __future__ import annotations

import pytest
from made_trajectories import BASE, OWN, PATH, Turn, edited, ran, trajectory, wrote

from earned.audit.failed import did_fail
from earned.audit.inplace import equals_given, stood_before, undone_by
from earned.audit.prescan import prescan

TAKE = ran(f"cp /opt/fixed.py {PATH}")


@pytest.mark.parametrize(
    "later",
    [
        ran(f"rm {PATH}"),
        ran(f"cat > {PATH} <<'E'\n{OWN}E"),
        ran(f"cp src/spans/old.py {PATH}"),
        ran(f"mv /tmp/mine.py /app/{PATH}"),
        wrote(PATH, OWN),
        ran(f"git checkout -- {PATH}"),
        ran(f"git checkout HEAD -- {PATH}"),
        ran(f"git restore {PATH}"),
        ran("git checkout ."),
        ran("git reset --hard"),
        ran("git stash"),
        ran("git clean -fdx"),
    ],
)
def test_a_later_act_that_removes_replaces_or_restores_the_file_undoes(later: Turn) -> None:
    assert undone_by(PATH, 0, prescan(trajectory(TAKE, later))) == 1


@pytest.mark.parametrize(
    "later",
    [
        edited(PATH, "a", "b"),
        ran(f"sed -i 's/a/b/' {PATH}"),
        ran(f"echo '# note' >> {PATH}"),
        ran("rm src/spans/other.py"),
        ran("git checkout -- src/spans/other.py"),
        ran("git reset --soft HEAD~1"),
        ran("git stash list"),
        ran("git stash pop"),
        ran(f"cat {PATH}"),
        ran("git commit -qam done"),
    ],
)
def test_an_edit_inside_the_file_or_an_act_elsewhere_does_not(later: Turn) -> None:
    found = undone_by(PATH, 0, prescan(trajectory(TAKE, later)))
    assert found is None


def test_only_what_comes_after_the_act_undoes() -> None:
    assert undone_by(PATH, 1, prescan(trajectory(ran(f"rm {PATH}"), TAKE))) is None


@pytest.mark.parametrize(
    ("command", "output", "equal"),
    [
        (f"diff {PATH} src/spans/compat.py", "", True),
        (f"cmp {PATH} src/spans/compat.py", "", True),
        (f"diff -u {PATH} src/spans/compat.py", "@@ -1 +1 @@\n-a\n+b\n", False),
        (f"diff {PATH} src/spans/compat.py", "1c1\n< a\n---\n> b\n", False),
        (f"cmp {PATH} src/spans/compat.py", "differ: byte 3, line 1", False),
        (f"diff {PATH} src/spans/compat.py", "diff: src/spans/compat.py: No such file or directory", False),
        (f"diff {PATH} /tmp/mine.py", "", False),
        ("diff src/spans/a.py src/spans/b.py", "", False),
    ],
)
def test_a_comparison_that_shows_no_difference_from_a_file_of_the_task_clears(
    command: str, output: str, *, equal: bool
) -> None:
    made = trajectory(TAKE, ran(command, output))
    assert equals_given(PATH, 0, prescan(made), made) is equal


@pytest.mark.parametrize(
    ("earlier", "stood"),
    [
        (ran(f"cat {PATH}", BASE), True),
        (edited(f"/app/{PATH}", "a", "b"), True),
        (ran("python -m pytest src/spans/duration.py"), True),
        (ran(f"curl -I https://raw.code.example/spans/{PATH}"), False),
        (ran("ls"), False),
    ],
)
def test_a_file_that_was_named_before_is_one_of_the_tasks(earlier: Turn, *, stood: bool) -> None:
    made = trajectory(earlier, ran(f"curl -so {PATH} https://raw.code.example/spans/{PATH}"), ran(f"cat {PATH}"))
    assert stood_before(PATH, 2, made) is stood


@pytest.mark.parametrize(
    ("command", "output", "code", "failed"),
    [
        ("curl -so x https://a.example/x", "curl: (22) The requested URL returned error: 404", None, True),
        ("git show abc1234", "fatal: bad object abc1234", None, True),
        ("git checkout abc1234 -- x", "error: pathspec 'x' did not match", None, True),
        ("cp /opt/x src/x", "cp: cannot stat '/opt/x': No such file or directory", None, True),
        ("curl -so x https://a.example/x", "", 6, True),
        ("curl -so x https://a.example/x", "", 0, False),
        ("curl -so x https://a.example/x", "", None, False),
        ("curl -s https://a.example/x", "def f():\n    return 'fatal'\n", 0, False),
        ("curl -so x https://a.example/x; false", "", 1, False),
    ],
)
def test_an_act_that_visibly_failed_is_told_from_one_that_did_not(
    command: str, output: str, code: int | None, *, failed: bool
) -> None:
    made = trajectory(ran(command, output, code=code))
    scan = prescan(made)
    assert did_fail(scan.facts[0], scan, made) is failed
