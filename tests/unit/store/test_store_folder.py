from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
from made_passes import HOSTILE, attempts_of, hostile_violation, made_passes, made_skips, make_pass

from earned.errors import ConfigurationError, EarnedError, InputError
from earned.records import AuditedPass, AuditRow, Skip
from earned.store import JSON, AuditFolder, open_folder, read_folder, shard_key
from earned.store.columns import columns_of

CONFIGURATION: dict[str, JSON] = {"judge": "rules", "protected": None, "max_undecided": 0.05}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[AuditFolder]:
    with open_folder(tmp_path / "audit", CONFIGURATION) as opened:
        yield opened


def fill(folder: AuditFolder, passes: list[AuditedPass], *, size: int) -> None:
    for start in range(0, len(passes), size):
        part = passes[start : start + size]
        folder.commit(shard_key([audited.row.trajectory for audited in part]), part, [], attempts_of(part, failed=0))


def test_what_was_committed_comes_back_without_loss(folder: AuditFolder) -> None:
    made = made_passes()
    folder.commit("one", made, [], [])
    found = [
        msgspec.structs.replace(audited, row=msgspec.structs.replace(audited.row, attempt_index=0))
        for audited in folder.passes()
    ]
    assert found == sorted(made, key=lambda audited: audited.row.trajectory)


def test_passes_of_one_task_and_cohort_are_numbered_in_reading_order_across_shards(folder: AuditFolder) -> None:
    made = [make_pass(f"runs/{name}", task=task) for name, task in (("d", "x"), ("b", "x"), ("c", "y"), ("a", "x"))]
    fill(folder, [*made, make_pass("runs/e", task="x", model="other")], size=1)
    numbers = [(row.trajectory[-1], row.attempt_index) for row in folder.rows()]
    assert numbers == [("a", 0), ("b", 1), ("c", 0), ("d", 2), ("e", 0)]
    assert [audited.row.attempt_index for audited in folder.passes()] == [number for _, number in numbers]


def test_the_files_hold_no_number_that_depends_on_other_shards(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    assert "attempt_index" not in pq.read_schema(folder.path / "verdicts" / "one.parquet").names


def test_rows_alone_are_those_of_the_passes(folder: AuditFolder) -> None:
    fill(folder, made_passes(), size=3)
    assert list(folder.rows()) == [audited.row for audited in folder.passes()]


def test_the_order_of_reading_does_not_depend_on_the_shards(tmp_path: Path) -> None:
    orders = []
    for size in (1, 6, 100):
        with open_folder(tmp_path / str(size), {}) as opened:
            fill(opened, list(reversed(made_passes(8))), size=size)
            orders.append([audited.row.trajectory for audited in opened.passes()])
    assert orders[0] == orders[1] == orders[2] == sorted(orders[0])


def test_the_same_shard_gives_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("a", "b"):
        with open_folder(tmp_path / name, {}) as opened:
            opened.commit("key", made_passes(), made_skips(), attempts_of(made_passes()))
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file() and path.name != ".lock")
        written.append([(path.relative_to(tmp_path / name), path.read_bytes()) for path in files])
    assert written[0] == written[1]


