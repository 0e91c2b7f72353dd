"""The state directory of a crawl: who holds it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from nephila.api import crawl
from nephila.crawling.state import State
from nephila.errors import NephilaError
from nephila.job import Job
from tests.servers.ports import free_port


def test_two_who_look_at_once_are_no_crawl(tmp_path: Path) -> None:
    state = State(tmp_path)
    os.close(state.lock())
    with (tmp_path / "lock").open() as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        assert not state.in_use()


def test_a_crawl_is_seen(tmp_path: Path) -> None:
    state = State(tmp_path)
    held = state.lock()
    assert state.in_use()
    os.close(held)
    assert not state.in_use()


@pytest.mark.parametrize("url", ["gopher://127.0.0.1", f"redis://127.0.0.1:{free_port()}"], ids=["wrong", "dead"])
def test_a_server_that_a_crawl_could_not_begin_on_is_not_remembered(url: str, tmp_path: Path) -> None:
    job = Job(seeds=("https://example.org/",), outputs=(str(tmp_path / "x.jsonl"),), state=tmp_path, frontier=url)
    with pytest.raises(NephilaError, match=url):
        crawl(job)
    assert not State(tmp_path).exists
