"""`extract --method visual`, as users run it."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson
import pytest

from tests.crawl.crawling import nephila

pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("chromium-headless-shell", "chromium")), reason="no Chromium here"
)

_STYLE = "<style>body{font:16px/1.5 serif;margin:0 100px}nav a{display:block;font:12px sans-serif;width:90px}</style>"


def _page(number: int) -> str:
    words = " ".join(f"word{number}x{index} of the story, told at length," for index in range(12))
    menu = "".join(f"<a href=/{index}>Section {index}</a>" for index in range(8))
    return (
        f"<title>Story {number}</title><meta name=description content='{words[:80]}'>{_STYLE}<nav>{menu}</nav>"
        f"<main><h1>Story {number}</h1><p>{words}</p><p>{words} again.</p><p>{words} at last.</p></main>"
        "<footer>All rights reserved</footer>"
    )


def test_a_page_and_its_picture(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(_page(1))
    done = nephila("extract", "page.html", "--method", "visual", "--overlay", "out.png", cwd=tmp_path)
    assert done.status == 0, done.err
    record = orjson.loads(done.out)
    assert record["extractor"] == "visual"
    assert record["rendered"] is True
    assert record["title"] == "Story 1"
    assert "word1x3 of the story" in record["text"]
    assert "Section 3" not in record["text"]
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_a_directory_is_a_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for number in range(6):
        (site / f"{number}.html").write_text(_page(number))
    done = nephila("extract", site, "--method", "visual")
    assert done.status == 0, done.err
    records = [orjson.loads(line) for line in done.out.splitlines()]
    assert [record["file"] for record in records] == [f"{number}.html" for number in range(6)]
    for number, record in enumerate(records):
        assert record["text"].count(f"word{number}x5") == 3
        assert "All rights reserved" not in record["text"]


def test_a_picture_of_a_directory_is_refused(tmp_path: Path) -> None:
    done = nephila("extract", tmp_path, "--overlay", tmp_path / "out.png")
    assert done.status == 2
    assert "a picture is of one page" in done.last_line


def test_data_of_another_kind_is_refused(tmp_path: Path) -> None:
    done = nephila("evaluate", "--method", "visual", "--data", tmp_path)
    assert done.status == 2
    assert "no data set" in done.last_line
