"""Forums of bad habits: every post once, nothing marked or changed, and no way into what has no end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forum.compared import differences
from tests.forum.walk import walk
from tests.sites.themes import Community, any_theme
from tests.sites.themes.habits import HABITS, Habitual

MOST = 1.2
"""Fetches for each page that the content needs; 1.15 on all but two of these, which are small."""


def check(seed: int, habits: tuple[str, ...], place: Path) -> None:
    site = Habitual(Community(seed=seed), any_theme(seed), habits=habits)
    walked = walk(site, place, most=3 * site.needed())
    assert differences(walked, site) == []
    assert len(walked.fetched) <= MOST * site.needed()
    assert site.changes == []


@pytest.mark.parametrize("seed", [8700, 8703, 8705])
def test_lists_that_name_threads_by_nothing_but_hops(seed: int, tmp_path: Path) -> None:
    check(seed, HABITS, tmp_path)


@pytest.mark.parametrize("seed", [8701, 8708])
def test_calendars_labels_marks_neighbours_archives(seed: int, tmp_path: Path) -> None:
    check(seed, tuple(habit for habit in HABITS if habit != "hops"), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8700, 8712))
def test_all_of_them_on_forums_of_any_make(seed: int, tmp_path: Path) -> None:
    check(seed, HABITS, tmp_path)
