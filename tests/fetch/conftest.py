"""One server process with the sample sites for all tests of this room; Scrapy projects for those of the add-on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fetch.echo import EchoSite, echo_site
from tests.fetch.stock import Project, make_project
from tests.sites import Served, serve


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    log = tmp_path_factory.mktemp("sites") / "requests.jsonl"
    with serve("news", "shop", "hostile", log=log) as served:
        yield served


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("scrapy")
    make_project(place)
    return place


@pytest.fixture
def project(stock: Path, tmp_path: Path) -> Project:
    shutil.copytree(stock, tmp_path / "p")
    return Project(tmp_path / "p")


@pytest.fixture
def echo() -> Iterator[EchoSite]:
    with echo_site() as site:
        yield site
