"""Any bytes as a page of a template: it is outlined, grouped, learned from and read, and every rule can be written out.

python -m tests.wrappers.fuzz_pages [seconds]
"""

from __future__ import annotations

import contextlib

from nephila.document import parse
from nephila.errors import InputError
from nephila.wrappers.cards import read_listing
from nephila.wrappers.groups import similarity, sketch
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.noise import NoiseFilter
from nephila.wrappers.outline import Outline
from nephila.wrappers.roadrunner import MismatchError, expression, induce_pair
from nephila.wrappers.sections import find_items
from nephila.wrappers.structured import structured_facts, typed_facts
from nephila.wrappers.template import Template
from tests.fetch.fuzzing import main
from tests.wrappers.pages import albums, listing, page, redesigned

_ALBUMS = albums(4)
_KNOWN = [parse(page(album, json_ld=True), "https://groove.example/") for album in _ALBUMS]
_LESSONS = [Lesson(Outline(document), *structured_facts(document)) for document in _KNOWN]
_TEMPLATE = learn(_LESSONS, "groove.example", "t-1")

SEEDS = [
    page(_ALBUMS[0], json_ld=True, promotion=True).encode(),
    redesigned(_ALBUMS[1]).encode(),
    listing(_ALBUMS).encode(),
    b'<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>x</b><span>$12.</span><sup>99</sup></div>',
    b'<meta property="og:type" content="product"><meta property="product:price:amount" content="1,5">',
    b'<div vocab="https://schema.org/" typeof="Book"><i property="isbn">9780306406157</i></div>',
    b'<script type="application/ld+json">{"@type":"Recipe","recipeInstructions":[{"text":"a"}],"offers":{}}</script>',
]


def target(data: bytes) -> None:
    with contextlib.suppress(InputError):
        _look(data)


def _look(data: bytes) -> None:
    document = parse(data, "https://groove.example/p")
    outline = Outline(document)
    count = len(outline.tags)
    assert len(outline.texts) == len(outline.owner) == len(outline.attribute)
    assert all(0 <= owner < count for owner in outline.owner)
    spans = enumerate(zip(outline.parent, outline.end, strict=True))
    assert all(parent < number < end <= count for number, (parent, end) in spans)
    NoiseFilter().noise(outline)
    sketch(outline)
    kind, facts = structured_facts(document)
    typed_facts(kind, facts, document.base_url)
    read_listing(document, outline)
    find_items(outline, "recipeIngredient")
    _TEMPLATE.read(outline)
    learned = learn([*_LESSONS[:3], Lesson(outline, kind, facts)], "groove.example", "t-1")
    again = Template.from_dict(learned.to_dict())
    assert again.read(outline).values == learned.read(outline).values
    assert 0.0 <= similarity(document, _KNOWN[0]) <= 1.0
    with contextlib.suppress(MismatchError):
        expression(induce_pair(document, _KNOWN[0]))


if __name__ == "__main__":
    main(target, SEEDS)
