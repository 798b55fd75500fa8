"""A git command line gives operation, revisions, paths, and whether it shows or delivers content."""

from __future__ import annotations

import pytest

from earned.records import Fact, GitUse, Write
from earned.shell import command_facts


def git(command: str) -> Fact:
    return next(fact for fact in command_facts(command) if fact.git is not None)


def use(command: str) -> GitUse:
    found = git(command).git
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("command", "operation", "refs", "paths"),
    [
        ("git show", "show", ["HEAD"], []),
        ("git show HEAD:src/a.py", "show", ["HEAD"], ["src/a.py"]),
        ("git show abc1234 -- a b", "show", ["abc1234"], ["a", "b"]),
        ("git show v1.2 a.py", "show", ["v1.2"], ["a.py"]),
        ("git diff", "diff", [], []),
        ("git diff A B -- p", "diff", ["A", "B"], ["p"]),
        ("git diff A..B", "diff", ["A", "B"], []),
        ("git diff A...", "diff", ["A", "HEAD"], []),
        ("git diff HEAD~2 src/x.py", "diff", ["HEAD~2"], ["src/x.py"]),
        ("git diff src/x.py", "diff", [], ["src/x.py"]),
        ("git diff --cached", "diff", [], []),
        ("git log", "log", [], []),
        ("git log -5 --oneline a.py", "log", [], ["a.py"]),
        ("git log HEAD..origin/main", "log", ["HEAD", "origin/main"], []),
        ("git log --all --grep='#12' -S x", "log", ["--all"], []),
        ("git log -g --branches --tags --remotes=o", "log", ["-g", "--branches", "--tags", "--remotes=o"], []),
        ("git log main ^HEAD", "log", ["main", "HEAD"], []),
        ("git log -L 1,5:a.py", "log", [], ["a.py"]),
        ("git log v2.0 -- tests/", "log", ["v2.0"], ["tests/"]),
        ("git cat-file -p abc1234", "cat-file", ["abc1234"], []),
        ("git cat-file blob HEAD:a", "cat-file", ["HEAD"], ["a"]),
        ("git cat-file --batch-all-objects --batch-check", "cat-file", ["--batch-all-objects"], []),
        ("echo abc1234 | git cat-file --batch", "cat-file", ["abc1234"], []),
        ("git checkout REF -- f g", "checkout", ["REF"], ["f", "g"]),
        ("git checkout abc1234 src/a.py", "checkout", ["abc1234"], ["src/a.py"]),
        ("git checkout feature/x", "checkout", ["feature/x"], []),
        ("git checkout tests/ a/b.py", "checkout", [], ["tests/", "a/b.py"]),
        ("git checkout main", "checkout", ["main"], []),
        ("git checkout -- f", "checkout", [], ["f"]),
        ("git checkout .", "checkout", [], ["."]),
        ("git checkout -b new abc1234", "checkout", ["abc1234"], []),
        ("git switch other", "switch", ["other"], []),
        ("git restore --source=REF f", "restore", ["REF"], ["f"]),
        ("git restore f", "restore", [], ["f"]),
        ("git cherry-pick abc1234", "cherry-pick", ["abc1234"], []),
        ("git cherry-pick A..B", "cherry-pick", ["A", "B"], []),
        ("git stash", "stash", [], []),
        ("git stash pop", "stash pop", ["stash@{0}"], []),
        ("git stash show -p stash@{1}", "stash show", ["stash@{1}"], []),
        ("git stash apply 2", "stash apply", ["stash@{2}"], []),
        ("git archive REF src", "archive", ["REF"], ["src"]),
        ("git worktree add /tmp/w REF", "worktree add", ["REF"], ["/tmp/w"]),
        ("git format-patch -1 REF --stdout", "format-patch", ["REF"], []),
        ("git blame -L 1,5 a.py", "blame", ["HEAD"], ["a.py"]),
        ("git blame REF -- a.py", "blame", ["REF"], ["a.py"]),
        ("git grep -n pat abc1234 -- src", "grep", ["abc1234"], ["src"]),
        ("git grep -n pat", "grep", [], []),
        ("git reflog", "reflog", [], []),
        ("git fsck --lost-found", "fsck", ["--lost-found"], []),
        ("git rev-list --all", "rev-list", ["--all"], []),
        ("git for-each-ref refs/tags", "for-each-ref", ["refs/tags"], []),
        ("git branch -a", "branch", ["--all"], []),
        ("git branch -r", "branch", ["--remotes"], []),
        ("git branch --contains abc1", "branch", ["abc1"], []),
        ("git tag", "tag", [], []),
        ("git merge origin/x", "merge", ["origin/x"], []),
        ("git reset --hard REF", "reset", ["REF"], []),
        ("git reset", "reset", ["HEAD"], []),
        ("git revert abc1234", "revert", ["abc1234"], []),
        ("git fetch origin pull/1/head:x", "fetch", ["pull/1/head"], ["origin"]),
        ("git pull", "pull", [], []),
        ("git clone -b dev https://h.org/a", "clone", ["dev"], []),
        ("git rev-parse HEAD", "rev-parse", ["HEAD"], []),
        ("git config -l", "config", [], []),
        ("git commit -am 'a b'", "commit", [], []),
        ("git add -A .", "add", [], ["."]),
        ("git bundle create f --all", "bundle create", ["--all"], ["f"]),
        ("git status", "status", [], []),
        ("git", "", [], []),
        ("git frobnicate x", "frobnicate", [], ["x"]),
        ("cat .git/packed-refs", "objects", [], [".git/packed-refs"]),
        ("cd .git/objects && ls; xxd ab/cd", "objects", [], ["ab/cd"]),
        ("cp /r/.git/ORIG_HEAD x", "objects", [], ["/r/.git/ORIG_HEAD"]),
    ],
)
def test_operation_revisions_and_paths(command: str, operation: str, refs: list[str], paths: list[str]) -> None:
    found = use(command)
    assert (found.operation, list(found.refs), list(found.paths)) == (operation, refs, paths)


