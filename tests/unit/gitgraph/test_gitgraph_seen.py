"""What git prints in a real repository decides ancestry; what it does not show stays unknown."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest
from planted_repository import Planted

from earned.gitgraph import SeenGraph, prints_commits
from earned.records import GitUse
from earned.shell import command_facts


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    return Planted(tmp_path_factory.mktemp("template"))


@pytest.fixture
def repository(template: Planted, tmp_path: Path) -> Planted:
    copied = copy.copy(template)
    copied.folder = tmp_path / "repository"
    shutil.copytree(template.folder, copied.folder)
    copied.clock += 3_600
    copied.graph = SeenGraph()
    return copied


PLAIN = ["HEAD", "@", "HEAD~2", "HEAD^", "HEAD^^2~3", "HEAD@{0}"]


@pytest.mark.parametrize("ref", PLAIN)
def test_head_and_what_lies_below_it_are_ancestors_without_evidence(ref: str) -> None:
    assert SeenGraph().of(ref).ancestor == "yes"


@pytest.mark.parametrize(
    "ref", ["main", "origin/main", "v1.2", "abc1234", "stash@{0}", "HEAD@{1}", "ORIG_HEAD", "FETCH_HEAD", "$x", "main@{u}"]
)
def test_what_nothing_shows_is_unknown(ref: str) -> None:
    assert SeenGraph().of(ref).ancestor == "unknown"


@pytest.mark.parametrize(
    "command",
    [
        "git log",
        "git log --oneline",
        "git log -5 --stat",
        "git log --format='%h %s'",
        "git log --graph --oneline",
        "git log --decorate main",
        "git rev-list HEAD",
    ],
)
def test_a_log_of_head_shows_ancestors(repository: Planted, command: str) -> None:
    if "main" in command:
        repository.agent("git status")
    repository.agent(command)
    assert repository.graph.of(repository.c1[:8]).ancestor == "yes"
    assert repository.graph.of(repository.c3).ancestor == "yes"
    assert repository.graph.of(repository.f1).ancestor == "unknown"


@pytest.mark.parametrize(
    "command",
    [
        "git log HEAD..fix",
        "git log --oneline ..fix",
        "git log fix ^HEAD",
        "git log fix --not HEAD",
        "git log --all --oneline --decorate",
        "git log --all --graph --oneline --decorate",
        "git log --all --decorate=short",
        "git log --all --decorate --reverse",
    ],
)
def test_commits_beyond_head_are_no_ancestors(repository: Planted, command: str) -> None:
    repository.agent(command)
    for commit in (repository.f1, repository.f2[:7]):
        assert repository.graph.of(commit).ancestor == "no"
    assert repository.ask(f"git show {repository.f2}").ancestor == "no"
    assert repository.graph.of(repository.c3).ancestor != "no"
    assert repository.graph.of(repository.c1).ancestor != "no"


@pytest.mark.parametrize("command", ["git log --oneline HEAD..fix", "git log --format=%h ..fix", "git log -1 HEAD..fix"])
def test_a_range_from_head_that_is_not_empty_places_the_name_at_its_end(repository: Planted, command: str) -> None:
    assert repository.graph.of("fix").ancestor == "unknown"
    repository.agent(command)
    assert repository.graph.of("fix").ancestor == "no"
    assert repository.graph.of("main").ancestor != "no"


def test_an_empty_range_from_head_places_nothing(repository: Planted) -> None:
    repository.agent("git log --oneline HEAD..main")
    assert repository.graph.of("main").ancestor != "no"
    assert repository.graph.of("fix").ancestor == "unknown"


def test_a_name_takes_the_verdict_of_its_commit(repository: Planted) -> None:
    repository.agent("git log --all --oneline --decorate")
    assert repository.graph.of("fix").ancestor == "no"
    assert repository.graph.of("refs/heads/fix").ancestor == "no"
    assert repository.graph.of("main").ancestor == "yes"
    repository.agent("git log --decorate")
    assert repository.graph.of("v1").ancestor == "yes"
    assert repository.graph.of("tags/v1~1").ancestor == "yes"


def test_a_side_branch_is_no_ancestor_once_a_log_of_head_leaves_it_out(repository: Planted) -> None:
    repository.agent("git log --all --format='%h %s'")
    assert repository.graph.of(repository.side).ancestor == "unknown"
    repository.agent("git log --format='%h %s'")
    assert repository.graph.of(repository.side).ancestor == "no"
    assert repository.graph.of(repository.f1).ancestor == "no"


def test_a_filtered_log_of_head_leaves_nothing_out(repository: Planted) -> None:
    repository.agent("git log --all --format='%h %s'")
    repository.agent("git log --format='%h %s' -- one")
    assert repository.graph.of(repository.side).ancestor == "unknown"


def test_a_hit_of_a_search_over_all_refs_is_unknown_until_the_whole_log_is_shown(repository: Planted) -> None:
    repository.agent("git log --all --oneline --grep=fix2")
    assert repository.graph.of(repository.f2[:7]).ancestor == "unknown"
    command = "git log --oneline"
    use = command_facts(command)[0].git
    assert use is not None
    repository.graph.observe(use, command_facts(command)[0].argv, repository.sh(command), whole=True)
    assert repository.graph.of(repository.f2[:7]).ancestor == "no"


@pytest.mark.parametrize(
    "command",
    [
        "git show --format=raw fix",
        "git log --format='%H %P' -2 fix",
        "git log --parents -2 fix",
        "git rev-list --parents -2 fix",
    ],
)
def test_shown_parents_that_lead_to_head_from_above(repository: Planted, command: str) -> None:
    repository.agent("git rev-parse HEAD")
    repository.agent(command)
    if "show" in command:
        repository.agent("git show --format=raw fix~1")
    assert repository.graph.of(repository.f1).ancestor == "no"
    assert repository.graph.of(repository.f2).ancestor == "no"


def test_parents_that_do_not_reach_head_decide_nothing(repository: Planted) -> None:
    repository.agent("git rev-parse HEAD")
    repository.agent("git show --format=raw side")
    assert repository.graph.of(repository.side).ancestor == "unknown"


def test_parents_of_an_ancestor_are_ancestors(repository: Planted) -> None:
    repository.agent("git rev-parse HEAD")
    repository.agent("git show --format=raw HEAD")
    assert repository.graph.of(repository.c2).ancestor == "yes"


def test_blame_shows_ancestors_only_of_an_ancestor(repository: Planted) -> None:
    repository.agent("git blame one")
    assert repository.graph.of(repository.c1[:8]).ancestor == "yes"
    repository.agent("git blame fix -- fix1")
    assert repository.graph.of(repository.f1[:8]).ancestor == "unknown"


def test_the_agents_own_commits_are_ancestors(repository: Planted) -> None:
    text = repository.agent("touch own && git add own && git commit -m own")
    assert "[main " in text
    own = repository.sh("git rev-parse HEAD").strip()
    assert repository.graph.of(own).ancestor == "yes"
    repository.agent("git log --all --decorate --oneline")
    assert repository.graph.of(own).ancestor == "yes"
    repository.agent("git reset --hard HEAD~1")
    assert repository.graph.of("ORIG_HEAD").ancestor == "yes"
    assert repository.graph.of("HEAD").ancestor == "yes"


def test_own_quiet_commits_are_not_taken_for_foreign_ones(repository: Planted) -> None:
    repository.agent("git rev-parse HEAD")
    repository.agent("touch own && git add own && git commit -qm own")
    own = repository.sh("git rev-parse HEAD").strip()
    repository.agent(f"git show --format=raw {own}")
    assert repository.graph.of(own).ancestor == "unknown"
    repository.agent("git log --oneline")
    assert repository.graph.of(own[:7]).ancestor == "yes"


def test_the_agents_stash_is_its_own_and_another_is_unknown(repository: Planted) -> None:
    assert repository.ask("git stash pop").ancestor == "unknown"
    repository.agent("echo x >> one && git stash")
    assert repository.ask("git stash show -p").ancestor == "yes"
    assert repository.ask("git stash show -p stash@{1}").ancestor == "unknown"
    repository.agent("git log --all --oneline --decorate")
    assert repository.graph.of(repository.sh("git rev-parse stash").strip()).ancestor != "no"
    repository.agent("git stash pop")
    assert repository.ask("git stash pop").ancestor == "unknown"


def test_a_stash_that_failed_or_had_nothing_is_none(repository: Planted) -> None:
    repository.agent("git stash")
    assert repository.ask("git stash pop").ancestor == "unknown"


def test_dangling_commits_that_the_agent_did_not_make_are_no_ancestors(repository: Planted) -> None:
    repository.sh("git branch -D fix")
    repository.sh("rm -rf .git/logs")
    text = repository.agent("git fsck --unreachable --no-reflogs")
    assert repository.f2 in text
    assert repository.graph.of(repository.f2).ancestor == "no"
    assert repository.ask("git fsck --lost-found").ancestor == "unknown"


def test_dangling_commits_are_undecided_when_the_agent_may_have_made_them(repository: Planted) -> None:
    repository.agent("touch own && git add own && git commit -qm own && git reset -q --hard HEAD~1")
    repository.agent("rm -rf .git/logs; git fsck --unreachable --no-reflogs")
    own = repository.sh("git rev-parse ORIG_HEAD").strip()
    assert repository.graph.of(own).ancestor == "unknown"


@pytest.mark.parametrize(
    "command",
    [
        "git checkout fix",
        "git switch fix",
        "git merge fix",
        "git reset --hard fix",
        "git cherry-pick fix~1",
        "git pull . fix",
        "git checkout -b new fix",
        "git rebase fix",
    ],
)
def test_head_is_no_base_after_the_agent_moved_it_to_what_is_unknown(repository: Planted, command: str) -> None:
    repository.agent(command)
    repository.agent("git log --oneline")
    assert repository.graph.of("HEAD").ancestor == "unknown"
    assert repository.graph.of(repository.f1).ancestor == "unknown"


@pytest.mark.parametrize(
    "command",
    [
        "git checkout nothing-of-this-name",
        "git checkout -b new",
        "git checkout -- one",
        "git checkout fix -- fix1",
        "git reset --hard",
        "git reset --hard HEAD~1",
        "git checkout HEAD~1",
        "git merge HEAD~1",
    ],
)
def test_head_stays_the_base_when_it_did_not_move_beyond(repository: Planted, command: str) -> None:
    repository.agent(command)
    assert repository.graph.of("HEAD").ancestor == "yes"


def test_going_back_makes_head_the_base_again(repository: Planted) -> None:
    repository.agent("git checkout fix")
    repository.agent("git checkout -")
    assert repository.graph.of("HEAD").ancestor == "yes"


def test_going_back_by_the_name_of_the_branch_makes_head_the_base_again(repository: Planted) -> None:
    repository.agent("git status")
    repository.agent("git checkout fix")
    assert repository.graph.of("main").ancestor == "unknown"
    repository.agent("git checkout main")
    assert repository.graph.of("HEAD").ancestor == "yes"


def test_going_back_does_not_undo_a_merge(repository: Planted) -> None:
    repository.agent("git status")
    repository.agent("git merge fix")
    repository.agent("git checkout main")
    assert repository.graph.of("HEAD").ancestor == "unknown"


def test_below_the_base_a_range_from_head_decides_nothing(repository: Planted) -> None:
    repository.agent("git status")
    repository.agent("git checkout HEAD~1")
    repository.agent("git log HEAD..side")
    repository.agent("git log --all --decorate")
    assert repository.graph.of(repository.c3).ancestor != "no"


def test_a_range_is_no_ancestor_when_one_end_is_none(repository: Planted) -> None:
    repository.agent("git log HEAD..fix")
    assert repository.ask(f"git diff HEAD {repository.f1}").ancestor == "no"
    assert repository.ask(f"git diff HEAD..{repository.f1[:7]}").ancestor == "no"
    assert repository.ask("git diff HEAD~1..HEAD").ancestor == "yes"
    assert repository.ask("git diff").ancestor == "yes"


def test_options_that_reach_beyond_head_are_unknown(repository: Planted) -> None:
    answer = repository.ask("git log --all -p")
    assert answer.ancestor == "unknown"
    assert "--all" in answer.why


def test_status_names_what_stands_beyond(repository: Planted) -> None:
    repository.sh("git branch --set-upstream-to=fix main")
    repository.agent("git status")
    assert repository.graph.of("fix").ancestor == "no"
    assert repository.graph.of("main").ancestor == "yes"


def test_branch_listings_with_merged_decide(repository: Planted) -> None:
    repository.agent("git branch --merged")
    repository.agent("git branch --no-merged")
    assert repository.graph.of("main").ancestor == "yes"
    assert repository.graph.of("side").ancestor == "no"


def test_rev_parse_and_merge_base_carry_verdicts(repository: Planted) -> None:
    repository.agent("git rev-parse HEAD~1")
    repository.agent("git merge-base HEAD fix")
    assert repository.graph.of(repository.c2).ancestor == "yes"
    assert repository.graph.of(repository.c3).ancestor == "yes"


def test_describe_reaches_its_tag(repository: Planted) -> None:
    repository.agent("git describe --tags")
    assert repository.graph.of("v1").ancestor == "yes"


def test_output_shared_by_several_commands_is_not_taken_for_one_of_them(repository: Planted) -> None:
    repository.agent("git log --oneline -1; git log --oneline -3 fix")
    assert repository.graph.of(repository.f2[:7]).ancestor == "unknown"
    repository.agent("git status; git log --oneline -1; git add .")
    assert repository.graph.of(repository.c3[:7]).ancestor == "yes"
    assert repository.graph.of(repository.f2[:7]).ancestor == "unknown"


@pytest.mark.parametrize(
    ("operation", "expected"), [("log", True), ("show", True), ("stash list", True), ("status", False), ("add", False)]
)
def test_which_commands_print_commits(operation: str, expected: bool) -> None:
    assert prints_commits(GitUse(operation=operation)) is expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\xff" * 100,
        "commit " + "a" * 100_000,
        "* " * 50_000,
        "abcdef1 " * 20_000,
        "(" * 10_000,
        "commit abcdef1\n" * 20_000,
    ],
)
def test_hostile_output_gives_no_error(text: str) -> None:
    graph = SeenGraph()
    for operation in (
        "log",
        "show",
        "blame",
        "status",
        "branch",
        "fsck",
        "commit",
        "stash pop",
        "rev-parse",
        "describe",
        "checkout",
        "merge-base",
    ):
        graph.observe(GitUse(operation=operation, refs=("x",)), ("git", operation), text)
    assert graph.of("zzzz").ancestor == "unknown"
