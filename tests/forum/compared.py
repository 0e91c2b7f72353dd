"""What a crawl of a made-up forum brought, beside what the forum holds."""

from __future__ import annotations

from tests.forum.walk import Walked
from tests.sites.themes import Engine

_LABELS = ("Code:", "Spoiler")
"""Of boxes within a post: neither wanted nor wrong."""


def folded(text: str | None) -> str:
    text = " ".join((text or "").split())
    for label in _LABELS:
        text = text.replace(label, "")
    return " ".join(text.split())


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
            "date": ((got["published"] or "")[:16], post.when.isoformat()[:16]),
            "position": (got["position"], place),
        }
        wrong += [f"{number} {name}: {a!r}, not {b!r}" for name, (a, b) in pairs.items() if a != b]
    if walked.again:
        wrong.append(f"{walked.again} posts came again")
    return wrong
