"""Forums of many programs that never were, all with the same contents: each way of writing one part with any other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from tests.sites.themes.addresses import ADDRESSES
from tests.sites.themes.bodies import BODIES
from tests.sites.themes.dates import DATES
from tests.sites.themes.engine import Engine, Theme
from tests.sites.themes.frames import CRUMBS, NEWER_PAGERS, PAGERS
from tests.sites.themes.gold import Community
from tests.sites.themes.lists import LISTS
from tests.sites.themes.lively_posts import LIVELY
from tests.sites.themes.newer_addresses import NEWER_ADDRESSES
from tests.sites.themes.newer_bodies import NEWER_BODIES
from tests.sites.themes.newer_dates import NEWER_DATES
from tests.sites.themes.newer_lists import NEWER_LISTS
from tests.sites.themes.newer_posts import NEWER
from tests.sites.themes.posts import POSTS as FIRST

_T = TypeVar("_T")
POSTS = [*FIRST, *NEWER]
__all__ = ["ADDRESSES", "DATES", "LISTS", "POSTS", "Community", "Engine", "Theme", "any_theme", "newer_theme"]


def any_theme(seed: int) -> Theme:
    """Parts taken at random; the same for the same seed."""
    chance = random.Random(seed)
    return Theme(
        addresses=chance.choice(ADDRESSES),
        lists=chance.choice(LISTS),
        posts=chance.choice(POSTS),
        dates=chance.choice(list(DATES)),
        bodies=chance.choice(list(BODIES)),
        pager=chance.choice(list(PAGERS)),
        crumbs=chance.choice(list(CRUMBS)),
        sidebar=chance.random() < 0.3,
        similar=chance.random() < 0.3,
        redirects=chance.random() < 0.6,
        canonical=chance.choice([None, None, "right", "wrong"]),
        guests_linked=chance.random() < 0.3,
        threads_a_page=chance.choice([4, 5, 8]),
        posts_a_page=chance.choice([5, 10, 15]),
    )


def newer_theme(seed: int) -> Theme:
    """The same with the parts that came later: at least half of them are of these."""
    chance = random.Random(seed)

    def one(newer: Sequence[_T], older: Sequence[_T]) -> _T:
        return chance.choice(newer if chance.random() < 0.6 else older)

    return replace(
        any_theme(seed),
        addresses=one(NEWER_ADDRESSES, ADDRESSES),
        lists=one(NEWER_LISTS, LISTS),
        posts=one(LIVELY, POSTS),
        dates=one(list(NEWER_DATES), list(DATES)),
        bodies=one(list(NEWER_BODIES), list(BODIES)),
        pager=one(list(NEWER_PAGERS), list(PAGERS)),
    )
