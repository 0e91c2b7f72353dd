"""What kind of page it is, as a record tells it: the model's word, and what the page declares itself to be.

Pages declare their kind in JSON-LD, microdata and OpenGraph, where they do. That is believed more than the model, not
blindly: templates call every page an article, or a shop's front page a product.
"""

from __future__ import annotations

from nephila.content.features.page import Floats
from nephila.content.judgement import KINDS
from nephila.document import Metadata

_NAMES = ("article", "listing", "listing", "product", "thread", "documentation", "service")
"""What a record calls each of `KINDS`."""
_THINGS, _LIKELY_THING = ("product", "service"), 0.4

# How much likelier a kind is where the page declares it. Held out (`wcxb_dev`, benchmarks/content_kinds.py), of pages
# that declare these, so many are of the kind: threads 48 of 48, goods in OpenGraph 37 of 41, articles 262 of 276.
_THREADS = frozenset(("DiscussionForumPosting", "QAPage"))
_GOODS = frozenset(("Product", "ProductGroup", "IndividualProduct", "ProductModel", "ItemPage"))
_INDEXES = frozenset(("CollectionPage", "SearchResultsPage", "OfferCatalog"))
_ARTICLES = frozenset(("BlogPosting", "LiveBlogPosting", "Report", "Review", "Recipe"))
_SURE, _FAIRLY = 30.0, 8.0
_NONE = ("",)


def told_kind(kinds: Floats, metadata: Metadata | None = None) -> str:
    """The likeliest kind by the name that a record tells; a page of things only when that is likely by itself."""
    likely = kinds.tolist()
    for kind, times in declared_kinds(metadata) if metadata is not None else ():
        likely[KINDS.index(kind)] *= times
    told: dict[str, float] = {}
    for name, one in zip(_NAMES, likely, strict=True):
        told[name] = told.get(name, 0.0) + one
    order = sorted(told, key=told.__getitem__, reverse=True)
    # An index that is neither surely a listing nor anything else must not found rules for records.
    return next((name for name in order if name not in _THINGS or told[name] >= _LIKELY_THING), order[0])


def declared_kinds(metadata: Metadata) -> list[tuple[str, float]]:
    """The kinds that the page says it is of, and how much likelier each is for it."""
    found = []
    graph = metadata.meta.get("og:type", _NONE)[0].lower()
    if graph == "product.group":
        found.append(("collection", _SURE))
    elif graph.startswith("product") or graph.endswith((":product", ":item")):
        found.append(("product", _SURE))
    types = metadata.types
    if not types:
        return found
    if not _THREADS.isdisjoint(types):
        found.append(("forum", _SURE))
    if not _ARTICLES.isdisjoint(types) or any(name.endswith("Article") for name in types):
        found.append(("article", _FAIRLY))
    # A list of goods marks each of them.
    if sum(name in _GOODS for name in types) == 1:
        found.append(("product", _FAIRLY))
    if not _INDEXES.isdisjoint(types):
        found.append(("collection", _FAIRLY))
    return found
