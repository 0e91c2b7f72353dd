"""What a crawl of a made-up forum brought, beside what the forum holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from nephila.forum.quotes import Quote
from tests.forum.walk import Walked
from tests.sites.themes import Engine
from tests.sites.themes.gold import NOW, Post
from tests.sites.themes.newer_dates import ROUGH

_LABELS = ("Code:", "Spoiler")
"""Of boxes within a post: neither wanted nor wrong."""


def folded(text: str | None) -> str:
    text = " ".join((text or "").split())
    for label in _LABELS:
        text = text.replace(label, "")
    return " ".join(text.split())


def _dates(got: str, when: datetime, *, rough: bool) -> tuple[str, str]:
    """Of what tells how long ago alone, a part of that may be wrong."""
    if rough and got:
        read = datetime.fromisoformat(got)
        off = abs((read if read.tzinfo is not None else read.replace(tzinfo=UTC)) - when)
        if off <= max(timedelta(days=1), 0.55 * (NOW - when)):
            return got, got
    return got[:16], when.isoformat()[:16]


def _quotes(got: list[Quote], post: Post) -> tuple[list[str | None], list[str | None]]:
    """Whom the post quotes; a name alone where the words are not there."""
    wanted = [part for part in post.parts if part.kind == "quote"]
    named = [
        quote.author if folded(part.text) in folded(quote.text) else f"{quote.author}: {quote.text}"
        for quote, part in zip(got, wanted, strict=False)
    ]
    return named + [quote.author for quote in got[len(wanted) :]], [part.author for part in wanted]


def differences(walked: Walked, site: Engine) -> list[str]:
    wanted = {str(post.id): (thread, place, post) for thread, place, post in site.gold.posts}
    wrong = [f"{number} is no post" for number in walked.posts if number not in wanted]
    for number, (thread, place, post) in wanted.items():
        got = walked.posts.get(number)
        if got is None:
            wrong.append(f"{number} is missing: {thread.title}, {place}")
            continue
        pairs = {
            "board": (got["board"][-1:], [thread.board.title]),
            "title": (got["title"], thread.title),
            "author": (got["author"], post.author),
            "text": (folded(got["text"]), folded(post.text)),
            "date": _dates(got["published"] or "", post.when, rough=site.theme.dates in ROUGH),
            "quotes": _quotes(got["quotes"], post),
            "position": (got["position"], place),
        }
        wrong += [f"{number} {name}: {a!r}, not {b!r}" for name, (a, b) in pairs.items() if a != b]
    if walked.again:
        wrong.append(f"{walked.again} posts came again")
    return wrong
