"""Step 1: the page's body as lines, without noisy tags. Knows HTML only.

The paper takes the source's lines. Pages of today have few line breaks, so a line is a block-level run of text in the
order of the document; `<br>` ends one as well.
"""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from nephila.document import Document

MOST_NODES = 1_000_000

# Deleted with their content (step 1). `image` and `img` are one element to an HTML parser. Links are deleted from the
# text, but counted: LinkNum is a feature.
_NOISY_NAMES = (
    "script noscript style meta param button select optgroup option label textarea fieldset legend input map area form "
    "iframe embed object svg template head title"
)
_BLOCK_NAMES = (
    "html body address article aside blockquote br caption center dd details dialog div dl dt figcaption figure footer "
    "frameset h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
)
NOISY = frozenset(_NOISY_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())


@dataclass(slots=True)
class Line:
    """A block-level run of text with what the features count."""

    text: str
    html_bytes: int
    """Bytes of the line's HTML: its text and its tags."""
    links: int
    images: int


@dataclass(slots=True)
class _Run:
    texts: list[str]
    markup: int = 0
    links: int = 0
    images: int = 0

    def line(self) -> Line | None:
        text = " ".join("".join(self.texts).split())
        if not text and not self.links and not self.images:
            return None  # blank lines go
        return Line(text, self.markup + len(text.encode()), self.links, self.images)


def lines_of(document: Document, keep_links: bool = False) -> list[Line]:
    """The lines of the page's body. `keep_links` leaves the words of links in the text: the paper deletes them."""
    body = document.tree.body
    if body is None:
        return []
    lines: list[Line] = []
    run = _Run([])
    stack: list[LexborNode | None] = [body]
    visited = 0
    # Not recursive: hostile pages nest deeper than Python's stack. A None on the stack is the end of a block.
    while stack and visited < MOST_NODES:
        node = stack.pop()
        visited += 1
        tag = node.tag if node is not None else None
        if node is None or tag in _BLOCKS:
            line = run.line()
            if line is not None:
                lines.append(line)
            run = _Run([])
        if node is None or tag is None:
            continue
        if tag == "-text":
            run.texts.append(node.text_content or "")
            continue
        if tag in NOISY or tag.startswith(("-", "_")):
            continue
        run.markup += _tag_bytes(tag, node)
        if tag == "img":
            run.images += 1
        elif tag == "a":
            run.links += 1
            if not keep_links:
                continue
        if tag in _BLOCKS:
            stack.append(None)
        stack.extend(reversed(list(node.iter(include_text=True))))
    last = run.line()
    return [*lines, last] if last else lines


def _tag_bytes(tag: str, node: LexborNode) -> int:
    attributes = sum(len(name) + len(value or "") + 4 for name, value in node.attributes.items())
    return 2 * len(tag) + 5 + attributes
