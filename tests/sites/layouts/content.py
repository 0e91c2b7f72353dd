"""What the forums hold: boards, threads, posts; the same for every style."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from tests.sites.vocabulary import SHORT, THINGS, VERBS

_NAMES = ["Anna", "Bert", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hanna", "Igor", "Jun"]


@dataclass
class Post:
    id: int
    author: str
    when: datetime
    text: str


@dataclass
class Thread:
    id: int
    title: str
    posts: list[Post] = field(default_factory=list)


@dataclass
class Board:
    id: int
    title: str
    threads: list[Thread] = field(default_factory=list)


class Content:
    def __init__(self, seed: int = 1, boards: int = 3, threads: int = 14, most: int = 34) -> None:
        self._random = random.Random(seed)
        self._next = 100
        self.boards = [Board(n + 2, f"{THINGS[n].title()} corner") for n in range(boards)]
        number = 40
        for board in self.boards:
            for place in range(threads):
                number += self._random.randint(1, 3)
                subject, verb = self._random.choice(THINGS), self._random.choice(VERBS)
                thread = Thread(number, f"My {subject} {verb}, number {number}")
                when = datetime(2024, 3, 1, 8, tzinfo=UTC) + timedelta(hours=37 * number)
                count = [1, 10, 11, 20, most][place] if place < 5 else self._random.choice([1, 2, 3, 5, 8, 12])
                for _ in range(count):
                    when += timedelta(minutes=self._random.randint(3, 900))
                    thread.posts.append(self.post(when))
                board.threads.append(thread)
            board.threads.sort(key=lambda one: one.posts[-1].when, reverse=True)

    def post(self, when: datetime) -> Post:
        self._next += self._random.randint(1, 4)
        short = self._random.random() < 0.15
        words = [
            f"The {self._random.choice(THINGS)} {self._random.choice(VERBS)} since {self._random.randint(2, 90)} days."
            for _ in range(self._random.randint(1, 6))
        ]
        text = self._random.choice(SHORT) if short else " ".join(words)
        return Post(self._next, self._random.choice(_NAMES), when, text)

    @property
    def threads(self) -> list[tuple[Board, Thread]]:
        return [(board, thread) for board in self.boards for thread in board.threads]

    @property
    def posts(self) -> dict[str, tuple[Board, Thread, int, Post]]:
        """By id: board, thread, place in the thread, post."""
        return {
            str(post.id): (board, thread, place, post)
            for board, thread in self.threads
            for place, post in enumerate(thread.posts, 1)
        }
