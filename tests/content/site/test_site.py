"""A site's memory counts, merges, stays bounded, and can be written and read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nephila.content.features.page import page_features
from nephila.content.judgement import Judgement
from nephila.content.site import memory as site_module
from nephila.content.site.look import in_question, site_inputs, with_site
from nephila.content.site.memory import PageView, SiteMemory, view_of
from nephila.content.site.store import SiteStore
from nephila.content.trees.symmetric import SymmetricTrees
from nephila.document import parse
from nephila.memory.sqlite import SqliteMemory

MENU = "<nav><ul class=menu><li>Home<li>Contact us</ul></nav>"


def page(text: str) -> PageView:
    document = parse(f"{MENU}<div class='story-42'><p>{text}</p></div><footer>All rights reserved</footer>")
    return view_of(document.layout.texts, page_features(document))


def learned(*texts: str) -> SiteMemory:
    memory = SiteMemory()
    for text in texts:
        view = page(text)
        memory.learn(view, np.array([0.2, 0.2, 0.9, 0.2], np.float32))
    return memory


def test_what_repeats_is_told_from_what_is_new() -> None:
    memory = learned("first words", "second words", "third words")
    signals = memory.signals(page("fourth words"))
    count, share, place = signals[1], signals[2], signals[5]
    assert share.tolist() == [1, 1, 0, 1]
    assert count[0] == pytest.approx(np.log1p(3))
    # The place of the story is known as content, that of the menu as furniture, whatever the number in its class.
    assert place[2] > 1 > -1 > place[0]


def test_a_page_does_not_count_for_itself() -> None:
    memory = learned("first words", "second words")
    own = np.array([0.2, 0.2, 0.9, 0.2], np.float32)
    others = learned("first words").signals(page("second words"))
    assert memory.signals(page("second words"), own) == pytest.approx(others, abs=1e-5)


views = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.floats(0, 1)), min_size=1, max_size=8)


def places_of(places: list[int]) -> NDArray[np.uint64]:
    return np.array([places], dtype=np.uint64)


def memory_of(pages: list[list[tuple[int, int, float]]]) -> SiteMemory:
    memory = SiteMemory()
    for blocks in pages:
        weights = np.ones(len(blocks), np.float32)
        texts = [text for text, _, _ in blocks]
        view = PageView(texts, [100 + text for text in texts], places_of([place for _, place, _ in blocks]), weights)
        memory.learn(view, np.array([likely for _, _, likely in blocks], np.float32))
    return memory


@given(st.lists(views, max_size=5), st.lists(views, max_size=5))
def test_merging_is_learning_from_both(
    left: list[list[tuple[int, int, float]]], right: list[list[tuple[int, int, float]]]
) -> None:
    merged, whole = memory_of(left), memory_of(left + right)
    merged.merge(memory_of(right))
    assert merged.pages == whole.pages
    assert merged.texts == whole.texts
    assert merged.places.keys() == whole.places.keys()
    for place, entry in whole.places.items():
        assert merged.places[place] == pytest.approx(entry, rel=1e-4)


@given(st.lists(views, max_size=5))
def test_reads_what_it_wrote(pages: list[list[tuple[int, int, float]]]) -> None:
    memory = memory_of(pages)
    again = SiteMemory.from_bytes(memory.to_bytes())
    assert (again.pages, again.texts) == (memory.pages, memory.texts)
    assert again.places.keys() == memory.places.keys()


@pytest.mark.parametrize("data", [b"", b"\x09other", SiteMemory().to_bytes() + b"x", b"\x01" * 40])
def test_foreign_bytes_are_an_empty_memory(data: bytes) -> None:
    assert SiteMemory.from_bytes(data).pages == 0


def test_the_tables_are_bounded_and_old_pages_fade(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_module, "MOST_TEXTS", 50)
    monkeypatch.setattr(site_module, "HALVED_AT", 20)
    memory = SiteMemory()
    for number in range(200):
        starts = [1, 1000 + 2 * number, 1001 + 2 * number]
        view = PageView(starts, [2, 2, 2], places_of([7, 8, 8]), np.ones(3, np.float32))
        memory.learn(view, np.full(3, 0.5, np.float32))
        assert len(memory.texts) <= 50
        assert memory.pages < 20
    assert memory.texts[1][0] / memory.pages == pytest.approx(1, abs=0.1)


def judgement_of(*likely: float) -> Judgement:
    main = np.array(likely, np.float32)
    return Judgement(main, np.full(len(main), 0.1, np.float32), np.array([1, 0, 0, 0, 0, 0, 0], np.float32))


def test_without_trees_the_model_is_believed() -> None:
    judgement, view = judgement_of(0.1, 0.1, 0.6, 0.9), page("words")
    signals = SiteMemory().signals(view)
    assert with_site(None, judgement, view.weights, signals) is judgement.main


def test_what_the_site_knows_reaches_the_trees() -> None:
    judgement, view = judgement_of(0.0001, 0.2, 0.6, 0.0001), page("fourth words")
    signals = learned("first words", "second words").signals(view)
    inputs = site_inputs(judgement, view.weights, signals)
    assert np.isfinite(inputs).all()
    # The menu and the footer are ruled out by the model; what the place speaks for is in question all the same.
    assert in_question(inputs).tolist() == [True, True, True, True]
    assert in_question(site_inputs(judgement, view.weights, SiteMemory().signals(view))).tolist() == [
        False,
        True,
        True,
        False,
    ]


MANY = [f"words of page {number}" for number in "abcdefghijklmnopqrst"]
"""Of as many pages as a memory needs to be heard."""


class Doubter:
    """Stands for trees that speak against every block."""

    def probabilities(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.full(inputs.shape[1], 0.01, np.float32)


def weighed(judgement: Judgement, memory: SiteMemory, view: PageView) -> list[float]:
    trees = cast("SymmetricTrees", Doubter())
    return list(map(float, with_site(trees, judgement, view.weights, memory.signals(view))))


def test_only_what_repeats_or_stands_in_a_bad_place_is_taken_away() -> None:
    memory, view = learned(*MANY), page("fourth words")
    menu, contact, story, footer = weighed(judgement_of(0.6, 0.6, 0.8, 0.6), memory, view)
    assert max(menu, contact, footer) < 0.05
    assert story == pytest.approx(0.8, abs=0.01)


def test_a_young_memory_is_not_heard() -> None:
    judgement, view = judgement_of(0.6, 0.6, 0.8, 0.6), page("fourth words")
    assert weighed(judgement, learned(*MANY[:-1]), view) == pytest.approx([0.6, 0.6, 0.8, 0.6], abs=0.01)


def test_a_young_memory_asks_no_trees() -> None:
    judgement, view = judgement_of(0.6, 0.6, 0.8, 0.6), page("fourth words")
    nobody = cast("SymmetricTrees", object())
    main = with_site(nobody, judgement, view.weights, learned(*MANY[:-1]).signals(view))
    assert main == pytest.approx(judgement.main, abs=1e-5)


def test_pages_of_kinds_that_the_trees_do_not_know_go_by_the_model() -> None:
    memory, view = learned(*MANY), page("fourth words")
    manual = judgement_of(0.6, 0.6, 0.8, 0.6)
    manual.kinds[:] = [0, 0, 0, 0, 0, 1, 0]
    assert weighed(manual, memory, view) == pytest.approx([0.6, 0.6, 0.8, 0.6], abs=0.01)


def test_a_sentence_on_every_page_is_furniture_on_pages_of_every_kind_but_a_label_is_not() -> None:
    def manual_page(number: int) -> PageView:
        said = "We use cookies to make this site better for all of you."
        document = parse(
            f"<p>{said}</p><div><h4>Returns</h4><p>Value number {number} of the list, as a word.</p></div>"
        )
        return view_of(document.layout.texts, page_features(document))

    memory = SiteMemory()
    for number in range(6):
        memory.learn(manual_page(number), np.array([0.9, 0.9, 0.9], np.float32))
    manual = judgement_of(0.9, 0.9, 0.9)
    manual.kinds[:] = [0, 0, 0, 0, 0, 1, 0]
    cookies, label, _ = weighed(manual, memory, manual_page(7))
    assert cookies < 0.11
    assert label == pytest.approx(0.9, abs=0.01)


def test_workers_share_what_they_learn(tmp_path: Path) -> None:
    async def run() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        first, second = SiteStore(memory, shared_every=2), SiteStore(memory, shared_every=2)
        likely = np.array([0.2, 0.2, 0.9, 0.2], np.float32)
        for text in ("one", "two"):
            await first.learn("a.example", page(text), likely)
        await second.learn("a.example", page("three"), likely)
        assert (await second.site("a.example")).pages == 3
        await second.close()
        assert (await SiteStore(memory).site("a.example")).pages == 3
        assert (await SiteStore(memory).site("b.example")).pages == 0
        await memory.close()

    asyncio.run(run())
