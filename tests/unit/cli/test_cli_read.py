"""`earned read`: one table that fits the screen, counts that group, one step by its place."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import earned, small_trials
from made_files import atif, bash, call, swe_agent, trial, write_json
from rich.console import Console

from earned.cli.listing import MAX_SKIPPED, write_listing
from earned.flows.read import Found, ReadRow, counts
from earned.flows.read import read as read_flow
from earned.flows.spool import Spool
from earned.records import SCHEMA, Companion, Skip

LONG = "pydantic__pydantic.acb0f10f.pr_8316"


def row(number: int = 0, **changes: object) -> ReadRow:
    base = ReadRow(
        path=f"runs/{number:03}/{LONG}-{number:03}.traj",
        member="",
        format="swe-agent",
        recognised="trajectory with action and observation",
        trajectory_id="0" * 64,
        benchmark="b",
        task=f"{LONG}-{number:03}",
        model="some-model-20250219",
        harness="SWE-agent",
        attempt="a",
        outcome="passed",
        outcome_source=f"runs/{number}/report.json#/resolved",
        outcome_detail="",
        reward=None,
        scores=(),
        steps=1234,
        actions=1200,
        subagents=0,
        completeness="full",
        reasons=(),
        submission="edits_replayed",
        submission_certainty="likely",
        oddities=(),
    )
    return msgspec.structs.replace(base, **changes)


def listed(*found: Found, width: int = 0) -> list[str]:
    """The lines that a terminal of that width, or a pipe (0), gets."""
    out = io.StringIO()
    screen = Console(file=out, width=width or 2000, highlight=False, markup=False, soft_wrap=not width, color_system=None)
    with Spool[Found](ReadRow, Companion, Skip) as spool:
        for item in found:
            spool.append(item)
        write_listing(spool, screen, is_terminal=bool(width))
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_wider_than_the_screen_and_no_word_of_a_closed_list_is_broken(width: int) -> None:
    deep = "deep/" * 30
    found = [
        row(),
        row(1, path=f"{deep}x.jsonl", member="member-1", format="claude-code-stream", scores=("accuracy", "model_graded_fact")),
        row(2, model="m" * 90, outcome="partial_credit", outcome_detail="d" * 200, completeness="terminal_text", subagents=12),
    ]
    lines = listed(*found, width=width)
    assert max(map(len, lines)) <= width
    text = "".join(line.replace(" ", "") for line in lines)
    for told in (f"{deep}x.jsonl:member-1", "d" * 200):
        assert told in text
    words = " ".join(lines).split()
    assert {"outcome", "trace", "submission", "partial_credit", "passed", "terminal_text", "full", "claude-code-stream"} <= {
        *words
    }
    assert any(word.startswith("edits_replayed") for word in words)


@pytest.mark.parametrize("width", range(46, 200, 11))
def test_every_column_is_whole_or_named_as_left_out(width: int) -> None:
    wide = row(1, model="m" * 30, format="chat", scores=("accuracy",), subagents=3, oddities=("p: o",), task="t" * 40)
    lines = listed(row(), wide, width=width)
    table = lines[: lines.index("2 trajectories, 0 companions, 0 skipped")]
    said = " ".join(table).partition("no room for ")[2].partition(": see")[0]
    header = next(line for line in table if "outcome" in line.split())
    lost = set(filter(None, said.split(", ")))
    shown = set(header.split())
    assert not lost & shown
    assert lost | shown | {"trajectory"} == {"trajectory", "scores", "steps", "acts", "subs", "odd"} | {
        *("format", "task", "model", "outcome", "trace", "submission")
    }


def test_a_model_that_has_no_room_is_cut_at_its_end() -> None:
    lines = listed(row(), row(1, model="model-" + "m" * 90), width=80)
    assert any("model-mmm" in line and "…" in line for line in lines)


def test_a_short_row_has_one_line_and_a_long_path_a_line_of_its_own() -> None:
    short = listed(row(path="a.traj", task="t", model="m"), row(path="b.traj", task="u", model="n"), width=100)
    assert [line.split()[0] for line in short[:4]] == ["all:", "trajectory", "a.traj", "b.traj"]
    long = listed(row(), row(1), width=80)
    assert long[1] == "trajectory"
    assert long[3].endswith(".traj")
    assert LONG in long[3]
    assert long[4].split() == ["passed", "1234", "1200", "full", "edits_replayed,", "likely"]


def test_what_all_rows_share_is_said_once_on_a_terminal_and_in_every_row_of_a_pipe() -> None:
    assert listed(row(), row(1), width=80)[0] == "all: format swe-agent, model some-model-20250219"
    other = listed(row(), row(1, model="another"), width=80)
    assert other[0] == "all: format swe-agent"
    piped = listed(row(), row(1))
    assert all("some-model-20250219" in line for line in piped[1:3])
    assert listed(row(), width=80)[0] == "trajectory"


def test_columns_that_no_row_fills_are_left_out() -> None:
    assert not {"scores", "subs", "odd"} & set(listed(row())[0].split())
    full = listed(row(scores=("accuracy",), subagents=2, oddities=("p: o", "p: o")))
    assert {"scores", "subs", "odd"} <= set(full[0].split())
    assert {"accuracy", "2"} <= set(full[1].split())


def test_counts_group_what_is_not_plain_with_a_place_that_show_takes() -> None:
    cut = row(1, completeness="partial", reasons=("a result is cut (step 7)", "a result is cut (step 9)"))
    odd = row(2, oddities=("runs/x: decoded leniently: bad", "runs/x: decoded leniently: bad"), outcome="unknown")
    found = listed(row(), cut, msgspec.structs.replace(odd, outcome_detail="no word"), row(3))
    told = [line.split() for line in found[found.index("4 trajectories, 0 companions, 0 skipped") + 1 :]]
    assert ["format", "4", "swe-agent:", "trajectory", "with", "action", "and", "observation"] in told
    assert ["outcome", "3", "passed", "from", "report.json"] in told
    assert ["trace", "3", "full"] in told
    assert ["reason", "2", "a", "result", "is", "cut", f"({cut.path}:7)"] in told
    assert any(line[:2] == ["oddity", "2"] and odd.path in line[-1] for line in told)
    assert any(line[:2] == ["1", "unknown"] and odd.path in line[-1] for line in told)


def test_hundreds_of_kinds_are_summed() -> None:
    found = listed(*[row(number, outcome_detail=f"detail {number}", outcome="unknown") for number in range(600)])
    kinds = [line for line in found if "detail" in line]
    assert len(kinds) == 12
    assert any(line.strip() == "588  of further kinds, which --json lists" for line in found)


def test_a_terminal_lists_few_of_many_skipped_inputs_and_a_pipe_all() -> None:
    skips = [Skip(path=f"x/{number}", reason="unreadable", detail="no") for number in range(50)]
    screen = listed(row(), *skips, width=80)
    assert sum("skipped (" in line for line in screen) == MAX_SKIPPED
    assert any("and 30 more that were skipped" in line for line in screen)
    assert sum("skipped (" in line for line in listed(row(), *skips)) == 50
    assert ["skipped", "50", "unreadable"] in [line.split() for line in screen]


def document(found: Iterable[Found]) -> dict[str, Any]:
    """The rows as the one document of `earned read --json`, made at once."""
    listed = list(found)
    rows = [item for item in listed if isinstance(item, ReadRow)]
    skips = [item for item in listed if isinstance(item, Skip)]
    companions = [item for item in listed if isinstance(item, Companion)]
    document = {"schema": SCHEMA, "trajectories": rows, "companions": companions, "skipped": skips, "counts": counts(listed)}
    return dict(msgspec.to_builtins(document))


def test_json_written_row_by_row_is_the_document_of_the_flow(tmp_path: Path) -> None:
    small_trials(tmp_path, 2)
    write_json(tmp_path / "other.json", {"x": [1]})
    whole = document(list(read_flow([tmp_path])))
    printed = earned("read", tmp_path, "--json").out
    assert json.loads(printed) == json.loads(msgspec.json.encode(whole))
    assert printed == msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n"
    empty = earned("read", tmp_path / "task-000__abc0000", "--json").out
    assert json.loads(empty)["skipped"] == []


def test_the_row_has_outcome_detail_scores_subagents_and_counts(tmp_path: Path) -> None:
    inner = {**atif(bash("ls", "a")), "trajectory_id": "sub-1"}
    task = call("task", {"prompt": "p"}, "done")
    task["observation"]["results"][0]["subagent_trajectory_ref"] = [{"trajectory_id": "sub-1"}]
    trial(tmp_path, document=atif(task, subagent_trajectories=[inner]), reward=0.5)
    found = json.loads(earned("read", tmp_path, "--json").out)
    (made,) = found["trajectories"]
    assert (made["outcome"], made["outcome_detail"], made["scores"]) == ("partial_credit", "reward 0.5 of 1.0", [])
    assert (made["subagents"], made["actions"]) == (1, 2)
    assert found["counts"]["completeness"] == {"full": 1}


def test_progress_is_told_by_bytes_and_candidates(tmp_path: Path) -> None:
    small_trials(tmp_path, 3)
    seen: list[tuple[int, int, int, int]] = []
    rows = [item for item in read_flow([tmp_path], progress=lambda *told: seen.append(told)) if isinstance(item, ReadRow)]
    assert len(rows) == 3
    assert [told[2:] for told in seen] == [(1, 3), (2, 3), (3, 3)]
    assert seen[-1][0] == seen[-1][1] > 0
    assert sorted(told[0] for told in seen) == [told[0] for told in seen]


def test_show_finds_a_step_by_path_member_and_folder(tmp_path: Path) -> None:
    place = trial(tmp_path / "jobs", document=atif(bash("echo one", "one")))
    for named in (place, f"{place}/", tmp_path / "jobs"):
        found = earned("read", "--show", f"{named}:2")
        assert found.code == 0, found.err
        assert "echo one" in found.out
    file = write_json(tmp_path / "runs" / "a:b.traj", swe_agent(("ls -la", "x")))
    assert "ls -la" in earned("read", "--show", f"{file}:2").out
    assert json.loads(earned("read", "--show", f"{file}:2", "--json").out)["actions"][0]["command"] == "ls -la"


@pytest.mark.parametrize("place", ["nothing", "{tmp}", "{tmp}:x", ":3", "{tmp}:-1"])
def test_show_of_what_is_no_place_says_what_it_expects(tmp_path: Path, place: str) -> None:
    found = earned("read", "--show", place.format(tmp=tmp_path))
    assert (found.code, found.out) == (3, "")
    assert "Expected PATH:STEP" in found.err


def test_show_of_several_lists_them(tmp_path: Path) -> None:
    small_trials(tmp_path, 3)
    found = earned("read", "--show", f"{tmp_path}:2")
    assert found.code == 3
    assert [line.rpartition("/")[2] for line in found.err.splitlines()[1:4]] == [
        "task-000__abc0000",
        "task-001__abc0001",
        "task-002__abc0002",
    ]
    assert "…" not in found.err
    small_trials(tmp_path, 30)
    assert "…" in earned("read", "--show", f"{tmp_path}:2").err


def test_show_of_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    found = earned("read", "--show", f"{tmp_path / 'none'}:2")
    assert found.code == 3
    assert "[path-missing]" in found.err


def test_show_of_a_file_that_is_no_trajectory_is_said(tmp_path: Path) -> None:
    found = earned("read", "--show", f"{write_json(tmp_path / 'a.json', {'x': [1]})}:0")
    assert found.code == 3
    assert "[nothing-recognised]" in found.err
    broken = trial(tmp_path / "jobs")
    (broken / "agent" / "trajectory.json").write_text("{", encoding="utf-8")
    assert "not valid JSON" in earned("read", "--show", f"{broken}:0").err


def several(count: int) -> list[dict[str, object]]:
    """Attempts in one file, as tau-bench writes them."""
    talk = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
    return [
        {
            "task_id": number,
            "reward": 1.0,
            "info": {},
            "trial": 0,
            "traj": [*talk, {"role": "user", "content": f"bye {number}"}],
        }
        for number in range(count)
    ]


def test_show_finds_a_member_of_a_file_of_several_and_a_file_in_an_archive(tmp_path: Path) -> None:
    file = write_json(tmp_path / "runs.json", several(3))
    archive = tmp_path / "runs.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.write(file, "inner/runs.json")
        made.write(write_json(tmp_path / "one.traj", swe_agent(("ls -la", "x"))), "inner/one.traj")
    members = [row["member"] for row in json.loads(earned("read", file, "--json").out)["trajectories"]]
    assert len(members) == 3
    for number, member in enumerate(members):
        for place in (f"{file}:{member}", f"{archive}/inner/runs.json:{member}", f"{archive}:inner/runs.json:{member}"):
            found = earned("read", "--show", f"{place}:2")
            assert (found.code, f"bye {number}" in found.out) == (0, True), found.err
    assert "ls -la" in earned("read", "--show", f"{archive}/inner/one.traj:2").out
    assert json.loads(earned("read", "--show", f"{file}:{members[1]}:2", "--json").out)["text"] == "bye 1"


@pytest.mark.parametrize("named", ["{file}", "{file}:nobody", "{file}:nobody:else"])
def test_show_of_no_member_lists_members_and_not_without_end(tmp_path: Path, named: str) -> None:
    file = write_json(tmp_path / "runs.json", several(40))
    found = earned("read", "--show", f"{named.format(file=file)}:0")
    assert (found.code, found.out) == (3, "")
    listed = [line for line in found.err.splitlines() if line.startswith("  ")]
    assert len(listed) == 13
    assert listed[0].startswith(f"  {file}:")
    assert listed[-1] == "  …"


def test_a_listing_of_an_archive_names_places_that_show_takes(tmp_path: Path) -> None:
    archive = tmp_path / "runs.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.write(write_json(tmp_path / "one.traj", swe_agent(("ls -la", "x"))), "inner/one.traj")
    out = earned("read", archive).out
    assert "runs.zip:inner/one.traj" in out
    assert earned("read", "--show", f"{tmp_path}/runs.zip:inner/one.traj:2").code == 0


def test_an_oddity_is_told_whole_with_its_file_where_that_is_another() -> None:
    what = "the harness recorded an error: RuntimeError: agent reached max iteration: 50"
    own, other = row(1), row(2)
    found = [
        msgspec.structs.replace(own, oddities=(f"{own.path.rpartition('/')[2]}#line 3: {what}",)),
        msgspec.structs.replace(other, oddities=("runs/report.json: a report cannot be read: Unterminated string",)),
    ]
    told = "\n".join(listed(*found))
    assert f"{what} ({own.path})" in told
    assert f"a report cannot be read: Unterminated string (at runs/report.json; {other.path})" in told


def test_a_long_oddity_is_shortened_at_its_end() -> None:
    told = "\n".join(listed(row(oddities=("a.traj: first: " + "x" * 5000,))))
    assert "first: xxx" in told
    assert "x" * 300 not in told


@pytest.mark.parametrize("number", [12, 13, 14])
def test_one_further_kind_is_told_and_not_counted(number: int) -> None:
    found = listed(*[row(index, outcome_detail=f"detail {index}", outcome="unknown") for index in range(number)])
    assert len([line for line in found if "detail" in line]) == (number if number <= 13 else 12)
    assert any("further kinds" in line for line in found) == (number > 13)
