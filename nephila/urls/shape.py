"""The shape of a URL: what is left when everything that a template filled in is taken out.

A family is "the URLs that one template of a site made": the frontier gives each a budget, so that an endless calendar
or a session maze cannot eat the crawl. Two mistakes are possible and not equal: a family too narrow leaves a trap its
freedom, a family too wide lets junk use up the budget of good pages. So values go only where they are plainly values:

- numbers (`/2026/11/15` -> `/#/#/#`, `item-17` -> `item-#`), ids (hex, UUID, base64-like tokens -> `@`),
  month names (`#`, as the number would be), titles (three words or more, words beside a number, escaped script -> `*`);
- short words stay: `/about` and `/login` are different pages, not values;
- a path segment that was there before is left out, so that `/a/b/a/b/a/b` is `/a/b` at every depth;
- of the query the name stays, and values of the few parameters that choose a template (`action=quote`,
  `view=article`), when they are words; two other names or more are `*`: a list that can be sorted, filtered and paged
  by eight parameters would else be 255 families, each with a budget of its own.

The scheme is left out: http and https show the same templates. Knows no other room.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SELECTORS = "action act do op cmd task mode mod module view option page route controller method type tab section area"
SELECTORS = frozenset(_SELECTORS.split())
"""Parameters whose word-like values choose a template rather than an item."""

_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{8,}(?![0-9A-Za-z])")
# Letters of both cases and a digit, sixteen or more in a row: no word of any language, some program's key.
_TOKEN = re.compile(r"(?=[A-Za-z_]*[0-9])(?=[0-9A-Z_]*[a-z])(?=[0-9a-z_]*[A-Z])[0-9A-Za-z_]{16,}={0,2}")
_DIGITS = re.compile(r"(?<!%)(?<!%[0-9A-F])[0-9]+")  # not those of an escape
_MONTH = re.compile(
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
).fullmatch
_EXTENSION = re.compile(r"(.*)(\.[A-Za-z][A-Za-z0-9]{1,5})", re.DOTALL).fullmatch
_WORDS_APART = re.compile(r"[-_+,]|%20")
_SELECTING_VALUE = re.compile(r"[A-Za-z][A-Za-z_/.-]{0,31}").fullmatch
_ESCAPED_SCRIPT = 12
"""Escapes in a segment from which it is a title in another script: four Chinese characters, six Greek ones."""

_KEPT_PARAMETER = 128
"""Of a longer parameter the rest does not count; so the cache stays small under hostile links."""
_VALUE_DEPTH = 6
"""Path segments that are nothing but a value; the ones after these do not make another shape."""


def shape(url: str) -> str:
    """The shape of a canonical URL, as text: `example.org/forum/thread-#-*.html?page`."""
    head, _, query = url.partition("?")
    host, *segments = head.split("/")[2:]
    path: list[str] = []
    values = 0
    for segment in segments:
        text = _segment(segment) if len(segment) <= 256 else "*"
        valued = text in ("#", "*", "@")
        values += valued
        # A word again is a loop of links; values may repeat (a date has three), but not without end.
        if text and (values > _VALUE_DEPTH if valued else text in path):
            continue
        path.append(text)
    if not query:
        return f"{host}/{'/'.join(path)}"
    names = {_parameter(parameter[:_KEPT_PARAMETER]) for parameter in query.replace(";", "&").split("&")}
    plain = [name for name in names if "=" not in name]
    if len(plain) > 1:
        names = names.difference(plain) | {"*"}
    return f"{host}/{'/'.join(path)}?{'&'.join(sorted(names))}"


@lru_cache(maxsize=16384)
def _segment(segment: str) -> str:
    """The shape of one path segment."""
    if segment.isalpha():
        return "#" if _MONTH(segment.lower()) else segment
    extension = _EXTENSION(segment)
    stem, ending = (extension[1], extension[2].lower()) if extension else (segment, "")
    if stem.count("%") >= _ESCAPED_SCRIPT:
        return f"*{ending}"
    if _MONTH(stem.lower()):
        return f"#{ending}"
    for pattern in (_UUID, _TOKEN, _HEX):
        stem = pattern.sub("@", stem)
    stem = _DIGITS.sub("#", stem)
    words = _WORDS_APART.split(stem)
    return (stem if len(words) == 1 else "-".join(_titles(words))) + ending


def _titles(words: list[str]) -> list[str]:
    """Runs of words that make a title become `*`: three or more, or two beside a value, or one after a value."""
    valued = any("#" in word or "@" in word for word in words)
    found: list[str] = []
    run: list[str] = []
    after_value = False
    for word in [*words, "#"]:  # the last one only ends the last run
        if "#" not in word and "@" not in word:
            run.append(word)
            continue
        if len(run) >= (1 if after_value else 2 if valued else 3):
            found.append("*")
        else:
            found.extend(run)
        run = []
        after_value = True
        found.append(word)
    return found[:-1]


@lru_cache(maxsize=16384)
def _parameter(parameter: str) -> str:
    """The shape of `name=value`: the name, digits collapsed; with the value where it chooses a template."""
    name, _, value = parameter.partition("=")
    name = _DIGITS.sub("#", name[:64])
    if name.lower() in SELECTORS and _SELECTING_VALUE(value):
        return f"{name}={value}"
    return name
