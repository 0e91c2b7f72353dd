"""Readers' comments are told as a whole: where pages say that they begin, and which stretch they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.features.page import Floats, PageFeatures, page_features
from nephila.content.judgement import KINDS, Judgement
from nephila.content.native.refine import Again
from nephila.content.talk.lines import HEADS, SPEAKS, talk_lines
from nephila.content.talk.whole import (
    _DOUBT,
    _LEAST_EVIDENCE,
    _PASSED,
    TALK_TREES,
    stretch_of,
    talk_asked,
    talk_inputs,
    with_talk,
)
from nephila.content.trees.refine import refinement_inputs
from nephila.content.trees.symmetric import SymmetricTrees
from nephila.document import parse

BLOG = """<h1>A day at the sea</h1><p>We went to the sea and saw a whale and two seals on a rock.</p>
<p>It rained, and nobody minded the rain at all.</p><h3>2 Comments</h3>
<p>I saw the same whale last year near the old pier, with a friend who paints, and it came so close
that we could have touched it. She has painted it three times since, and no picture is the whale that we saw then.</p>
<p>Posted by: Ann at May 3, 2012 10:14</p>
<p>Was it a big one?</p><p>Posted by: Bob at May 4, 2012 08:01</p><p>About</p>"""


@pytest.mark.parametrize(
    ("line", "bits"),
    [
        ("14 Comments", SPEAKS | HEADS),
        ("COMMENTS (3)", SPEAKS | HEADS),
        ("3 Responses to “A day at the sea”", SPEAKS | HEADS),
        ("Kommentare", SPEAKS | HEADS),
        ("Комментарии: 5", SPEAKS | HEADS),
        ("评论(12)", SPEAKS | HEADS),
        ("Responses to the story of the whale that we saw at sea", SPEAKS),
        ("Log in to leave a comment", SPEAKS),
        ("He had no commentary to offer", 0),
        ("This replica is responsible", 0),
        ("A day at the sea", 0),
        ("Her comments were heard by all who had come to the pier that day, and by some more", 0),
    ],
)
def test_short_lines_that_speak_of_comments_are_known(line: str, bits: int) -> None:
    assert talk_lines(["First", line, "İ" * 20, "Last"]).tolist() == [0, bits, 0, 0]


@given(st.lists(st.sampled_from(["Comments", "İİ", "a\nb", "", "two words", "5 replies", "x" * 300, "komentář"])))
def test_a_line_is_judged_the_same_wherever_it_stands(texts: list[str]) -> None:
    alone = [int(talk_lines([text])[0]) for text in texts]
    assert talk_lines(texts).tolist() == alone


def test_texts_with_the_mark_between_them_do_no_harm() -> None:
    assert talk_lines(["Comments\0", "b"]).tolist() == [0, 0]
    assert talk_lines([]).tolist() == []


def test_inputs_tell_where_such_lines_stand() -> None:
    page = page_features(parse(BLOG))
    rows = np.arange(len(page.weights))
    found = talk_inputs(page, rows)
    kinds = found[:21].reshape(7, 3, -1)
    heads, dated = page.talk == SPEAKS | HEADS, np.isin(rows, (5, 7))
    assert heads.nonzero()[0].tolist() == [3]
    for flags, told in ((heads, kinds[:, 1]), (dated, kinds[:, 2])):
        places = np.flatnonzero(flags)
        for block in rows.tolist():
            before, after = places[places < block], places[places > block]
            closest = [min((block - before).tolist(), default=300), min((after - block).tolist(), default=300)]
            close = [int((block - before <= 8).sum()), int((after - block <= 8).sum())]
            expected = [float(flags[block]), *np.log1p([len(before), len(after), *closest]), *close]
            assert told[:, block].tolist() == pytest.approx(expected, abs=1e-5)
    since, pace, before, after, number = found[21:]
    assert since.tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 2]
    assert pace[8] == pytest.approx(2 / 5)
    assert before.tolist() == pytest.approx([page.weights[:3].sum() / page.weights.sum()] * len(rows))
    assert (set(after.tolist()), set(number.tolist())) == ({2}, {1})


@given(st.lists(st.tuples(st.floats(-8, 8), st.integers(1, 60), st.booleans()), min_size=1, max_size=9))
def test_no_other_stretch_speaks_for_comments_more(blocks: list[tuple[float, int, bool]]) -> None:
    rows = np.array([place for place, block in enumerate(blocks) if block[2]], np.int64)
    said = np.array([block[0] for block in blocks if block[2]], np.float32)
    tokens = np.array([block[1] for block in blocks], np.float32)
    evidence = [(np.clip(logit, -6, 6) + _DOUBT if seen else -_PASSED) * words**0.5 for logit, words, seen in blocks]
    sums = {
        (start, stop): sum(evidence[start:stop])
        for stop in range(len(blocks) + 1)
        for start in range(stop)
    }  # fmt: skip
    best = max(sums.values())
    start, stop = stretch_of(said, rows, tokens)
    if stop:
        assert sums[start, stop] == pytest.approx(best, abs=1e-3)
    else:
        assert best <= _LEAST_EVIDENCE + 1e-3


def _by_trees(page: PageFeatures, kind: str, said: Floats, main: Floats, sure: float = 1.0) -> Judgement:
    """By trees that say of each block what the second look's only input does."""
    kinds = np.array([sure * (name == kind) for name in KINDS], np.float32)
    judgement = Judgement(main, np.zeros(len(main), np.float32), kinds)
    steps = np.arange(-8, 8, dtype=np.float32)[:, None] + 0.5
    trees = SymmetricTrees(np.zeros((16, 1), np.int64), steps, np.tile(np.array([0, 1], np.float32), (16, 1)), -8)
    return with_talk(trees, page, judgement, Again(np.arange(len(main)), main, said))


