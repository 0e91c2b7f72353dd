from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.telemetry import Counters, Metric, Progress, Snapshot, collect, publish, publishing
from nephila.telemetry.publish import SPACE


class Clock:
    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class DictMemory:
    """A memory of one process."""

    def __init__(self) -> None:
        self.facts: dict[tuple[str, str], bytes] = {}
        self.broken = False

    async def get(self, space: str, key: str) -> bytes | None:
        return self.facts.get((space, key))

    async def put(self, space: str, key: str, value: bytes, ttl: float | None = None) -> None:
        if self.broken:
            raise ConnectionError("away")
        self.facts[space, key] = value

    async def update(self, space: str, key: str, change: Callable[[bytes | None], bytes | None]) -> bytes | None:
        raise NotImplementedError

    async def items(self, space: str, prefix: str = "") -> Sequence[tuple[str, bytes]]:
        return [(k, v) for (s, k), v in self.facts.items() if s == space and k.startswith(prefix)]

    async def close(self) -> None: ...


def snapshot(worker: str, run: str, pages: int, *, at: float = 1000.0, sequence: int = 1, **more: object) -> Snapshot:
    fields: dict[str, object] = {"started": at - 1, "counts": {"pages": pages}} | more
    return Snapshot(worker=worker, run=run, at=at, sequence=sequence, **fields)  # type: ignore[arg-type]


@given(st.data())
def test_any_order_and_repetition_of_snapshots_gives_the_true_sum(data: st.DataObject) -> None:
    """Runs of workers, restarted at will; their snapshots arrive late, twice, or not until the end."""
    runs = data.draw(st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=5), max_size=6))
    stream = []
    for number, steps in enumerate(runs):
        pages = 0
        for sequence, step in enumerate(steps, 1):
            pages += step
            stream.append(snapshot(f"w{number % 2}", f"run{number}", pages, sequence=sequence))
    progress = Progress(clock=Clock())
    for one in data.draw(st.permutations(stream)) + data.draw(
        st.lists(st.sampled_from(stream) if stream else st.nothing())
    ):
        progress.update([one])
    assert progress.total(Metric.PAGES) == sum(map(sum, runs))


def test_runs_of_an_earlier_crawl_are_left_out() -> None:
    progress = Progress(since=500.0, clock=Clock())
    progress.update([snapshot("w1", "old", 70, started=499.0), snapshot("w1", "new", 3, started=501.0)])
    assert progress.total(Metric.PAGES) == 3
    assert progress.workers()[0].restarts == 0


def test_speed_over_the_window_and_time_left() -> None:
    clock = Clock()
    progress = Progress(max_pages=1000, since=900.0, clock=clock)
    assert progress.rate() == 0
    assert progress.time_left() is None
    for second in range(61):
        clock.now = 1000.0 + second
        pages = min(second, 30) * 10  # ten a second for half a minute, then nothing
        progress.update([snapshot("w1", "r", pages, at=clock.now, sequence=second + 1, started=950.0)])
        if second == 20:
            assert progress.rate() == pytest.approx(10)
            assert progress.time_left() == pytest.approx(80)
            assert progress.workers()[0].rate == pytest.approx(10)
    assert progress.rate() == 0
    assert progress.elapsed() == 160


def test_dead_workers_are_kept_but_their_gauges_are_not() -> None:
    clock = Clock()
    progress = Progress(clock=clock)
    progress.update([snapshot("w1", "a", 5, gauges={"in_flight": 3}), snapshot("w2", "b", 7, gauges={"in_flight": 2})])
    assert progress.gauge(Metric.IN_FLIGHT) == 5
    clock.now += 60
    progress.update([snapshot("w2", "b", 8, at=1060.0, sequence=2, gauges={"in_flight": 2})])
    assert progress.total(Metric.PAGES) == 13
    assert progress.gauge(Metric.IN_FLIGHT) == 2
    assert [(w.worker, w.state) for w in progress.workers()] == [("w1", "silent"), ("w2", "running")]


def test_a_worker_with_a_wrong_clock_is_alive_while_it_moves() -> None:
    clock = Clock(10_000.0)
    progress = Progress(clock=clock)
    for sequence in (1, 2):
        clock.now += 1
        progress.update([snapshot("w1", "a", sequence, at=100.0 + sequence, sequence=sequence)])
    assert progress.workers()[0].state == "running"


def test_a_worker_that_ended_is_not_silent() -> None:
    clock = Clock()
    progress = Progress(clock=clock)
    progress.update([snapshot("w1", "a", 1, state="done")])
    clock.now += 600
    assert progress.workers()[0].state == "done"


def test_workers_come_in_the_order_of_their_numbers() -> None:
    progress = Progress(clock=Clock())
    progress.update([snapshot(name, name, 1) for name in ("worker-10", "worker-2", "host.b", "worker-1")])
    assert [w.worker for w in progress.workers()] == ["host.b", "worker-1", "worker-2", "worker-10"]


def test_errors_by_cause_with_an_example() -> None:
    progress = Progress(clock=Clock())
    progress.update(
        [
            snapshot(
                "w1", "a", 0, labelled={"errors": {"dns": 1, "timeout": 2}}, examples={"dns": "http://d.example/"}
            ),
            snapshot("w2", "b", 0, labelled={"errors": {"timeout": 2}}, examples={"timeout": "http://t.example/"}),
        ],
        SimpleNamespace(queued=4, leased=3, dead=2, hosts=1),
    )
    assert [(e.cause, e.count, e.example) for e in progress.errors()] == [
        ("timeout", 4, "http://t.example/"),
        ("dns", 1, "http://d.example/"),
    ]
    assert progress.total(Metric.ERRORS, "timeout") == 4
    assert [progress.gauge(m) for m in (Metric.QUEUED, Metric.LEASED, Metric.DEAD, Metric.HOSTS)] == [4, 3, 2, 1]


def test_counts_travel_through_the_memory_and_a_restart_keeps_them() -> None:
    async def run() -> None:
        memory, progress = DictMemory(), Progress()
        for pages in (3, 4):  # the same worker, started twice
            counters = Counters("w1")
            async with publishing(memory, counters, every=0.001):
                counters.add(Metric.PAGES, pages - 1)
                await asyncio.sleep(0.01)
                progress.update(await collect(memory))
                counters.add(Metric.PAGES)
        progress.update(await collect(memory))
        assert progress.total(Metric.PAGES) == 7
        (view,) = progress.workers()
        assert (view.pages, view.restarts) == (7, 1)

    asyncio.run(run())


def test_a_memory_that_fails_does_not_stop_the_worker(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        memory, counters = DictMemory(), Counters("w1")
        memory.broken = True
        async with publishing(memory, counters, every=0.001):
            await asyncio.sleep(0.005)
            memory.broken = False
        assert [one.worker for one in await collect(memory)] == ["w1"]

    asyncio.run(run())
    assert "were not published: away" in caplog.text


def test_what_cannot_be_read_is_left_out() -> None:
    async def run() -> None:
        memory = DictMemory()
        await publish(memory, Counters("w1"))
        for number, junk in enumerate((b"", b"[]", b"null", b'{"worker": 1}', b'{"timings": {"x": {}}}')):
            await memory.put(SPACE, str(number), junk)
        assert [one.worker for one in await collect(memory)] == ["w1"]

    asyncio.run(run())
