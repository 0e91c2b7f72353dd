"""The native library finds what numpy and Python find, on pages of every kind: numbers, judgements, texts."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila import extract, native
from nephila.content import choice
from nephila.content.choice import LEAST
from nephila.content.features import names
from nephila.content.features import page as features
from nephila.content.features.first_words import FirstWords, words_of
from nephila.content.features.names import looks_of
from nephila.content.features.page import PageFeatures, page_features
from nephila.content.gold.datasets import read_set, set_names
from nephila.content.metadata import language
from nephila.content.model import BlockModel, shipped
from nephila.content.native import features as native_features
from nephila.content.native import looks as native_looks
from nephila.content.native.choice import native_choice
from nephila.content.native.refine import native_inputs
from nephila.content.trees import refine, second_look, symmetric
from nephila.content.trees.symmetric import SymmetricTrees
from nephila.document import Document, parse
from nephila.document.outline import start_tags
from nephila.errors import InputError
from tests.document.fuzz_document import mutated
from tests.document.test_properties import numbered, pieces

pytestmark = pytest.mark.skipif(
    native.load() is None, reason="no native library: there was no C compiler when the package was installed"
)

DATA = Path(os.environ.get("NEPHILA_DATA", Path(__file__).parents[3] / "shared" / "data" / "text"))
ROUNDING = 1e-5
LONG = "One of many sentences, the like of which pages are made of. " * 8
PAGES = (
    "<title>A long story - Site</title><h1>A long story</h1><p>" + LONG + "<p>Short.<p>Short.<p class=post-12>x",
    "<title>Σίσυφος ΟΔΟΣ</title><h1>Σίσυφος ΟΔΟΣ</h1><p>ΟΔΟΣ Σ<p>İstanbul ve çok<p>x² ½ ٣٤ ⅷ<p>😀 ok 𝒳 𠀀",
    "<title>第三段 文字</title><h2>第三段</h2><p>正文，第三段文字。一二三四五六七八<p>한국어 문장",
    "<title>" + " ".join(f"word{i}" for i in range(100)) + "</title><h1>word1 word2</h1><p>word3 other",
    "<title>ﬁn ǅ ß ſ K</title><p>ﬁn ǅ ß ſ K Å<p>a_b _ c__d 1a2 ¼",
    '<meta name=description content="' + LONG + '"><p>' + LONG + "<p>" + LONG + "<p>a<br>b<br>c",
    "<ul>" + "<li class='item i7'><a href=/x>link</a> text, more." * 30 + "</ul><pre>code\n  lines\n</pre>",
    "<div id=comments><div class=comment>I say so.</div><div class=comment>Not so!</div></div><p>" + LONG,
    "<p>" + "w" * 299 + "<p>" + "v " * 149 + "<p>" + "u " * 150 + "<p>" + "t" * 300,
    "<p>one block",
)


def compared(document: Document) -> tuple[PageFeatures, PageFeatures] | None:
    """The page's numbers by the library and by Python."""
    if not document.layout.texts:
        return None
    by_library = page_features(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "native_numbers", lambda *_: None)
        return by_library, page_features(document)


def check(document: Document, judge: BlockModel) -> None:
    found = compared(document)
    if found is None:
        return
    ours, theirs = found
    for name in PageFeatures.__slots__:
        mine, other = getattr(ours, name), getattr(theirs, name)
        assert mine.shape == other.shape, name
        assert mine == pytest.approx(other, abs=ROUNDING), name
        assert mine.dtype == other.dtype, name
    by_library, by_numpy = judge._first_look(ours), judge._by_numpy(theirs)
    for name in ("main", "comment", "kinds"):
        assert getattr(by_library, name) == pytest.approx(getattr(by_numpy, name), abs=ROUNDING), name
    seen = (theirs, by_numpy.main, by_numpy.comment, by_numpy.kinds, np.arange(len(theirs.dense)))
    inputs = native_inputs(*seen)
    assert inputs is not None
    assert inputs == pytest.approx(refine._by_numpy(*seen), abs=ROUNDING, rel=ROUNDING)


@pytest.mark.parametrize("html", PAGES)
def test_it_finds_the_numbers_that_python_finds(html: str) -> None:
    check(parse(html, "https://example.org/"), shipped())


@pytest.mark.parametrize("html", PAGES)
def test_it_is_what_runs(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((features, "_by_numpy"), (refine, "_by_numpy"), (BlockModel, "_by_numpy")):
        monkeypatch.setattr(module, name, None)
    assert extract(html, "https://example.org/").text


@given(st.lists(pieces, max_size=6))
@settings(max_examples=150, deadline=None)
def test_it_finds_the_same_on_made_up_pages(parts: list[str]) -> None:
    html, _ = numbered("".join(parts))
    check(parse(html), shipped())


def test_it_finds_the_same_on_broken_pages() -> None:
    for seed in range(150):
        try:
            document = parse(mutated(random.Random(seed)))
        except InputError:
            continue
        check(document, shipped())


@given(st.lists(st.text(min_size=1, max_size=70), min_size=1, max_size=4), st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_first_words_are_those_of_python(texts: list[str], title: str) -> None:
    library = native.load()
    assert library is not None
    points = "".join(texts).encode("utf-32-le", "replace")
    lengths = np.array([len(text) for text in texts])
    words, shares = np.empty((len(texts), 6), np.int32), np.empty((2, len(texts)), np.float32)
    native_features._read_words(library, texts, points, lengths, title, words, shares)
    by_python = FirstWords(texts)
    assert words.tolist() == by_python.buckets().tolist()
    assert shares.tolist() == np.stack(by_python.overlap(words_of(title))).tolist()


def test_lengths_that_are_not_those_of_the_texts_are_refused() -> None:
    document = parse(PAGES[0])
    known = features._known(document)
    given = (document.layout, document.outline, looks_of(document.layout, document.outline), "", known)
    assert native_features.native_numbers(*given) is not None
    document.layout.lengths = document.layout.lengths + 1
    assert native_features.native_numbers(*given) is None


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_the_words_of_languages_are_those_of_python(text: str) -> None:
    text += " Der Tag und die Nacht, ΟΔΟΣ İ by the way: 日本語 のテキスト _und_ 1und2"
    for sample in (text, text.replace("Σ", "").replace("İ", "")):
        by_library, by_python = language._counter().count(sample), language._by_python(sample)
        assert by_library is None or by_library == by_python


def test_words_of_languages_are_counted_by_the_library() -> None:
    assert language._counter().count("Der Tag und die Nacht und 東京") == (7, 22, [0, 0, 2, *[0] * 8], {
        "der": 1, "und": 2, "die": 1,
    })  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 100, 129, 1000])
