"""A page that lexbor writes into an array is the one that selectolax gives as a string."""

from __future__ import annotations

import random

import pytest
import selectolax
from selectolax.lexbor import LexborHTMLParser

from nephila.document import written as module
from nephila.document.written import written
from tests.document.fuzz_document import mutated

pytestmark = pytest.mark.skipif(
    module._library() is None, reason="no native library, or a selectolax that is not known to show lexbor's functions"
)


def by_selectolax(html: bytes) -> bytes:
    return (LexborHTMLParser(html).html or "").encode("utf-8", "replace")


@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_same_whatever_the_page(seed: int) -> None:
    html = mutated(random.Random(seed))
    assert written(LexborHTMLParser(html), len(html)) == by_selectolax(html)


@pytest.mark.parametrize(
    "html", [b"", b"<p>", b"<!doctype html><title>x</title>&amp;", "<p>ü 日本</p>".encode(), b"\xff\xfe<p>\xc3"]
)
def test_small_and_broken_pages_are_the_same(html: bytes) -> None:
    assert written(LexborHTMLParser(html), len(html)) == by_selectolax(html)


def test_a_page_that_is_longer_than_it_seemed_is_whole() -> None:
    html = b"<p>" + b"&" * 20_000
    assert written(LexborHTMLParser(html), 1) == by_selectolax(html)


def test_another_selectolax_is_not_asked_for_its_insides(monkeypatch: pytest.MonkeyPatch) -> None:
    module._serialise.cache_clear()
    monkeypatch.setattr(selectolax, "__version__", "99.0")
    assert module._serialise() is None
    module._serialise.cache_clear()