READS = [
    "git show x",
    "git show --stat -p x",
    "git diff",
    "git log -p",
    "git log -u x",
    "git log -L 1,2:f",
    "git blame f",
    "git cat-file -p x",
    "git cat-file --batch",
    "git checkout x -- f",
    "git checkout x",
    "git restore -s x f",
    "git cherry-pick x",
    "git stash show -p",
    "git stash pop",
    "git archive x",
    "git format-patch x",
    "git grep p HEAD",
    "git merge x",
    "git reset --hard x",
    "cat .git/objects/ab/cd",
]
NAMES = [
    "git show --stat x",
    "git diff --name-only x",
    "git log --stat",
    "git log -S x",
    "git log --all",
    "git reflog",
    "git fsck",
    "git branch -a",
    "git rev-list --all",
    "git cat-file -t x",
    "git stash list",
    "git stash show",
    "git status",
    "git grep p",
    "git checkout -b n",
    "git restore --staged f",
    "git reset x",
    "git fetch",
    "cat .git/packed-refs",
    "git ls-tree -r x",
    "git show -s x",
    "git apply --stat p",
]
DELIVERS = [
    "git checkout x -- f",
    "git checkout x",
    "git restore -s x f",
    "git cherry-pick x",
    "git stash pop",
    "git stash apply",
    "git merge x",
    "git reset --hard x",
    "git revert x",
    "git archive x",
    "git worktree add d x",
    "git pull",
    "git apply p",
    "git format-patch x",
]


@pytest.mark.parametrize("command", READS)
def test_shows_or_delivers_content(command: str) -> None:
    assert use(command).reads_content


@pytest.mark.parametrize("command", NAMES)
def test_shows_names_and_messages_only(command: str) -> None:
    assert not use(command).reads_content


@pytest.mark.parametrize("command", DELIVERS)
def test_puts_content_into_the_working_tree(command: str) -> None:
    assert use(command).delivers


@pytest.mark.parametrize(
    "command", ["git show x", "git diff x", "git log -p", "git stash", "git checkout -b n", "git stash show -p", "git fetch"]
)
def test_delivers_nothing(command: str) -> None:
    assert not use(command).delivers


@pytest.mark.parametrize(
    ("command", "repository"),
    [
        ("git -C /r log", "/r"),
        ("git --git-dir=/r/.git log", "/r/.git"),
        ("cd /r && git log", "/r"),
        ("git -c a.b=c --no-pager log", ""),
    ],
)
def test_repository(command: str, repository: str) -> None:
    assert use(command).repository == repository
    assert use(command).operation == "log"


@pytest.mark.parametrize(
    ("command", "write"),
    [
        ("git show REF:a > b", Write(path="b", operation="copy", source="REF:a")),
        ("git show REF:a | head -5 > b", Write(path="b", operation="copy", source="REF:a")),
        ("git checkout REF -- f", Write(path="f", operation="copy", source="REF:f")),
        ("git restore -s REF f", Write(path="f", operation="copy", source="REF:f")),
        ("git cherry-pick REF", Write(path=".", operation="copy", source="REF")),
        ("git stash pop", Write(path=".", operation="copy", source="stash@{0}")),
        ("git apply a.patch", Write(path=".", operation="patch", source="a.patch")),
        ("git apply <<'E'\nx\nE\n", Write(path=".", operation="patch", text="x\n")),
        ("git apply -v - <<'E'\nx\nE\n", Write(path=".", operation="patch", text="x\n")),
        ("apply_patch <<'E'\nx\nE\n", Write(path=".", operation="patch", text="x\n")),
        ("apply_patch '*** Begin Patch'", Write(path=".", operation="patch", text="*** Begin Patch")),
        ("git diff A B | git apply", Write(path=".", operation="patch", source="B")),
        ("git archive REF | tar x -C d", Write(path="d", operation="copy", source="REF")),
        ("git archive -o a.tar REF", Write(path="a.tar", operation="copy", source="REF")),
        ("git clone https://h.org/a/b.git", Write(path="b", operation="download", source="https://h.org/a/b.git")),
        ("git clone /r d", Write(path="d", operation="copy", source="/r")),
        ("git worktree add w REF", Write(path="w", operation="copy", source="REF")),
        ("git rm f", Write(path="f", operation="delete")),
        ("git mv a b", Write(path="b", operation="copy", source="a")),
        ("git reset --hard REF", Write(path=".", operation="copy", source="REF")),
    ],
)
def test_what_git_writes(command: str, write: Write) -> None:
    assert write in [found for fact in command_facts(command) for found in fact.writes]


@pytest.mark.parametrize(
    "command",
    ["git status", "git log", "git add f", "git commit -m x", "git stash show -p", "git apply --check p", "git rm --cached f"],
)
def test_what_writes_no_file(command: str) -> None:
    assert git(command).writes == ()
