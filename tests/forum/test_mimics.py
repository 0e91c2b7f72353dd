"""Forums in the styles of the big programs, with all that those put around everything: every post once, as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forum.compared import differences
from tests.forum.walk import walk
from tests.sites.themes import Community
from tests.sites.themes.mimics import MIMICS
from tests.sites.themes.trimmings import Trimmed

FIRST = ("profiles at the right", "windows", "stars", "boxes")
MOST = 1.2
"""Fetches for each page that the content needs: what is tried of the rest, ten links, weighs more on so few pages."""


def check(name: str, place: Path) -> None:
    site = Trimmed(Community(boards=5, threads=9, most=45), MIMICS[name])
    walked = walk(site, place, most=3 * site.needed())
    assert differences(walked, site) == []
    assert len(walked.fetched) <= MOST * site.needed()
    assert site.changes == []


@pytest.mark.parametrize("name", FIRST)
def test_tables_profiles_stars_and_boxes(name: str, tmp_path: Path) -> None:
    check(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MIMICS if name not in FIRST])
def test_all_other_styles(name: str, tmp_path: Path) -> None:
    check(name, tmp_path)
