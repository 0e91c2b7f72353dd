"""What holds for every test."""

from __future__ import annotations

import signal
import threading

import pytest
from hypothesis import settings

# Hypothesis's own profile for build machines: the same examples at every run, and no deadline, which a busy machine
# would miss. `pytest --hypothesis-profile=default` looks for new ones.
settings.load_profile("ci")

# Begun in the background of a script, a program and all that it starts ignore Ctrl-C; some are to be ended by it here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("crawl", "cluster", "fetch", "docs", "cli", "dashboard", "sinks", "rendering", "frontier", "forum")
"""Rooms whose files take longest, mostly with waiting for the programs that they start."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is long first: so processes that share the files out come to their ends together."""
    ranks = {room: rank for rank, room in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.nodeid.split("/")[1], len(LONGEST)))
