"""What the rows of boards said when they were last seen, so that only what changed is fetched again.

A row tells of its thread by the date and the address of its last post, else by its counts. Views count up by
themselves, most of all by a crawl: of two counts or more, the largest is left out. Knows the memory and readings.
"""

from __future__ import annotations

import re
from typing import Any

import orjson
from xxhash import xxh3_64_intdigest

from nephila.forum.archive import Archive
from nephila.forum.model import Key, Role
from nephila.forum.outline import Row
from nephila.forum.reading import Kind
from nephila.forum.way import EARLY, META, Guided, Way
from nephila.memory import Memory
from nephila.urls import host_key

SPACE = "forum-rows"
_KEPT = 5000
"""Rows kept of a board; a thread that nobody has answered for longer than that is not expected to change."""
_COUNT = re.compile(r"(?<![\d.,:/-])(\d{1,3}(?:[.,]\d{3})+|\d+)(?![\d.,:/-]|\w)")


class RowFacts:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def sift(self, guided: Guided, archive: Archive) -> list[Way]:
        """The ways of a list's page without what has not changed since; a thread that has is taken up at its end."""
        if guided.reading.kind is not Kind.LIST or guided.key is None:
            return [way for way in guided.ways if EARLY not in way.meta.get(META, {})]
        host = host_key(guided.reading.outline.url)
        rows = {row.anchor.url: row for row in guided.reading.rows}
        told = {way.meta[META]["k"]: digest(rows[way.url]) for way in guided.ways if _is_row(way, rows)}
        before = await self._exchange(host, guided.key, told)
        ways = []
        changed = 0
        for way in guided.ways:
            known = before.get(way.meta[META].get("k", "")) if _is_row(way, rows) else None
            if known is None:
                if EARLY not in way.meta.get(META, {}):
                    ways.append(way)
                    changed += _is_row(way, rows)
            elif known != told[way.meta[META]["k"]]:
                ways.append(await _again(way, host, told[way.meta[META]["k"]], archive, guided.run))
                changed += 1
        if before and told and not changed:
            # Nothing new on this page of the board: nor is there on those behind it.
            ways = [way for way in ways if not _is_page(way, guided.key)]
        return ways

    async def _exchange(self, host: str, board: Key, told: dict[str, int]) -> dict[str, int]:
        """Notes what the rows say now; gives what they said before."""
        before: dict[str, int] = {}

        def change(data: bytes | None) -> bytes:
            known: dict[str, Any] = orjson.loads(data) if data else {}
            before.clear()
            before.update({thread: known[thread] for thread in told if thread in known})
            for thread, facts in told.items():
                known.pop(thread, None)
                known[thread] = facts
            for thread in list(known)[: max(0, len(known) - _KEPT)]:
                del known[thread]
            return orjson.dumps(known)

        await self._memory.update(SPACE, f"{host} {board.name}", change)
        return before


def _is_row(way: Way, rows: dict[str, Row]) -> bool:
    told = way.meta.get(META, {})
    return way.url in rows and "k" in told and bool(rows[way.url].facts)


def _is_page(way: Way, board: Key) -> bool:
    name = way.meta.get(META, {}).get("k", "")
    return bool(name.startswith(f"{board.role}:{board.name}:"))


async def _again(way: Way, host: str, facts: int, archive: Archive, run: int | None) -> Way:
    """The same thread once more, from the last page that was seen of it, under an identity of its own."""
    role, _, rest = way.meta[META]["k"].partition(":")
    name = rest.rpartition(":")[0]
    if role == Role.BOARD and run is not None:
        return Way(way.url, way.priority, f"{way.identity}@{run}", way.modified, {META: {**way.meta[META], "r": run}})
    meta = {**way.meta[META], "r": 1}
    url = way.url
    if role == Role.THREAD and (last := await archive.last_page(host, name)) is not None:
        url = last[1]
        meta["k"] = f"{role}:{name}:{last[0]}"
    return Way(url, way.priority, f"{way.identity}@{facts:x}", way.modified, {META: meta})


def digest(row: Row) -> int:
    """What the row says of its thread's last change."""
    links, dates = sorted(row.links), sorted(part for part in row.facts.split(" | ") if _is_date(part))
    if links or dates:
        text = "\n".join([*links, *dates])
    else:
        counts = _counts(row.facts)
        text = " ".join(map(str, sorted(counts)[:-1] if len(counts) > 1 else counts))
    return xxh3_64_intdigest(text.encode()) >> 1


def largest_count(row: Row) -> int:
    """Of what the row counts: posts, views."""
    return max(_counts(_DATES.sub(" ", row.facts)), default=0)


_DATES = re.compile(r"\d+(?:[:./-]\d+)+|\b(?:19|20)\d\d\b")


def _is_date(part: str) -> bool:
    return ":" in part or re.search(r"\d{4}", part) is not None


def _counts(text: str) -> list[int]:
    return [int(re.sub(r"[.,]", "", count)) for count in _COUNT.findall(text)]
