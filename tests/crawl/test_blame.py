"""A page that kills the workers that read it is given up; the pages that they held besides are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawl.crawling import Done, Place, nephila
from tests.crawl.numbers import addresses
from tests.sites import Served

# Read by every interpreter as it starts: a page of the numbered site kills the worker that reads it, as a fault in the
# parser would.
_FAULT = """
import os, signal, sys

if "nephila.crawling.worker_process" in sys.orig_argv:
    import nephila.pipeline

    parse = nephila.pipeline.parse

    def faulty(body, *arguments, **options):
        if b"<title>yew-12<" in body:
            os.kill(os.getpid(), signal.{signal})
        return parse(body, *arguments, **options)

    nephila.pipeline.parse = faulty
"""


POISON = "yew-12"
_BELOW = {24, 25, 48, 49, 50, 51, *range(96, 104), *range(192, 208)}
"""What may be linked from that page alone."""


@pytest.fixture
def faulty(place: Place, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Crawls with a program that dies of one page."""

    def crawl(signal: str, *arguments: object) -> Done:
        faults = place.root / "faults"
        faults.mkdir()
        (faults / "sitecustomize.py").write_text(_FAULT.format(signal=signal))
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", f"{faults}:{Path(__file__).parents[2]}")
            return place.crawl(*arguments, "--job", place.job('extract = "plain"\n'))

    return crawl


def assert_given_up(place: Place, numbers: Served, most_deaths: int = 3) -> None:
    assert len(place.urls) == len(set(place.urls))
    assert [(error["cause"], error["count"]) for error in place.summary["errors"]] == [("its workers died", 1)]
    dead = nephila("dead", "list", "--state", place.state).out
    assert dead.count("\n") == 1
    assert f"{numbers['numbers']}{POISON}\n" in dead
    assert 3 <= len([request for request in numbers.requests() if request.path == f"/{POISON}"]) <= most_deaths


def test_a_page_that_kills_its_workers_is_given_up(numbers: Served, place: Place, faulty: Callable[..., Done]) -> None:
    done = faulty("SIGSEGV", numbers["numbers"], "--max-pages", 60)
    assert done.status == 0, done.err
    assert len(place.urls) == 60
    assert_given_up(place, numbers)


@pytest.mark.slow
def test_no_other_page_is_lost_by_it_and_a_replay_gives_it_another_chance(
    numbers: Served, place: Place, faulty: Callable[..., Done]
) -> None:
    done = faulty("SIGKILL", numbers["numbers"], "--workers", 2)
    assert done.status == 0, done.err
    assert_given_up(place, numbers, most_deaths=4)  # the other worker may not have heard of the third
    everything = addresses(numbers["numbers"])
    assert {url for url in everything - set(place.urls) if int(url.rpartition("-")[2]) not in _BELOW} == {
        f"{numbers['numbers']}{POISON}"
    }
    assert nephila("dead", "replay", "--state", place.state).status == 0
    assert place.crawl(numbers["numbers"]).status == 0
    assert set(place.urls) == everything | {numbers["numbers"]}
