"""Readers' comments as a whole: which stretch of a page they are. Knows features and judgements.

The network says of each block whether it is a comment, and is seldom sure of all blocks of one. Boosted trees look
again: at what the second look was shown, and at where the page says that comments begin (`talk_lines`) and how many
short lines with dates stand around (each comment has one). Then comments are taken for what they are on nearly all
pages, one stretch: the one whose blocks speak for it most. What stands in it is no text of an article, however much a
part of it looks like one; in a thread it is the text. Where the page may be one or the other, the names decide that its
elements have. docs/extraction-tried.md tells what that is worth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nephila.content.features.families import place_of
from nephila.content.features.page import BLOCK_COLUMNS, Floats, PageFeatures
from nephila.content.judgement import KINDS, Judgement
from nephila.content.native.refine import Again
from nephila.content.native.talk import native_talk
from nephila.content.talk.lines import HEADS, SPEAKS, any_heads
from nephila.content.trees.symmetric import SymmetricTrees

TALK_TREES = "talk_trees"
"""What the weights of the trees begin with."""
_DIGITS, _DATE_DIGITS, _DATED_WORDS = 14, np.float32(np.log(4) - 1e-3), 14
"""The column of the dense features with the logarithm of a block's digits; a short line with three may be a date."""
_NEAR, _FAR = 8, 300
"""Blocks on either side whose lines are counted; and how far the next such line may be, at most."""
_THREAD = KINDS.index("forum")
_THREAD_FROM, _THREAD_SURE = 0.3, 0.5
"""A page may be a thread from here on; and is one from there on, whatever it calls its posts."""
_COMMENT_NAMES, _POST_NAMES = BLOCK_COLUMNS + place_of("comment"), BLOCK_COLUMNS + place_of("post")
_NAMED, _OWN_TEXT = 0.9, 50.0
"""The share of the stretch that must be called comments, and the likely tokens outside, for comments below a text."""
_ASKED_FROM = 0.1
_SURE, _DOUBT = 6.0, 1.5
"""Logits: more than `_SURE` counts no more; `_DOUBT` is in favour of comments, whose blocks may look like text."""
_PASSED = 0.3
"""What a block that nobody takes for text (a button, a name) says against the stretch that it stands in."""
_LEAST_EVIDENCE, _LEAST_TEXT = 5.0, 10.0
"""Of a stretch of comments; and the likely tokens that must be left without it."""
_BETWEEN = 0.25
"""Of the likely text in a stretch, how much may stand between it and the line that heads it, and belong to it."""
_NO_TEXT, _TEXT, _PART, _COMMENT = np.float32(0.02), np.float32(0.5), np.float32(0.1), np.float32(0.5)
"""How likely comments are text, and text is; how likely a comment is one within the stretch, and anywhere."""


def talk_asked(page: PageFeatures, judgement: Judgement) -> bool:
    """Whether anything speaks for comments: a line that heads them, or the network."""
    return any_heads(page.talk) or float(judgement.comment.max(initial=0)) > _ASKED_FROM


def talk_named(page: PageFeatures) -> bool:
    """Whether a line heads comments, and elements are called so."""
    return any_heads(page.talk) and bool(page.dense[:, _COMMENT_NAMES].any())


def talk_inputs(page: PageFeatures, rows: NDArray[np.int64]) -> Floats:
    """Of the lines that speak of comments, that head them, and that may hold a date: a column for each of the blocks.

    Whether the block is such a line, how many stand before and after it, how far the closest are, how many stand close.
    """
    talk, tokens = page.talk, page.weights
    dated = (tokens <= _DATED_WORDS) & (page.dense[:, _DIGITS] >= _DATE_DIGITS)
    flags = np.stack(((talk & SPEAKS) > 0, (talk & HEADS) > 0, dated))
    count = len(tokens)
    sums = np.zeros((len(flags), count + 1), np.float32)
    np.cumsum(flags, axis=1, out=sums[:, 1:])
    here, after = sums.take(rows, axis=1), sums[:, -1:] - sums.take(rows + 1, axis=1)
    found = np.empty((7, len(flags), len(rows)), np.float32)
    found[0] = flags.take(rows, axis=1)
    found[1], found[2] = np.log1p(here), np.log1p(after)
    found[3], found[4] = np.log1p(_closest(flags, rows))
    found[5] = here - sums.take(np.maximum(rows - _NEAR, 0), axis=1)
    found[6] = after - (sums[:, -1:] - sums.take(np.minimum(rows + 1 + _NEAR, count), axis=1))
    return np.concatenate((found.reshape(-1, len(rows)), _headed(flags, sums, tokens, rows)))


