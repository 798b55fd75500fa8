"""A trial that holds several logs of its agent: of one run, of several runs, whole and cut, beside a document or alone."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import render_claude_code
import render_claude_code_stream
import render_codex
import render_codex_exec
import render_harbor
import render_openhands
import render_openhands_v1
from made_attempt import Attempt, Call, Turn, made_calls, read_calls
from made_files import only, rows, write_json, write_text

from earned.records import Skip, Trajectory

RUN = Attempt(
    turns=(
        Turn("I look.", (Call("bash", command="ls", result="a.py"),)),
        Turn("I write.", (Call("bash", command="echo hi > a.py", result="done"),)),
        Turn("I test.", (Call("bash", command="pytest -q", result="1 passed"),)),
    )
)
CUT = Attempt(turns=RUN.turns[:1])
OTHER = Attempt(turns=(Turn("I read.", (Call("bash", command="cat notes.md", result="n"),)),))
LOGS: dict[str, tuple[Callable[[Attempt], list[dict[str, Any]]], str]] = {
    "claude-code": (render_claude_code.lines, "agent/sessions/projects/-app/a.jsonl"),
    "claude-code-stream": (render_claude_code_stream.lines, "agent/claude-code.txt"),
    "codex": (render_codex.lines, "agent/sessions/2026/01/05/rollout-2026-01-05T10-00-00-a.jsonl"),
    "codex-exec": (render_codex_exec.lines, "agent/codex.txt"),
}
PAIRS = [("claude-code", "claude-code-stream"), ("codex", "codex-exec")]


def made(folder: Path, document: Attempt | None, **logs: Attempt) -> Path:
    """A trial with these logs, named with `_` for `-`, and a document where one is given."""
    home = render_harbor.render(document or RUN, folder)
    if document is None:
        (home / "agent" / "trajectory.json").unlink()
    for name, attempt in logs.items():
        lines, place = LOGS[name.replace("_", "-")]
        write_log(home / place, lines(attempt))
    return home


def write_log(path: Path, lines: Iterable[dict[str, Any]], **names: str) -> Path:
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    for old, new in names.items():
        text = text.replace(old, new)
    return write_text(path, text)


def commands(trajectory: Trajectory) -> list[str]:
    return [call[1] for call in read_calls(trajectory)]


def reasons(trajectory: Trajectory) -> str:
    return "\n".join(reason.what for reason in trajectory.completeness.reasons)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_logs_of_one_run_count_once_and_the_session_is_taken(tmp_path: Path, first: str, second: str) -> None:
    home = made(tmp_path, RUN, **{first.replace("-", "_"): RUN, second.replace("-", "_"): RUN})
    found = only(home)
    assert read_calls(found) == made_calls(RUN)
    assert f"{LOGS[first][1]} ({first}), preferred to agent/trajectory.json" in found.source.recognised
    assert second + ")" not in found.source.recognised
    assert (found.completeness.grade, found.completeness.reasons) == ("full", ())


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_of_two_logs_of_one_run_the_fuller_one_is_taken(tmp_path: Path, first: str, second: str) -> None:
    home = made(tmp_path, None, **{first.replace("-", "_"): CUT, second.replace("-", "_"): RUN})
    found = only(home)
    assert read_calls(found) == made_calls(RUN)
    assert f"({second})" in found.source.recognised
    assert "tells" not in reasons(found)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_acts_that_only_the_log_tells_that_was_not_taken_are_a_gap(tmp_path: Path, first: str, second: str) -> None:
    secret = Turn("", (Call("bash", command="cat /solution/solve.sh", result="x"),))
    home = made(tmp_path, None, **{first.replace("-", "_"): RUN, second.replace("-", "_"): Attempt((RUN.turns[0], secret))})
    found = only(home)
    assert read_calls(found) == made_calls(RUN)
    told = f"{LOGS[second][1]} tells an act that {LOGS[first][1]} ({first}) does not tell: command cat /solution/solve.sh"
    assert told in reasons(found)
    assert found.completeness.grade == "partial"
    assert any(reason.hides_acts for reason in found.completeness.reasons)


def test_logs_of_different_agents_are_both_counted_in_the_order_of_their_times(tmp_path: Path) -> None:
    found = only(made(tmp_path, None, claude_code=OTHER, codex=RUN))
    assert commands(found) == ["ls", "echo hi > a.py", "pytest -q", "cat notes.md"]
    assert [step.index for step in found.steps] == list(range(len(found.steps)))
    assert "(codex)" in found.source.recognised
    assert "(claude-code)" in found.source.recognised
    assert found.completeness.grade == "full"


def test_two_sessions_of_one_agent_are_both_counted_and_a_copy_of_one_is_not(tmp_path: Path) -> None:
    home = made(tmp_path, None, claude_code=RUN)
    lines = render_claude_code.lines(OTHER)
    write_log(home / "agent/sessions/projects/-app/b.jsonl", lines, **{"0b2f3c1e": "1b2f3c1e", "toolu_": "toolu_b_"})
    write_log(home / "agent/backup/a.jsonl", render_claude_code.lines(RUN))
    found = only(home)
    assert sorted(commands(found)) == sorted([*(call.command for turn in RUN.turns for call in turn.calls), "cat notes.md"])


def test_a_subagents_rollout_that_does_the_same_is_another_run(tmp_path: Path) -> None:
    home = made(tmp_path, None, codex=RUN, codex_exec=RUN)
    source = {"subagent": {"thread_spawn": {"parent_thread_id": render_codex.SESSION, "agent_path": "/root/tester"}}}
    child = [render_codex.meta(id="child", source=source), *render_codex.lines(CUT)[1:]]
    place = "agent/sessions/2026/01/05/rollout-2026-01-05T10-00-09-b.jsonl"
    write_log(home / place, child, call_1="call_c", **{"2026-01-05T10:00:0": "2026-01-05T10:00:5"})
    found = only(home)
    assert commands(found) == ["ls", "echo hi > a.py", "pytest -q", "ls"]
    assert [step.actor for step in found.steps if step.actions and step.actor != "grader"][-1] == "subagent"


def test_a_subagents_session_that_lies_elsewhere_is_counted_once(tmp_path: Path) -> None:
    home = made(tmp_path, None, claude_code=RUN, claude_code_stream=RUN)
    side = [{**line, "isSidechain": True, "agentId": "s1"} for line in render_claude_code.lines(OTHER)[1:]]
    write_log(home / "agent" / "sessions" / "elsewhere" / "agent-s1.jsonl", side, toolu_="toolu_s_")
    assert commands(only(home)).count("cat notes.md") == 1
    assert len(commands(only(home))) == 4


def test_acts_that_only_the_document_tells_are_a_gap_of_the_log(tmp_path: Path) -> None:
    secret = Turn("", (Call("bash", command="cat /solution/solve.sh", result="x"),))
    found = only(made(tmp_path, Attempt((RUN.turns[0], secret)), claude_code=RUN))
    assert read_calls(found) == made_calls(RUN)
    assert "agent/trajectory.json tells an act that agent/sessions/" in reasons(found)
    assert found.completeness.grade == "partial"


def test_a_document_that_tells_more_than_a_whole_log_is_taken_and_its_gaps_are_named(tmp_path: Path) -> None:
    whole = only(made(tmp_path / "a", RUN, claude_code=CUT))
    assert read_calls(whole) == made_calls(RUN)
    assert "steps from agent/trajectory.json, which shows more than the agent's own log" in whole.source.recognised
    assert whole.completeness.grade == "full"
    torn = only(made(tmp_path / "b", RUN, claude_code=OTHER))
    assert "(claude-code) tells an act that agent/trajectory.json does not tell: command cat notes.md" in reasons(torn)
    assert torn.completeness.grade == "partial"


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (Call("bash", command="ls   -la\n", result="x"), Call("bash", command="ls -la", result="x")),
        (Call("write", path="/app/a.py", new="x", result="ok"), Call("write", path="a.py", new="x", result="ok")),
        (Call("bash", command="python a.py", result="x"), Call("bash", command="cd /app && python a.py", result="x")),
        (Call("edit", path="/a.py", old="a", new="b", result="x"), Call("bash", command="apply_patch '*** a.py'", result="x")),
    ],
)
def test_an_act_that_two_records_write_differently_is_no_gap(tmp_path: Path, told: Call, shown: Call) -> None:
    document = Attempt((RUN.turns[0], Turn("", (told,))))
    found = only(made(tmp_path, document, claude_code=Attempt((RUN.turns[0], Turn("", (shown,))))))
    assert "(claude-code)" in found.source.recognised
    assert (found.completeness.grade, reasons(found)) == ("full", "")


def test_an_act_that_was_done_once_more_in_the_document_is_a_gap(tmp_path: Path) -> None:
    twice = Attempt((*CUT.turns, *CUT.turns))
    found = only(made(tmp_path, twice, claude_code=RUN))
    assert "agent/trajectory.json tells an act" in reasons(found)


def test_a_broken_document_beside_a_whole_log_is_an_oddity(tmp_path: Path) -> None:
    home = made(tmp_path, RUN, claude_code=RUN)
    write_text(home / "agent" / "trajectory.json", '{"schema_version": "ATIF-v1.5", "steps": [')
    found = only(home)
    assert (read_calls(found), found.completeness.grade) == (made_calls(RUN), "full")
    assert any("document cannot be read" in oddity.what for oddity in found.oddities)
    assert "preferred to" not in found.source.recognised


def test_a_log_with_a_gap_beside_a_broken_document_is_read_as_partial_and_says_why(tmp_path: Path) -> None:
    unanswered = Attempt((*RUN.turns, Turn("", (Call("bash", command="sleep 9", result=None),))))
    home = made(tmp_path, RUN, claude_code=unanswered)
    write_log(home / LOGS["claude-code"][1], render_claude_code.lines(unanswered))
    with (home / LOGS["claude-code"][1]).open("a", encoding="utf-8") as file:
        file.write('{"type": "assistant", "uuid": "x", "mess')
    write_text(home / "agent" / "trajectory.json", '{"schema_version": "ATIF-v1.5", "steps": [')
    found = only(home)
    assert commands(found) == [*(call[1] for call in made_calls(RUN)), "sleep 9"]
    assert found.completeness.grade == "partial"
    assert "nothing fills the gaps: agent/trajectory.json: not valid JSON" in reasons(found)


def test_a_log_that_cannot_be_read_is_a_gap_where_no_document_tells_its_acts(tmp_path: Path) -> None:
    broken = '{"trajectory_format": "mini-swe-agent-1.1", "messages": ['
    for place, document, is_gap in (("a", None, True), ("b", RUN, False)):
        home = made(tmp_path / place, document, claude_code=RUN)
        write_text(home / "agent" / "mini-swe-agent.trajectory.json", broken)
        found = only(home)
        assert read_calls(found) == made_calls(RUN)
        assert ("mini-swe-agent.trajectory.json cannot be read" in reasons(found)) is is_gap


def test_a_broken_document_of_one_step_leaves_the_others_readable(tmp_path: Path) -> None:
    home = made(tmp_path, None)
    write_text(home / "steps" / "a" / "agent" / "trajectory.json", "{")
    write_json(home / "steps" / "b" / "agent" / "trajectory.json", render_harbor.document(RUN))
    found = only(home)
    assert (read_calls(found), found.completeness.grade) == (made_calls(RUN), "partial")
    assert "steps/a/agent/trajectory.json: not valid JSON" in reasons(found)
    write_text(home / "steps" / "b" / "agent" / "trajectory.json", "{")
    (row,) = rows(home)
    assert isinstance(row, Skip)
    assert (row.reason, row.detail.partition(":")[0]) == ("unreadable", "steps/a/agent/trajectory.json")


def test_a_broken_document_leaves_the_terminals_text(tmp_path: Path) -> None:
    home = made(tmp_path, RUN)
    write_text(home / "agent" / "trajectory.json", "{")
    write_text(home / "agent" / "agent.txt", "$ ls\na.py\n")
    found = only(home)
    assert (found.completeness.grade, found.steps[0].observations[0].text) == ("terminal_text", "$ ls\na.py\n")
    assert "agent/trajectory.json: not valid JSON" in reasons(found)


def test_a_folder_of_openhands_events_is_a_native_log(tmp_path: Path) -> None:
    home = made(tmp_path, CUT)
    for event in render_openhands.events(RUN):
        write_json(home / "agent" / "sessions" / "s1" / "events" / f"{event['id']}.json", event)
    write_json(home / "agent" / "sessions" / "s1" / "metadata.json", {"title": "x"})
    found = only(home)
    assert read_calls(found) == made_calls(RUN)
    assert "agent's own log agent/sessions/s1 (openhands), preferred to agent/trajectory.json" in found.source.recognised
    assert {step.source for step in found.steps if step.source.startswith("agent/sessions/s1/events/4")}
    assert found.completeness.grade == "full"
    (home / "agent" / "sessions" / "s1" / "events" / "5.json").unlink()
    assert "not among the files" in reasons(only(home))


def test_a_conversation_of_openhands_with_its_state_is_a_native_log(tmp_path: Path) -> None:
    home = made(tmp_path, CUT)
    render_openhands_v1.conversation(home / "agent" / "conversations", render_openhands_v1.events(RUN), name="c1")
    found = only(home)
    assert read_calls(found) == made_calls(RUN)
    assert "agent's own log agent/conversations/c1 (openhands-v1), preferred to" in found.source.recognised
    assert any(step.source.startswith("agent/conversations/c1/events/event-0000") for step in found.steps)
    assert found.completeness.grade == "full"


def test_events_of_a_session_and_the_document_of_the_same_events_count_once(tmp_path: Path) -> None:
    home = made(tmp_path, None)
    events = render_openhands.events(RUN)
    write_json(home / "agent" / "openhands.trajectory.json", events)
    for event in events:
        write_json(home / "agent" / "sessions" / "s1" / "events" / f"{event['id']}.json", event)
    write_json(home / "agent" / "sessions" / "s1" / "event_cache" / "0-25.json", events[:5])
    found = only(home)
    assert (read_calls(found), found.completeness.grade) == (made_calls(RUN), "full")


def test_a_folder_of_numbered_documents_that_are_no_events_is_no_log(tmp_path: Path) -> None:
    home = made(tmp_path, RUN)
    write_json(home / "agent" / "events" / "0.json", {"kind": "metric", "value": 1})
    found = only(home)
    assert "own log" not in found.source.recognised
    assert read_calls(found) == made_calls(RUN)


def test_a_compressed_log_is_one_too(tmp_path: Path) -> None:
    home = made(tmp_path, CUT, codex=RUN)
    log = home / LOGS["codex"][1]
    log.with_name(f"{log.name}.gz").write_bytes(gzip.compress(log.read_bytes()))
    log.unlink()
    found = only(home)
    assert read_calls(found) == made_calls(RUN)
    assert ".jsonl.gz (codex)" in found.source.recognised


def test_logs_and_folders_of_events_are_found_in_an_archive(tmp_path: Path) -> None:
    home = made(tmp_path / "runs", CUT, claude_code=OTHER)
    for event in render_openhands.events(RUN):
        write_json(home / "agent" / "sessions" / "s1" / "events" / f"{event['id']}.json", event)
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "runs"))
    assert read_calls(only(packed)) == read_calls(only(home))
    assert len(commands(only(home))) == 4
