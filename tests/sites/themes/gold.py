"""What every made-up forum holds: categories, boards and sub-boards, threads, posts. The same for all of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from tests.sites.vocabulary import SHORT, THINGS, VERBS

NOW = datetime(2026, 5, 17, 15, 30, tzinfo=UTC)
"""The moment at which the pages are shown: some posts are of that day and of the day before."""
_NAMES = ["Anna", "bert_77", "Chidi O.", "dora", "Emil der Große", "Фарида", "goran", "Hanna-Li", "山田", "jun"]
_OTHER_TONGUES = [
    "Bei mir ging es erst, nachdem ich den Deckel abgenommen hatte.",
    "У меня то же самое, и никто не знает почему.",
    "我也遇到了同样的问题,换了一个新的就好了。",
    "Le mien fait pareil depuis que je l'ai posé près du four.",
]


@dataclass
class Part:
    kind: Literal["text", "quote", "code", "spoiler", "list"]
    text: str
    author: str | None = None
    """Of a quote, whom it quotes."""


@dataclass
class Post:
    id: int
    author: str
    when: datetime
    parts: list[Part]
    guest: bool = False
    likes: int = 0
    edited: datetime | None = None

    @property
    def text(self) -> str:
        """The writer's own words, white space folded."""
        return " ".join(" ".join(part.text for part in self.parts if part.kind != "quote").split())


@dataclass
class Thread:
    id: int
    title: str
    board: Board
    posts: list[Post] = field(default_factory=list)
    sticky: bool = False
    locked: bool = False
    poll: bool = False
    also_in: Board | None = None
    """A board that still lists it, though it was moved."""


@dataclass
class Board:
    id: int
    title: str
    category: str
    parent: Board | None = None
    threads: list[Thread] = field(default_factory=list)

    @property
    def listed(self) -> list[Thread]:
        """Sticky ones first, then by the last post."""
        return sorted(self.threads, key=lambda t: (t.sticky, t.posts[-1].when), reverse=True)


class Community:
    def __init__(self, seed: int = 1, boards: int = 4, threads: int = 7, most: int = 33) -> None:
        self._random = random.Random(seed)
        self._post = 3000
        self.boards: list[Board] = []
        for n in range(boards):
            parent = self.boards[0] if n == 1 else None
            category = "Workshop" if n < 3 else "Everything else"
            self.boards.append(Board(3 + 2 * n, f"{THINGS[n].title()} corner", category, parent))
        number = 140
        for board in self.boards:
            for place in range(threads):
                number += self._random.randint(1, 5)
                count = [1, most, 10, 20][place] if place < 4 else self._random.choice([1, 2, 3, 5, 8, 11])
                board.threads.append(self.thread(number, board, place, count))
        if boards > 2:
            self.boards[2].threads[-1].also_in = self.boards[0]

    def thread(self, number: int, board: Board, place: int, count: int) -> Thread:
        chance = self._random
        title = f"My {chance.choice(THINGS)} {chance.choice(VERBS)}, case {number}"
        thread = Thread(number, title, board, [], sticky=place == 4, locked=place == 5, poll=place == 2)
        when = NOW - timedelta(days=1 if place == 1 else 4 + (number * 37) % 700, minutes=number * 7)
        steps = sorted(chance.randint(1, 1400) for _ in range(count))
        for minutes in steps:
            thread.posts.append(self.post(when + timedelta(minutes=minutes), thread))
        return thread

    def post(self, when: datetime, thread: Thread) -> Post:
        chance = self._random
        self._post += chance.randint(1, 4)
        parts = [Part("text", self._said()) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
        if chance.random() < 0.15:
            parts = [Part("text", chance.choice(SHORT))]
        if thread.posts and chance.random() < 0.2:
            quoted = chance.choice(thread.posts)
            parts.insert(0, Part("quote", quoted.text[:90], quoted.author))
        if chance.random() < 0.08:
            parts.append(Part("code", f"turn --lid {self._post}\nboil(now)"))
        if chance.random() < 0.05:
            parts.append(Part("spoiler", f"It was the {chance.choice(THINGS)} all along."))
        if chance.random() < 0.06:
            parts.append(Part("list", f"first a {chance.choice(THINGS)}\nthen another {chance.choice(THINGS)}"))
        edited = when + timedelta(minutes=9) if chance.random() < 0.08 else None
        author, guest = chance.choice(_NAMES), chance.random() < 0.06
        author = f"Visitor{self._post % 7}" if guest else author
        return Post(self._post, author, when, parts, guest, chance.choice([0, 0, 1, 4]), edited)

    def _said(self) -> str:
        chance = self._random
        if chance.random() < 0.15:
            return chance.choice(_OTHER_TONGUES)
        return " ".join(
            f"The {chance.choice(THINGS)} {chance.choice(VERBS)} since {chance.randint(2, 90)} days & nights."
            for _ in range(chance.randint(1, 5))
        )

    @property
    def threads(self) -> list[Thread]:
        return [thread for board in self.boards for thread in board.threads]

    @property
    def posts(self) -> list[tuple[Thread, int, Post]]:
        """Thread, place in it from 1, post."""
        return [(thread, place, post) for thread in self.threads for place, post in enumerate(thread.posts, 1)]


def slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
