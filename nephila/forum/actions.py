"""Links that do something, or that lead away from what is written: never followed on a forum.

Told by words in the address and on the link, in the main languages, and by tokens that only writing needs. Words may
only keep a link from being followed; nothing is followed because of a word. Knows text only.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from nephila.forum import words

_NEVER = frozenset(words.CHANGES_SURELY.split())
_CHANGE = _NEVER | frozenset(words.CHANGES_MAYBE.split())
_OTHER = frozenset(words.ELSEWHERE.split())
_TEXTS = re.compile(rf"^\W*(?:{words.alternatives(words.ACTION_LABELS)})\b.{{0,20}}$", re.IGNORECASE)
_TOKEN = re.compile(r"^[0-9a-f]{16,}$|^[A-Za-z0-9_-]{32,}$")
_TOKEN_NAMES = re.compile(r"token|csrf|hash|sesc|nonce|authenticity|_k$|logoutkey|my_post_key|^key$", re.IGNORECASE)
_SPLIT = re.compile(r"[/?&;=]")


def surely_changes_state(url: str) -> bool:
    """The same for a link that stands where titles stand: only what no address of a thread would say."""
    return not _NEVER.isdisjoint(_tokens(url)) or _has_token(url)


def changes_state(url: str, text: str = "", attributes: dict[str, str] | None = None) -> bool:
    """Whether following the link may write something: post, vote, mark, log out."""
    tokens = _tokens(url)
    if not _CHANGE.isdisjoint(tokens):
        return True
    if text and len(text) < 40 and _TEXTS.match(text):
        return True
    if attributes and (attributes.get("data-method", "get").lower() != "get" or "hx-post" in attributes):
        return True
    return _has_token(url)


def leads_away(url: str) -> bool:
    """Whether the address names something other than boards and threads: people, searches, feeds, forms."""
    return not _OTHER.isdisjoint(_tokens(url))


def _tokens(url: str) -> set[str]:
    rest = unquote(url.partition("://")[2].partition("/")[2]).lower()
    parts = {part.partition(".")[0] for part in _SPLIT.split(rest)} | set(_SPLIT.split(rest))
    return {part for part in parts if part}


def _has_token(url: str) -> bool:
    query = url.partition("?")[2]
    for parameter in re.split(r"[&;]", query):
        name, _, value = parameter.partition("=")
        if value and (_TOKEN_NAMES.search(name) or _TOKEN.match(value)):
            return True
    return False
