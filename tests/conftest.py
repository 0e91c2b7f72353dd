"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

# Hypothesis's own profile for build machines: the same examples at every run, and no deadline, which a busy machine
# would miss. `pytest --hypothesis-profile=default` looks for new ones.
settings.load_profile("ci")

LONGEST = ("crawl", "cluster", "fetch", "docs", "cli", "dashboard", "sinks", "rendering", "frontier", "forum")
"""Rooms whose files take longest, mostly with waiting for the programs that they start."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is long first: so processes that share the files out come to their ends together."""
    ranks = {room: rank for rank, room in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.nodeid.split("/")[1], len(LONGEST)))
