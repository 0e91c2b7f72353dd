"""Quotes inside a post: which blocks are somebody else's words, and whose. Knows trees of pages only."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from nephila.forum.tree import Node, PageTree

_QUOTE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:\w*quote\w*|quotation|zitat|citation|citado|цитата)(?:$|[\s_-])", re.IGNORECASE
)
_NOT_QUOTE = re.compile(r"(?:un|no)quote|quote-?(?:button|link|reply|control)|multiquote", re.IGNORECASE)
_BLOCKS = frozenset({"div", "blockquote", "table", "fieldset", "section", "aside", "dl", "details", "article", "q"})
_WROTE = re.compile(
    r"^\W*(?P<name>[^\n:]{1,60}?)\s+(?:wrote|said|writes|says|posted|schrieb|hat geschrieben|meinte|a écrit|a dit|"
    r"escribió|dijo|ha scritto|escreveu|schreef|napisał\w*|написал\w*|пишет|сказал\w*)\b[^\n]{0,60}?[:：]?\s*(?:\n|$)",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"^\W*(?:originally posted by|quote from|quoting|zitat von|quelle|citation de|cita de|citando a|citazione di|"
    r"цитата|引用|quote)\s*[:：]?\s*(?P<name>[^\n]{1,60}?)\s*(?:[:：»]|\bon\b[^\n]*|\bam\b[^\n]*|\n|$)",
    re.IGNORECASE,
)
_CJK = re.compile(
    r"^\W*(?P<name>[^\n]{1,40}?)\s*(?:写道|說|说|さんは|さん|(?:发表|發表|发布|發佈)于[^\n]{0,30})\s*[:：]?\s*(?:\n|$)"
)
_COLON = re.compile(r"^@?(?P<name>[^\n:：]{1,40}?)\s*[:：]\s*(?:\n|$)")
_MENTION = re.compile(r"^@(?P<name>[^\n:：]{1,40}?)\s*\n")
_SHAPES = (_FROM, _WROTE, _CJK, _COLON, _MENTION)
_LABEL = re.compile(r"^\W*(?:quote|zitat|citation|cita|citazione|цитата|引用|spoiler)\s*[:：]?\s*$", re.IGNORECASE)
_HEAD = re.compile(r"cite|citation|header|title|author|posted-?by|user|attribution", re.IGNORECASE)
_TOLD = re.compile(r"user|author|name|quote", re.IGNORECASE)
_WHEN = re.compile(r"\([^)]*\d[^)]*\)|^\W*(?:on|am|le|el|il)\s[^,]*\d[^,]*(?:,[^,]*\d[^,]*)?,", re.IGNORECASE)
"""When it was said, before the name."""
_TAG = re.compile(rb"<[^>]*>")
_LONGEST_HEAD, _LONGEST_NAME = 160, 48


@dataclass(slots=True)
class Quote:
    author: str | None
    text: str


def part_quotes(tree: PageTree, body: Node | None, numbers: Sequence[int]) -> tuple[list[int], list[Quote]]:
    """The blocks that are the writer's own, and the quotes."""
    if body is None:
        return list(numbers), []
    nodes = _quotes_in(body)
    spans = [(node.start, node.stop) for node in nodes]
    if not spans:
        return list(numbers), []
    own: list[int] = []
    inside: dict[int, list[str]] = {}
    texts, begins = tree.document.layout.texts, tree.block_begins
    for number in numbers:
        holder = bisect_right(spans, (begins[number], sys.maxsize)) - 1  # they are in order, none in another
        if holder < 0 or begins[number] >= spans[holder][1]:
            own.append(number)
        else:
            inside.setdefault(holder, []).append(texts[number])
    quotes = _joined([(nodes[i], inside[i]) for i in sorted(inside)], own, begins)
    return _without_labels(own, texts, begins, spans), quotes


