"""The forum's boards, threads and posts: about 500 posts in four scripts. Knows nothing of HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from nephila.demo.kit.grow import Grower, words_of

_LENGTHS = (10, 3, 20, 25, 1, 11, 14, 8, 19, 6, 12, 15)
"""Posts of the threads, in turn; two lengths end exactly on a page's border."""
_FIRST_DAY = datetime(2025, 3, 1, 8, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Post:
    """One post, as a crawler should report it."""

    board: str
    thread_id: int
    thread: str
    """The thread's title."""
    position: int
    """From 1, in the order of writing."""
    id: int
    author: str
    published: datetime
    """To the minute: what the page shows."""
    paragraphs: tuple[str, ...]
    private: bool
    quotes: int | None = None
    """The id of the post that is quoted above the text."""

    @property
    def text(self) -> str:
        """The author's own words: no quotation, no signature."""
        return "\n".join(self.paragraphs)


@dataclass
class Thread:
    id: int
    title: str
    board: Board
    posts: list[Post]
    sticky: bool = False

    @property
    def slug(self) -> str:
        """Of the title's Latin letters; titles in other scripts all get the same one, as on many real forums."""
        return "-".join(re.findall(r"[a-z0-9]+", self.title.lower())) or "topic"

    @property
    def path(self) -> str:
        return f"/thread/{self.id}-{self.slug}/"


@dataclass
class Board:
    id: int
    slug: str
    title: str
    about: str
    parent: int | None
    private: bool
    threads: list[Thread] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"/board/{self.id}-{self.slug}/"


def boards() -> list[Board]:
    """The boards with all that is in them; fresh ones at each call, since a running forum grows."""
    made: list[Board] = []
    for words in words_of("forum")["board"]:
        board = Board(
            words["id"], words["slug"], words["title"], words["about"], words.get("parent"), words.get("private", False)
        )
        board.threads = [_thread(board, words, rank, title) for rank, title in enumerate(words["threads"])]
        made.append(board)
    return made


@cache
def posts() -> tuple[Post, ...]:
    return tuple(post for board in boards() for thread in board.threads for post in thread.posts)


def _thread(board: Board, words: dict[str, Any], rank: int, title: str) -> Thread:
    number = (board.id - 1) * len(words["threads"]) + rank
    thread = Thread(number + 101, title, board, [], sticky=title == "Read this first")
    grower = Grower({}, f"forum thread {number}")
    moment = _FIRST_DAY + timedelta(days=(number * 17) % 100, minutes=grower.random.randint(0, 600))
    members = grower.random.sample(words_of("forum")["members"], 8)
    for position in range(1, _LENGTHS[number % len(_LENGTHS)] + 1):
        moment += timedelta(minutes=grower.random.randint(7, 900))
        thread.posts.append(_post(thread, words, grower, position, moment, members))
    return thread


def _post(
    thread: Thread, words: dict[str, Any], grower: Grower, position: int, moment: datetime, members: list[str]
) -> Post:
    rng = grower.random
    paragraphs: tuple[str, ...]
    if position == 1 and thread.sticky:
        paragraphs = (words_of("forum")["faq"],)
    elif position > 1 and rng.random() < 0.15:
        paragraphs = (rng.choice(words["short"]),)
    else:
        joint = "" if words["slug"] == "chaguan" else " "
        sizes = [rng.randint(1, 3) for _ in range(rng.choice([1, 1, 2]))]
        lines = grower.sentences(words["lines"], sum(sizes))
        paragraphs = tuple(filter(None, (joint.join(lines[: sizes[0]]), joint.join(lines[sizes[0] :]))))
    quoted = thread.posts[rng.randrange(len(thread.posts))].id if position > 2 and rng.random() < 0.2 else None
    return Post(
        board=thread.board.title,
        thread_id=thread.id,
        thread=thread.title,
        position=position,
        id=thread.id * 100 + position,
        author=members[0] if position == 1 else rng.choice(members),
        published=moment.replace(second=0, microsecond=0),
        paragraphs=paragraphs,
        private=thread.board.private,
        quotes=quoted,
    )
