"""What a page asks for is filtered by the lists that AdBlock's users know, in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nephila.errors import ConfigError
from nephila.fetch.browser import BrowserOptions, BrowserPool
from nephila.fetch.browser.options import Source
from tests.fetch.browser.nasty import nasty_site

_LIST = """! A list of ours
/banner/*$script
||127.0.0.1^*/track?$xmlhttprequest
/frames/adverts.
@@/banner/needed.js
"""
_PAGE = b"""<!DOCTYPE html><p>Words.<script src=/banner/one.js></script><script src=/banner/needed.js></script>
<script>fetch('/track?me').catch(() => document.body.append('Not tracked.')); fetch('/data')</script>
<iframe src=/frames/adverts.html></iframe><iframe src=/frames/story.html></iframe>"""


def test_requests_that_a_list_forbids_are_not_made(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(_LIST)

    async def run() -> None:
        options = BrowserOptions(allow_private=True, filters=(file,))
        async with nasty_site() as (root, asked), BrowserPool(options) as pool:
            rendered = await pool.render(root + "banner/page", source=Source(_PAGE))
            assert "Not tracked." in rendered.html
            assert sorted(asked) == ["/banner/needed.js", "/data", "/frames/story.html"]

    asyncio.run(run())


def test_a_list_that_cannot_be_read_is_said_before_a_page_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the filter list"):
        BrowserPool(BrowserOptions(filters=(tmp_path / "nothing.txt",)))