def test_a_finished_shard_is_done_and_another_is_not(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    assert folder.done("one")
    assert not folder.done("two")


def test_a_shard_without_any_pass_is_done_too(folder: AuditFolder) -> None:
    folder.commit("empty", [], [], [])
    assert folder.done("empty")
    assert list(folder.passes()) == []


def test_a_shard_whose_marker_is_missing_counts_for_nothing(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    (folder.path / "shards" / "one.json").unlink()
    assert not folder.done("one")
    assert list(folder.passes()) == []


def test_a_shard_whose_file_was_cut_is_not_done(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    file = folder.path / "verdicts" / "one.parquet"
    file.write_bytes(file.read_bytes()[:-1])
    assert not folder.done("one")


def test_opening_again_sweeps_what_a_killed_run_left(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    leftovers = [folder.path / "verdicts" / "lost.parquet", folder.path / "findings" / ".part-1-abc"]
    for path in leftovers:
        path.write_bytes(b"half")
    folder.close()
    with open_folder(folder.path, CONFIGURATION) as again:
        assert not any(path.exists() for path in leftovers)
        assert again.done("one")


def test_workers_commit_through_a_copy_without_the_lock(folder: AuditFolder) -> None:
    copy: AuditFolder = pickle.loads(pickle.dumps(folder))
    copy.commit("from-worker", [make_pass()], [], [])
    assert folder.done("from-worker")


def test_shards_that_are_no_longer_planned_are_dropped(folder: AuditFolder) -> None:
    for key in ("old", "kept"):
        folder.commit(key, [make_pass(f"runs/{key}/trajectory.json")], [], [])
    folder.retain({"kept"}.__contains__)
    assert list(folder.keys()) == ["kept"]
    assert not (folder.path / "verdicts" / "old.parquet").exists()


def test_skips_come_sorted_over_all_shards(folder: AuditFolder) -> None:
    skips = made_skips()
    folder.commit("b", [], skips[3:], [])
    folder.commit("a", [], list(reversed(skips[:3])), [])
    assert list(folder.skips()) == sorted(skips, key=lambda skip: skip.path)


def test_counts_add_up_over_the_shards(folder: AuditFolder) -> None:
    made = made_passes()
    folder.commit("a", made[:4], made_skips(), attempts_of(made[:4]))
    folder.commit("b", made[4:], [], attempts_of(made[4:], failed=0))
    counts = folder.counts()
    assert (counts.shards, counts.passes, counts.labels["violation"]) == (2, len(made), 2)
    assert counts.findings == sum(len(audited.findings) for audited in made)
    assert counts.skipped["failed"] == 2
    assert sum(attempt.count for attempt in counts.attempts) == len(made) + 3


def test_attempts_are_kept_by_task_and_status(folder: AuditFolder) -> None:
    folder.commit("a", [], [], attempts_of([make_pass(), make_pass()], failed=3))
    assert [(attempt.task, attempt.status, attempt.count) for attempt in folder.counts().attempts] == [
        ("fix-permissions", "failed", 3),
        ("fix-permissions", "passed", 2),
    ]


def test_finishing_writes_manifest_and_skips(folder: AuditFolder) -> None:
    folder.commit("a", made_passes(), made_skips(), attempts_of(made_passes()))
    folder.finish({"stamp": {"tool_version": "0.1.0"}})
    manifest = json.loads((folder.path / "manifest.json").read_text())
    lines = (folder.path / "skipped.jsonl").read_bytes().splitlines()
    assert (manifest["state"], manifest["stamp"], manifest["configuration"]) == (
        "finished",
        {"tool_version": "0.1.0"},
        CONFIGURATION,
    )
    assert manifest["counts"]["passes"] == len(made_passes())
    assert [msgspec.json.decode(line, type=Skip) for line in lines] == list(folder.skips())


def test_the_caller_may_not_write_the_stores_own_keys(folder: AuditFolder) -> None:
    with pytest.raises(ValueError, match="counts"):
        folder.finish({"counts": 3})


def test_a_finished_folder_without_rows_has_tables_that_can_be_read(folder: AuditFolder) -> None:
    folder.finish({})
    assert pq.read_table(folder.path / "verdicts").num_rows == 0
    assert "label" in pq.read_table(folder.path / "verdicts").column_names


def test_a_plain_parquet_reader_sees_flat_verdicts(folder: AuditFolder) -> None:
    fill(folder, made_passes(), size=5)
    table = pq.read_table(folder.path / "verdicts", columns=["label", "gate_met", "categories"])
    assert table.column("label").to_pylist().count("violation") == 2
    assert {"gate_met": True, "label": "violation", "categories": '["git_history"]'} in table.to_pylist()


def test_text_that_is_no_valid_unicode_is_kept_with_a_replacement(folder: AuditFolder) -> None:
    folder.commit("a", [make_pass("runs/\ud800.json", task="x\udfff", categories=("c\ud800",))], [], [])
    (row,) = folder.rows()
    assert (row.trajectory, row.task, row.categories) == ("runs/\ufffd.json", "x\ufffd", ("c\ufffd",))


def test_hostile_text_is_stored_as_it_is(folder: AuditFolder) -> None:
    folder.commit("a", [hostile_violation()], [], [])
    (found,) = folder.passes()
    assert found.row.task == HOSTILE


@pytest.mark.parametrize("key", ["", "../escape", "a/b", ".hidden", "x" * 129, "a\n"])
def test_keys_that_could_leave_the_folder_are_refused(folder: AuditFolder, key: str) -> None:
    with pytest.raises(ValueError, match="shard key"):
        folder.commit(key, [], [], [])


def test_a_shard_key_depends_on_content_and_order_only() -> None:
    assert shard_key(["a", "b"]) == shard_key(iter(["a", "b"]))
    assert len({shard_key(parts) for parts in (["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""])}) == 4


def test_another_configuration_is_refused_with_every_difference(folder: AuditFolder) -> None:
    folder.close()
    with pytest.raises(ConfigurationError) as caught:
        open_folder(folder.path, {**CONFIGURATION, "judge": "some-model", "protected": "keys"})
    assert caught.value.slug == "configuration-differs"
    assert 'judge: "rules" there, "some-model" now' in str(caught.value)
    assert 'protected: null there, "keys" now' in str(caught.value)
    assert "max_undecided" not in str(caught.value)


def test_a_configuration_key_of_one_side_only_is_a_difference(folder: AuditFolder) -> None:
    folder.close()
    with pytest.raises(ConfigurationError, match=r"extra: \(not set\) there, 1 now"):
        open_folder(folder.path, {**CONFIGURATION, "extra": 1})


def test_the_same_configuration_resumes(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    folder.close()
    with open_folder(folder.path, dict(reversed(CONFIGURATION.items()))) as again:
        assert again.done("one")


@pytest.mark.parametrize("content", ["", "not json", "{}", '{"kind": "something else", "schema": 1}', "[1]", "[" * 100_000])
def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ConfigurationError) as caught:
        open_folder(tmp_path, CONFIGURATION)
    assert caught.value.slug == "not-an-audit-folder"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manifest.json", "thesis.tex"]


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    with pytest.raises(ConfigurationError) as caught:
        open_folder(tmp_path / "file", CONFIGURATION)
    assert caught.value.slug == "not-an-audit-folder"
    assert (tmp_path / "file").read_text() == "text"


def test_a_folder_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    with pytest.raises(EarnedError) as caught:
        open_folder(tmp_path / "file" / "audit", CONFIGURATION)
    assert caught.value.slug == "cannot-write"


def test_a_folder_of_another_schema_is_refused(folder: AuditFolder) -> None:
    folder.close()
    manifest = json.loads((folder.path / "manifest.json").read_text())
    (folder.path / "manifest.json").write_text(json.dumps({**manifest, "schema": 99}))
    with pytest.raises(ConfigurationError) as caught:
        open_folder(folder.path, CONFIGURATION)
    assert caught.value.slug == "audit-folder-schema"


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    with open_folder(tmp_path, CONFIGURATION) as opened:
        assert opened.manifest()["state"] == "running"


def test_two_runs_do_not_share_a_folder(folder: AuditFolder) -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_folder(folder.path, CONFIGURATION)
    assert caught.value.slug == "folder-in-use"


def test_a_closed_folder_is_free_for_the_next_run(folder: AuditFolder) -> None:
    folder.close()
    with open_folder(folder.path, CONFIGURATION) as again:
        assert again.manifest()["kind"] == "earned audit folder"


def test_a_refused_configuration_frees_the_lock(folder: AuditFolder) -> None:
    folder.close()
    with pytest.raises(ConfigurationError):
        open_folder(folder.path, {})
    with open_folder(folder.path, CONFIGURATION) as again:
        assert again.path == folder.path


def test_a_folder_in_use_can_be_read(folder: AuditFolder) -> None:
    folder.commit("one", [make_pass()], [], [])
    assert len(list(read_folder(folder.path).rows())) == 1


@pytest.mark.parametrize("path", ["", "missing"])
def test_only_audit_folders_are_read(tmp_path: Path, path: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_folder(tmp_path / path)
    assert caught.value.slug == "not-an-audit-folder"


def test_a_damaged_table_is_named(folder: AuditFolder) -> None:
    folder.commit("one", made_passes(), [], [])
    file = folder.path / "verdicts" / "one.parquet"
    file.write_bytes(bytes(file.stat().st_size))
    with pytest.raises(InputError, match=r"one\.parquet") as caught:
        list(folder.rows())
    assert caught.value.slug == "audit-folder-damaged"


def test_a_label_outside_the_closed_list_is_damage(folder: AuditFolder) -> None:
    wrong = msgspec.structs.replace(make_pass().row, label="cheated")
    folder.commit("one", [msgspec.structs.replace(make_pass(), row=wrong)], [], [])
    with pytest.raises(InputError, match="cheated"):
        list(folder.passes())


def test_a_damaged_marker_is_named(folder: AuditFolder) -> None:
    (folder.path / "shards" / "bad.json").write_text('{"key": "bad"')
    with pytest.raises(InputError, match=r"bad\.json"):
        folder.counts()


def test_every_field_of_a_row_is_a_column_or_part_of_one() -> None:
    heads = {column.path[0] for column in columns_of(AuditRow)}
    assert heads == {field.name for field in msgspec.structs.fields(AuditRow)}
