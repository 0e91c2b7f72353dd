"""The signs beside headings that link to the heading itself (¶, #, §): for who points at them, no text of the page."""

from __future__ import annotations

import re

_SIGNS = [sign.encode() for sign in ("¶", "#", "§", "🔗", "⚓")]
_LINKED = [b">" + sign + b"</a>" for sign in _SIGNS]
_ANCHOR = re.compile(rb'(<a [^<>]*\bhref="[^"<>#]*#[^"<>]*"[^<>]*>)(?:' + b"|".join(_SIGNS) + rb")</a>")


def without_signs(html: bytes) -> bytes:
    """`html`, as lexbor wrote it, with such links left empty."""
    if not any(linked in html for linked in _LINKED):
        return html
    return _ANCHOR.sub(rb"\1</a>", html)
