"""The signs beside headings that link to the heading itself (¶, #, §): for who points at them, no text of the page."""

from __future__ import annotations

import re

from nephila.document import native

SIGNS = ("¶", "#", "§", "🔗", "⚓")
_SIGNS = [sign.encode() for sign in SIGNS]
_LINKED = [b">" + sign + b"</a>" for sign in _SIGNS]
_ANCHOR = re.compile(rb'(<a [^<>]*\bhref="[^"<>#]*#[^"<>]*"[^<>]*>)(?:' + b"|".join(_SIGNS) + rb")</a>")


def _has_signs(html: bytes) -> bool:
    """Whether the text of some link is a sign and nothing else."""
    found = native.has_signs(html, _SIGNS)
    return any(linked in html for linked in _LINKED) if found is None else found


def without_signs(html: bytes) -> bytes:
    """`html`, as lexbor wrote it, with such links left empty."""
    if not _has_signs(html):
        return html
    return _ANCHOR.sub(rb"\1</a>", html)
