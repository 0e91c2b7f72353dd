"""Lines that speak of readers' comments: where a page says that these begin, end, or can be written. Knows texts only.

Comments may stand amid the same elements as the article, with nothing around them that is called so; then a short line
is all that tells ("14 Comments", "Kommentare", "Responses to ..."). The words are those of the larger languages; pages
in others are told by what the network saw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nephila.content.score import tokens

SPEAKS, HEADS = 1, 2
"""Bits: a short line that speaks of comments; one that says little else."""

_ASCII = ("comment", "respons", "repl", "reaction", "thoughts", "feedback", "discussion", "kommentar", "comentar",
          "reacties", "komentar", "opinie", "yorum")  # fmt: skip
_OTHERS = ("comentár", "komentář", "коммент", "отзыв", "σχόλι", "σχολι",
           "评论", "評論", "留言", "跟帖", "コメント", "댓글")  # fmt: skip
STEMS = (*_ASCII, *_OTHERS)
"""One of them is in every word meant: looked for first, since a search for letters costs next to nothing."""
_WORDS = (
    r"comments?|responses?|repl(?:y|ies)|reactions?|thoughts|feedback|discussion|kommentar\w*|commentaires?|commenti|"
    r"coment[aá]ri\w*|reacties|komentarz\w*|komentář\w*|opinie|yorum\w*|комментари\w*|отзыв\w*|σχόλι\w*|σχολι\w*|"
    r"评论|評論|留言|跟帖|コメント|댓글"
)
_SPEAKS = re.compile(rf"(?<!\w)(?:{_WORDS})(?!\w)|评论|評論|留言|コメント|댓글")
_HEADS = re.compile(
    r"\W*(?:(?:\d+|one|two|three|no|readers?'?|user|all|recent|view|show|post|add|latest|your)\s+)*"
    rf"(?:{_WORDS})\b(?:\W*\d*\W*|\s*(?:to|on|for|so far|by|from)\b.*)$"
)
_HEADING = bytes((SPEAKS | HEADS,))
_LONGEST, _MOST_WORDS, _MOST_HEADING_WORDS = 200, 14, 8
_MARK = "\0"
_REMEMBERED = 2000
"""Lines: "Reply" and "Leave a comment" come again and again, on one page and on all of them."""


def talk_lines(texts: Sequence[str], known: Iterable[int] | None = None) -> NDArray[np.uint8]:
    """The bits of each text. `known`: the places of all short texts in which a word begins with one of the stems."""
    marks = np.zeros(len(texts), np.uint8)
    for place in _with_stems(texts) if known is None else known:
        marks[place] = _bits(texts[place])
    return marks


def any_heads(marks: NDArray[np.uint8]) -> bool:
    """Whether one of the lines heads comments: a look at the bytes takes a tenth of the time of numpy's."""
    return _HEADING in marks.tobytes()


def _with_stems(texts: Sequence[str]) -> Iterator[int]:
    """The places of the short texts that hold a stem, found in all of them at once."""
    short = [place for place, text in enumerate(texts) if len(text) < _LONGEST]
    lines = _MARK.join([texts[place] for place in short]).lower()
    if lines.count(_MARK) + 1 != len(short):  # the mark in a text: no parser writes it; or no text is short
        return
    for stem in _ASCII if lines.isascii() else STEMS:
        number, seen = 0, 0
        place = lines.find(stem)
        while place >= 0:
            number += lines.count(_MARK, seen, place)
            yield short[number]
            seen = lines.find(_MARK, place)
            place = lines.find(stem, seen) if seen >= 0 else -1


@lru_cache(_REMEMBERED)
def _bits(text: str) -> int:
    line = text.lower()
    words = len(tokens(line))
    if words > _MOST_WORDS or not _SPEAKS.search(line):
        return 0
    return SPEAKS | HEADS if words <= _MOST_HEADING_WORDS and _HEADS.match(line) else SPEAKS
