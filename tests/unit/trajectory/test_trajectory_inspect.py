from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import only, rows, trajectories, write_json
from made_inspect import archive, call, log, message, model, read, sample, tool

from earned.records import Skip
from earned.trajectory import discover
from earned.trajectory.formats.inspect.archive import is_inspect

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "inspect"


def test_task_model_harness_and_conditions_come_from_the_log(tmp_path: Path) -> None:
    usage = {"m": {"input_tokens": 1, "input_tokens_cache_read": 100, "output_tokens": 7, "total_cost": 0.5}}
    made = read(tmp_path, model("a", call("a", command="ls")), tool("a"), model_usage=usage, started_at="2026-01-01")
    assert (made.benchmark, made.task, made.attempt, made.model) == ("demo", "one", "one_epoch_1", "model-a")
    assert (made.harness, made.cohort.harness_version, made.cohort.environment) == ("inspect/react", "0.3.285", "docker")
    assert (made.usage.input_tokens, made.usage.output_tokens, made.usage.cost_usd) == (101, 7, 0.5)
    assert (made.cohort.started, made.source.member, made.instruction) == ("2026-01-01", "one_epoch_1", "Do it.")


def test_every_epoch_is_an_attempt(tmp_path: Path) -> None:
    made = trajectories(log(tmp_path, *[sample(model(str(epoch)), epoch=epoch) for epoch in (1, 2, 2)]))
    assert [item.source.member for item in made] == ["one_epoch_1", "one_epoch_2", "one_epoch_2#2"]
    assert len({item.id for item in made}) == 3


def test_an_answer_is_handed_in_where_a_text_is_expected_or_nothing_else_can_be_done(tmp_path: Path) -> None:
    output = {"choices": [{"message": message("assistant", "42")}]}
    asked = {**model("42"), "tools": []}
    tools = [model("", call("a", command="ls")), tool("a")]
    expected = read(tmp_path / "1", *tools, target="42", output=output)
    talked = read(tmp_path / "2", asked, sandbox=None, output=output)
    worked = read(tmp_path / "3", *tools, output=output)
    assert [item.submission.answer for item in (expected, talked, worked)] == ["42", "42", ""]
    assert [item.completeness.grade for item in (expected, talked, worked)] == ["full", "full", "full"]


def test_an_answer_stands_beside_the_files_that_were_written(tmp_path: Path) -> None:
    output = {"choices": [{"message": message("assistant", "42")}]}
    made = read(tmp_path, model("", call("a", command="echo hi > a.txt")), tool("a"), target="42", output=output)
    assert (made.submission.answer, made.submission.recovered) == ("42", "edits_replayed")


def test_an_agent_with_tools_that_acts_with_none_shows_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / "1", model("I did it all.")).completeness.grade == "none"
    assert read(tmp_path / "2", model("I did it all."), sandbox=None).completeness.grade == "none"
    assert read(tmp_path / "3", model("42"), sandbox=None, target="42").completeness.grade == "full"


def test_the_patch_that_a_scorer_recorded_is_the_submission(tmp_path: Path) -> None:
    patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    made = read(tmp_path, model("a"), scores={"t": {"value": 1, "metadata": {"model_patch": patch}}})
    assert (made.submission.patch, made.submission.certainty) == (patch, "certain")


def test_the_instruction_is_what_the_dataset_says_to_the_user(tmp_path: Path) -> None:
    told = [message("system", "Be good."), message("user", [{"type": "text", "text": "Do it."}, {"type": "image"}])]
    assert read(tmp_path, model("a"), input=told).instruction == "Do it.\n[image]"


@pytest.mark.parametrize(
    ("names", "is_known"),
    [
        (["_journal/start.json"], True),
        (["samples/a/b_epoch_12.json"], True),
        (["samples/x_epoch_1/sample.json"], True),
        (["header.json", "summaries.json"], True),
        (["header.json"], False),
        (["samples/one.json", "word/document.xml"], False),
    ],
)
def test_an_archive_is_known_by_its_members(names: list[str], is_known: bool) -> None:
    assert bool(is_inspect(tuple(names))) is is_known


@pytest.mark.parametrize(
    "value",
    [
        {"eval": {"task": "x"}, "samples": []},
        {"eval": {"model": "m", "created": "now"}},
        {"id": 1, "epoch": 1, "input": "x"},
        [{"eval": {"task": "x", "model": "m", "run_id": "r"}}],
    ],
)
def test_other_documents_are_not_taken_for_logs(tmp_path: Path, value: Any) -> None:
    (found,) = discover([write_json(tmp_path / "x.json", value)])
    assert getattr(found, "format", "") != "inspect"


def test_a_sample_alone_is_read(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "one_epoch_1.json", sample(model("", call("a", command="ls")), tool("a"))))
    assert (made.task, made.outcome.status, made.source.member) == ("one", "passed", "")
    assert made.steps[0].source == "one_epoch_1.json#/events/0"


def test_a_log_without_samples_is_a_row(tmp_path: Path) -> None:
    for place in (
        log(tmp_path / "1"),
        archive(tmp_path / "2", {}),
        write_json(tmp_path / "3.json", {"eval": {"task": "t", "model": "m", "run_id": ""}}),
    ):
        (row,) = rows(place)
        assert isinstance(row, Skip)
        assert row.detail == "the log holds no samples"


@pytest.mark.parametrize(
    ("name", "passed"),
    [
        ("oxdna-agent-bash.eval", 6),
        ("browser-agent.json", 1),
        ("log_streaming.eval", 3),
        ("log_formats.eval", 0),
        ("log_formats.json", 0),
        ("log_message_deduplication.eval", 0),
        ("log_images_tc.json", 0),
        ("log_tool_call_error.json", 0),
    ],
)
def test_public_logs_give_their_passes(name: str, passed: int) -> None:
    if not (SHARED / name).exists():
        pytest.skip("the public files are not beside the repository")
    made = trajectories(SHARED / name)
    assert len([item for item in made if item.outcome.status == "passed"]) == passed
    if name == "oxdna-agent-bash.eval":
        assert all(item.completeness.grade == "full" for item in made)
        assert all(
            any(action.kind == "shell" and item.actor == "agent" for action in item.actions) for item in made[0].steps[4:5]
        )
        assert [item.task for item in made] == ["default"] * 6
