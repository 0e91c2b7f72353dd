"""Quotes inside a post: which blocks are somebody else's words, and whose. Knows trees of pages only."""

from __future__ import annotations

import re
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
_CJK = re.compile(r"^\W*(?P<name>[^\n]{1,40}?)\s*(?:写道|說|说|さんは|さん)\s*[:：]?\s*(?:\n|$)")
_MENTION = re.compile(r"^@(?P<name>[^\n:：]{1,40}?)\s*[:：]?\s*\n")
_LABEL = re.compile(r"^\W*(?:quote|zitat|citation|cita|citazione|цитата|引用|spoiler)\s*[:：]?\s*$", re.IGNORECASE)


@dataclass(slots=True)
class Quote:
    author: str | None
    text: str


def part_quotes(tree: PageTree, body: Node | None, numbers: Sequence[int]) -> tuple[list[int], list[Quote]]:
    """The blocks that are the writer's own, and the quotes."""
    if body is None:
        return list(numbers), []
    spans = [(node.start, node.stop) for node in _quotes_in(body)]
    if not spans:
        return list(numbers), []
    own: list[int] = []
    inside: dict[int, list[str]] = {}
    texts, begins = tree.document.layout.texts, tree.block_begins
    for number in numbers:
        place = begins[number]
        holder = next((i for i, (low, high) in enumerate(spans) if low <= place < high), None)
        if holder is None:
            own.append(number)
        else:
            inside.setdefault(holder, []).append(texts[number])
    quotes = [_quote(inside[i]) for i in sorted(inside)]
    return _without_labels(own, texts, begins, spans), quotes


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


def _quote(lines: list[str]) -> Quote:
    """The first lines of a quote may name whom it quotes."""
    text = "\n".join(lines)
    first = lines[0]
    if _LABEL.match(first) and len(lines) > 1:
        text = "\n".join(lines[1:])
    for shape in (_WROTE, _FROM, _CJK, _MENTION):
        match = shape.match(text)
        if match is not None and any(map(str.isalnum, match["name"])):
            return Quote(match["name"].strip(" @\"'“”«»:："), text[match.end() :].strip())
    return Quote(None, text)


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
