from __future__ import annotations

import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import candidates, only, rows, trajectories, write_text
from made_inspect import HEADER, archive, call, gaps, log, message, model, sample, tool
from render_inspect import header, write_archive
from render_inspect import sample as rendered_sample

from earned.records import Skip, Trajectory
from earned.trajectory import load_format
from earned.trajectory.formats.inspect import samples as inspect_samples

LONG = "a line of a long text\n" * 20
ATTEMPT = Attempt(
    turns=(
        Turn("I look. " + LONG, (Call("bash", command="cat x", result=LONG), Call("bash", command="ls", result="x"))),
        Turn("I write.", (Call("write", path="/x", new=LONG, result="ok"),)),
    ),
    verifier="1 passed",
)


def chunked(whole: dict[str, Any], size: int) -> dict[str, Any]:
    """A sample in chunks of so many items, as inspect_ai's `convert-chunked` writes it: attachments by number."""
    names = list(whole["attachments"])
    text = json.dumps(whole)
    for number, name in enumerate(names):
        text = text.replace(f"attachment://{name}", f"attachment://{number}")
    made = json.loads(text)
    pool, told = made["events_data"]["messages"], made["messages"]
    lists = {"events": made["events"], "messages": [*pool, *told], "calls": [], "attachments": [*whole["attachments"].values()]}
    prefix = f"samples/{made['id']}_epoch_{made['epoch']}"
    shell = {key: value for key, value in made.items() if key not in {"messages", "events", "attachments", "events_data"}}
    members: dict[str, Any] = {
        f"{prefix}/sample.json": {**shell, "message_refs": [[len(pool), len(pool) + len(told)]]},
        f"{prefix}/skeleton.json": {"version": 1},
        f"{prefix}/events/stats.json": {},
        f"{prefix}/events/uuids.json": [],
    }
    for kind, items in lists.items():
        members |= {f"{prefix}/{kind}/{start}.json": items[start : start + size] for start in range(0, len(items), size)}
    return members


def shown(made: Trajectory) -> list[Any]:
    """What a trajectory shows, without the places where it stands."""
    return [(item.actor, item.text, item.actions, item.observations, item.copied) for item in made.steps]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_sample_in_chunks_is_the_same_as_in_one_member(tmp_path: Path, size: int) -> None:
    whole = rendered_sample(ATTEMPT)
    one = only(archive(tmp_path / "whole", {"samples/demo-task_epoch_1.json": whole}))
    other = only(archive(tmp_path / "chunked", chunked(whole, size)))
    assert shown(one) == shown(other)
    assert (one.outcome.status, one.completeness, one.source.member) == (
        other.outcome.status,
        other.completeness,
        other.source.member,
    )
    assert other.completeness.grade == "full"
    assert all(item.source.startswith("log.eval#/samples/demo-task_epoch_1/") for item in other.steps)


def test_the_id_of_a_sample_in_chunks_is_that_of_its_content(tmp_path: Path) -> None:
    members = chunked(rendered_sample(ATTEMPT), 4)
    one = only(archive(tmp_path / "1", members))
    other = only(archive(tmp_path / "2", {"header.json": HEADER, **dict(reversed(members.items()))}))
    changed = {**members, "samples/demo-task_epoch_1/attachments/0.json": ["another text"]}
    assert one.id == other.id
    assert one.id != only(archive(tmp_path / "3", changed)).id


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        ("events/4.json", "events 4 to 7 are not in the log"),
        ("messages/4.json", "messages 4 to 7 are not in the log"),
        ("attachments/0.json", "stand in attachments that are not in the log"),
    ],
)
def test_a_lost_chunk_makes_the_trace_partial(tmp_path: Path, lost: str, says: str) -> None:
    members = chunked(rendered_sample(ATTEMPT), 4)
    del members[f"samples/demo-task_epoch_1/{lost}"]
    made = only(archive(tmp_path, members))
    assert made.completeness.grade == "partial"
    assert says in gaps(made)


