"""What a crawl has learned of its sites, in words for a person. Knows which spaces of the memory tell something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from nephila.content.site.memory import SiteMemory
from nephila.memory import Memory

MOST = 500
_WAYS = {
    "plain": "read without a browser",
    "browser": "drawn by a browser",
    "data": "read from the data in the page",
    None: "not decided yet",
}


async def facts(memory: Memory) -> list[dict[str, Any]]:
    """By site, what is known; what cannot be read is shown by its size."""
    found = []
    for space, (what, tell) in _TOLD.items():
        for key, value in await memory.items(space):
            try:
                words = tell(value)
            except (ValueError, KeyError, TypeError, AttributeError):
                words = "cannot be read by this version"
            found.append({"site": key, "what": what, "words": words, "bytes": len(value)})
    return sorted(found, key=lambda fact: (str(fact["site"]).rpartition("//")[2], str(fact["what"])))[:MOST]


def _repeats(value: bytes) -> str:
    memory = SiteMemory.from_bytes(value)
    return f"{round(memory.pages)} pages seen, {len(memory.texts)} repeated texts, {len(memory.places)} places"


def _way(value: bytes) -> str:
    verdict = orjson.loads(value)
    return f"{_WAYS.get(verdict['way'], verdict['way'])}, {verdict['samples']} looks agree"


def _forum(value: bytes) -> str:
    model = orjson.loads(value)
    return "no forum" if not model.get("forum") else f"a forum with {len(model.get('boards') or {})} boards"


def _groups(value: bytes) -> str:
    groups = orjson.loads(value)
    return f"{len(groups)} kinds of pages, of {sum(int(each['pages']) for each in groups.values())} pages"


_TOLD: dict[str, tuple[str, Callable[[bytes], str]]] = {
    "robots": ("robots.txt", lambda value: f"kept, {len(value)} bytes"),
    "content.site": ("what repeats", _repeats),
    "content.visual": ("how it looks", lambda value: f"a model of {len(value)} bytes"),
    "render": ("way to read", _way),
    "forum": ("forum", _forum),
    "wrappers.groups": ("templates", _groups),
}