def _told(kind: str, said: list[float], main: list[float]) -> Judgement:
    page = page_features(parse(BLOG))
    return _by_trees(page, kind, np.array([said], np.float32), np.array(main, np.float32))


SAID = [-6.0, -6.0, -6.0, -2.0, 3.0, 5.0, -0.4, 5.0, -6.0]
MAIN = [0.9, 0.9, 0.9, 0.1, 0.8, 0.1, 0.9, 0.1, 0.1]


def test_comments_are_no_text_of_an_article_however_much_a_part_of_them_looks_like_text() -> None:
    told = _told("article", SAID, MAIN)
    assert told.main == pytest.approx([0.9, 0.9, 0.9, 0.02, 0.02, 0.02, 0.02, 0.02, 0.1])
    assert (told.comment >= 0.5).tolist() == [False] * 4 + [True] * 4 + [False]


@pytest.mark.parametrize(("between", "begins"), [(0.2, 3), (0.4, 5)])
def test_comments_begin_at_the_line_that_heads_them_where_little_stands_between(between: float, begins: int) -> None:
    """Block 3 heads comments, 4 is not known for one, and the rest of the page is; the last is the longest."""
    page = page_features(parse(BLOG.replace("About", "More whales were seen that year than in any other. " * 6)))
    main = np.array([0.9, 0.9, 0.9, 0.1, between, 0.5, 0.5, 0.5, 0.9], np.float32)
    said = np.array([[-6, -6, -6, -6, -6, 5, 5, 5, 5]], np.float32)
    told = _by_trees(page, "article", said, main).main
    assert told[:3] == pytest.approx(main[:3])
    assert int(np.flatnonzero(told == np.float32(0.02))[0]) == begins


def test_what_looked_like_text_and_is_taken_away_is_a_comment() -> None:
    said = [*SAID[:6], -4.0, *SAID[7:]]
    told = _told("article", said, MAIN)
    assert told.main[6] == pytest.approx(0.02)
    assert told.comment[6] >= 0.5


def test_comments_of_a_thread_are_its_text() -> None:
    assert _told("forum", SAID, MAIN).main == pytest.approx(MAIN)


