"""Sessions, conversations, lists, pairs and flat rows of OpenHands with any value anywhere: a reading or a row."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import render_openhands as v0
import render_openhands_v1 as v1
from damaged import paths_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_attempt import Attempt, Call, Turn
from made_files import rows, write_json, write_text

from earned.records import Skip, Trajectory

QUICK = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
ODD: list[Any] = [None, True, -1, 10**30, 0.5, "", "run", "delegate", [], [[]], {}, {"kind": ["x"]}, ["a", {"text": "b"}]]
CALLS = (Call("bash", command="ls", result="a"), Call("write", path="/a", new="x", result=""))
ATTEMPT = Attempt(turns=(Turn("I look.", CALLS),))
FLAT = [{"action": "run", "command": "ls", "thought": "t"}, {"observation": "run", "content": "a", "exit_code": 0}]


def session(made: Any, folder: Path) -> Path:
    for number, event in enumerate(made if isinstance(made, list) else [made]):
        write_json(folder / "sid" / "events" / f"{number}.json", event)
    write_json(folder / "sid" / "events" / "99.json", v0.events(ATTEMPT)[4])
    return folder / "sid"


def conversation(made: Any, folder: Path) -> Path:
    return v1.conversation(folder, made if isinstance(made, list) else [made])


def listed(made: Any, folder: Path) -> Path:
    return write_json(folder / "a.json", made)


def row(made: Any, folder: Path) -> Path:
    value = {"instance_id": "a", "test_result": {"report": {"resolved": True}}, "instruction": "", "history": made}
    return write_text(folder / "output.jsonl", json.dumps(value) + "\n")


def changed(value: Any, data: st.DataObject) -> Any:
    """A copy with other values at some places."""
    copy = json.loads(json.dumps(value))
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(paths_in(copy) or [(0,)]))
        inner = copy
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = json.loads(json.dumps(data.draw(st.sampled_from(ODD))))
    return copy


PAIRS = [[v0.events(ATTEMPT)[4], v0.events(ATTEMPT)[5]]]
SHAPES: dict[str, tuple[Callable[[Any, Path], Path], Any]] = {
    "session": (session, v0.events(ATTEMPT)),
    "list": (listed, v0.events(ATTEMPT)),
    "pairs": (row, PAIRS),
    "flat": (row, FLAT),
    "conversation": (conversation, v1.events(ATTEMPT)),
    "list of V1": (listed, v1.events(ATTEMPT)),
}


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_any_values_anywhere_are_survived(shape: str) -> None:
    write, whole = SHAPES[shape]

    @QUICK
    @given(data=st.data())
    def holds(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = rows(write(changed(whole, data), Path(folder) / "run"))
        assert not [item for item in found if isinstance(item, Skip) and "the reader of" in item.detail]
        for item in [item for item in found if isinstance(item, Trajectory)]:
            assert msgspec.json.decode(msgspec.json.encode(item), type=Trajectory) == item
            for step in item.steps:
                assert (step.actor == "subagent") == bool(step.subagent)
                assert all(-1 <= seen.action < len(step.actions) for seen in step.observations)

    holds()
