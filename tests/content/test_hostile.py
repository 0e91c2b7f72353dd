"""Pages made to hang an extractor: the time it takes must grow with the page, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from nephila.extraction import extract

WORDS = "the quick brown fox jumps over a lazy dog. "
SMALL, TIMES = 1500, 6
MOST_GROWTH = 2.5 * TIMES
MOST_TRIES = 8
"""A square would be 36; a busy machine makes a little more than six of six."""
FLOOR = 0.02
"""CPU seconds below which a growth says nothing."""

SHAPES: dict[str, Callable[[int], str]] = {
    "teasers": lambda n: (
        f"<p>{WORDS * 20}" + "".join(f"<h3><a href=/{i}>Story number {i}</a></h3><p>{WORDS}" for i in range(n))
    ),
    "nested lists": lambda n: "<ul><li>x " * n,
    "nested quotes": lambda n: "<blockquote><p>x" * n,
    "nested tables": lambda n: "<table><tr><td>x y z" * n,
    "paragraphs": lambda n: f"<p>{WORDS}" * n,
    "one paragraph": lambda n: "<p>" + WORDS * n,
    "ordered items": lambda n: "<ol>" + f"<li>{WORDS}" * n,
    "rows": lambda n: "<table>" + "<tr><td>a<td>b" * n,
    "a row": lambda n: "<table>" + ("<tr>" + "<td>a" * n) * 2,
    "links": lambda n: "<p>" + "<a href=/x>link</a> word " * n,
    "headings": lambda n: "<title>a b c</title>" + "<h1>a b c d</h1>" * n,
    "open marks": lambda n: "<p>" + "<b><i>x" * n,
    "line breaks": lambda n: "<p>" + "x<br>" * n,
    "fences": lambda n: "<pre>" + "``` code\n" * n,
    "Markdown's own signs": lambda n: "<p>" + "*_[`" * n,
    "openings in the text": lambda n: "<p>a <b>b</b>" + " &lt;svg" * n,
    "comments": lambda n: "<p>a <b>b</b>" + "<!-- x -->y" * n,
    "a class": lambda n: '<div class="' + "a-b " * n + f'">{WORDS}</div>',
    "classes": lambda n: "".join(f'<div class="c{i} d-{i}">{WORDS}</div>' for i in range(n)),
    "dates": lambda n: "<h1>t</h1>" + "<p>1 2 3 4 5 12/12/ 2012-1-" * n,
    "bylines": lambda n: "<title>t</title><h1>t</h1><p>" + "by " * n,
    "links in a title": lambda n: "<title>t</title><h1>t</h1><p><b title='" + "<a " * n + "'>3 min</b>",
    "addresses in a title": lambda n: (
        "<title>t</title><h1>t</h1><p><b title='" + "<a href=/authors/" * n + "'>3 min</b>"
    ),
    "an address": lambda n: f"<title>t</title><h1>t</h1><p><a href='{'/authors' * n}'>3 min</a>",
    "authors": lambda n: "<title>t</title><h1>t</h1>" + "<a class=author rel=author href=/authors/x>a</a>" * n,
    "owners": lambda n: "<title>" + "A B's C | " * n + "</title>" + f"<p>{WORDS}",
    "items": lambda n: "<div itemscope itemtype=/Person itemprop=author><b itemprop=name>a</b>" * n,
    "title": lambda n: "<title>" + "a | b - " * n + "</title><h1>a b</h1>",
    "article body": lambda n: (
        f'<script type="application/ld+json">{{"@type":"Article","articleBody":"{WORDS * n}"}}</script>'
        + f"<p>{WORDS}" * n
    ),
    "description": lambda n: f'<meta name=description content="{WORDS * n}">' + f"<p>{WORDS}" * n,
    "spaces": lambda n: "<p>a" + " " * n + "b &nbsp;" * n,
    "hyphens": lambda n: "<p>" + "-" * n,
}


def _seconds(page: str) -> float:
    start = time.thread_time()
    extract(page, "https://example.org/")
    return time.thread_time() - start


@pytest.mark.parametrize("name", SHAPES)
def test_the_time_grows_with_the_page(name: str) -> None:
    shape = SHAPES[name]
    pages = shape(SMALL), shape(SMALL * TIMES)
    best = [float("inf"), float("inf")]
    for _ in range(MOST_TRIES):  # what others do to the caches and the clock passes; a quadratic step does not
        best = [min(known, _seconds(page)) for known, page in zip(best, pages, strict=True)]
        if best[1] < max(best[0], FLOOR) * MOST_GROWTH:
            return
    pytest.fail(f"{TIMES} times the page took {best[1]:.3f} s of CPU instead of {best[0]:.3f} s")
