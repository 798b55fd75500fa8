from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from made_files import candidates, only, rows, trajectories, write_json, write_text

from earned.records import Companion, Skip, Trajectory
from earned.trajectory import discover
from earned.trajectory.decode.csv_rows import MAX_ROW
from earned.trajectory.formats.mcp_atlas.tools import mcp_action
from earned.trajectory.outcomes.scores import chosen

PLAIN = ("task_id", "raw_conversation_history", "response")


def conversation(text: str = "a.py", answer: str = "It is a.py.") -> list[dict[str, Any]]:
    asked = {"id": "c1", "type": "function", "function": {"name": "filesystem_read_file", "arguments": '{"path": "/data/a"}'}}
    return [
        {"role": "assistant", "content": "I look.", "tool_calls": [asked], "reasoning_content": "hm"},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": text}]},
        {"role": "assistant", "content": answer, "tool_calls": None},
    ]


def table(path: Path, *records: dict[str, str], names: tuple[str, ...] = PLAIN, ending: str = "\r\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator=ending)
        writer.writeheader()
        writer.writerows(records)
    return path


def row(task: str = "5c6d", history: Any = None, response: str = "It is a.py.", **more: str) -> dict[str, str]:
    told = history if isinstance(history, str) else json.dumps(conversation() if history is None else history)
    return {"task_id": task, "raw_conversation_history": told, "response": response, **more}


def scored(path: Path, *scores: str, **more: str) -> Path:
    names = ("TASK", "PROMPT", "GTFA_CLAIMS", "TRAJECTORY", *PLAIN[1:], "coverage_score", *more)
    records = []
    for number, score in enumerate(scores):
        record = row(f"t-{number}", **more)
        del record["task_id"]
        gold = json.dumps(conversation("GOLD"))
        records.append(
            {
                **record,
                "TASK": f"t-{number}",
                "PROMPT": "Which\nfile?",
                "GTFA_CLAIMS": "['x']",
                "TRAJECTORY": gold,
                "coverage_score": score,
            }
        )
    return table(path, *records, names=names, ending="\n")


def test_a_row_of_outputs_is_an_attempt_whose_answer_is_the_response(tmp_path: Path) -> None:
    made = only(table(tmp_path / "outputs.csv", row()))
    assert (made.benchmark, made.task, made.attempt, made.harness) == ("MCP-Atlas", "5c6d", "5c6d", "MCP-Atlas")
    assert [(step.actor, step.text, step.reasoning) for step in made.steps] == [
        ("agent", "I look.", "hm"),
        ("agent", "It is a.py.", ""),
    ]
    (action,) = made.steps[0].actions
    assert (action.kind, action.tool, action.paths) == ("read", "filesystem_read_file", ("/data/a",))
    assert made.steps[0].observations[0].text == "a.py"
    assert made.steps[0].source == "outputs.csv#line 2 /raw_conversation_history/0"
    assert (made.submission.answer, made.submission.certainty) == ("It is a.py.", "certain")
    assert (made.outcome.status, made.completeness.grade, made.instruction) == ("unknown", "full", "")


@pytest.mark.parametrize(
    ("score", "status"),
    [
        ("0.75", "passed"),
        ("1.0", "passed"),
        ("0.749", "failed"),
        ("0.5", "failed"),
        ("", "unknown"),
        ("nan", "unknown"),
        ("7", "unknown"),
    ],
)
def test_the_coverage_passes_from_three_quarters_on(tmp_path: Path, score: str, status: str) -> None:
    made = only(scored(tmp_path / "scored_model-a.csv", score))
    assert (made.outcome.status, made.model, made.instruction) == (status, "model-a", "Which\nfile?")
    assert made.outcome.source == "scored_model-a.csv#line 2 /coverage_score"
    assert [step.actor for step in made.steps] == ["user", "agent", "agent"]
    assert made.scores[0].threshold == (None if status == "unknown" else 0.75)
    assert not any("GOLD" in item.text for step in made.steps for item in step.observations)


def test_another_threshold_decides_otherwise(tmp_path: Path) -> None:
    made = only(scored(tmp_path / "scored_m.csv", "0.6"))
    assert made.outcome.status == "failed"
    assert chosen(made.scores, threshold=0.5).status == "passed"


def test_a_run_that_ended_with_an_error_has_no_answer(tmp_path: Path) -> None:
    made = only(table(tmp_path / "outputs.csv", row(history="", response="ERROR: HTTP 500: no")))
    assert (made.submission.answer, made.completeness.grade, made.outcome.status) == ("", "none", "unknown")
    said = {reason.what for reason in made.completeness.reasons}
    assert {
        "no conversation is recorded",
        "the harness recorded an error in the place of an answer: ERROR: HTTP 500: no",
    } <= said


def test_an_answer_without_a_conversation_is_not_called_clean(tmp_path: Path) -> None:
    made = only(table(tmp_path / "outputs.csv", row(history="nan")))
    assert (made.submission.answer, made.completeness.grade) == ("It is a.py.", "none")


def test_an_answer_without_a_call_is_shown_in_full(tmp_path: Path) -> None:
    made = only(table(tmp_path / "outputs.csv", row(history=conversation()[2:])))
    assert made.completeness.grade == "full"


@pytest.mark.parametrize("times", [1, 2])
def test_a_conversation_that_is_escaped_again_is_read(tmp_path: Path, times: int) -> None:
    text = json.dumps(conversation('a "quoted"\nname'))
    for _ in range(times):
        text = json.dumps(text)
    made = only(table(tmp_path / "outputs.csv", row(history=text)))
    assert made.steps[0].observations[0].text == 'a "quoted"\nname'
    assert made.oddities[0].what == "messages are escaped twice"
    bare = only(table(tmp_path / "bare.csv", row(history=json.dumps(json.dumps(conversation('a "b"\nc')))[1:-1])))
    assert bare.steps[0].observations[0].text == 'a "b"\nc'


def test_a_conversation_that_is_escaped_without_end_is_named(tmp_path: Path) -> None:
    text = json.dumps(conversation())
    for _ in range(5):
        text = json.dumps(text)
    made = only(table(tmp_path / "outputs.csv", row(history=text)))
    assert "escaped again and again" in made.completeness.reasons[1].what
    assert made.submission.answer == "It is a.py."


@pytest.mark.parametrize("history", ["not json", "[1, 2", '{"role": "assistant"}', "[]"])
def test_a_conversation_that_cannot_be_read_costs_no_other_field(tmp_path: Path, history: str) -> None:
    made = only(table(tmp_path / "outputs.csv", row(history=history)))
    assert (made.completeness.grade, made.submission.answer) == ("none", "It is a.py.")


def test_a_conversation_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    text = json.dumps(conversation())
    made = only(table(tmp_path / "outputs.csv", row(history=text[: text.index('"It is')])))
    assert made.steps[0].observations[0].text == "a.py"
    assert (made.completeness.grade, made.completeness.reasons[0].what) == ("partial", "the record ends within a message")


def test_fields_may_hold_line_ends_nul_and_megabytes(tmp_path: Path) -> None:
    long = "x" * 2_000_000
    told = [row("a", conversation(long), 'two\nlines, "quoted"'), row("b", response="nul \0 here"), row("c")]
    made = trajectories(table(tmp_path / "outputs.csv", *told))
    assert [item.submission.answer for item in made] == ['two\nlines, "quoted"', "nul \0 here", "It is a.py."]
    assert made[0].steps[0].observations[0].text == long


def test_a_table_that_is_cut_within_a_row_keeps_the_rows_before(tmp_path: Path) -> None:
    whole = table(tmp_path / "outputs.csv", row("a"), row("b")).read_text(encoding="utf-8")
    made = rows(write_text(tmp_path / "cut.csv", whole[: whole.rindex("c1")]))
    assert [item.task for item in made if isinstance(item, Trajectory)] == ["a", "b"]
    assert isinstance(made[1], Trajectory)
    assert made[1].completeness.grade in {"partial", "none"}
    assert "the record ends within a row of the table" in {reason.what for reason in made[1].completeness.reasons}


def test_a_run_that_was_killed_and_resumed_loses_one_row_at_most(tmp_path: Path) -> None:
    whole = table(tmp_path / "outputs.csv", row("a"), row("b"), row("c")).read_bytes()
    second = whole.index(b"b,")
    (tmp_path / "cut.csv").write_bytes(whole[: second + 60] + b"\r\n" + whole[whole.index(b"c,") :] + whole[second:])
    made = trajectories(tmp_path / "cut.csv")
    assert [item.source.member for item in made] == ["a", "b", "c", "b#2", "c#2"]
    assert [item.completeness.grade for item in made] == ["full", "none", "full", "full", "full"]


def test_a_row_over_the_limit_is_too_large_and_costs_no_other(tmp_path: Path) -> None:
    file = table(tmp_path / "outputs.csv", row("b"))
    with file.open("ab") as out:
        out.write(b'a,"' + b"x" * MAX_ROW + b'",y\r\n')
    made = rows(file)
    assert [item.reason if isinstance(item, Skip) else item.task for item in made] == ["b", "too_large"]


def test_rows_that_miss_or_add_fields_are_named(tmp_path: Path) -> None:
    told = json.dumps(conversation()).replace('"', '""')
    made = trajectories(write_text(tmp_path / "a.csv", f'{",".join(PLAIN)}\na,"{told}"\nb,"{told}",x,y\n'))
    assert made[0].completeness.reasons[0].what == "the record ends within a row of the table"
    assert made[1].oddities[0].what == "expected 3 fields, found 4"


@pytest.mark.parametrize(("again", "status"), [("0.1", "conflicting"), ("0.9", "passed")])
def test_two_columns_of_the_score_agree_or_conflict(tmp_path: Path, again: str, status: str) -> None:
    text = scored(tmp_path / "s.csv", "0.9").read_text(encoding="utf-8")
    head, _, rest = text.partition("\n")
    made = only(write_text(tmp_path / "s.csv", f"{head},coverage_score\n{rest.rstrip()},{again}\n"))
    assert made.outcome.status == status
    assert any("column" in item.what for item in made.oddities) is (status == "conflicting")


def test_two_columns_of_the_conversation_that_differ_are_a_gap(tmp_path: Path) -> None:
    text = table(tmp_path / "s.csv", row()).read_text(encoding="utf-8")
    head, _, rest = text.partition("\n")
    made = only(write_text(tmp_path / "s.csv", f"raw_conversation_history,{head}\n[],{rest}"))
    assert made.completeness.grade == "partial"


def test_errors_of_the_harness_are_told(tmp_path: Path) -> None:
    made = only(scored(tmp_path / "scored_m.csv", "1", errors='[{"reason": "max_tool_calls_reached"}]'))
    assert "max_tool_calls_reached" in made.oddities[0].what
    assert not only(scored(tmp_path / "scored_n.csv", "1", errors="[]")).oddities


def test_the_column_that_was_scored_is_the_answer(tmp_path: Path) -> None:
    names = ("task_id", "raw_conversation_history", "script_model_response")
    told = {"task_id": "a", "raw_conversation_history": json.dumps(conversation()), "script_model_response": "Forty-two."}
    assert only(table(tmp_path / "mcp_eval_model-b_20tasks_1.csv", told, names=names)).submission.answer == "Forty-two."


def test_a_result_that_the_harness_capped_is_cut(tmp_path: Path) -> None:
    text = "x\n\n[Tool output truncated to 1 chars. Original was 9 chars.]"
    made = only(table(tmp_path / "outputs.csv", row(history=conversation(text))))
    assert made.steps[0].observations[0].truncated
    assert made.completeness.grade == "partial"


def test_statistics_and_settings_beside_are_companions(tmp_path: Path) -> None:
    table(tmp_path / "outputs.csv", row())
    stats = {"model_name": "m", "total_tasks": 1, "mean_coverage": 0.5, "pass_rate_0.75": 0.0}
    write_json(tmp_path / "coverage_stats_m_all.json", stats)
    write_json(tmp_path / "coverage_stats_m_combined.json", {"all": stats})
    write_json(tmp_path / "run_config.json", {"model": "m", "max_turns": None, "max_tool_calls": None, "tool_output_cap": None})
    found = {item.path.rsplit("/", 1)[1]: item.kind for item in discover([tmp_path]) if isinstance(item, Companion)}
    assert found == {
        "coverage_stats_m_all.json": "statistics",
        "coverage_stats_m_combined.json": "statistics",
        "run_config.json": "config",
    }


@pytest.mark.parametrize(
    "text",
    [
        "TASK,PROMPT,GTFA_CLAIMS\na,b,c\n",
        "raw_conversation_history\nx\n",
        'task_id,response\na,"raw_conversation_history"\n',
        "x,raw_conversation_history\n1,2\n",
        '{"raw_conversation_history": "task_id"}',
    ],
)
def test_other_tables_are_none_of_its_own(tmp_path: Path, text: str) -> None:
    assert candidates(write_text(tmp_path / "a.csv", text)) == []


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "text"),
    [
        ("filesystem_read_text_file", {"path": "/data/a"}, "read", '{"path":"/data/a"}'),
        ("filesystem_directory_tree", {"path": "/data"}, "read", '{"path":"/data"}'),
        ("filesystem_list_directory", {"path": "/data"}, "search", '{"path":"/data"}'),
        ("filesystem_write_file", {"path": "/a", "content": "x"}, "write", "x"),
        ("filesystem_edit_file", {"path": "/a", "edits": [{"oldText": "x", "newText": "y"}]}, "edit", "y"),
        ("ddg-search_search", {"query": "q"}, "search", "q"),
        ("brave-search_brave_web_search", {"query": "q"}, "search", "q"),
        ("ddg-search_fetch_content", {"url": "https://e.org"}, "fetch", "https://e.org"),
        ("fetch_fetch", {"url": "https://e.org"}, "fetch", "https://e.org"),
        ("oxylabs_universal_scraper", {"url": "https://e.org"}, "fetch", "https://e.org"),
        ("wikipedia_search_wikipedia", {"query": "q"}, "search", "q"),
        ("cli-mcp-server_run_command", {"command": "ls"}, "shell", "ls"),
        ("mcp-code-executor_execute_code", {"code": "1"}, "code", "1"),
        ("notion_API-retrieve-a-page", {"page_id": "x"}, "other", '{"page_id":"x"}'),
        ("slack_conversations_add_message", {"text": "x"}, "other", '{"text":"x"}'),
        ("calculator_calculate", {"expression": "1"}, "other", '{"expression":"1"}'),
        ("x", "not an object", "other", "not an object"),
    ],
)
def test_tools_of_servers_are_told_where_they_are_evident(name: str, arguments: Any, kind: str, text: str) -> None:
    action = mcp_action(name, arguments)
    assert (action.kind, action.tool, action.text) == (kind, name, text)
