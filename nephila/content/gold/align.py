"""Which of a page's tokens are the gold's: an exact, order-aware alignment. Knows token lists only.

A bag of words would call a menu's "Home" content wherever the article says "home". The longest common subsequence keeps
the order, so that a word is matched where the text around it is matched as well. It is computed with bit vectors (one
big integer a row, Hyyro 2004), which takes milliseconds for pages of thousands of tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

MOST_GOLD = 30_000
MOST_CELLS = 1_500_000_000
"""Rows times columns, in bits: the memory of the trace-back stays under 200 MB."""


def matched(page: Sequence[str], gold: Sequence[str]) -> list[int]:
    """For each token of the page the index of the gold's token that it stands for, or -1."""
    gold = gold[:MOST_GOLD]
    places: dict[str, int] = {}
    for index, token in enumerate(gold):
        places[token] = places.get(token, 0) | (1 << index)
    result = [-1] * len(page)
    # Tokens that the gold does not hold cannot match and would only make the table longer.
    kept = [index for index, token in enumerate(page) if token in places]
    kept = kept[: MOST_CELLS // max(1, len(gold))]
    rows = _rows([places[page[index]] for index in kept], len(gold))
    row, column = len(kept), len(gold)
    while row and column:
        if rows[row - 1] >> (column - 1) & 1:
            column -= 1
            continue
        row -= 1
        if row and not rows[row - 1] >> (column - 1) & 1:
            continue
        column -= 1
        result[kept[row]] = column
    return result


def _rows(masks: Sequence[int], width: int) -> list[int]:
    """The rows of the table: a zero bit is a column at which the length of the common subsequence grows."""
    full = (1 << width) - 1
    state, rows = full, []
    for mask in masks:
        hit = state & mask
        state = ((state + hit) | (state - hit)) & full
        rows.append(state)
    return rows


def shares(blocks: Sequence[Sequence[str]], gold: Sequence[str], passes: int = 3) -> list[float]:
    """The share of each block's tokens that is gold, between 0 and 1.

    Where the gold tells things in another order than the page, what is left of the gold is aligned again with the
    blocks that are left. A lone match amid unmatched tokens is chance, and does not count.
    """
    result = [0.0] * len(blocks)
    left, open_blocks = list(gold), list(range(len(blocks)))
    for _ in range(passes):
        page = [token for index in open_blocks for token in blocks[index]]
        hits = matched(page, left)
        used: set[int] = set()
        still_open, start = [], 0
        for index in open_blocks:
            length = len(blocks[index])
            share, taken = _block_share(hits[start : start + length])
            start += length
            if share >= 0.5 or (share > result[index] and share > 0.1):
                result[index] = share
                used.update(taken)
            if share < 0.5 and length:
                still_open.append(index)
        left = [token for index, token in enumerate(left) if index not in used]
        open_blocks = still_open
        if not used or len(left) < 5:
            break
    return result


def _block_share(hits: Sequence[int]) -> tuple[float, list[int]]:
    """The share of a block's tokens that match in runs, and the gold's tokens that these are."""
    taken: list[int] = []
    run: list[int] = []
    for hit in [*hits, -1]:
        # A run may jump over a few tokens of the gold (a word that the gold's author corrected).
        if hit >= 0 and (not run or 0 < hit - run[-1] <= 3):
            run.append(hit)
            continue
        if len(run) >= 2 or len(hits) == len(run):
            taken += run
        run = [hit] if hit >= 0 else []
    return (len(taken) / len(hits) if hits else 0.0), taken