def _joined(found: list[tuple[Node, list[str]]], own: Sequence[int], begins: Sequence[int]) -> list[Quote]:
    """The quotes; a head in an element of its own goes with the one that follows it."""
    quotes: list[Quote] = []
    before: Node | None = None
    for node, lines in found:
        quote = _quote(node, lines)
        headed = before is not None and not any(before.stop <= begins[number] < node.start for number in own)
        if quotes and headed and quotes[-1].author and not quotes[-1].text and quote.author is None:
            quotes[-1].text = quote.text
        else:
            quotes.append(quote)
        before = node
    return quotes


def _quotes_in(body: Node) -> list[Node]:
    found: list[Node] = []
    for node in body.walk():
        if node is body or (found and node.start < found[-1].stop):
            continue
        if node.name == "blockquote" or (node.name in _BLOCKS and _named(node)):
            found.append(node)
    return found


def _named(node: Node) -> bool:
    words = f"{node.attributes.get('class', '')} {node.attributes.get('data-type', '')}"
    return bool(_QUOTE_CLASS.search(words)) and not _NOT_QUOTE.search(words)


def _quote(node: Node, lines: list[str]) -> Quote:
    """Whom it quotes is told by an element at its beginning, by its first line, or by an attribute."""
    text = "\n".join(lines[1:] if _LABEL.match(lines[0]) and len(lines) > 1 else lines)
    head = _head(node)
    name = _name_in(head) if head is not None else None
    if head is not None and name is not None:
        return Quote(name, _behind(text, head.text))
    for shape in _SHAPES:
        match = shape.match(text)
        if match is not None and any(map(str.isalnum, match["name"])):
            return Quote(_clean(match["name"]), text[match.end() :].strip())
    return Quote(_told(node), text)


def _head(node: Node) -> Node | None:
    """The element that a quote begins with, if it is called so."""
    for inner in node.walk():
        if inner is node or not inner.text:
            continue
        if _TAG.sub(b"", node.page.html[node.tag_stop : inner.start]).strip():
            return None
        called = f"{inner.attributes.get('class', '')} {inner.name}"
        if len(inner.text) <= _LONGEST_HEAD and len(inner.text) < len(node.text) and _HEAD.search(called):
            return inner
    return None


def _name_in(head: Node) -> str | None:
    for inner in head.walk():
        text = inner.text
        alone = inner is not head and inner.name in ("a", "strong", "b") and text != head.text
        if alone and 0 < len(text) <= _LONGEST_NAME and any(map(str.isalnum, text)):
            return _clean(text)
    text = _WHEN.sub("", head.text).strip()
    for shape in _SHAPES:
        match = shape.match(text)
        if match is not None and any(map(str.isalnum, match["name"])):
            return _clean(match["name"])
    return None


def _told(node: Node) -> str | None:
    for name, value in node.attributes.items():
        if name.startswith("data-") and _TOLD.search(name) and 0 < len(value) <= _LONGEST_NAME and not value.isdigit():
            return value
    return None


def _clean(name: str) -> str:
    return name.strip(" @\"'“”«»:：")


def _behind(text: str, head: str) -> str:
    """What follows the head's letters."""
    left = "".join(head.split())
    for place, letter in enumerate(text):
        if not left:
            return text[place:].strip()
        if not letter.isspace():
            if letter != left[0]:
                return text
            left = left[1:]
    return "" if not left else text


def _without_labels(
    own: list[int], texts: Sequence[str], begins: Sequence[int], spans: list[tuple[int, int]]
) -> list[int]:
    """Leaves out a line such as "Quote:" or "Anna wrote:" right before a quote."""
    kept = []
    for index, number in enumerate(own):
        following = own[index + 1] if index + 1 < len(own) else None
        before_quote = any(begins[number] < low and (following is None or begins[following] > low) for low, _ in spans)
        text = texts[number]
        if (
            before_quote
            and len(text) < 80
            and (_LABEL.match(text) or (_WROTE.match(text) and text.endswith((":", "："))))
        ):
            continue
        kept.append(number)
    return kept
