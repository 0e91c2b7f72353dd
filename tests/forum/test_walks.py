"""Whole forums in several styles: every post once, as it is, with hardly a fetch too many, and nothing changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.forum.walk import Walked, walk
from tests.sites.layouts import Content, Scroll, Semicolons, Tables, Tree

STYLES = [Tables, Semicolons, Tree, Scroll]


def check(walked: Walked, content: Content) -> None:
    wanted = content.posts
    assert set(walked.posts) == set(wanted)
    assert walked.again == 0
    for number, (board, thread, place, post) in wanted.items():
        got = walked.posts[number]
        assert got["board"][-1:] == [board.title], number
        assert got["title"] == thread.title, number
        assert got["author"] == post.author, number
        assert got["text"] == post.text, number
        assert got["published"][:16] == post.when.isoformat()[:16], number
        assert got["position"] == place, number


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_post_once_with_hardly_a_fetch_too_many(style: Any, seed: int, tmp_path: Path) -> None:
    content = Content(seed=seed)
    site = style(content)
    walked = walk(site, tmp_path)
    check(walked, content)
    assert len(walked.fetched) <= 1.15 * site.needed()
    assert site.changes == []