STORY = f"<h1>A story</h1><p>{'We saw a whale and two seals on a rock. ' * 8}</p>"
TALK = "".join(f"<div class={{}}><p>{'I saw the same whale near the old pier. ' * 5}</p></div>" for _ in range(6))


@pytest.mark.parametrize(
    ("story", "name", "sure", "apart"),
    [
        (STORY, "comment", 0.1, True),
        (STORY, "comment", 0.4, True),
        (STORY, "comment", 0.6, False),
        (STORY, "post-comment", 0.4, False),
        (STORY, "entry", 0.4, False),
        ("<h1>A story</h1><p>We saw a whale.</p>", "comment", 0.4, False),
    ],
)
def test_what_is_called_comments_goes_unless_it_is_a_thread(story: str, name: str, sure: float, apart: bool) -> None:
    """The last comment is not in the stretch; it is taken out by its name alone."""
    names = name.replace("post-comment", '"post comment"')
    page = page_features(parse(story + TALK.replace("{}", names)))
    main = np.full(len(page.weights), 0.9, np.float32)
    said = np.array([[-6] * 2 + [5] * 5 + [-6]], np.float32)
    told = _by_trees(page, "forum", said, main, sure)
    assert told.main.tolist() == pytest.approx([0.9] * 2 + [0.02 if apart else 0.9] * 6)
    assert bool((told.comment[2:] >= 0.5).all()) is apart


def test_few_comments_below_much_text_are_left_to_the_second_look() -> None:
    few = [*MAIN[:4], 0.2, *MAIN[5:]]
    assert _told("article", SAID, few).main == pytest.approx(few)


def test_a_page_that_would_be_left_without_text_keeps_it() -> None:
    nothing = [0.01] * 4 + MAIN[4:]
    assert _told("article", SAID, nothing).main == pytest.approx(nothing)


def test_pages_without_a_word_of_comments_are_not_looked_at() -> None:
    def asked(html: str, comment: float) -> bool:
        page = page_features(parse(html))
        likely: Floats = np.full(len(page.weights), comment, np.float32)
        return talk_asked(page, Judgement(likely, likely, np.zeros(len(KINDS), np.float32)))

    assert asked(BLOG, 0.0)
    assert not asked("<p>One.</p><p>Two.</p>", 0.05)
    assert asked("<p>One.</p><p>Two.</p>", 0.2)


def test_trees_learn_comments_from_the_sets_that_have_them_apart() -> None:
    pytest.importorskip("catboost")
    from nephila.content.gold.datasets import Sample
    from nephila.content.training.examples import Example, example_of
    from nephila.content.training.talk import fit_talk

    def example(number: int, name: str, comments: str | None) -> Example:
        gold = (
            "We went to the sea and saw a whale and two seals on a rock. It rained, and nobody minded the rain at all."
        )
        found = example_of(Sample(str(number), name, f"{number}.example", 0, BLOG, gold, comments=comments))
        assert found is not None
        return found

    def judged(one: Example) -> Judgement:
        unsure = np.full(one.blocks, 0.5, np.float32)
        return Judgement(unsure, unsure, np.full(len(KINDS), 1 / len(KINDS), np.float32))

    said = page_features(parse(BLOG))
    talk = "\n".join(parse(BLOG).layout.texts[4:8])
    with_comments = [example(number, "dragnet", talk) for number in range(8)]
    without = [example(number, "l3s_gn1", None) for number in range(8)]
    assert fit_talk(without, {one.key: judged(one) for one in without}, 0) == {}
    examples = with_comments + without
    weights = fit_talk(examples, {one.key: judged(one) for one in examples}, 0)
    trees = SymmetricTrees.from_weights(weights, TALK_TREES)
    assert trees is not None
    rows = np.arange(len(said.weights))
    unsure = judged(examples[0])
    inputs = refinement_inputs(said, unsure.main, unsure.comment, unsure.kinds, rows)
    likely = trees.probabilities(np.concatenate((inputs, talk_inputs(said, rows))))
    assert (likely > 0.5).tolist() == [False] * 4 + [True] * 4 + [False]
