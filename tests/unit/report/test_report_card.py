from __future__ import annotations

import msgspec
from made_passes import STAMP, attempts_of, git_violation, made_passes, make_pass, undecided_pass

from earned.records import AttemptCount, AuditedPass, IntegrityCard
from earned.report import integrity_card
from earned.report.tally import CONDITION_VALUES, Tally


def card_of(passes: list[AuditedPass], attempts: list[AttemptCount] | None = None) -> IntegrityCard:
    counted = attempts_of(passes) if attempts is None else attempts
    return integrity_card(passes, attempts=counted, skipped={"failed": 3}, stamp=STAMP, task_selection="all tasks found")


def tally_of(passes: list[AuditedPass]) -> Tally:
    tally = Tally()
    for audited in passes:
        tally.add_pass(audited)
    return tally


def test_attempts_count_every_outcome_and_passes_only_full_credit() -> None:
    card = card_of(made_passes())
    assert (card.attempts, card.surface_passes) == (len(made_passes()) + 3, len(made_passes()))


def test_the_card_carries_rates_of_both_units() -> None:
    card = card_of(made_passes())
    assert (card.trajectory.gap.unit, card.trajectory.gap.k, card.trajectory.gap.n) == ("trajectory", 3, 13)
    assert (card.task.gap.unit, card.task.gap.k, card.task.gap.n) == ("task", 3, 11)


def test_a_task_counts_once_with_its_gravest_label() -> None:
    card = card_of([make_pass("a", label="legitimate"), make_pass("b", label="unearned"), make_pass("c", label="legitimate")])
    assert (card.task.surface_passes, card.task.neutral.k) == (1, 1)


def test_a_task_attempted_by_two_cohorts_counts_once_overall_and_once_in_each() -> None:
    card = card_of([make_pass("a", model="m1"), make_pass("b", model="m2", label="violation")])
    assert card.task.surface_passes == 1
    assert [(cohort.model, cohort.task.surface_passes, cohort.task.violation.k) for cohort in card.cohorts] == [
        ("m1", 1, 0),
        ("m2", 1, 1),
    ]


def test_passes_without_a_recorded_task_are_tasks_of_their_own() -> None:
    card = card_of([make_pass("a", task="unknown"), make_pass("b", task="unknown", label="violation")])
    assert (card.task.surface_passes, card.task.violation.k, card.tasks) == (2, 1, 5)


def test_a_cohort_without_any_pass_is_still_listed() -> None:
    failed = AttemptCount(benchmark="b", model="m", harness="h", task="t", status="failed", count=4)
    (cohort,) = card_of([], [failed]).cohorts
    assert (cohort.attempts, cohort.trajectory.surface_passes, cohort.trajectory.gap.value) == (4, 0, None)


def test_nothing_at_all_gives_a_card_without_values() -> None:
    card = card_of([], [])
    assert (card.attempts, card.cohorts, card.trajectory.gap.value, card.tasks) == (0, (), None, 0)


def test_recorded_conditions_show_each_value_seen() -> None:
    open_net = make_pass("a")
    closed = msgspec.structs.replace(make_pass("b"), conditions={"network": "closed"})
    assert card_of([open_net, closed]).cohorts[0].conditions["network"] == ("closed", "open")


def test_many_values_of_a_condition_are_counted() -> None:
    many = [msgspec.structs.replace(make_pass(str(day)), conditions={"agent_version": f"1.{day:02}"}) for day in range(1, 21)]
    values = card_of(many).cohorts[0].conditions["agent_version"]
    assert len(values) == CONDITION_VALUES + 1
    assert values[-1] == "and 8 more"


def test_categories_are_assignments_and_channels_count_passes() -> None:
    both = make_pass("a", categories=("git_history", "grader_edit"))
    card = card_of([both, git_violation()])
    assert card.categories == {"git_history": 2, "grader_edit": 1}
    assert card.channels == {"git_objects": 1}


def test_judges_are_named_and_rules_when_there_was_none() -> None:
    assert card_of([undecided_pass()]).judges == ("primary: judge-small",)
    assert card_of([make_pass()]).judges == ("rules",)


def test_agreement_with_people_is_not_claimed() -> None:
    assert card_of([make_pass()]).agreement_with_people == "not measured"


def test_the_card_reads_back_from_json() -> None:
    card = card_of(made_passes())
    assert msgspec.json.decode(msgspec.json.encode(card), type=IntegrityCard) == card


def test_the_task_table_puts_the_gravest_first() -> None:
    table = tally_of(made_passes()).task_table()
    assert [line.label for line in table[:3]] == ["violation", "violation", "unearned"]
    assert sum(line.passes for line in table) == len(made_passes())


def test_a_task_that_is_not_recorded_is_named_by_its_trajectory() -> None:
    (line,) = tally_of([make_pass("runs/x.json", task="unknown")]).task_table()
    assert line.task == "unknown (runs/x.json)"
