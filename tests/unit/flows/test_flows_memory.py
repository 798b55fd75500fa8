"""What is held does not grow with the number of attempts: a file of four times as many takes no more memory."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import render_chat
from made_archives import gzipped, zstandard
from made_attempt import Attempt, Call, Turn

from earned.flows.plan import Plan
from earned.flows.read import read
from earned.flows.work import Settings, work
from earned.store import open_folder

FEW, MANY = 20, 80
SIZE = 24_000
"""Bytes of an attempt, about."""
GROWTH = 600_000
"""Bytes that the peak may differ by; the larger file is 1.4 MB larger, and what is made of it several times that."""


def attempt(number: int) -> Attempt:
    rng = random.Random(number)
    turns = []
    for turn in range(SIZE // 800):
        text = "\n".join(f"{rng.getrandbits(60):x} = value_{number}_{turn}_{line}" for line in range(16))
        turns.append(Turn("I go on.", (Call("bash", f"sed -n {turn}p src/x{number}.py", result=text),)))
    return Attempt(turns=tuple(turns), task=f"task-{number % 7}")


def written(path: Path, count: int, pack: Callable[[bytes], bytes] = bytes) -> Path:
    """Chat messages of so many attempts, one a line."""
    rows = (
        {"instance_id": f"id-{number}", "messages": render_chat.messages_of(attempt(number)), "resolved": number % 3 > 0}
        for number in range(count)
    )
    path.write_bytes(pack(b"".join(msgspec.json.encode(row) + b"\n" for row in rows)))
    return path


def peak(run: Callable[[], object]) -> int:
    """Bytes that were held at most while it ran."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("pack", [bytes, gzipped, zstandard])
def test_reading_four_times_as_many_attempts_takes_no_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr("earned.trajectory.sources.archives.unpacked.KEPT_BLOCKS", 1)

    def listed(count: int) -> None:
        assert sum(1 for _ in read([tmp_path / f"{count}.jsonl"])) == count

    for count in (2, FEW, MANY):
        written(tmp_path / f"{count}.jsonl", count, pack)
    listed(2)
    small = peak(lambda: listed(FEW))
    assert peak(lambda: listed(MANY)) < small + GROWTH


def test_auditing_four_times_as_many_attempts_takes_no_more_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earned.store.sorter.LIMIT", 100_000)
    monkeypatch.setattr("earned.store.tables.GROUP_BYTES", 100_000)

    def audited(count: int) -> None:
        with Plan([tmp_path / f"{count}.jsonl"]) as plan, open_folder(tmp_path / f"out{count}", {}) as folder:
            for shard in plan.shards():
                work(shard, Settings(), folder)
            assert sum(attempt.count for attempt in folder.counts().attempts) == count
            assert sum(1 for _ in folder.passes()) == folder.counts().passes >= count // 2

    for count in (2, FEW, MANY):
        written(tmp_path / f"{count}.jsonl", count)
    audited(2)
    small = peak(lambda: audited(FEW))
    assert peak(lambda: audited(MANY)) < small + GROWTH
