"""Serves sample sites to tests: the friendly ones by name, and `hostile`, in a real process on free ports."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from nephila.demo import kit
from nephila.demo.kit import Served

_ROOT = Path(__file__).parents[2]
_TEST_SITES = {"hostile": "tests.sites.hostile:SITE"}


def serve(*sites: str, log: Path | None = None, port: int = 0) -> AbstractContextManager[Served]:
    """`with serve("news", "hostile", log=path) as served: served["news"]` is the newspaper's root address."""
    names = [_TEST_SITES.get(site, site) for site in sites]
    return kit.serve(*names, log=log, port=port, search_path=_ROOT)
