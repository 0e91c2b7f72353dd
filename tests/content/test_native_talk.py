"""The native library tells comments as numpy and Python tell them: lines that speak of them, and their stretch."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila import native
from nephila.content import model
from nephila.content.features.page import PageFeatures, page_features
from nephila.content.judgement import KINDS, Judgement
from nephila.content.model import BlockModel, shipped
from nephila.content.native.lines import native_lines
from nephila.content.native.refine import ROOM_BELOW, Again
from nephila.content.native.talk import native_talk
from nephila.content.talk import whole as talk
from nephila.content.talk.lines import STEMS, talk_lines
from nephila.content.trees.symmetric import SymmetricTrees
from nephila.document import parse
from nephila.errors import InputError
from tests.content.talk.test_talk import BLOG
from tests.document.fuzz_document import mutated

pytestmark = pytest.mark.skipif(
    native.load() is None, reason="no native library: there was no C compiler when the package was installed"
)
ROUNDING = 1e-5
_TREES, _DEPTH, _TOLD = 60, 6, 150
WORDS = (*STEMS, "comments", "Replies", "ΣΧΌΛΙΑ", "Kommentare", "COMENTÁRIOS", "комментарии", "opİnie", "İ", "14")
PIECES = st.one_of(st.sampled_from(WORDS), st.sampled_from([" ", "_", "-", "1", "a", "ß", "𠀀", "x" * 190]), st.text())


def trees_of_chance(seed: int) -> SymmetricTrees:
    """Trees that ask for whatever they can be told: of the second look, and what stands below it."""
    rng = np.random.default_rng(seed)
    asked = rng.integers(0, _TOLD + ROOM_BELOW, (_TREES, _DEPTH))
    bounds = rng.normal(1, 1, (_TREES, _DEPTH)).astype(np.float32)
    return SymmetricTrees(asked, bounds, rng.normal(0, 1, (_TREES, 2**_DEPTH)).astype(np.float32), 0.5)


def by_library(texts: list[str]) -> list[int]:
    lengths = np.array([len(text) for text in texts], np.int64)
    found = native_lines("".join(texts).encode("utf-32-le", "replace"), lengths)
    return list(talk_lines(texts, found))


@given(st.lists(st.lists(PIECES, max_size=5).map("".join), max_size=5))
@settings(max_examples=500, deadline=None)
def test_lines_that_speak_of_comments_are_those_of_python(texts: list[str]) -> None:
    assert by_library(texts) == talk_lines(texts).tolist()


@pytest.mark.parametrize("stem", STEMS)
def test_every_stem_is_found(stem: str) -> None:
    texts = ["First", f"3 {stem.upper()}", "x" * 200 + stem, stem]
    points, lengths = "".join(texts).encode("utf-32-le"), np.array([len(text) for text in texts])
    assert native_lines(points, lengths) == [1, 3]
    assert native_lines(points, lengths + 1) is None
    assert native_lines(points, -lengths) is None


def again_of(page: PageFeatures, share: float, seed: int) -> Again:
    """Some blocks of the page, of which the second look was told numbers of chance."""
    rng = np.random.default_rng(seed)
    chosen = rng.random(len(page.weights)) < share
    chosen[-1] = True
    rows = np.flatnonzero(chosen)
    room = rng.normal(0, 2, (_TOLD + ROOM_BELOW, len(rows))).astype(np.float32)
    return Again(rows, np.zeros(len(rows), np.float32), room[:_TOLD], room)


def check(page: PageFeatures, seed: int) -> bool:
    """Whether some block is not text any more."""
    rng = np.random.default_rng(seed)
    trees, again = trees_of_chance(seed), again_of(page, rng.choice((0.1, 0.8, 1)), seed)
    said = rng.random(len(page.weights)).astype(np.float32), rng.random(len(page.weights)).astype(np.float32)
    before, thread = [each.copy() for each in said], seed % 3 == 0
    found = native_talk(page, again, said, trees.places, float(trees.bias), thread=thread)
    assert found is not None
    assert again.room is not None
    assert again.room[_TOLD:] == pytest.approx(talk.talk_inputs(page, again.rows), abs=ROUNDING, rel=ROUNDING)
    expected = talk._by_numpy(trees, page, said, again, thread=thread)
    for mine, other, unchanged, own in zip(found, expected, before, said, strict=True):
        assert mine == pytest.approx(other, abs=ROUNDING)
        assert (own == unchanged).all()
    return bool((found[0] != said[0]).any())


LONG = BLOG * 4 + "<p>One of many paragraphs in between." * 400 + BLOG


@pytest.mark.parametrize("html", ["<p>one block", BLOG, LONG, "<p>3 Comments", "<p>No word of them.<p>None."])
def test_comments_are_told_the_same_in_one_call(html: str) -> None:
    page = page_features(parse(html))
    taken = [check(page, seed) for seed in range(30)]
    assert any(taken) is (len(page.weights) > 2)


def test_comments_of_broken_pages_are_told_the_same() -> None:
    for seed in range(100):
        try:
            document = parse(mutated(random.Random(seed)))
        except InputError:
            continue
        if document.layout.texts:
            check(page_features(document), seed)


def test_the_library_is_what_tells_them(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = BlockModel(dict(np.load(model.WEIGHTS)))
    page = page_features(parse(LONG))
    judge._talk = trees_of_chance(1)
    found = judge.judge(page)
    monkeypatch.setattr(talk, "native_talk", lambda *_, **__: None)
    expected = judge.judge(page)
    monkeypatch.undo()
    monkeypatch.setattr(talk, "_by_numpy", None)
    assert judge.judge(page).comment.tolist() == found.comment.tolist()
    assert found.comment == pytest.approx(expected.comment, abs=ROUNDING)
    assert found.comment.tolist() != shipped()._first_look(page).comment.tolist()


def test_numbers_that_lead_nowhere_are_left_to_numpy() -> None:
    page, trees = page_features(parse(BLOG)), trees_of_chance(0)
    again = again_of(page, 1, 0)
    assert again.room is not None
    said = again.logits, again.logits
    few = Again(again.rows, again.logits, again.room[:3], again.room[: 3 + ROOM_BELOW])
    far = Again(again.rows + 1, *again[1:])
    elsewhere = Again(*again[:3])
    for wrong in (few, far, elsewhere):
        assert native_talk(page, wrong, said, trees.places, 0.0, thread=False) is None
    assert native_talk(page, again, said, trees.places, 0.0, thread=False) is not None


def test_a_thread_is_not_robbed_by_either(monkeypatch: pytest.MonkeyPatch) -> None:
    page, trees = page_features(parse(BLOG)), trees_of_chance(0)
    main = np.full(len(page.weights), 0.9, np.float32)
    kinds = np.array([float(name == "forum") for name in KINDS], np.float32)
    for _ in range(2):
        told = talk.with_talk(trees, page, Judgement(main, main, kinds), again_of(page, 1, 0))
        assert told.main.tolist() == main.tolist()
        monkeypatch.setattr(talk, "native_talk", lambda *_, **__: None)
