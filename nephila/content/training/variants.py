"""The same page as another site might have made it: more pages to learn from than there are. Knows samples.

A site never seen has other names of classes, other elements around its text, other furniture, and tells machines less
or more. A variant of a training page has the text and the gold of the page and differs in these; the labels are found
anew from the gold. docs/extraction-tried.md tells what it brought.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import fields

from selectolax.lexbor import LexborHTMLParser, LexborNode
from xxhash import xxh3_64_hexdigest

from nephila.content.gold.datasets import Sample
from nephila.content.training.cuttings import LISTS, MOST_PAGE, Cutting, Cuttings, is_strange, shingles, smallest_around

Draw = random.Random

_PARTS = "div,ul,ol,section,aside,footer,header,nav,table,form,td,li,dl,p,article"
_LOOKED_AT, _REMOVED = 400, 0.02
_CHANCE = 0.03
"""Of a part that is taken out, the share that may be in the gold by chance."""
_MAIN = 0.85
"""The share of the gold that the element around the main text holds."""
_SECTIONS = re.compile(r"<(/?)(?:article|main|nav|header|footer|aside|section)\b", re.IGNORECASE)
_START_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_TELLING = re.compile(
    r"""\s(class|id|role|itemprop|itemtype|itemscope|data-[\w-]+|aria-[\w-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?""",
    re.IGNORECASE,
)


def variant(sample: Sample, cuttings: Cuttings, seed: int) -> Sample | None:
    """Another way to tell the page, the same for the same seed; None for a page without a body, or a huge one."""
    draw = Draw(f"{seed}/{sample.set}/{sample.id}")
    tree = LexborHTMLParser(sample.html) if len(sample.html) <= MOST_PAGE else None
    if tree is None or tree.body is None:
        return None
    _take_furniture(tree, sample, draw)
    _unwrap(tree, draw)
    _silence(tree, draw)
    put, comments = _put_in(tree.body, sample, cuttings, draw)
    html = tree.html or ""
    for mark, cutting in put.items():
        html = html.replace(mark, cutting.html)
    if draw.random() < 0.35:
        html = _SECTIONS.sub(r"<\1div", html)
    values = {one.name: getattr(sample, one.name) for one in fields(sample)}
    return Sample(**(values | {"html": _renamed(html, draw), "comments": comments}))


def _take_furniture(tree: LexborHTMLParser, sample: Sample, draw: Draw) -> None:
    """Parts without gold, some or many."""
    rate = draw.choice((0.0, 0.1, 0.3, 0.5))
    free = _free_of(sample)
    parts = tree.css(_PARTS)
    left = max(3, int(len(parts) * _REMOVED))
    for part in draw.sample(parts, min(len(parts), _LOOKED_AT)):
        if left and draw.random() < rate and free(part):
            part.decompose()
            left -= 1


def _free_of(sample: Sample) -> Callable[[LexborNode], bool]:
    """Whether a part holds nothing that is wanted."""
    if sample.segments_only:
        wanted = [" ".join(segment.split()) for segment in sample.wanted]
        return lambda part: not any(segment in " ".join((part.text() or "").split()) for segment in wanted)
    gold = shingles(sample.gold)
    return lambda part: is_strange(part, gold, _CHANCE)


def _unwrap(tree: LexborHTMLParser, draw: Draw) -> None:
    """Leaves out some of the elements around texts, and sometimes all headlines' own."""
    if draw.random() < 0.3:
        for node in tree.css("div,section,span,font,center"):
            if draw.random() < 0.08 and node.parent is not None:
                node.unwrap()
    if draw.random() < 0.15:
        for node in tree.css("h1"):
            node.unwrap()


def _silence(tree: LexborHTMLParser, draw: Draw) -> None:
    """Takes out what the page tells machines, and its title."""
    if draw.random() < 0.2:
        for node in tree.css("title"):
            node.decompose()
    if draw.random() < 0.35:
        for node in tree.css('meta,script[type="application/ld+json"]'):
            node.decompose()


def _put_in(body: LexborNode, sample: Sample, cuttings: Cuttings, draw: Draw) -> tuple[dict[str, Cutting], str | None]:
    """Marks where parts of other pages go, and says which; and what the page's comments are then."""
    put: dict[str, Cutting] = {}
    if sample.segments_only or sample.kind in LISTS:
        return put, sample.comments
    main = smallest_around(body, shingles(sample.gold), _MAIN)
    comments = sample.comments
    talk = [] if _is_talk(sample) else _of_others(cuttings.comments.get(sample.fold, []), sample)
    if talk and draw.random() < 0.3:
        put["@@talk@@"] = chosen = draw.choice(talk)
        _mark(body, main, "@@talk@@", draw.choices(("after", "inside", "last"), (5, 3, 2))[0])
        comments = chosen.text if comments is None else f"{comments}\n{chosen.text}"
    furniture = _of_others(cuttings.furniture.get((sample.fold, sample.lang), []), sample)
    if furniture and draw.random() < 0.5:
        for number in range(draw.choice((1, 1, 2, 3))):
            mark = f"@@part{number}@@"
            put[mark] = draw.choice(furniture)
            _mark(body, main, mark, draw.choices(("after", "before", "last", "first"), (6, 4, 5, 5))[0])
    return put, comments


def _is_talk(sample: Sample) -> bool:
    """Pages whose readers' words are the text, and those in other languages than the comments at hand."""
    return sample.kind == "forum" or bool(sample.posts) or sample.lang not in (None, "en")


def _of_others(cuttings: list[Cutting], sample: Sample) -> list[Cutting]:
    return [cutting for cutting in cuttings if cutting.site != sample.site]


def _mark(body: LexborNode, main: LexborNode, mark: str, where: str) -> None:
    outside = main.tag != "body"
    if where == "after" and outside:
        main.insert_after(mark)
    elif where == "before" and outside:
        main.insert_before(mark)
    elif where == "inside":
        main.insert_child(mark)
    elif where == "first" and body.child is not None:
        body.child.insert_before(mark)
    else:
        body.insert_child(mark)


def _renamed(html: str, draw: Draw) -> str:
    """The page with its names, without, with half of them, or with names that say nothing, as programs make them."""
    way = draw.choices(("same", "none", "hashed", "half"), (45, 20, 20, 15))[0]
    if way == "same":
        return html
    if way == "hashed":
        key = str(draw.random())
        return _START_TAG.sub(lambda tag: _TELLING.sub(lambda name: _hashed(name, key), tag.group()), html)
    share = 1.0 if way == "none" else 0.5
    return _START_TAG.sub(lambda tag: _TELLING.sub("", tag.group()) if draw.random() < share else tag.group(), html)


def _hashed(attribute: re.Match[str], key: str) -> str:
    name, value = attribute.group(1, 2)
    if name.lower() not in ("class", "id") or not value:
        return ""
    hashes = [xxh3_64_hexdigest((word + key).encode("utf-8", "replace")) for word in value.strip("\"'").split()]
    words = [f"x{digest[:6]}" for digest in hashes]
    return f' {name}="{" ".join(words)}"'
