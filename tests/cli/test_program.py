"""The program itself: it starts at once, says its version, and runs as a module too."""

from __future__ import annotations

import subprocess
import sys

import pytest

import nephila as package
from tests.crawl.crawling import nephila

HEAVY = ("scrapy", "pydantic", "rich", "aiohttp", "twisted", "numpy", "selectolax", "tldextract", "orjson")


def loaded_by(*arguments: str) -> set[str]:
    script = f"import sys; sys.argv[1:] = {list(arguments)!r}\ntry:\n  from nephila.cli import main; main()\nfinally:\n"
    script += f"  print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(eval(done.stderr))


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded_by(*arguments) == set()


@pytest.mark.parametrize(
    ("module", "spared"),
    [
        ("nephila.cli.running", ["scrapy", "aiohttp", "twisted", "numpy", "selectolax", "tldextract"]),
        (
            "nephila.crawling.worker",
            ["nephila.rendering", "nephila.content.visual", "nephila.wrappers", "tldextract", "rich"],
        ),
    ],
)
def test_a_crawl_loads_only_what_all_crawls_need(module: str, spared: list[str]) -> None:
    """Every worker pays for it with its start."""
    script = f"import sys, {module}; print(*(name for name in {spared!r} if name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "\n"


def test_it_says_its_version() -> None:
    assert nephila("--version").out == f"nephila {package.__version__}\n"


def test_help_names_every_command() -> None:
    done = nephila("--help")
    assert done.status == 0
    for command in ("crawl", "status", "dead", "demo"):
        assert f"  {command} " in done.out


def test_without_a_command_it_shows_how_it_is_used() -> None:
    done = nephila()
    assert done.status == 2
    assert "Usage: nephila" in done.err + done.out
