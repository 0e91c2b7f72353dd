"""What the documentation tells to type works, page by page, on a sample site."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nephila.demo import serve
from tests.docs.blocks import Block, Room, blocks, same_shape, steps

ROOT = Path(__file__).parent.parent.parent
RUNNABLE = ("python", "toml", "console")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _runnable(page: Path) -> list[Block]:
    return [block for block in blocks(page) if block.language in RUNNABLE]


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serve("tests.docs.sample:SITE", search_path=ROOT) as served:
        yield served["example"]


@pytest.mark.parametrize("page", [page for page in PAGES if _runnable(page)], ids=lambda page: page.name)
def test_code_of_page_runs(page: Path, site: str, tmp_path: Path) -> None:
    commands = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    room = Room(tmp_path, site, environment)
    for block in _runnable(page):
        room.run(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_says_its_language(page: Path) -> None:
    fences = [line for line in page.read_text().splitlines() if line.startswith("```")]
    assert all(fence != "```" for fence in fences[::2])
    assert all(fence == "```" for fence in fences[1::2])
    assert {block.language for block in blocks(page)} <= {*RUNNABLE, "text", "sh", "json"}


def test_output_may_differ_in_numbers_and_gaps_alone() -> None:
    assert same_shape(["pages  9  (3.3/s)"], ["   pages 1,204 (30.1/s)"])
    assert same_shape(["Finished", "...", "end"], ["Finished", "a", "b", "end"])
    assert not same_shape(["Finished"], ["Interrupted"])
    assert not same_shape(["Finished"], ["Finished", "more"])


def test_commands_go_on_over_lines() -> None:
    block = Block("console", "$ nephila crawl \\\n    x\nout\n$ ls\n", 1)
    assert [(step.command, step.shown) for step in steps(block)] == [("nephila crawl x", ["out"]), ("ls", [])]
