"""One server process with the sample sites for all tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sites import Served, serve


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("sites") / "requests.jsonl"
    with serve("news", "shop", "hostile", log=log) as served:
        yield served
