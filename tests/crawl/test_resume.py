"""A crawl can be stopped, interrupted and killed at any moment: the same command goes on, every page is there once."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crawl.crawling import Place, alive, nephila, wait_until
from tests.crawl.numbers import PAGES, addresses
from tests.sites import Served

SLOWLY = ("--delay", 0.05)
"""The whole site in twelve seconds or more: time to interfere."""
WHOLE = PAGES + 1  # the front page is page 1 under another address


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """How pages are read is no question here."""
    return Place(tmp_path, ("--job", Place(tmp_path).job('extract = "plain"\n')))


def assert_whole(place: Place, served: Served) -> None:
    """Every page once, none missing."""
    urls = place.urls
    assert max(Counter(urls).values()) == 1
    assert set(urls) == addresses(served["numbers"]) | {served["numbers"]}


def test_max_pages_is_exact_and_the_rest_comes_later(numbers: Served, place: Place) -> None:
    done = place.crawl(numbers["numbers"], "--max-pages", 50, "--workers", 2)
    assert done.status == 0, done.err
    assert place.summary["stopped"] == "max_pages"
    assert not place.summary["complete"]
    assert "--max-pages" in place.summary["resume"]
    assert len(place.records) == 50
    again = place.crawl(numbers["numbers"], "--max-pages", 50, "--workers", 2)
    assert again.status == 0
    assert "raise --max-pages" in again.last_line
    assert len(place.records) == 50
    rest = place.crawl(numbers["numbers"], "--workers", 2)
    assert rest.status == 0, rest.err
    assert place.summary["records"] == WHOLE - 50
    assert_whole(place, numbers)


@pytest.mark.parametrize("group", [False, True], ids=["to the program", "to its group, as a terminal does"])
def test_ctrl_c_once_drains(numbers: Served, place: Place, group: bool) -> None:
    running = place.start(numbers["numbers"], *SLOWLY, "--workers", 2)
    running.wait_for_records(20)
    running.interrupt(group=group)
    assert running.end() == 130
    summary, kept = place.summary, len(place.records)
    assert summary["stopped"] == "interrupted"
    assert "finishing what is under way" in running.err
    assert summary["resume"] in " ".join(running.err.split())
    assert 20 <= kept < WHOLE
    # What had been fetched was written, not thrown away.
    fetched = [request for request in numbers.requests() if request.path != "/robots.txt" and request.status == 200]
    assert kept == len(fetched)
    assert place.crawl(numbers["numbers"]).status == 0
    assert_whole(place, numbers)


def test_ctrl_c_twice_stops_at_once(numbers: Served, place: Place) -> None:
    running = place.start(numbers["numbers"], *SLOWLY, "--workers", 2)
    running.wait_for_records(20)
    workers = running.workers()
    running.interrupt()
    running.interrupt()
    assert running.end() == 130
    assert not [worker for worker in workers if alive(worker)]
    assert "Traceback" not in running.err
    assert place.crawl(numbers["numbers"]).status == 0
    assert_whole(place, numbers)


def test_a_worker_that_dies_is_replaced(numbers: Served, place: Place) -> None:
    running = place.start(numbers["numbers"], *SLOWLY, "--workers", 2)
    running.wait_for_records(20)
    victim = running.workers()[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: len(running.workers()) == 2 and victim not in running.workers())
    assert running.end() == 0, running.err
    assert place.summary["restarts"] == 1
    assert_whole(place, numbers)


def test_workers_end_with_their_supervisor_and_the_command_resumes_at_once(numbers: Served, place: Place) -> None:
    running = place.start(numbers["numbers"], *SLOWLY, "--workers", 2)
    running.wait_for_records(20)
    workers = running.workers()
    assert len(workers) == 2
    running.process.kill()
    running.end()
    assert place.crawl(numbers["numbers"]).status == 0
    assert not [worker for worker in workers if alive(worker)]
    assert_whole(place, numbers)


def test_a_second_crawl_in_the_same_state_is_refused(numbers: Served, place: Place) -> None:
    running = place.start(numbers["numbers"], *SLOWLY)
    running.wait_for_records(1)
    second = place.crawl(numbers["numbers"])
    running.interrupt()
    assert second.status == 2
    assert "in use by process" in second.last_line
    assert str(running.process.pid) in second.last_line
    assert running.end() == 130, running.err


def test_status_tells_of_a_crawl_while_it_runs_and_afterwards(numbers: Served, place: Place) -> None:
    running = place.start(numbers["numbers"], *SLOWLY)
    running.wait_for_records(1)
    picture, workers = place.status(), set(running.workers())
    running.interrupt()
    assert picture["running"]
    assert {worker["pid"] for worker in picture["workers"]} == workers
    assert running.end() == 130, running.err
    picture = place.status()
    assert not picture["running"]
    assert not picture["drained"]
    assert picture["workers"] == []
    assert picture["records"] == picture["pages"] == picture["outputs"][0]["records"] == len(place.records)
    assert "can be resumed" in nephila("status", "--state", place.state).out


def test_workers_that_die_again_and_again_end_the_crawl_with_one_line(numbers: Served, place: Place) -> None:
    """Not a loop without end: five in a row that brought nothing are enough."""
    # The delay: workers that are killed late may bring a page or two, never all of them. Quiet: no line on progress.
    running = place.start(numbers["numbers"], "--log-level", "error", "--quiet", "--delay", 20)
    while running.process.poll() is None:
        for worker in running.workers():
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGTERM)  # as a crash; one by SIGKILL is taken for somebody's own doing
        time.sleep(0.01)
    assert running.end() == 2
    assert running.err.count("\n") == 1
    assert running.err.startswith("nephila: workers keep dying")
    assert "workers.log" in running.err


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_whatever_is_killed(numbers: Served, place: Place) -> None:
    """The loss check in small: six workers and twice the whole program, killed at random moments."""
    rng = random.Random()
    blows = ["worker"] * 6 + ["program"] * 2
    rng.shuffle(blows)
    running = place.start(numbers["numbers"], "--workers", 2, "--delay", 0)
    for blow in blows:
        time.sleep(rng.uniform(0.2, 1.5))
        if running.process.poll() is not None:
            break
        victims = running.workers() if blow == "worker" else [running.process.pid]
        if victims:
            os.kill(rng.choice(victims), signal.SIGKILL)
        if blow == "program":
            running.end()
            running = place.start(numbers["numbers"], "--workers", 2, "--delay", 0)
    assert running.end() == 0, running.err
    assert_whole(place, numbers)
