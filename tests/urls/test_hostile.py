"""Hostile input: nothing raises, and nothing takes long: the inputs are those that make backtracking explode, which the
time limit of the test would show.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.urls import MAX_LENGTH, canonicalize

from .fuzz_urls import check, fuzz, judge


@given(st.text())
@settings(max_examples=300)
def test_any_text_is_survived(text: str) -> None:
    check(text)
    check(f"http://{text}")
    check(f"http://x.org/{text}")
    check(f"http://x.org/?{text}")


def test_fuzzing_finds_nothing() -> None:
    assert fuzz(60, seed=random.randrange(2**32), most=10_000) == 10_000


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "a", "a.", "1", "/", "/a", "/../", "%", "%4", "%41", "%25", ";", ";a=", "&", "&a=1", "a-", "-1", "=", "#", "é",
        "/a/b", "sid=a1", "cfid=1&cftoken=2&", "next=", "?next=", "/2026/11/15", "A1a", "f0", "page=1", "\t", "\n ",
        "@", "[", "\0", "\ud800",
    ],
)  # fmt: skip
def test_long_repetition_is_cheap(piece: str) -> None:
    many = piece * (MAX_LENGTH // len(piece))
    for link in (many, f"http://{many}", f"http://x.org/{many}<", f"http://x.org/?{many}<", f"http://x.org/?a={many}"):
        for _ in range(20):
            url = canonicalize(link, "http://x.org/a")
        if url is not None:
            judge(url)


def test_huge_links_are_refused_unread() -> None:
    assert canonicalize("http://x.org/" + "a" * 50_000_000) is None
    assert canonicalize("data:image/png;base64," + "A" * 5_000_000, "http://x.org/") is None
