"""Links of real pages: nothing ordinary is turned away, and every canonical form is stable.

Needs the data sets beside the project: NEPHILA_DATA names the directory that holds their *.jsonl.xz files.
"""

from __future__ import annotations

import json
import lzma
import os
from itertools import islice
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from nephila.urls import canonicalize, resolve, trap

PAGES_OF_A_SET = 60


@pytest.fixture(scope="module")
def links() -> set[str]:
    sets = sorted(Path(os.environ.get("NEPHILA_DATA", "no-such-directory")).glob("*.jsonl.xz"))
    if not sets:
        pytest.skip("NEPHILA_DATA does not name a directory with data sets (*.jsonl.xz)")
    found: set[str] = set()
    for path in sets:
        with lzma.open(path, "rt") as file:
            for page in map(json.loads, islice(file, PAGES_OF_A_SET)):
                hrefs = [node.attributes.get("href") or "" for node in LexborHTMLParser(page["html"]).css("a[href]")]
                found.update(url for url in resolve(page.get("url") or "http://www.example.org/a/b", hrefs) if url)
    return found


@pytest.mark.shared
def test_ordinary_links_are_no_traps(links: set[str]) -> None:
    refused = {url: reason for url in links if (reason := trap(url))}
    assert len(refused) <= len(links) / 5000, refused


@pytest.mark.shared
def test_canonical_forms_are_stable(links: set[str]) -> None:
    assert [url for url in links if canonicalize(url) != url] == []
