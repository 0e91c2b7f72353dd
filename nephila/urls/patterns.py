"""Patterns that a user writes to include or exclude URLs: globs, or regular expressions after `re:`.

A glob has one wildcard, `*` (any characters, slashes too); `?` is itself, as in URLs. It matches the whole of
- the URL, when it holds `://`:             `https://example.org/news/*`
- path and query, when it begins with `/`:  `/private/*`
- the URL without its scheme, otherwise:    `*.pdf`, `example.org/shop/*`, `*logout*`

A regular expression is searched for anywhere in the URL. URLs are at most 4,096 characters long, globs take linear
time, and expressions that repeat a lone repetition (`(a+)+`) are refused; still, Python's engine has no time limit, so
an expression such as `(\\w+\\s?)+$` can be slow on a URL that was made for it. Prefer globs. Knows no other room.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nephila.errors import ConfigError

Matches = Callable[[str], bool]

_EXPLODES = re.compile(r"\((?:\?:)?(?:\\.|\[[^\]]*\]|[^()\[\]\\|])[+*]\)(?:[+*]|\{\d*,\d*\})").search


def compile_pattern(pattern: str) -> Matches:
    """A test for canonical URLs; ConfigError when the pattern cannot be used."""
    if pattern.startswith("re:"):
        return _regex(pattern)
    if not pattern:
        raise ConfigError("An include or exclude pattern is empty; write a glob such as `/news/*`, or remove it.")
    pieces = pattern.split("*")
    if "://" in pattern:
        return lambda url: _fits(pieces, url)
    if pattern.startswith("/"):
        return lambda url: _fits(pieces, url, url.find("/", 8))
    return lambda url: _fits(pieces, url, url.find("://") + 3)


def _regex(pattern: str) -> Matches:
    text = pattern.removeprefix("re:")
    if _EXPLODES(text):
        raise ConfigError(f"The pattern {pattern!r} repeats a repetition, which can take forever; use one `+` or `*`.")
    try:
        search = re.compile(text).search
    except (re.error, RecursionError, OverflowError) as error:
        raise ConfigError(f"The pattern {pattern!r} is not a regular expression: {error}.") from None
    return lambda url: search(url) is not None


def _fits(pieces: list[str], url: str, start: int = 0) -> bool:
    """Whether the texts between the wildcards come in order, the first at `start` and the last at the end."""
    first, *middle = pieces
    if not url.startswith(first, start):
        return False
    if not middle:
        return len(url) == start + len(first)
    last = middle.pop()
    end = len(url) - len(last)
    at = start + len(first)
    for piece in middle:
        found = url.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return at <= end and url.endswith(last)
