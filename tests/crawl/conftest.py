"""Sample sites in a process of their own, and a place for each crawl."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nephila.demo import kit
from tests.crawl.crawling import Place
from tests.sites import Served, serve


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The friendly sites; one server a module, so that its request log tells of this module's crawls alone."""
    with serve("news", "shop", "forum", log=tmp_path_factory.mktemp("sites") / "requests.jsonl") as served:
        yield served


@pytest.fixture
def numbers(tmp_path: Path) -> Iterator[Served]:
    """The 240 numbered pages, for one test alone."""
    here = Path(__file__).parents[2]
    with kit.serve("tests.crawl.numbers:SITE", log=tmp_path / "requests.jsonl", search_path=here) as served:
        yield served
