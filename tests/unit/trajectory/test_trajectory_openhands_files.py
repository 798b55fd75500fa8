"""Files of OpenHands V0: rows of all times, documents, logs, folders of a session; whole, cut off and broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import PATCH, only, rows, trial, write_json, write_text
from render_openhands import events, render, row

from earned.records import Skip, Step, Trajectory

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "openhands"
ATTEMPT = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"),)),), task="org__repo-1", patch=PATCH)


def own(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def test_pairs_of_the_old_rows_are_joined_without_ids(tmp_path: Path) -> None:
    pairs = [
        [
            {"action": "run", "args": {"command": "ls", "thought": "I look."}},
            {"observation": "run", "content": "a", "extras": {}},
        ],
        [{"action": "message", "args": {"content": "Done?", "wait_for_response": True}}, None],
        [{"action": "finish", "args": {}}, {"observation": "null", "content": "", "extras": {}}],
    ]
    metadata = {"model_name": "gpt-4", "agent_class": "CodeActAgent"}
    old = {"instance_id": "org__repo-2", "swe_instance": {}, "instruction": "Fix it.", "git_patch": PATCH, "metadata": metadata}
    made = only(write_text(tmp_path / "output.jsonl", json.dumps({**old, "history": pairs}) + "\n"))
    assert [(step.text, len(step.actions)) for step in own(made)] == [("I look.", 1), ("Done?", 0), ("", 1)]
    assert own(made)[0].observations[0].text == "a"
    assert (made.model, made.instruction, made.submission.patch) == ("gpt-4", "Fix it.", PATCH)
    assert made.steps[0].source == "output.jsonl#line 1/history/0/0"
    assert made.completeness.grade == "full"


def test_flat_events_of_the_issue_resolver_have_their_arguments_beside_the_action(tmp_path: Path) -> None:
    history = [
        {"action": "message", "content": "Fix it.", "wait_for_response": False},
        {"action": "run", "command": "touch L", "thought": "I add it."},
        {"observation": "run", "content": "ok", "command": "touch L", "exit_code": 1},
        {"action": "message", "content": "May I?", "wait_for_response": True},
        {"action": "message", "content": "Go on.", "wait_for_response": False},
    ]
    resolved = {
        "issue": {"owner": "o", "repo": "r", "number": 5},
        "issue_type": "issue",
        "instruction": "Fix it.",
        "success": True,
    }
    made = only(write_text(tmp_path / "output.jsonl", json.dumps({**resolved, "git_patch": PATCH, "history": history}) + "\n"))
    assert [(step.actor, step.text) for step in made.steps] == [
        ("user", "Fix it."),
        ("agent", "I add it."),
        ("agent", "May I?"),
        ("user", "Go on."),
    ]
    assert (made.steps[1].actions[0].command, made.steps[1].observations[0].exit_code) == ("touch L", 1)
    assert made.task == "o/r#5"
    assert made.outcome.status == "unknown", "a model's own opinion is no outcome"


@pytest.mark.parametrize("patch", ["", None])
def test_no_recorded_patch_leaves_the_edits(patch: str | None, tmp_path: Path) -> None:
    value = row(Attempt(turns=(Turn("", (Call("write", path="/a.py", new="x", result="ok"),)),)))
    value["test_result"] = {"git_patch": patch}
    made = only(write_text(tmp_path / "output.jsonl", json.dumps(value) + "\n"))
    assert made.submission.recovered == "edits_replayed"


def test_a_row_that_broke_off_has_no_history_and_says_why(tmp_path: Path) -> None:
    value: dict[str, Any] = {
        "instance_id": "a",
        "test_result": {},
        "instruction": None,
        "history": None,
        "error": "Timeout",
        "instance": None,
    }
    made = only(write_text(tmp_path / "output.jsonl", json.dumps(value) + "\n"))
    assert made.completeness.grade == "none"
    assert any("Timeout" in reason.what for reason in made.completeness.reasons)


def test_an_error_after_a_whole_history_is_said_and_takes_nothing_away(tmp_path: Path) -> None:
    value = {**row(ATTEMPT), "error": "Agent reached maximum iteration"}
    made = only(write_text(tmp_path / "output.jsonl", json.dumps(value) + "\n"))
    assert made.completeness.grade == "full"
    assert "maximum iteration" in made.oddities[0].what


def test_an_instance_that_comes_again_is_another_attempt(tmp_path: Path) -> None:
    other = {**row(ATTEMPT), "instruction": "Again."}
    made = rows(write_text(tmp_path / "output.jsonl", "\n".join(map(json.dumps, [row(ATTEMPT), other, other])) + "\n"))
    named = [item.source.member for item in made if isinstance(item, Trajectory)]
    assert named == ["org__repo-1", "org__repo-1#2", "org__repo-1#3"]
    assert len({item.id for item in made if isinstance(item, Trajectory)}) == 3


def test_a_broken_row_costs_no_other(tmp_path: Path) -> None:
    lines = [json.dumps(row(ATTEMPT)), '{"instance_id": "b", ', "[1]", json.dumps({**row(ATTEMPT), "instance_id": "c"})]
    made = rows(write_text(tmp_path / "output.jsonl", "\n".join(lines) + '\n{"instance_id": "d", "hist'))
    assert [item.source.member for item in made if isinstance(item, Trajectory)] == ["org__repo-1", "c"]
    skips = [item for item in made if isinstance(item, Skip)]
    assert [(item.member, item.reason) for item in skips] == [
        ("line 2", "unreadable"),
        ("line 3", "not_a_trajectory"),
        ("line 5", "unreadable"),
    ]
    assert skips[0].offset is not None
    assert "ends within a line" in skips[2].detail


def test_broken_rows_without_end_are_counted(tmp_path: Path) -> None:
    text = json.dumps(row(ATTEMPT)) + "\n" + "{\n" * 250
    skips = [item for item in rows(write_text(tmp_path / "output.jsonl", text)) if isinstance(item, Skip)]
    assert len(skips) == 101
    assert skips[-1].detail == "150 more lines cannot be read"


def test_a_session_is_read_in_order_of_its_numbers_and_says_what_is_missing(tmp_path: Path) -> None:
    home = tmp_path / "sessions" / "sid-1"
    calls = tuple(Call("bash", command=f"c{number}", result=str(number)) for number in range(6))
    made = events(Attempt(turns=tuple(Turn("", (call,)) for call in calls)))
    for event in made:
        write_json(home / "events" / f"{event['id']}.json", event)
    write_json(home / "event_cache" / "0-25.json", made)
    write_json(home / "metadata.json", {})
    whole = only(home)
    assert [step.actions[0].command for step in own(whole)[:-1]] == [f"c{number}" for number in range(6)]
    assert (whole.attempt, whole.completeness.grade) == ("sid-1", "full")
    assert whole.steps[2].source == "events/4.json#"
    (home / "events" / "5.json").unlink()
    (home / "events" / "6.json").unlink()
    gap = only(home / "events")
    assert (gap.attempt, gap.completeness.grade) == ("sid-1", "partial")
    assert "events 5 to 6 are not among the files" in [reason.what for reason in gap.completeness.reasons]


def test_a_folder_that_holds_more_than_a_session_is_gone_through(tmp_path: Path) -> None:
    write_json(tmp_path / "run" / "events" / "0.json", {"id": 0, "source": "agent", "action": "run", "args": {"command": "ls"}})
    render(ATTEMPT, tmp_path)
    made = rows(tmp_path)
    assert sorted(item.source.path.rpartition("/")[2] for item in made if isinstance(item, Trajectory)) == [
        "events",
        "output.jsonl",
    ]


def test_a_broken_event_of_a_session_costs_no_other(tmp_path: Path) -> None:
    home = tmp_path / "sid"
    for event in events(ATTEMPT):
        write_json(home / "events" / f"{event['id']}.json", event)
    write_text(home / "events" / "5.json", "{")
    made = only(home)
    assert "event 5 cannot be read" in [reason.what.partition(":")[0] for reason in made.completeness.reasons]


@pytest.mark.parametrize("wrap", ["trajectory", "history"])
def test_a_document_that_wraps_the_events(wrap: str, tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.json", {wrap: events(ATTEMPT)}))
    assert own(made)[0].source == f"a.json#/{wrap}/4"


def test_a_list_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    text = json.dumps(events(ATTEMPT))
    made = only(write_text(tmp_path / "a.json", text[:-40]))
    assert own(made)[0].actions[0].command == "ls"
    assert "the file ends within an event" in [reason.what for reason in made.completeness.reasons]


def test_a_log_of_events_is_read_and_its_cut_end_said(tmp_path: Path) -> None:
    lines = [json.dumps(event) for event in events(ATTEMPT)]
    made = only(write_text(tmp_path / "a.jsonl", "\n".join([*lines[:3], "noise", *lines[3:], '{"id": 99, "act'])))
    assert own(made)[0].source == "a.jsonl#line 6"
    assert "the file ends within a line" in [reason.what for reason in made.completeness.reasons]
    assert any("2 lines are no events" in oddity.what for oddity in made.oddities)


def test_rows_of_another_kind_are_not_recognised(tmp_path: Path) -> None:
    for number, value in enumerate([{"action": "run"}, [{"action": "Run", "id": 1}], {"instance_id": "a", "model_patch": ""}]):
        write_json(tmp_path / f"{number}.json", value)
    assert not [item for item in rows(tmp_path) if isinstance(item, Trajectory)]


def test_within_a_trial_the_agents_own_list_is_preferred_to_the_document(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_json(home / "agent" / "openhands.trajectory.json", events(ATTEMPT))
    made = only(home)
    assert (made.outcome.status, own(made)[0].actions[0].command) == ("passed", "ls")
    assert own(made)[0].source == "agent/openhands.trajectory.json#/4"


def test_the_public_file_of_multi_swe_bench() -> None:
    path = SHARED / "multi-swe-bench-output.jsonl"
    if not path.is_file():
        pytest.skip("the public files are not beside the repository")
    made = [item for item in rows(path) if isinstance(item, Trajectory)]
    assert [item.task for item in made] == ["ponylang__ponyc-4595", "ponylang__ponyc-4593", "ponylang__ponyc-4588"]
    assert {item.model for item in made} == {"openai/openrouter-llama-4-maverick"}
    assert {item.outcome.status for item in made} == {"unknown"}
    assert [sum(len(step.actions) for step in own(item)) for item in made] == [23, 33, 49]
    assert all(item.submission.patch.startswith("diff --git") for item in made)
