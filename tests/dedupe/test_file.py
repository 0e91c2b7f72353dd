from __future__ import annotations

import asyncio
import multiprocessing
import random
from pathlib import Path
from typing import Any

import pytest

from nephila.dedupe import FileDuplicates, Limits, sketch
from nephila.errors import StateError

from .conformance import DuplicatesConformance
from .documents import Documents


class TestFile(DuplicatesConformance):
    def make(self, place: Path, limits: Limits) -> FileDuplicates:
        return FileDuplicates(place / "duplicates", limits)


def test_a_text_costs_less_than_20_bytes(tmp_path: Path) -> None:
    limits = Limits(capacity=100_000)
    store = FileDuplicates(tmp_path / "d", limits)
    assert (tmp_path / "d").stat().st_size / limits.capacity < 20
    assert limits.bytes_each < 20
    asyncio.run(store.close())


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes(b"hello, this is something else")
    with pytest.raises(StateError, match="no memory of duplicates"):
        FileDuplicates(tmp_path / "d")


def _offer(place: str, number: int, texts: list[str]) -> list[str | None]:
    store = FileDuplicates(place, Limits(capacity=5000))
    found: list[str | None] = []
    for start in range(0, len(texts), 20):
        part = texts[start : start + 20]
        found += store.judge_now([(s, f"{number}/{start + n}") for n, t in enumerate(part) if (s := sketch(t))])
    asyncio.run(store.close())
    return found


def test_of_copies_in_several_processes_at_once_exactly_one_is_the_first(tmp_path: Path) -> None:
    documents = Documents(random.Random(8))
    texts = [documents.text(60, 200) for _ in range(200)]
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        found = pool.starmap(_offer, [(str(tmp_path / "d"), number, texts) for number in range(3)])
    for judgements in zip(*found, strict=True):
        assert sum(judgement is None for judgement in judgements) == 1


def _open_and_close(folder: str, barrier: Any, told: Any) -> None:
    for turn in range(30):
        barrier.wait(300)
        try:
            store = FileDuplicates(Path(folder, f"duplicates-{turn}"), Limits(capacity=1_000))
            asyncio.run(store.close())
        except StateError as error:
            told.put(str(error))


def test_workers_that_begin_and_end_at_once_do_not_lock_each_other_out(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier, told = context.Barrier(4), context.Queue()
    workers = [context.Process(target=_open_and_close, args=(str(tmp_path), barrier, told)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert told.empty()
