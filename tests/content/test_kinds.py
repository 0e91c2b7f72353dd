"""The kind that a record tells: the model's word, unless the page declares another that is likely enough."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.judgement import KINDS
from nephila.content.kinds import told_kind
from nephila.document import parse


def _told(likely: dict[str, float], html: str = "") -> str:
    kinds = np.array([likely.get(name, 0) for name in KINDS], np.float32)
    return told_kind(kinds, parse(html).metadata if html else None)


@pytest.mark.parametrize(
    ("likely", "kind"),
    [
        ({"article": 0.6, "service": 0.4}, "article"),
        ({"listing": 0.24, "collection": 0.1, "service": 0.3, "article": 0.3}, "listing"),
        ({"service": 0.35, "documentation": 0.3, "article": 0.2}, "documentation"),
        ({"service": 0.45, "documentation": 0.3}, "service"),
        ({"forum": 0.9}, "thread"),
    ],
)
def test_the_kind_that_a_record_tells(likely: dict[str, float], kind: str) -> None:
    assert _told(likely) == kind


def _json(*types: str) -> str:
    return "".join(f'<script type="application/ld+json">{{"@type": "{name}"}}</script>' for name in types)


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<p>words", "article"),
        (_json("DiscussionForumPosting"), "thread"),
        ("<div itemscope itemtype='https://schema.org/QAPage'></div>", "thread"),
        ("<meta property=og:type content=product>", "product"),
        ("<meta property=og:type content=ebay-objects:item>", "product"),
        (_json("Product"), "product"),
        # A list of goods marks each, and a review the thing that it is of.
        (_json("Product", "Product"), "article"),
        (_json("Product", "NewsArticle"), "article"),
        ("<meta property=og:type content=product.group>", "listing"),
        (_json("CollectionPage"), "listing"),
        (_json("Thing"), "article"),
    ],
)
def test_what_a_page_declares_makes_a_kind_likelier(html: str, kind: str) -> None:
    assert _told({"article": 0.4, "product": 0.2, "forum": 0.1, "collection": 0.1, "service": 0.2}, html) == kind


def test_no_declaration_outweighs_what_is_plain() -> None:
    assert _told({"forum": 0.95, "article": 0.05}, _json("Article")) == "thread"
    assert _told({"article": 0.96, "product": 0.02, "service": 0.02}, _json("Product")) == "article"


def test_a_page_of_which_nothing_is_likely_has_a_kind() -> None:
    assert _told({}) in ("article", "listing", "product", "thread", "documentation", "service")
