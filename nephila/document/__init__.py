"""Bytes of a page -> `Document`, by one parse: blocks of text, links, metadata.

    body ──encoding──▶ UTF-8 ──guard──▶ what the parser can afford ──lexbor──▶ tree ──▶ markup ──layout──▶ texts
                                               (when asked for) blocks, containers, links, metadata ◀──────┘

`parse` is the door, `Document` what comes out; `plain_text` is the text by plain rules. The unit of everything after
is the `Block`, a run of text between two block-level boundaries, which stands in a `Container`. The room takes bytes
and knows neither the network nor the crawl; what a page may cost is bounded by `Limits`.
"""

from nephila.document.blocks import Block, Container
from nephila.document.document import Document, parse
from nephila.document.encoding import Decoded, decode
from nephila.document.limits import Limits
from nephila.document.links import Link, Relations
from nephila.document.markup import attributes_of, unescape
from nephila.document.metadata import Metadata
from nephila.document.tags import Flag
from nephila.document.text import plain_text

__all__ = [
    "Block",
    "Container",
    "Decoded",
    "Document",
    "Flag",
    "Limits",
    "Link",
    "Metadata",
    "Relations",
    "attributes_of",
    "decode",
    "parse",
    "plain_text",
    "unescape",
]
