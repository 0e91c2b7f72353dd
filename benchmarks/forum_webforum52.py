"""Posts of 96 threads of 52 boards, each page read alone: F1 by text, then author and day.

    python -m benchmarks.forum_webforum52 [folder of the data sets]

A post is found when its text and that of a post on the page share their words (F1 of tokens at least 0.8), each used
once. Authors and days are judged over the posts that were found; days as the gold's own text reads. CPU time is that
beyond the parse.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median
from typing import Any

from nephila.document import parse
from nephila.forum import Post, read_posts
from nephila.forum.dates import DateReader

_DATA = Path(__file__).parents[1].resolve().parent / "shared" / "data" / "text"
_ALIKE = 0.8
_TOKENS = re.compile(r"\w+")


def _tokens(text: str) -> Counter[str]:
    return Counter(_TOKENS.findall(text.lower()))


def _alike(one: Counter[str], other: Counter[str]) -> float:
    both = (one & other).total()
    return 2 * both / (one.total() + other.total()) if both else 0.0


def _said(post: Post) -> str:
    """All that the post shows, as the gold has it: whom it quotes, what they said, its own words."""
    return " ".join([*(f"{quote.author or ''} {quote.text}" for quote in post.quotes), post.text])


def matched(posts: list[Post], gold: list[dict[str, Any]]) -> list[tuple[Post, dict[str, Any]]]:
    """Pairs of posts that say the same, the most alike first, each in one pair."""
    shown = [_tokens(_said(post)) for post in posts]
    own = [_tokens(post.text) for post in posts]
    wanted = [_tokens(post["post_text"]) for post in gold]
    scores = sorted(
        (
            (max(_alike(shown[i], words), _alike(own[i], words)), i, j)
            for i in range(len(posts))
            for j, words in enumerate(wanted)
        ),
        reverse=True,
    )
    pairs, left, right = [], set(), set()
    for score, i, j in scores:
        if score >= _ALIKE and i not in left and j not in right:
            left.add(i)
            right.add(j)
            pairs.append((posts[i], gold[j]))
    return pairs


def _pages(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def _is_by(post: Post, user: str) -> bool:
    """The gold has names, or the addresses of profiles, with sessions in some."""
    if (post.author or "").strip() == user.strip():
        return True
    bare = re.sub(r"[?&;](?:s|sid|PHPSESSID)=\w+", "", user).lstrip("./").rstrip("/")
    return bare in re.sub(r"[?&;](?:s|sid|PHPSESSID)=\w+", "", post.author_url or "")


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _DATA
    texts, scores, times, authors, dates = [], [], [], [], []
    for page in _pages(folder / "webforum52.jsonl.xz"):
        document = parse(page["html"], page["url"])
        begun = time.process_time()
        found = read_posts(document)
        times.append(1000 * (time.process_time() - begun))
        posts = found.posts if found is not None else []
        reader = DateReader(datetime.now(UTC), found.page.reader.day_first if found is not None else None)
        wanted = " ".join(post["post_text"] for post in page["posts"])
        texts.append(_alike(_tokens(" ".join(map(_said, posts))), _tokens(wanted)))
        pairs = matched(posts, page["posts"])
        scores.append(2 * len(pairs) / (len(posts) + len(page["posts"])))
        for post, gold in pairs:
            if gold.get("user"):
                authors.append(_is_by(post, gold["user"]))
            day = reader.read(gold.get("datetime") or "")
            if day is not None and not day.relative:
                dates.append((post.published or "")[:10] == day.iso()[:10])
    print(f"pages {len(scores)}  F1 of the posts' words {mean(texts):.3f}  F1 of posts {mean(scores):.3f}")
    print(f"author {mean(authors):.3f} of {len(authors)}  day {mean(dates):.3f} of {len(dates)}")
    print(f"CPU beyond the parse, ms a page: median {median(times):.1f}, mean {mean(times):.1f}")


if __name__ == "__main__":
    main()