@pytest.mark.parametrize("broken", ["events/4.json", "messages/4.json", "attachments/0.json"])
def test_a_chunk_that_is_no_list_makes_the_trace_partial(tmp_path: Path, broken: str) -> None:
    members = {**chunked(rendered_sample(ATTEMPT), 4), f"samples/demo-task_epoch_1/{broken}": {"a": 1}}
    made = only(archive(tmp_path, members))
    assert made.completeness.grade == "partial"
    assert "not in the log" in gaps(made) or "cannot be read" in gaps(made)


def test_a_chunk_far_behind_the_others_takes_no_memory(tmp_path: Path) -> None:
    members = {
        **chunked(rendered_sample(ATTEMPT), 4),
        "samples/demo-task_epoch_1/messages/99999999999.json": [message("user", "x")],
    }
    assert "too far behind" in gaps(only(archive(tmp_path, members)))


def test_chunks_without_a_shell_are_a_row(tmp_path: Path) -> None:
    members = chunked(rendered_sample(ATTEMPT), 4)
    del members["samples/demo-task_epoch_1/sample.json"]
    (row,) = [item for item in rows(archive(tmp_path, members)) if isinstance(item, Skip)]
    assert (row.member, row.detail) == ("demo-task_epoch_1", "the sample's own member, sample.json, is not there")


def test_samples_of_both_shapes_and_with_slashes_in_their_names_are_read(tmp_path: Path) -> None:
    one = {**rendered_sample(ATTEMPT), "id": "org/one"}
    members = {**chunked({**one, "epoch": 2}, 9), "samples/org/one_epoch_1.json": one}
    assert [item.source.member for item in trajectories(archive(tmp_path, members))] == ["org/one_epoch_2", "org/one_epoch_1"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, 93])
def test_archives_of_every_year_are_read(tmp_path: Path, method: int) -> None:
    members = {"samples/one_epoch_1.json": rendered_sample(ATTEMPT), "header.json": header(ATTEMPT)}
    made = only(write_archive(tmp_path / "a.eval", members, compression=method))
    assert (made.outcome.status, made.completeness.grade) == ("passed", "full")


def test_one_damaged_sample_among_good_ones_is_a_row(tmp_path: Path) -> None:
    members = {f"samples/{name}_epoch_1.json": {**sample(model(name)), "id": name} for name in "abc"}
    path = write_archive(tmp_path / "a.eval", members, compression=zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b'"id": "b"', b'"id": "B"'))
    one, row, other = rows(path)
    assert isinstance(one, Trajectory)
    assert isinstance(other, Trajectory)
    assert isinstance(row, Skip)
    assert (row.member, row.reason) == ("b_epoch_1", "unreadable")
    assert "checksum" in row.detail


def test_of_a_sample_that_was_run_again_the_last_record_is_read(tmp_path: Path) -> None:
    path = archive(tmp_path, {"samples/one_epoch_1.json": sample(model("first"))})
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("samples/one_epoch_1.json", json.dumps(sample(model("second"))))
    row, made = rows(path)
    assert isinstance(row, Skip)
    assert (row.reason, row.member) == ("duplicate", "one_epoch_1")
    assert isinstance(made, Trajectory)
    assert made.steps[0].text == "second"


def test_a_member_whose_name_leads_out_is_a_row(tmp_path: Path) -> None:
    out = {"samples/../../x_epoch_1.json": sample(model("x"))}
    path = archive(tmp_path, {**out, "samples/one_epoch_1.json": sample(model("y"))})
    row, made = rows(path)
    assert isinstance(row, Skip)
    assert "leads out" in row.detail
    assert isinstance(made, Trajectory)


