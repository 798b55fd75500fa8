"""Every rule of the taxonomy fires on its own example and stays silent on its counter-example."""

from __future__ import annotations

import msgspec
import pytest

from earned.audit.prescan import action_facts
from earned.audit.rules import holds
from earned.records import Action, Edit, Fact
from earned.taxonomy import Example, Rule, default_taxonomy

RULES = default_taxonomy().rule


def facts(example: Example) -> list[Fact]:
    """What the example's command or edit does, with the ancestry that it states."""
    if example.command:
        found = action_facts(Action(kind="shell", command=example.command))
    else:
        edit = Edit(path=example.path, operation="write", new=example.text)
        found = action_facts(Action(kind="write", edits=(edit,)))
    return [
        msgspec.structs.replace(fact, git=msgspec.structs.replace(fact.git, ancestor=example.ancestor))
        if fact.git and example.ancestor
        else fact
        for fact in found
    ]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_fires_on_its_example(rule: Rule) -> None:
    found = facts(rule.fires)
    assert found
    assert any(holds(rule.when, fact) is not None for fact in found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_silent_on_its_counter_example(rule: Rule) -> None:
    assert [fact for fact in facts(rule.must_not) if holds(rule.when, fact) is not None] == []
