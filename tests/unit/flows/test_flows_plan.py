"""Shards: cut alike behind a change, and never more of the input in memory than one of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from command_line import small_trial, small_trials

from earned.errors import EarnedError, InputError
from earned.flows import audit as flow
from earned.flows import plan as planning
from earned.flows.plan import Plan, Shard
from earned.flows.work import Settings, work
from earned.records import AttemptCount, Verdict
from earned.store import AuditFolder
from earned.store.shard import ShardWriter


def keys(*paths: Path) -> list[str]:
    with Plan(paths) as plan:
        return plan.keys


def test_a_plan_gives_back_every_candidate_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SHARD_ITEMS", 3)
    with Plan([small_trials(tmp_path, 10)]) as plan:
        shards = list(plan.shards())
        assert [shard.key for shard in shards] == plan.keys
        assert sum(shard.size for shard in shards) == plan.size
        names = [Path(item.path).name[:8] for shard in shards for item in shard.candidates]
    assert names == [f"task-{number:03}" for number in range(10)]
    assert max(len(shard.candidates) for shard in shards) <= 3


def test_the_same_input_is_cut_into_the_same_shards(tmp_path: Path) -> None:
    trials = small_trials(tmp_path, 4)
    assert keys(trials) == keys(trials)


def test_shards_behind_a_removed_input_are_soon_the_same_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SHARD_ITEMS", 40)
    trials = small_trials(tmp_path, 240)
    before = keys(trials)
    shutil.rmtree(trials / "task-003__abc0003")
    after = keys(trials)
    assert before != after
    assert len(set(before) & set(after)) >= len(before) // 2


def test_what_accompanies_a_change_of_content_is_another_key(tmp_path: Path) -> None:
    trials = small_trials(tmp_path, 2)
    before = keys(trials)
    small_trial(trials, 1, reward=0.5)
    assert keys(trials) != before


def test_nothing_recognised_names_what_was_seen(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\0" * 2000)
    with pytest.raises(InputError, match="binary data") as caught:
        Plan([tmp_path])
    assert caught.value.slug == "nothing-recognised"


def fail(*_: object, **__: object) -> Verdict:
    raise RuntimeError("the rules stumbled")


def test_an_audit_that_fails_on_one_pass_is_an_undecided_row_and_exit_1_over_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("earned.flows.work.audit_pass", fail)
    result = flow.audit([small_trials(tmp_path / "trials", 2)], out=tmp_path / "out", jobs=1)
    assert result.card.undecided == 2
    assert result.is_over_undecided
    assert not flow.audit([tmp_path / "trials"], out=tmp_path / "out", jobs=1, max_undecided=1.0).is_over_undecided


def test_a_shard_that_cannot_be_committed_keeps_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SHARD_ITEMS", 1)
    trials = small_trials(tmp_path / "trials", 3)
    commit = ShardWriter.commit
    done: list[ShardWriter] = []

    def second_fails(writer: ShardWriter, attempts: Iterable[AttemptCount]) -> None:
        if len(done) == 1:
            raise EarnedError("Expected room; found none.", slug="cannot-write")
        commit(writer, attempts)
        done.append(writer)

    monkeypatch.setattr(ShardWriter, "commit", second_fails)
    with pytest.raises(EarnedError, match="room"):
        flow.audit([trials], out=tmp_path / "out", jobs=1)
    monkeypatch.setattr(ShardWriter, "commit", commit)
    worked: list[Shard] = []

    def counting(shard: Shard, settings: Settings, folder: AuditFolder) -> int:
        worked.append(shard)
        return work(shard, settings, folder)

    monkeypatch.setattr(flow, "work", counting)
    assert flow.audit([trials], out=tmp_path / "out", jobs=1).card.surface_passes == 3
    assert len(worked) == 2
