"""Steps of instructions as texts: cut where they are numbered or on lines of their own, without numbers and markup.

Knows texts alone.
"""

from __future__ import annotations

import html
import re
from itertools import pairwise

_NUMBERED = re.compile(r"(?:[^\W\d_]{3,10}\.?\s*)?(\d{1,2})(?:\s*(?:/|of|von|de|sur)\s*\d{1,2})?\s*[.):–-]*\s*")
"""`3.`, `Step 3`, `Schritt 3/7:`."""
_INLINE_NUMBER = re.compile(
    r"(?:(?<=\s)|^)(?:(?:step|schritt|paso|passo|étape|stap|steg|krok)\s+(\d{1,2})\b|(\d{1,2})[.)])\s*[:.)-]*\s*",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<(?:br|/?(?:p|li|div|ol|ul|h[1-6]))\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


def plain(text: str) -> str:
    """Without tags and references, which some sites leave in what they say to machines; breaks become lines."""
    if "<" in text or "&" in text:
        text = html.unescape(html.unescape(_TAG.sub("", _BREAK.sub("\n", text))))
        text = _TAG.sub("", _BREAK.sub("\n", text))
    return text


def cut_steps(text: str) -> list[str]:
    """The steps that one text holds: by its lines, or by the numbers in it, from 1 on."""
    lines = [" ".join(line.split()) for line in plain(text).split("\n")]
    lines = [line for line in lines if line]
    return _by_numbers(lines[0]) if len(lines) == 1 else lines


def _by_numbers(line: str) -> list[str]:
    begins: list[re.Match[str]] = []
    for match in _INLINE_NUMBER.finditer(line):
        if int(match[1] or match[2]) == len(begins) + 1:
            begins.append(match)
    if len(begins) < 2 or begins[0].start() > 0:
        return [line]
    ends = [*(match.start() for match in begins[1:]), len(line)]
    return [line[match.end() : end].strip() for match, end in zip(begins, ends, strict=True)]


def without_numbers(items: list[str]) -> list[str]:
    """Steps without their numbers, where they are numbered one by one."""
    matches = [_NUMBERED.match(item) for item in items]
    numbers = [int(match[1]) for match in matches if match]
    rising = sum(b == a + 1 for a, b in pairwise(numbers))
    if len(numbers) < 0.7 * len(items) or rising < 0.6 * (len(numbers) - 1):
        return items
    cut = [item[match.end() :] if match else item for item, match in zip(items, matches, strict=True)]
    return [item for item in cut if item]
