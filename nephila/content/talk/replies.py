"""Comments told by what a reader may press below each: "Reply", "Antworten", "ответить". Knows texts and numbers.

The model learned what comments are from English pages. In other languages it may take all of them for the article's
text, though the page says where they begin and has the same word below every one. Where both are there, it is believed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nephila.content.features.page import Floats, PageFeatures
from nephila.content.judgement import KINDS, Judgement
from nephila.content.talk.lines import HEADS, any_heads
from nephila.content.talk.whole import taken_out

_WORDS = (
    r"reply(?: to this(?: comment)?)?|respond|report(?: abuse| comment)?|antworten?|(?:kommentar )?melden|répondre|"
    r"signaler|responder|denunciar|reportar|rispondi|segnala|odpowiedz|zgłoś|ответить|пожаловаться|цитировать|відповісти|"
    r"odpovědět|reagovat|svara?|svare|vastaa|beantwoorden|reageer|reageren|cevapla|yanıtla|răspunde|válasz|απάντηση|"
    r"回复|回覆|回應|举报|返信|通報|답글|신고|رد|הגב|trả lời|balas|ตอบ"
)
_REPLY = re.compile(rf"[\W\d]*({_WORDS})[\W\d]*$", re.IGNORECASE)
_LONGEST = 40
_THREAD, _SURE = KINDS.index("forum"), 0.5
_LEAST, _WITH_TEXT = 3, 0.8
"""Times that the word must stand there, and how often there must be some text between two of them."""
_LEAST_TEXT, _FAR = 5, 30
"""Words of a comment, and blocks from one to the next."""
_OWN_TEXT, _WORTH = 50.0, 0.15
"""Likely tokens before the comments; and how much behind, of these, makes it worth to look."""


def without_replies(judgement: Judgement, page: PageFeatures, texts: Sequence[str]) -> Judgement:
    """The judgement of an article, with the comments below it told as such where each can be replied to."""
    if not any_heads(page.talk) or judgement.kinds[_THREAD] >= _SURE:
        return judgement
    heads = np.flatnonzero(page.talk & HEADS)
    sums = np.cumsum(judgement.main * page.weights)
    own = heads[sums[heads] >= _OWN_TEXT]
    if not len(own) or sums[-1] - sums[own[0]] < _WORTH * sums[own[0]]:
        return judgement
    stop = _last_reply(texts, page.weights, int(own[0]))
    if stop is None:
        return judgement
    told = taken_out(page, judgement.main, judgement.comment, slice(int(own[0]), stop))
    return Judgement(*told, judgement.kinds)


def _last_reply(texts: Sequence[str], weights: Floats, head: int) -> int | None:
    """One past the last of the lines that a reader may press, of those that follow the head; None without several."""
    places: dict[str, list[int]] = defaultdict(list)
    for place in range(head + 1, len(texts)):
        if len(texts[place]) <= _LONGEST and (found := _REPLY.match(texts[place])):
            places[found[1].lower()].append(place)
    ends = [told[-1] + 1 for told in places.values() if told[0] - head <= _FAR and _are_below_texts(told, weights)]
    return max(ends, default=None)


def _are_below_texts(places: list[int], weights: Floats) -> bool:
    if len(places) < _LEAST:
        return False
    full = sum(b - a <= _FAR and weights[a:b].max() >= _LEAST_TEXT for a, b in pairwise(places))
    return bool(full >= _WITH_TEXT * (len(places) - 1))