def test_a_header_that_cannot_be_read_is_said_of_every_sample(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as file:
        file.writestr("header.json", "{")
        file.writestr("samples/one_epoch_1.json", json.dumps(sample(model("x"))))
    made = only(tmp_path / "a.eval")
    assert (made.benchmark, made.outcome.status) == ("unknown", "passed")
    assert any("the header cannot be read" in oddity.what for oddity in made.oddities)


def test_summaries_that_cannot_be_read_are_a_row(tmp_path: Path) -> None:
    found = rows(archive(tmp_path, {"samples/one_epoch_1.json": sample(model("x")), "summaries.json": {"a": 1}}))
    assert [type(item) for item in found] == [Trajectory, Skip]
    assert "the summaries cannot be read" in found[1].detail if isinstance(found[1], Skip) else False


def test_an_archive_that_is_cut_off_is_a_row(tmp_path: Path) -> None:
    path = archive(tmp_path, {"samples/one_epoch_1.json": sample(model("x"))})
    (candidate,) = candidates(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(Exception, match="cut off, or no ZIP"):
        list(load_format("inspect").read(candidate))


def test_samples_are_read_one_at_a_time(tmp_path: Path) -> None:
    big = "".join(chr(32 + number * 7919 % 90) for number in range(400_000))
    path = log(tmp_path, *[sample(model(f"{number} {big}"), id=str(number)) for number in range(20)])
    (candidate,) = candidates(path)
    assert len(list(load_format("inspect").read(candidate))) == 20
    tracemalloc.start()
    for _ in load_format("inspect").read(candidate):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(big)


def test_a_document_that_ends_within_a_sample_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    cut = sample(model("", call("a", command="ls")), tool("a", "x"), model("cut"))
    text = json.dumps({**HEADER, "samples": [sample(model("whole")), cut]})
    one, other = rows(write_text(tmp_path / "log.json", text[: text.index('"cut"') - 80]))
    assert isinstance(one, Trajectory)
    assert isinstance(other, Trajectory)
    assert other.steps[0].observations[0].text == "x"
    assert "the document ends within 'events'" in gaps(other)
    assert other.outcome.status == "passed"


def test_a_document_in_another_order_is_read(tmp_path: Path) -> None:
    text = json.dumps({"samples": [sample(model("x"))], "status": "success", "eval": HEADER["eval"]})
    assert only(write_text(tmp_path / "log.json", text)).model == "model-a"


@pytest.mark.parametrize("key", ["events", "messages", "message_pool", "attachments", "events_data", "transcript"])
@pytest.mark.parametrize("value", [None, 7, "x", {}, [], {"a": [1]}, [[1], "x", None]])
def test_wrong_types_of_the_lists_cost_only_them(tmp_path: Path, key: str, value: Any) -> None:
    whole = {**sample(model("", call("a", command="ls")), tool("a", "x")), key: value}
    made = only(log(tmp_path, whole))
    assert made.outcome.status == "passed"


def test_a_large_document_is_read_piece_by_piece_to_the_same_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rendered_sample(ATTEMPT)
    old = {**whole, "transcript": {"events": whole["events"], "content": whole["attachments"]}}
    del old["events"], old["attachments"]
    before = [only(log(tmp_path, value, name=name)) for name, value in (("a.json", whole), ("b.json", old))]
    monkeypatch.setattr(inspect_samples, "MAX_WHOLE", 0)
    after = [only(tmp_path / name) for name in ("a.json", "b.json")]
    assert [shown(made) for made in before] == [shown(made) for made in after]
    assert all(made.completeness.grade == "full" for made in after)


def test_a_sample_above_the_limit_is_too_large_and_the_others_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = log(tmp_path, sample(model("x" * 5000)), sample(model("y")))
    monkeypatch.setattr("earned.trajectory.formats.inspect.log.MAX_SAMPLE", 4000)
    row, made = rows(path)
    assert isinstance(row, Skip)
    assert (row.reason, row.member) == ("too_large", "samples/0")
    assert isinstance(made, Trajectory)


def test_a_million_events_are_read_in_linear_time(tmp_path: Path) -> None:
    turn = [model("", call("a", command="ls"), told=[message("user", "Do it.")]), tool("a", "x")]
    events = ",".join(json.dumps(event) for event in turn)
    text = json.dumps({**HEADER, "samples": [sample()]}).replace('"events": []', f'"events": [{",".join([events] * 5000)}]')
    made = only(write_text(tmp_path / "log.json", text))
    assert len([item for item in made.steps if item.actor == "agent"]) == 5000
