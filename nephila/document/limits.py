"""The bounds within which a page is parsed, so that no page, however hostile, costs more than a few seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What is beyond a bound is left out, and `Document.truncated` is set. The defaults leave real pages whole."""

    max_bytes: int = 10 * 1024 * 1024
    """Bytes of the body that are looked at; the largest of 7,000 real pages had 4 MB."""
    max_nodes: int = 1_000_000
    """Nodes of the tree that are walked: about a microsecond each."""
    max_depth: int = 512
    """Containers below this depth share the one at it (browsers stop at 512 too); their text is kept."""
    max_blocks: int = 50_000
    max_links: int = 20_000
    max_attributes: int = 512
    """Attributes of one element: the parser compares each with all before it, so their cost is quadratic."""
    max_names: int = 20_000
    """Different names of elements and attributes: the parser's table of them is small, so their cost is quadratic."""
    max_parse_work: int = 100_000_000
    """Sum of the estimated depth over all tags: the parser looks up the open elements at most tags (5 ns a step)."""
    max_formatting_work: int = 500_000
    """Sum of the unclosed <b>, <font>, ... over all tags: each may be opened again, as a new node, at each tag."""
    max_metadata_bytes: int = 1024 * 1024
    """Bytes of JSON-LD of one page that are read."""
    max_metadata_depth: int = 64
    """Nesting of JSON-LD that is read."""


DEFAULT_LIMITS = Limits()