def test_the_choice_is_the_same(count: int) -> None:
    rng = np.random.default_rng(count)
    for digits in (1, 2, 6):
        likely = np.round(rng.random(count), digits).astype(np.float32)
        weights = rng.integers(1, 300, count).astype(np.float32)
        ours, theirs = native_choice(likely, weights, LEAST), choice._by_numpy(likely, weights)
        assert ours is not None
        assert ours[0].tolist() == theirs[0].tolist()
        assert ours[1] == theirs[1]
    assert native_choice(np.zeros(count, np.float32), weights, LEAST) == (pytest.approx(np.zeros(count)), 0)
    assert native_choice(likely, weights[1:], LEAST) is None


@pytest.mark.parametrize("html", PAGES)
def test_the_second_look_is_the_same_in_one_call(html: str) -> None:
    page, judge = page_features(parse(html)), shipped()
    judgement, trees = judge._first_look(page), judge._trees
    assert trees is not None
    ours, theirs = second_look.second_look(page, judgement, trees), second_look._step_by_step(page, judgement, trees)
    assert (ours is None) is (theirs is None)
    for name in ("rows", "logits", "inputs") if ours else ():
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=ROUNDING), name


def test_the_looks_of_containers_are_those_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_looks, "_MOST", 3)  # so that all are forgotten again and again
    monkeypatch.setattr(native_looks, "_memories", {})
    monkeypatch.setattr(native_looks._Memory.__init__, "__defaults__", (3, 200))
    for html in (*PAGES, "<div class=a><p class='b c'>x<p id=" + "d" * 500 + ">y</div>", *PAGES):
        document = parse(html)
        by_python = names._by_python(*start_tags(document.layout, document.outline))
        assert looks_of(document.layout, document.outline) == by_python


@pytest.mark.parametrize("columns", [1, 31, 32, 33, 64, 90])
@pytest.mark.parametrize("depth", [1, 6, 8])
def test_trees_say_the_same(columns: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(columns)
    asked, bounds = rng.integers(0, 9, (20, depth)), rng.normal(size=(20, depth)).astype(np.float32)
    values, inputs = (rng.normal(size=size).astype(np.float32) for size in ((20, 2**depth), (9, columns)))
    by_library = SymmetricTrees(asked, bounds, values, 0.5).logits(inputs)
    monkeypatch.setattr(symmetric, "load", lambda: None)
    assert by_library == pytest.approx(SymmetricTrees(asked, bounds, values, 0.5).logits(inputs), abs=ROUNDING)


def test_numbers_that_lead_nowhere_are_left_to_numpy() -> None:
    page = page_features(parse(PAGES[0]))
    for name, wrong in (("ancestors", len(page.spans)), ("spans", len(page.dense) + 1), ("names", 1 << 20)):
        broken = PageFeatures(*(getattr(page, each).copy() for each in PageFeatures.__slots__))
        getattr(broken, name)[-1, -1] = wrong
        inner = shipped()._native
        assert inner is not None
        assert inner.judge(broken) is None, name
        if name != "names":
            likely = np.full(len(page.dense), 0.5, np.float32)
            assert native_inputs(broken, likely, likely, likely[:2], np.arange(2)) is None, name


@given(st.binary(max_size=300), st.binary(min_size=1, max_size=9), st.integers(0, 310))
def test_words_are_found_where_python_finds_them(text: bytes, word: bytes, start: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "_SMALL", -1000)
        for wanted in (word, text[5:12]):
            assert not wanted or native.find(text, wanted, start) == text.find(wanted, start)
    assert native.count(text, word[:1]) == text.count(word[:1])


def some_pages() -> Iterator[tuple[bytes, str | None]]:
    for name in set_names(DATA):
        for number, sample in enumerate(read_set(DATA, name)):
            if number % 40 == 0:
                yield sample.html.encode("utf-8", "replace"), sample.url


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="no data")
def test_real_pages_have_the_same_numbers_and_records() -> None:
    count = 0
    for html, url in some_pages():
        check(parse(html, url), shipped())
        record = extract(html, url)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(features, "native_numbers", lambda *_: None)
            patch.setattr(refine, "native_inputs", lambda *_: None)
            patch.setattr(shipped(), "_native", None)
            other = extract(html, url)
        assert (record.text, record.markdown, record.title) == (other.text, other.markdown, other.title)
        count += 1
    assert count > 100
