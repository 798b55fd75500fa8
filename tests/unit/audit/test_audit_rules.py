from __future__ import annotations

import msgspec
import pytest
from made_trajectories import ran, trajectory

from earned.audit.prescan import action_facts
from earned.audit.rules import Ruleset, default_ruleset, holds, signals
from earned.records import Action, Edit, Fact, GitUse, Write
from earned.taxonomy import Example, Rule, When, default_taxonomy

RULES = default_ruleset()


def act(example: Example) -> Action:
    """The command or the edit of an example."""
    if example.command:
        return Action(kind="shell", command=example.command)
    return Action(kind="write", edits=(Edit(path=example.path, operation="write", new=example.text),))


def facts(example: Example) -> tuple[Fact, ...]:
    """Its facts, with the ancestry that the example says was shown."""
    found = action_facts(act(example))
    return tuple(
        fact
        if fact.git is None
        else msgspec.structs.replace(fact, git=msgspec.structs.replace(fact.git, ancestor=example.ancestor))
        for fact in found
    )


def matched(example: Example) -> set[str]:
    return {match.rule.id for match in RULES.matches(facts(example))}


@pytest.mark.parametrize("rule", default_taxonomy().rule, ids=lambda rule: rule.id)
def test_a_rule_fires_on_its_example_and_its_hint_stands_in_it(rule: Rule) -> None:
    assert rule.id in matched(rule.fires)
    assert RULES.can_matter(act(rule.fires))


@pytest.mark.parametrize("rule", default_taxonomy().rule, ids=lambda rule: rule.id)
def test_a_rule_does_not_fire_on_its_counter_example(rule: Rule) -> None:
    assert rule.id not in matched(rule.must_not)


@pytest.mark.parametrize("rule", default_taxonomy().rule, ids=lambda rule: rule.id)
def test_a_sorted_rule_matches_what_the_rule_alone_matches(rule: Rule) -> None:
    for other in default_taxonomy().rule:
        for example in (other.fires, other.must_not):
            alone = any(holds(rule.when, fact) is not None for fact in facts(example))
            assert (rule.id in matched(example)) is alone


FACT = Fact(program="curl", argv=("curl", "x"), urls=("https://a.example/x",), hosts=("a.example",))


@pytest.mark.parametrize(
    ("when", "address"),
    [
        (When(program=("curl",)), "curl x"),
        (When(program=("wget",)), None),
        (When(hosts="a[.]example$"), "https://a.example/x"),
        (When(hosts="b[.]example$"), None),
        (When(urls="/x$"), "https://a.example/x"),
        (When(program=("curl",), urls="/y$"), None),
        (When(command="^curl x$"), "curl x"),
        (When(command="^curl y$"), None),
        (When(git=("show",)), None),
        (When(background=False, program=("curl",)), "curl x"),
        (When(background=True), None),
        (When(runs=("tests",)), None),
        (When(writes="."), None),
    ],
)
def test_every_key_that_is_given_must_hold(when: When, address: str | None) -> None:
    assert holds(when, FACT) == address


@pytest.mark.parametrize(
    ("when", "is_met"),
    [
        (When(git=("show",)), True),
        (When(git=("log",)), False),
        (When(git=("show",), ancestor=("no",)), True),
        (When(git=("show",), ancestor=("yes", "unknown")), False),
        (When(git=("show",), content=True), True),
        (When(git=("show",), content=False), False),
        (When(refs="^abc"), True),
        (When(refs="^def"), False),
    ],
)
def test_keys_of_git_are_asked_of_a_use_of_git(when: When, *, is_met: bool) -> None:
    use = GitUse(operation="show", refs=("abc1234",), reads_content=True, ancestor="no")
    assert (holds(when, Fact(program="git", git=use)) is not None) is is_met


@pytest.mark.parametrize(
    ("when", "is_met"),
    [
        (When(writes="conftest"), True),
        (When(writes="other"), False),
        (When(writes="conftest", not_writes="^tests/"), False),
        (When(writes="conftest", written="hook"), True),
        (When(writes="conftest", written="else"), False),
        (When(write_operation=("write",)), True),
        (When(write_operation=("delete",)), False),
    ],
)
def test_keys_of_writes_are_asked_of_one_and_the_same_write(when: When, *, is_met: bool) -> None:
    writes = (
        Write(path="tests/conftest.py", operation="write", text="a hook"),
        Write(path="z", operation="append", text="else"),
    )
    assert (holds(when, Fact(program="e", writes=writes)) is not None) is is_met


def test_a_match_becomes_a_signal_with_the_command_as_its_quote() -> None:
    made = trajectory(ran("cd /app && git show abc1234"))
    found = tuple(
        msgspec.structs.replace(fact, step=1, action=0)
        for fact in facts(Example(command="cd /app && git show abc1234", ancestor="no"))
    )
    (signal,) = signals(RULES.matches(found), found, made)
    assert (signal.strength, signal.category, signal.address) == ("signal", "git_history", "abc1234")
    assert signal.quote.text == "git show abc1234"
    assert signal.rule == "git.foreign_content@1"


@pytest.mark.parametrize(
    ("path", "channel"),
    [
        ("/tests/test_outputs.py", "held_out_tests"),
        ("/usr/lib/python3/dist-packages/x/y.py", "installed_package"),
        ("/solution/solve.sh", "answer_files"),
        ("src/core.py", None),
        ("tests/test_core.py", None),
    ],
)
def test_a_path_that_is_read_belongs_to_a_channel_or_to_none(path: str, channel: str | None) -> None:
    found = RULES.path_channel(path)
    assert (found[0] if found else None) == channel


def test_a_taxonomy_without_rules_matches_nothing() -> None:
    empty = Ruleset(msgspec.structs.replace(default_taxonomy(), rule=()))
    assert empty.matches((FACT,)) == ()
    assert empty.path_channel("/tests/x.py") is None
    assert not empty.text_can_matter("git show abc1234")
