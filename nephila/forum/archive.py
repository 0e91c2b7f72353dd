"""What is known of each thread's posts: which were seen, in which version, and where the thread ends.

A post is told by the site's own number of it. A text that differs from the one seen before is a new version; a post
that is gone from between its neighbours is a version too, without text. Knows the memory and posts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from xxhash import xxh3_64_intdigest

from nephila.forum.post import Post
from nephila.memory import Memory

SPACE = "forum-thread"
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Version:
    """A post as it is to be delivered."""

    id: str
    number: int
    """1 for the first version that was seen."""
    key: int
    """Identity of this version of this post: the same whenever and wherever it is seen again."""
    post: Post | None
    """None: it is gone."""


class Archive:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def enter(
        self, site: str, thread: str, page: int, url: str, posts: Sequence[Post], first: int
    ) -> list[Version]:
        """Notes the posts of one page of a thread; gives each with its version, and those that are gone."""
        found: list[Version] = []

        def change(data: bytes | None) -> bytes:
            state: dict[str, Any] = orjson.loads(data) if data else {"last": 0, "url": url, "posts": {}}
            found[:] = _enter(state, site, thread, page, posts, first)
            if page >= state["last"]:
                state["last"], state["url"] = page, url
            return orjson.dumps(state)

        await self._memory.update(SPACE, f"{site} {thread}", change)
        return found

    async def last_page(self, site: str, thread: str) -> tuple[int, str] | None:
        """Number and address of the last page that was seen of a thread."""
        data = await self._memory.get(SPACE, f"{site} {thread}")
        if data is None:
            return None
        state = orjson.loads(data)
        return int(state["last"]), str(state["url"])


def _enter(
    state: dict[str, Any], site: str, thread: str, page: int, posts: Sequence[Post], first: int
) -> list[Version]:
    known: dict[str, list[int]] = state["posts"]
    found = []
    shown = []
    for offset, post in enumerate(posts):
        identity = post.id or f"{thread}#{first + offset}"
        digest = _digest(post)
        before = known.get(identity)
        number = 1 if before is None else before[1] if before[0] == digest else before[1] + 1
        known[identity] = [digest, number, page]
        shown.append(identity)
        found.append(Version(identity, number, _key(site, identity, number, digest), post))
    for identity in _gone(known, shown, page):
        digest, number, _ = known[identity]
        known[identity] = [0, number + 1, page]
        found.append(Version(identity, number + 1, _key(site, identity, number + 1, 0), None))
    return found


def _gone(known: dict[str, list[int]], shown: list[str], page: int) -> list[str]:
    """Posts that stood on this page between two that still do."""
    before = [identity for identity, (digest, _, at) in known.items() if at == page and digest]
    places = [index for index, identity in enumerate(before) if identity in set(shown)]
    if len(places) < 2:
        return []
    return [identity for identity in before[places[0] : places[-1]] if identity not in set(shown)]


def _digest(post: Post) -> int:
    """Of what the writer wrote; likes and relative dates change by themselves."""
    quoted = "\n".join(quote.text for quote in post.quotes)
    return xxh3_64_intdigest(f"{post.text}\n\n{quoted}".encode()) >> 1 or 1


def _key(site: str, identity: str, number: int, digest: int) -> int:
    value = xxh3_64_intdigest(f"post\0{site}\0{identity}\0{number}\0{digest}".encode())
    return value - (1 << 64) if value > _MASK >> 1 else value
