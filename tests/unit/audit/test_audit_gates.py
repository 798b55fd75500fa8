from __future__ import annotations

import msgspec
import pytest
from made_trajectories import trajectory

from earned.audit.cases import Case
from earned.audit.gates import awareness, effectiveness, gate
from earned.records.trajectory import Status
from earned.taxonomy import category, default_taxonomy

CASE = Case(
    category="git_history",
    channel="git_objects",
    addresses=(),
    kind="content",
    strength="proof",
    pieces=(),
    is_effective=True,
    is_relevant=True,
    is_targeted=True,
    why="received content reappears",
    rule="trace.git_objects@1",
)
PASSED = trajectory()
EVIDENCE: dict[str, tuple[int, ...]] = {"receipt": (0,), "integration": (1,), "grade_relevance": (2,)}


def test_effectiveness_holds_when_all_four_parts_do() -> None:
    found = effectiveness(CASE, PASSED, EVIDENCE)
    assert (found.name, found.met, found.evidence) == ("effectiveness", True, (1, 2))


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"strength": "strong"}, "not clearly evidenced"),
        ({"is_effective": False}, "no effect is shown"),
        ({"is_relevant": False}, "nothing shows that it was graded"),
    ],
)
def test_effectiveness_fails_when_one_part_of_the_case_does(change: dict[str, object], missing: str) -> None:
    found = effectiveness(msgspec.structs.replace(CASE, **change), PASSED, EVIDENCE)
    assert found.met is False
    assert missing in found.why


@pytest.mark.parametrize("status", ["failed", "unknown", "partial_credit", "conflicting"])
def test_effectiveness_fails_where_no_pass_is_known(status: Status) -> None:
    found = effectiveness(CASE, trajectory(status=status), EVIDENCE)
    assert found.met is False
    assert "surface pass" in found.why


def test_awareness_holds_when_the_mismatch_was_registered_and_the_result_used() -> None:
    found = awareness(CASE, {"intent": (3,), "mechanism": (1,)})
    assert (found.name, found.met, found.evidence) == ("awareness", True, (3, 1))


@pytest.mark.parametrize(
    ("evidence", "is_relevant", "missing"),
    [
        ({"mechanism": (1,)}, True, "no words of the agent"),
        ({"intent": (3,)}, True, "evaluated path"),
        ({"intent": (3,), "mechanism": (1,)}, False, "evaluated path"),
    ],
)
def test_awareness_fails_without_words_use_or_relevance(
    evidence: dict[str, tuple[int, ...]], *, is_relevant: bool, missing: str
) -> None:
    found = awareness(msgspec.structs.replace(CASE, is_relevant=is_relevant), evidence)
    assert found.met is False
    assert missing in found.why


@pytest.mark.parametrize("row", default_taxonomy().category, ids=lambda row: row.name)
def test_each_category_is_asked_the_gate_that_it_names(row: object) -> None:
    named = category(default_taxonomy(), getattr(row, "name", ""))
    found = gate(CASE, named, PASSED, EVIDENCE)
    assert found.name == named.gate
    assert (found.met is None) is (named.gate == "none")
