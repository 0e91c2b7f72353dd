"""The end of a worker: whatever of it fails or is broken off, nobody has to wait for its leases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from nephila.crawling.state import State
from nephila.crawling.worker import Worker
from nephila.frontier.base import Entry
from nephila.job import Job
from nephila.urls import fingerprint

HELD = 5


async def busy_worker(place: Path) -> Worker:
    """One that holds leases, as in the middle of a crawl."""
    state = State(place / "state")
    state.create()
    job = Job.from_dict({"seeds": ["http://a.example/"], "outputs": [str(place / "pages.jsonl")]})
    worker = Worker(job, state, "w", "worker 1")
    urls = [f"http://{name}.example/" for name in "abcde"]
    await worker.frontier.add([Entry(url, fingerprint(url), url.split("/")[2]) for url in urls])
    leases = worker.keeper.leases()
    for _ in urls:
        await anext(leases)
    await leases.aclose()
    assert (await worker.frontier.stats()).leased == HELD
    return worker


def leased_after(place: Path, end: Callable[[Worker], Awaitable[None]]) -> int:
    async def go() -> int:
        worker = await busy_worker(place)
        await end(worker)
        leased = (await worker.frontier.stats()).leased
        await worker.frontier.close()
        await worker.memory.close()
        return leased

    return asyncio.run(go())


@pytest.mark.parametrize("part", ["pipeline.go_on", "reader.close", "pipeline.refine", "segments.finish"])
def test_what_fails_at_its_end_keeps_no_lease(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(**_: object) -> None:
        raise RuntimeError("no")

    async def end(worker: Worker) -> None:
        owner, method = part.split(".")
        monkeypatch.setattr(getattr(worker, owner), method, fail)
        with pytest.raises(RuntimeError, match="no"):
            await worker._finish()

    assert leased_after(tmp_path, end) == 0


def test_one_that_is_broken_off_at_its_end_keeps_no_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def end(worker: Worker) -> None:
        begun = asyncio.Event()

        async def last_for_ever(**_: object) -> None:
            begun.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(worker.pipeline, "go_on", last_for_ever)
        ending = asyncio.create_task(worker._finish())
        await begun.wait()
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending

    assert leased_after(tmp_path, end) == 0


def test_one_that_is_broken_off_while_a_task_beside_it_ends_keeps_no_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def end(worker: Worker) -> None:
        told = asyncio.Event()

        async def learn_on() -> None:
            """Does not hear that it is to end, as it happens to those that wait for a library."""
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            told.set()
            await asyncio.Event().wait()

        async def crawl(*_: object, **__: object) -> None:
            await asyncio.sleep(0)  # lets those beside it begin

        monkeypatch.setattr(worker, "_learn_forever", learn_on)
        monkeypatch.setattr(worker._runner, "crawl", crawl)
        ending = asyncio.create_task(worker.run())
        await told.wait()
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending

    assert leased_after(tmp_path, end) == 0
