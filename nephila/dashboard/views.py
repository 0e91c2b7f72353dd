"""A stored page as a person may safely look at it: its text blocks, the chosen ones marked; nothing runs or loads.

Scripts, frames, forms and references are taken out, and the answer carries a policy under which a browser would not
run or fetch them either (`PAGE_POLICY`).
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from nephila.document import Document, parse
from nephila.errors import InputError
from nephila.extraction import main_content
from nephila.page import Page

PAGE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; form-action 'none'"

FIRST_MARK = "chosen"
"""Where the main text begins: a fragment of the page's address."""

_REMOVED = (
    "applet audio base embed frame frameset iframe link meta object picture script style svg template video img input"
)
_UNWRAPPED = ["form", "a", "button", "noscript", "label"]
_STYLE = (
    "<style>body{font:15px/1.5 system-ui,sans-serif;margin:1rem;background:#fff;color:#444}"
    "mark{background:#fde68a;color:#000;border-radius:2px}table{border-collapse:collapse}td,th{padding:.1rem .4rem}"
    "[hidden],[aria-hidden=true]{display:none}</style>"
)


def warm_up() -> None:
    """Loads the model: the first visitor need not wait for it."""
    marked_page(Page("", "", 200, b"<p>Nothing to see here, and yet it is a text of some words.</p>", 0.0))


def marked_page(page: Page) -> bytes:
    """HTML of the page with its main text marked."""
    try:
        document = parse(page.body, page.final_url, headers=page.headers)
    except InputError:
        return b"<!doctype html><p>This is not a page of text.</p>"
    tree = LexborHTMLParser(_with_marks(document))
    tree.strip_tags(_REMOVED.split(), recursive=True)
    tree.unwrap_tags(_UNWRAPPED, delete_empty=True)
    for node in tree.css("*"):
        for name in [
            name for name in node.attributes if name not in ("hidden", "aria-hidden", "colspan", "rowspan", "dir")
        ]:
            del node.attrs[name]
    first = tree.css_first("mark")
    if first is not None:
        first.attrs["id"] = FIRST_MARK
    body = tree.body.html if tree.body is not None else ""
    return f'<!doctype html><meta charset="utf-8">{_STYLE}{body}'.encode("utf-8", "replace")


def _with_marks(document: Document) -> bytes:
    layout = document.layout
    html = layout.markup.html
    pieces, place = [], 0
    for block in main_content(document).blocks:
        begin, end = int(layout.begin[block.index]), int(layout.end[block.index])
        if begin >= place and end > begin:
            pieces += [html[place:begin], b"<mark>", html[begin:end], b"</mark>"]
            place = end
    return b"".join([*pieces, html[place:]])
