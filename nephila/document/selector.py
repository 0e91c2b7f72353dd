"""CSS queries by one selector engine a thread: a tree of selectolax makes its own at its first query, for 250 us."""

from __future__ import annotations

import threading

from selectolax.lexbor import LexborCSSSelector, LexborHTMLParser, LexborNode

_here = threading.local()


def select(tree: LexborHTMLParser, query: str) -> list[LexborNode]:
    """The elements that match, in document order."""
    root = tree.root
    if root is None:
        return []
    try:
        engine: LexborCSSSelector = _here.engine
    except AttributeError:
        engine = _here.engine = LexborCSSSelector()  # type: ignore[no-untyped-call]
    return engine.find(query, root)
