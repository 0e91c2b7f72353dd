"""The Python API: its names are pinned here; `crawl` and `stream` run real crawls of a sample site."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import nephila
from nephila import Job
from tests.crawl.crawling import children, wait_until
from tests.sites import Served, serve

PUBLIC = {
    "ConfigError", "Frontier", "InputError", "Job", "Memory", "NephilaError", "Record", "Sink", "SinkError",
    "StateError", "Summary", "crawl", "extract", "stream",
}  # fmt: skip


@pytest.fixture(scope="module")
def news() -> Iterator[Served]:
    with serve("news") as served:
        yield served


def job(news: Served, **more: object) -> Job:
    return Job.model_validate({"seeds": [news["news"]], "http": {"allow_private": True}, **more})


def test_the_public_names_are_these() -> None:
    """A name that goes, or comes unnoticed, breaks someone's program: change this list on purpose."""
    assert set(nephila.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(nephila, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = nephila.no_such_name


def test_the_package_loads_nothing_heavy_by_itself() -> None:
    script = "import sys, nephila; print([n for n in ('scrapy', 'pydantic', 'rich', 'aiohttp') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_crawl_runs_to_the_end_and_returns_a_summary(news: Served, tmp_path: Path) -> None:
    wanted = job(news, outputs=[str(tmp_path / "p.jsonl")], state=str(tmp_path / "s"), limits={"max_pages": 12})
    summary = nephila.crawl(wanted)
    assert (summary.stopped, summary.records, summary.pages) == ("max_pages", 12, 12)
    assert summary.outputs[0].records == 12
    assert len((tmp_path / "p.jsonl").read_text().splitlines()) == 12


def test_a_job_without_output_is_refused(news: Served) -> None:
    with pytest.raises(nephila.ConfigError, match="no output"):
        nephila.crawl(job(news))


def test_stream_gives_every_record(news: Served) -> None:
    async def collect() -> list[nephila.Record]:
        return [record async for record in nephila.stream(job(news, limits={"max_pages": 15}))]

    records = asyncio.run(collect())
    assert len({record.url for record in records}) == len(records) == 15
    assert all(isinstance(record, nephila.Record) for record in records)


def test_leaving_a_stream_ends_its_workers(news: Served) -> None:
    before = set(children(os.getpid()))

    async def first() -> set[int]:
        stream = nephila.stream(job(news, workers=2))
        async for _ in stream:
            break
        workers = set(children(os.getpid())) - before
        await stream.aclose()
        return workers

    workers = asyncio.run(first())
    assert workers
    wait_until(lambda: not workers & set(children(os.getpid())))


def test_an_abandoned_stream_ends_with_its_loop(news: Served) -> None:
    """No `aclose`: the loop finalises the generator."""
    before = set(children(os.getpid()))

    async def first() -> str:
        async for record in nephila.stream(job(news)):
            return record.url
        return ""

    assert asyncio.run(first())
    wait_until(lambda: not set(children(os.getpid())) - before)


def test_a_stream_with_a_state_goes_on_where_it_was(news: Served, tmp_path: Path) -> None:
    async def take(number: int) -> set[str]:
        wanted = job(news, state=str(tmp_path), limits={"max_pages": number})
        return {record.url async for record in nephila.stream(wanted)}

    first, second = asyncio.run(take(10)), asyncio.run(take(25))
    assert (len(first), len(second)) == (10, 15)
    assert not first & second


def test_errors_of_a_stream_reach_the_caller(tmp_path: Path) -> None:
    async def run() -> None:
        async for _ in nephila.stream(Job(seeds=("nonsense:",))):
            pass

    with pytest.raises(nephila.ConfigError, match="nonsense"):
        asyncio.run(run())
