from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from damaged import paths_in, replaced
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_files import atif, call, mini, only, rows, swe_agent, trial, write_json

from earned.records import Skip, Trajectory
from earned.trajectory.completeness import cuts, results
from earned.trajectory.completeness.results import WINDOW, exit_code_of, is_cut
from earned.trajectory.peek import head_of
from earned.trajectory.tools import action_of

QUICK = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def checked(made: list[Trajectory | Skip]) -> None:
    """A readable record or a row, nothing else."""
    for row in made:
        if isinstance(row, Trajectory):
            assert [step.index for step in row.steps] == list(range(len(row.steps)))
        else:
            assert row.reason in {"unreadable", "too_large"}
            assert "the reader of" not in row.detail


@QUICK
@given(st.lists(st.tuples(TEXT.filter(bool), TEXT, TEXT), min_size=1, max_size=5))
def test_what_is_rendered_as_a_trial_is_read_back(turns: list[tuple[str, str, str]]) -> None:
    steps = [{**call("bash", {"command": command}, result), "message": text} for command, result, text in turns]
    with tempfile.TemporaryDirectory() as folder:
        made = only(trial(Path(folder), document=atif(*steps)))
    own = [step for step in made.steps if step.actor == "agent"]
    assert [(step.actions[0].command, step.observations[0].text, step.text) for step in own] == turns


@QUICK
@given(st.lists(st.tuples(TEXT.filter(str.strip), TEXT), min_size=1, max_size=5))
def test_what_is_rendered_as_a_chat_is_read_back(turns: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one = only(write_json(Path(folder) / "a.traj.json", mini(*turns)))
        other = only(write_json(Path(folder) / "b.traj", swe_agent(*((f"run {command}", seen) for command, seen in turns))))
    assert [step.actions[0].command for step in one.steps if step.actor == "agent"] == [command for command, _ in turns]
    assert [step.observations[0].text for step in other.steps if step.actor == "agent"] == [seen for _, seen in turns]


@pytest.mark.parametrize("kind", ["harbor", "mini", "swe"])
@QUICK
@given(data=st.data())
def test_a_value_of_any_type_at_any_key_is_survived(kind: str, data: st.DataObject) -> None:
    step = call("str_replace_editor", {"command": "create", "path": "/a", "file_text": "x"})
    values = {"harbor": atif(step), "mini": mini(("ls", "x")), "swe": swe_agent(("ls", "x"))}
    value = values[kind]
    changed = replaced(value, data.draw(st.sampled_from(paths_in(value))), data.draw(JSON))
    with tempfile.TemporaryDirectory() as folder:
        names = {"mini": "a.traj.json", "swe": "a.traj"}
        path = trial(Path(folder), document=changed) if kind == "harbor" else write_json(Path(folder) / names[kind], changed)
        made = rows(path)
    if kind == "harbor":
        assert len(made) == 1
    checked(made)


@QUICK
@given(data=st.data())
def test_a_value_of_any_type_in_the_result_is_survived(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = trial(Path(folder))
        value = json.loads((home / "result.json").read_text(encoding="utf-8"))
        change = data.draw(JSON)
        write_json(home / "result.json", replaced(value, data.draw(st.sampled_from(paths_in(value))), change))
        (row,) = rows(home)
    assert isinstance(row, Trajectory)
    assert row.outcome.status in {"passed", "unknown", "failed", "partial_credit"}


@QUICK
@given(st.binary(max_size=200))
def test_any_bytes_are_a_head(data: bytes) -> None:
    head = head_of("x", data, size=len(data))
    assert all(path.startswith("/") for path in head.values)


@QUICK
@given(JSON, st.integers(0, 400))
def test_the_head_of_a_cut_document_shows_only_keys_that_stand_in_it(value: Any, cut: int) -> None:
    data = json.dumps({"top": value}).encode()
    whole = {"/" + "/".join("*" if isinstance(key, int) else key for key in path) for path in paths_in({"top": value})}
    head = head_of("x", data[:cut], size=len(data))
    plain = {path for path in whole if "\\" not in json.dumps(path)}
    assert {path for path in head.values if "\\" not in json.dumps(path)} <= plain | {path[:301] for path in plain}


@QUICK
@given(TEXT, JSON)
def test_any_call_is_an_action(name: str, arguments: Any) -> None:
    assert isinstance(action_of(name, arguments).text, str)


@QUICK
@given(st.text())
def test_any_result_has_a_reading(text: str) -> None:
    assert isinstance(is_cut(text), bool)
    assert exit_code_of(text) is None or isinstance(exit_code_of(text), int)


PIECES = st.sampled_from(
    [
        "<returncode>3</returncode>",
        "<returncode> -1",
        "[The command completed with exit code 2.]",
        "\n[exit code: 4]",
        "Exit status 5",
        "Process exited with code 6",
        '"exit_code": 7',
        "<exit_code>8</exit_code>",
        "exit exits xit <return code",
        "... 12 lines truncated",
        "\n[... 12 lines truncated ...]\n",
        "[TRUNCATED]",
        "Output too large (1 MB",
        "\n(Results are truncated.)",
        "<response clipped>",
        "\u2026 +9 lines",
        "<elided_chars>",
        "40 bytes were omitted:",
        "truncated, omitted and elided",
        "\n" + "word " * 30,
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=7).map("".join))
def test_looking_for_words_first_finds_what_the_expressions_find(text: str) -> None:
    windows = [text[-WINDOW:], text[:WINDOW]]
    found = [[next(code for code in match if code) for match in results._EXIT_CODE.findall(window)] for window in windows]
    assert exit_code_of(text) == next((int(codes[-1]) for codes in found if codes), None)
    marks = [cuts._marks(text, match.start()) for match in cuts._WORD.finditer(text)]
    assert is_cut(text) is (cuts._says_at_begin(text) or cuts._says_at_end(text) or any(marks))
