"""What a worker saw of a site: posts, threads, lines that several pages have. Knows posts only."""

from __future__ import annotations

from collections.abc import Iterable

from nephila.forum.post import PROSE, Post

_LINES_KEPT = 300_000
_FRAME_KEPT = 20_000


class Seen:
    """What this worker saw of a site that is a forum, or may be one."""

    __slots__ = ("fetched", "frame", "lines", "pages", "posts", "threads")

    def __init__(self) -> None:
        self.fetched: list[str] = []
        """Pages that were fetched before their patterns had a role, and are kept to be looked at again."""
        self.posts: set[str] = set()
        self.threads: set[str] = set()
        self.lines: set[int] = set()
        """Digests of long lines of posts."""
        self.frame: dict[int, str] = {}
        """Digest of a long line -> the page where it was seen first."""
        self.pages = 0
        """Pages whose lines are in there."""

    def add_lines(self, url: str, lines: Iterable[int]) -> None:
        if len(self.frame) < _FRAME_KEPT:
            self.pages += 1
            for line in lines:
                self.frame.setdefault(line, url)

    def known_to(self, url: str) -> set[int]:
        """Lines that other pages have."""
        return {line for line, first in self.frame.items() if first != url}

    def count(self, posts: Iterable[Post]) -> int:
        """Notes posts; how many of them are new, by number and by what they say."""
        fresh = 0
        for post in posts:
            lines = {hash(line) for line in post.text.split("\n") if len(line) >= PROSE}
            told = not lines or not lines <= self.lines
            fresh += told and (post.id is None or post.id not in self.posts)
            if post.id is not None and len(self.posts) < 5_000_000:
                self.posts.add(post.id)
            if len(self.lines) < _LINES_KEPT:
                self.lines |= lines
        return fresh
