from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import zookeeper
from tests.servers.zookeeper import Ensemble


@pytest.fixture(scope="session")
def ensemble(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ensemble]:
    if not zookeeper.available():
        pytest.skip("no ZooKeeper here: apt-get install zookeeper")
    with Ensemble(tmp_path_factory.mktemp("zookeeper"), 3) as running:
        yield running
