"""One server process for all tests of the sample sites."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sites import Served, serve


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("sites") / "requests.jsonl"
    with serve("news", "shop", "forum", "lighthouses", "hostile", log=log) as sites:
        yield sites
