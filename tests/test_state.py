"""The state directory of a crawl: who holds it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from nephila.state import State


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
