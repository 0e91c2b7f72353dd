"""Small pieces of markup that the sample sites share."""

from __future__ import annotations

from html import escape
from urllib.parse import quote, urlencode

import orjson

__all__ = ["escape", "json_script", "link", "paragraphs", "quote", "with_query"]


def link(href: str, text: str, attributes: str = "") -> str:
    """An `a` element; `attributes` is markup already."""
    space = " " if attributes else ""
    return f'<a href="{escape(href)}"{space}{attributes}>{escape(text)}</a>'


def paragraphs(texts: list[str] | tuple[str, ...]) -> str:
    return "\n".join(f"<p>{escape(text)}</p>" for text in texts)


def json_script(data: object, attributes: str) -> str:
    """A script element that holds JSON; `</` cannot end it early."""
    text = orjson.dumps(data).decode().replace("</", "<\\u002f")
    return f"<script {attributes}>{text}</script>"


def with_query(path: str, **query: str | int | None) -> str:
    """`path` with the query parameters that are not None, in the order given."""
    given = {key: value for key, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path
