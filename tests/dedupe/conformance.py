"""What every store of duplicates must do."""

from __future__ import annotations

import asyncio
import random
from abc import abstractmethod
from pathlib import Path

from nephila.dedupe import Duplicates, Limits, exact, sketch

from .documents import Documents


class DuplicatesConformance:
    @abstractmethod
    def make(self, place: Path, limits: Limits) -> Duplicates:
        """A store on the same place every time, as another worker would have it."""

    def judged(
        self, place: Path, *batches: list[tuple[str, str]], limits: Limits | None = None
    ) -> list[list[str | None]]:
        """Each batch by a worker of its own."""

        async def run() -> list[list[str | None]]:
            found = []
            for batch in batches:
                store = self.make(place, limits or Limits(capacity=1000))
                found.append(await store.judge([(_sketch(text), url) for text, url in batch]))
                await store.close()
            return found

        return asyncio.run(run())

    def test_is_a_store(self, tmp_path: Path) -> None:
        assert isinstance(self.make(tmp_path, Limits(capacity=10)), Duplicates)

    def test_exact_and_near_copies_are_told_of_the_first_across_workers_and_within_a_batch(
        self, tmp_path: Path
    ) -> None:
        documents = Documents(random.Random(1))
        one, two = documents.text(), documents.text()
        near = documents.edited(one, 0.01)
        found = self.judged(
            tmp_path, [(one, "u1"), (two, "u2"), (near, "u3")], [(one, "u4"), (near, "u5"), (two, "u6")]
        )
        assert found == [[None, None, "u1"], ["u1", "u1", "u2"]]

    def test_a_page_is_no_duplicate_of_itself(self, tmp_path: Path) -> None:
        documents = Documents(random.Random(2))
        text = documents.text()
        found = self.judged(tmp_path, [(text, "u1")], [(documents.edited(text, 0.01), "u1")], [(text, "u2")])
        assert found == [[None], [None], ["u1"]]

    def test_short_texts_are_duplicates_when_equal_only(self, tmp_path: Path) -> None:
        found = self.judged(tmp_path, [("Not found", "u1"), ("Not found!", "u2"), ("Not here", "u3")])
        assert found == [[None, "u1", None]]

    def test_files_are_compared_by_their_hash(self, tmp_path: Path) -> None:
        async def run() -> list[str | None]:
            store = self.make(tmp_path, Limits(capacity=10))
            found = await store.judge([(exact(7), "a"), (exact(-7), "b"), (exact(7), "c")])
            await store.close()
            return found

        assert asyncio.run(run()) == [None, None, "a"]

    def test_memory_is_bounded_the_oldest_are_forgotten(self, tmp_path: Path) -> None:
        documents = Documents(random.Random(4))
        texts = [documents.text(60, 100) for _ in range(60)]
        batch = [(text, f"u{n}") for n, text in enumerate(texts)]
        found = self.judged(
            tmp_path, batch, [(texts[-1], "x"), (texts[-10], "y"), (texts[0], "z")], limits=Limits(capacity=20)
        )
        assert found == [[None] * 60, ["u59", "u50", None]]

    def test_different_texts_are_not_called_duplicates(self, tmp_path: Path) -> None:
        documents = Documents(random.Random(6))
        batch = [(documents.text(60, 300), f"u{n}") for n in range(300)]
        assert self.judged(tmp_path, batch) == [[None] * 300]


def _sketch(text: str):  # type: ignore[no-untyped-def]
    found = sketch(text)
    assert found is not None
    return found
