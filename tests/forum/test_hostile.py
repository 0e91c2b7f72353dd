"""Pages made to keep a reader of posts busy: the time it takes must grow with the page, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from nephila.document import Document, parse
from nephila.forum.comments import read_comments
from nephila.forum.marks import post_marks

WORDS = "the quick brown fox jumps over a lazy dog. "
DATE = "<time datetime=2024-05-01T10:00>May 1, 2024</time>"
SMALL, TIMES = 200, 6
MOST_GROWTH = 2.5 * TIMES
MOST_TRIES = 5
FLOOR = 0.02
"""CPU seconds below which a growth says nothing."""


def post(number: int, inside: str = "", end: str = "</div>") -> str:
    who = f"<a class=user href=/u/{number}>Ann{number}</a>"
    return f"<div class=post id=p{number}>{who}{DATE}<div class=body>{inside}<p>{WORDS}</div>{end}"


SHAPES: dict[str, Callable[[int], str]] = {
    "posts": lambda n: "".join(map(post, range(n))),
    "posts in posts": lambda n: "".join(post(number, end="") for number in range(2 * n)),
    "posts in one": lambda n: post(0, end="") + "".join(map(post, range(1, n))),
    "deep below the top": lambda n: "<div class=x>" * n + "".join(map(post, range(n))),
    "names": lambda n: post(0, end="") + "<a class=user href=/u>Ann</a><span>Bo</span>" * 4 * n + "</div>" + post(1),
    "quotations": lambda n: post(0, "<blockquote>x</blockquote>" * 4 * n) + post(1),
    "remarks": lambda n: (
        post(0, end="")
        + f"<div class=remark><span>{WORDS}</span><a href=/u/2>Bo</a>{DATE}</div>" * n
        + "</div>"
        + post(1)
    ),
}


READERS: dict[str, Callable[[Document], object]] = {
    "post": post_marks,
    "comment": lambda document: read_comments(document, None),
}


def _seconds(page: str, read: Callable[[Document], object]) -> float:
    document = parse(page, "https://example.org/")
    start = time.thread_time()
    read(document)
    return time.thread_time() - start


@pytest.mark.parametrize("called", READERS)
@pytest.mark.parametrize("name", SHAPES)
def test_the_time_grows_with_the_page(name: str, called: str) -> None:
    shape = SHAPES[name]
    pages = [shape(size // 2).replace("class=post", f"class={called}") for size in (SMALL, SMALL * TIMES)]
    best = [float("inf"), float("inf")]
    for _ in range(MOST_TRIES):  # what others do to the caches and the clock passes; a quadratic step does not
        best = [min(known, _seconds(page, READERS[called])) for known, page in zip(best, pages, strict=True)]
        if best[1] < max(best[0], FLOOR) * MOST_GROWTH:
            return
    pytest.fail(f"{TIMES} times the page took {best[1]:.3f} s of CPU instead of {best[0]:.3f} s")
