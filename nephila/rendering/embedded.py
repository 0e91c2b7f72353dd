"""Text that a page carries as data (`__NEXT_DATA__`, JSON-LD, `window.state = {...}`), read without a browser.

One drawn sample shows which strings of the data become text on the screen. Their places in the data are the rule for
the other pages of the group: what stands there is written into the page's markup, where every reader of pages finds it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urljoin

import orjson

from nephila.document import Document

_ASSIGNED = re.compile(
    rb"(?:window|self|globalThis)\s*(?:\.\s*([A-Za-z_$][\w$]{0,80})|\[\s*[\"']([\w$]{1,80})[\"']\s*\])\s*=\s*(?=[{\[])"
)
_MAX_DATA = 4 * 2**20
_MAX_LEAVES = 50_000
_MAX_DEPTH = 60
_MAX_ASSIGNED = 8
_SPACE = re.compile(r"\s+")
_MARKUP = re.compile(r"<[a-zA-Z!/][^<>]*>")
_TITLE = re.compile(rb"<title[^>]*>.*?</title>", re.IGNORECASE | re.DOTALL)
_BODY_END = re.compile(rb"</body\s*>", re.IGNORECASE)
_LONG_TEXT = 25
"""Characters from which a string that stands inside a longer text on the screen was surely its source."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A string of the data, and its place: keys joined by `/`, every index of a list as `*`."""

    path: str
    text: str


def leaves(document: Document, body: bytes) -> list[Leaf]:
    """All strings of the page's data, in their order; within bounds."""
    found: list[Leaf] = []
    for number, (name, data) in enumerate(_data(document, body)):
        for leaf in _walk(data, f"{name}:{number}" if name == "json" else name, 0):
            found.append(leaf)
            if len(found) >= _MAX_LEAVES:
                return found
    return found


def _data(document: Document, body: bytes) -> Iterator[tuple[str, Any]]:
    for kind, text in document.data:
        if len(text) <= _MAX_DATA:
            try:
                yield "ld" if "ld+json" in kind else "json", orjson.loads(text)
            except orjson.JSONDecodeError:
                continue
    decoder = json.JSONDecoder()
    for number, found in enumerate(_ASSIGNED.finditer(body)):
        if number >= _MAX_ASSIGNED:
            return
        text = body[found.end() : found.end() + _MAX_DATA].decode("utf-8", "replace")
        try:
            value, _ = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            continue
        yield f"window.{(found[1] or found[2]).decode()}", value


def _walk(value: Any, path: str, depth: int) -> Iterator[Leaf]:
    if isinstance(value, str):
        if value and not value.isspace():
            yield Leaf(path, value)
    elif depth < _MAX_DEPTH:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from _walk(inner, f"{path}/{key}", depth + 1)
        elif isinstance(value, list):
            for inner in value:
                yield from _walk(inner, f"{path}/*", depth + 1)


def learn(plain: Document, body: bytes, drawn: Document) -> tuple[str, ...]:
    """The places whose strings are shown on the drawn page, each with what it is there: `h1`, `p`, `li`, `a`."""
    blocks = {_folded(block.text): block.container.tag for block in drawn.blocks}
    screen = "\n".join(blocks)
    links = {link.url for link in drawn.links}
    uses: dict[str, dict[str, int]] = {}
    for leaf in leaves(plain, body):
        use = _use(leaf.text, blocks, screen, links, plain.url or "")
        places = uses.setdefault(leaf.path, {})
        places[use] = places.get(use, 0) + 1
    rules = []
    for path, places in uses.items():
        unseen = places.pop("", 0)
        # A place whose strings mostly stay unseen is not text of the page (ids, other pages' teasers).
        if places and sum(places.values()) > unseen:
            rules.append(f"{max(places, key=lambda use: places[use])} {path}")
    return tuple(rules)


def _use(text: str, blocks: dict[str, str], screen: str, links: set[str], base: str) -> str:
    folded = _folded(text)
    tag = blocks.get(folded)
    if tag is not None:
        return tag if re.fullmatch("h[1-6]|li|p", tag) else "p"
    if _MARKUP.search(text):
        return "p" if _is_shown(text, screen) else ""
    if len(folded) >= _LONG_TEXT and folded in screen:
        return "p"
    if len(text) < 2000 and not _SPACE.search(text) and ("/" in text or "." in text) and _joined(base, text) in links:
        return "a"
    return ""


def _is_shown(markup: str, screen: str) -> bool:
    """Whether most of the longer texts of a string with markup in it stand on the screen."""
    pieces = [_folded(piece) for piece in _MARKUP.split(markup)]
    long = [piece for piece in pieces if len(piece) >= _LONG_TEXT]
    return sum(piece in screen for piece in long) * 2 > len(long)


def _joined(base: str, text: str) -> str:
    try:
        return urljoin(base, text)
    except ValueError:
        return ""


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def with_data(document: Document, body: bytes, rules: tuple[str, ...]) -> bytes | None:
    """The page with the text of its data in its markup; None when it has none of it."""
    uses = {path: use for use, _, path in (rule.partition(" ") for rule in rules)}
    parts: list[str] = []
    seen: set[tuple[str, str]] = set()
    title = None
    for leaf in leaves(document, body):
        use = uses.get(leaf.path)
        if use is None or (use, leaf.text) in seen:
            continue
        seen.add((use, leaf.text))
        if use == "h1" and title is None:
            title = leaf.text
        parts.append(_element(use, leaf.text))
    if not parts:
        return None
    added = f"\n<main>{''.join(parts)}</main>\n".encode("utf-8", "xmlcharrefreplace")
    encoding = document.encoding if document.encoding != "utf-8" else None
    if encoding is not None:
        added = added.decode("utf-8").encode(encoding, "xmlcharrefreplace")
    if title is not None:
        head = f"<title>{escape(title)}</title>".encode(encoding or "utf-8", "xmlcharrefreplace")
        body = _TITLE.sub(lambda _: head, body, count=1)
    ends = list(_BODY_END.finditer(body))
    at = ends[-1].start() if ends else len(body)
    return body[:at] + added + body[at:]


def _element(use: str, text: str) -> str:
    if use == "a":
        return f'<a href="{escape(text)}"></a>'
    if _MARKUP.search(text):  # one place may hold both, as a list of parts of a story does
        return f"<div>{text}</div>"
    return f"<{use}>{escape(text)}</{use}>"
