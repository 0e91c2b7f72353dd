"""The JavaScript sample site and a page of nastiness, and one browser a test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.sites import Served, serve

if not any(map(shutil.which, ("chromium-headless-shell", "chromium"))):  # pragma: no cover
    pytest.skip("no Chromium is installed", allow_module_level=True)


@pytest.fixture(scope="session")
def lighthouses() -> Iterator[Served]:
    with serve("lighthouses") as served:
        yield served