def _closest(flags: NDArray[np.bool_], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far the closest such lines before and after a block are."""
    count = flags.shape[1]
    places = np.arange(count)
    past = np.full((len(flags), count + 1), -_FAR)
    np.maximum.accumulate(np.where(flags, places, -_FAR), axis=1, out=past[:, 1:])
    coming = np.full((len(flags), count + 1), count + _FAR)
    coming[:, :-1] = np.minimum.accumulate(np.where(flags, places, count + _FAR)[:, ::-1], axis=1)[:, ::-1]
    return np.minimum((rows - past.take(rows, axis=1), coming.take(rows + 1, axis=1) - rows), _FAR)


def _headed(flags: NDArray[np.bool_], sums: Floats, tokens: Floats, rows: NDArray[np.int64]) -> Floats:
    """Dated lines since the last line that heads comments; the page's text before the first, and dated lines after."""
    heads, dated = np.flatnonzero(flags[1]), sums[2]
    found = np.zeros((5, len(rows)), np.float32)
    found[2] = -1
    if len(heads):
        last = np.searchsorted(heads, rows, "right") - 1
        begun = last >= 0
        start = heads[np.maximum(last, 0)]
        found[0] = np.where(begun, dated.take(rows) - dated.take(start), 0)
        found[1] = found[0] / np.maximum(np.where(begun, rows - start, 0), 1)
        found[2] = float(tokens[: heads[0]].sum()) / max(1.0, float(tokens.sum()))
        found[3] = dated[-1] - dated[heads[0]]
        found[4] = len(heads)
    return found


def with_talk(trees: SymmetricTrees, page: PageFeatures, judgement: Judgement, again: Again) -> Judgement:
    """The judgement of the second look, which was `again`, with the comments told as a whole."""
    likely = float(judgement.kinds[_THREAD])
    if likely < _THREAD_SURE:
        apart = _told(trees, page, judgement, again, thread=False)
        named = _named_comments(page, judgement, apart)
        if named is not None or likely < _THREAD_FROM:
            return named or apart
    return _told(trees, page, judgement, again, thread=True)


def _told(trees: SymmetricTrees, page: PageFeatures, judgement: Judgement, again: Again, *, thread: bool) -> Judgement:
    said = judgement.main, judgement.comment
    told = native_talk(page, again, said, trees.places, float(trees.bias), thread=thread)
    main, comment = told or _by_numpy(trees, page, said, again, thread=thread)
    return Judgement(main, comment, judgement.kinds)


def _named_comments(page: PageFeatures, judgement: Judgement, apart: Judgement) -> Judgement | None:
    """All that a page calls comments taken out of its text, where the stretch that is `apart` is called so.

    None where it is not, or is called posts, or where hardly anything is said outside.
    """
    named = (page.dense[:, _COMMENT_NAMES] > 0) & (page.dense[:, _POST_NAMES] == 0)
    taken = apart.main < judgement.main
    text = judgement.main * page.weights
    inside = float(text[taken].sum())
    if not inside or text[taken & named].sum() < _NAMED * inside or text[~taken & ~named].sum() < _OWN_TEXT:
        return None
    part = named & ((apart.comment >= _PART) | (apart.main >= _TEXT)) & ((page.talk & HEADS) == 0)
    return Judgement(
        np.where(named, np.minimum(apart.main, _NO_TEXT), apart.main),
        np.where(part, np.maximum(apart.comment, _COMMENT), apart.comment),
        judgement.kinds,
    )


def _by_numpy(
    trees: SymmetricTrees, page: PageFeatures, said: tuple[Floats, Floats], again: Again, *, thread: bool
) -> tuple[Floats, Floats]:
    rows = again.rows
    logits = trees.logits(np.concatenate((again.inputs, talk_inputs(page, rows))))
    main, comment = said[0], said[1].copy()
    comment[rows] = 1 / (1 + np.exp(-logits))
    start, stop = stretch_of(logits, rows, page.weights)
    likely = main * page.weights
    start = _from_its_heading(page.talk, likely, start, stop)
    inside, left = float(likely[start:stop].sum()), float(likely[:start].sum() + likely[stop:].sum())
    if not thread and inside > left >= _LEAST_TEXT:
        return taken_out(page, main, comment, slice(start, stop))
    return main, comment


def taken_out(page: PageFeatures, main: Floats, comment: Floats, within: slice) -> tuple[Floats, Floats]:
    """Both with a stretch told to be comments. What looked like text there is one, but for the lines that head them."""
    main, comment = main.copy(), comment.copy()
    part = ((comment[within] >= _PART) | (main[within] >= _TEXT)) & ((page.talk[within] & HEADS) == 0)
    comment[within] = np.where(part, np.maximum(comment[within], _COMMENT), comment[within])
    np.minimum(main[within], _NO_TEXT, out=main[within])
    return main, comment


def _from_its_heading(talk: NDArray[np.uint8], likely: Floats, start: int, stop: int) -> int:
    """Where the stretch begins: at the line that heads comments, where little stands between the two."""
    heads = np.flatnonzero(talk[:start] & HEADS)
    if not len(heads):
        return start
    head = int(heads[-1])
    between, inside, before = (float(part.sum()) for part in (likely[head:start], likely[start:stop], likely[:head]))
    return head if between <= _BETWEEN * inside and before >= _LEAST_TEXT else start


def stretch_of(said: Floats, rows: NDArray[np.int64], tokens: Floats) -> tuple[int, int]:
    """The stretch of blocks that speaks for comments most, by its first block and one past the last; (0, 0) is none.

    `said`: of the blocks `rows`, the logits that they are comments.
    """
    evidence = np.full(len(tokens), -_PASSED, np.float32)
    evidence[rows] = np.clip(said, -_SURE, _SURE) + _DOUBT
    evidence *= np.sqrt(tokens)
    sums = np.zeros(len(tokens) + 1, np.float32)
    np.cumsum(evidence, out=sums[1:])
    gained = sums - np.minimum.accumulate(sums)
    stop = int(np.argmax(gained))
    if gained[stop] < _LEAST_EVIDENCE:
        return 0, 0
    return int(np.argmin(sums[: stop + 1])), stop
