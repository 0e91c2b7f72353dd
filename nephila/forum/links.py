"""Which links of a forum's page are followed, in which order, under which identity.

Titles of boards and threads, the other pages of the same list or thread, the way up, and, when all else is done, a few
that may lead to boards which no list has named. Knows readings and models, nothing of frontier or fetching.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nephila.forum.actions import changes_state, leads_away, surely_changes_state
from nephila.forum.learning import EXPLORED, PAGE, TITLE, UP
from nephila.forum.model import Key, Role, SiteModel
from nephila.forum.naming import board_path
from nephila.forum.outline import Anchor, Row
from nephila.forum.reading import Kind
from nephila.forum.rowfacts import largest_count
from nephila.forum.seen import Seen
from nephila.forum.skipped import Skipped
from nephila.forum.turns import is_no_title
from nephila.forum.way import (
    AGAIN,
    BOARD,
    CANDIDATE,
    EARLY,
    EXPLORE,
    META,
    OTHER,
    THREAD,
    UPWARDS,
    Guided,
    Way,
    identity_of,
)
from nephila.urls import host_key

_LIKELY = 3
"""Priority of what may be a thread on a site that may be a forum: before all else, unless it was tried in vain."""
_AT_FIRST = 2
_SAMPLES = 5
"""Titles of a list that are tried before the site is known for a forum."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads: its own address, or that of the first page of what it leads into."""

    anchor: Anchor
    url: str
    key: Key


def _from_the_first(model: SiteModel, anchor: Anchor, key: Key) -> Target:
    first = model.first_page(anchor.url)
    own = model.key(first) if first is not None else None
    if first is None or own is None or (own.role, own.name, own.page) != (key.role, key.name, 1):
        return Target(anchor, anchor.url, key)
    return Target(anchor, first, own)


class Links:
    def __init__(self, skipped: Skipped, seen: dict[str, Seen]) -> None:
        self._skipped = skipped
        self._seen = seen

    def choose(self, guided: Guided, model: SiteModel, told: Mapping[str, Any]) -> None:
        """Fills the ways that lead on from a page."""
        reading = guided.reading
        board = board_path(guided, model, told)
        facts = {id(row.anchor): row for row in reading.rows}
        most = len(reading.outline.anchors) if model.forum else _SAMPLES
        candidates = {
            id(anchor): CANDIDATE if model.forum else _promise(model, group.pattern, anchor.url, turn)
            for group in reading.candidates
            for turn, anchor in enumerate(_fullest_first(group.anchors, facts)[:most])
        }
        crumbs = {id(anchor) for anchor in reading.outline.crumbs}
        for anchor in reading.outline.anchors:
            key = model.key(anchor.url)
            row = facts.get(id(anchor))
            if (
                key is not None
                and guided.key is not None
                and (key.role, key.name) == (guided.key.role, guided.key.name)
            ):
                continue  # a page of this same list or thread: see below
            if key is not None and model.is_between(anchor.url):
                continue
            if key is not None:
                # Inside posts too: what somebody points at may stand in no list that is shown.
                if key.page == 1:
                    self._add(guided, model, Target(anchor, anchor.url, key), row, board)
                elif row is not None:
                    # A member's rows may lead to where the member stopped reading.
                    self._add(guided, model, _from_the_first(model, anchor, key), row, board)
            elif id(anchor) in candidates:
                if not surely_changes_state(anchor.url) and not is_no_title(anchor.url, model):
                    priority = candidates[id(anchor)]
                    modified = row.modified if row is not None else None
                    guided.ways.append(Way(anchor.url, priority, None, modified, self._meta(TITLE, anchor, board)))
            elif id(anchor) in crumbs and reading.kind is Kind.THREAD and self._leads_up(anchor, model):
                guided.ways.append(Way(anchor.url, UPWARDS if model.forum else _LIKELY, None, None, {META: {"o": UP}}))
        self._pages(guided, model, board, told.get("r"))
        if model.forum:
            self._explore(guided, model)
            self._leave_out(guided, model)
            return
        for way in guided.ways:
            # Before the site is known, a link is what its address says: nothing is fetched twice if it is no forum.
            way.identity, way.priority = None, min(way.priority, _LIKELY)
            way.meta[META].pop("k", None)

    def _leave_out(self, guided: Guided, model: SiteModel) -> None:
        """Follows what has proved worth it off the forum; notes what is not followed."""
        chosen = {way.url for way in guided.ways}
        host = host_key(guided.reading.outline.url)
        for anchor in guided.reading.outline.anchors:
            if anchor.url in chosen or model.key(anchor.url) is not None or anchor.unvouched:
                continue
            pattern = anchor.address.pattern
            role = model.role(anchor.url)
            if role is Role.PAGE:
                guided.ways.append(Way(anchor.url, OTHER))
            elif role is not Role.POST and not changes_state(anchor.url, anchor.text, anchor.node.attributes):
                self._skipped.add(host, pattern, anchor.url)

    def _leads_up(self, anchor: Anchor, model: SiteModel) -> bool:
        if changes_state(anchor.url, anchor.text) or leads_away(anchor.url):
            return False
        return model.role(anchor.url) is None

    def _add(self, guided: Guided, model: SiteModel, target: Target, row: Row | None, board: list[str]) -> None:
        anchor, key = target.anchor, target.key
        early = model.was_early(key)
        if key == guided.key or (early and (row is None or not row.facts or not model.forum)):
            return
        if key.role is Role.BOARD:
            path = board if guided.reading.kind is Kind.LIST and row is not None else []
            meta = self._meta(TITLE, anchor, path, key)
            if early:
                meta[META][EARLY] = 1
            guided.ways.append(Way(target.url, BOARD, identity_of(target.url, key), None, meta))
            return
        known = self._seen.setdefault(host_key(target.url), Seen()).threads
        meta = self._meta(TITLE, anchor, board if row is not None else [], key)
        if row is None or guided.reading.page.reader.read(anchor.text) is not None:
            meta[META].pop("t", None)  # the words of whoever points at it, "previous page", the last post's date
        if early:
            meta[META][EARLY] = 1
        if key.name not in known:
            guided.fresh += 1
        if model.forum and len(known) < 2_000_000:
            known.add(key.name)
        modified = row.modified if row is not None else None
        guided.ways.append(Way(target.url, THREAD, identity_of(target.url, key), modified, meta))

    def _meta(self, why: str, anchor: Anchor, board: list[str], key: Key | None = None) -> dict[str, Any]:
        told: dict[str, Any] = {"o": why}
        if any(map(str.isalpha, anchor.text)):
            told["t"] = anchor.text[:300]
        if board:
            told["b"] = board
        if key is not None:
            told["k"] = key.text()
        return {META: told}

    def _pages(self, guided: Guided, model: SiteModel, board: list[str], run: Any) -> None:
        """The other pages of this list or thread; `run`: the board is looked at again, page after page."""
        reading, own = guided.reading, guided.key
        if own is None:
            return
        anchors = list(reading.outline.pager.values())
        if reading.outline.following is not None:
            anchors.append(reading.outline.following)
        single = own.role is Role.BOARD and model.patterns[reading.address.pattern].id_slot is None
        if single and not self._brought_threads(guided, model):
            return
        found = found_pages(model, anchors, own)
        again = run is not None and own.role is Role.BOARD
        if single or again:
            following = reading.outline.following
            found = {n: found[n] for n in sorted(found) if n == own.page + 1 or found[n] is following}
        for number, anchor in found.items():
            key = Key(own.role, own.name, number)
            if number == own.page or model.was_early(key):
                continue
            told: dict[str, Any] = {"o": PAGE, "k": key.text(), "b": board, "t": guided.title}
            if anchor is reading.outline.following and not reading.outline.pager:
                told["n"] = guided.number + 1
            if guided.thread_url is not None:
                told["u"] = guided.thread_url
            identity = identity_of(anchor.url, key)
            if again:
                told["r"] = run
                identity += f"@{run}"
            priority = AGAIN if single else BOARD if own.role is Role.BOARD else THREAD + 1
            guided.ways.append(Way(anchor.url, priority, identity, None, {META: told}))

    def _brought_threads(self, guided: Guided, model: SiteModel) -> bool:
        """Whether a list that is no board of its own (the newest of all) names threads that no board has named."""
        return guided.fresh > 0 or not model.forum

    def _explore(self, guided: Guided, model: SiteModel) -> None:
        """Links that may lead to boards which no list has named: a few, when all else is done."""
        patterns = set()
        own = guided.reading.address.path
        for anchor in guided.reading.outline.rest():
            address = anchor.address
            if address.pattern in patterns or address.path == own or anchor.unvouched:
                continue
            known = model.patterns.get(address.pattern)
            told = known is not None and (known.role is not None or (known.fetched and not known.useful))
            if told or model.is_view(address):
                continue
            if changes_state(anchor.url, anchor.text, anchor.node.attributes) or leads_away(anchor.url):
                continue
            patterns.add(address.pattern)
            guided.ways.append(Way(anchor.url, EXPLORE, None, None, {META: {"o": EXPLORED}}))


def _fullest_first(anchors: list[Anchor], rows: Mapping[int, Row]) -> list[Anchor]:
    """Titles by the largest count of their rows: a long thread tells more than one that nobody has answered."""
    return sorted(anchors, key=lambda anchor: -largest_count(rows[id(anchor)]) if id(anchor) in rows else 0)


def _promise(model: SiteModel, pattern: str, url: str, turn: int) -> int:
    """How soon a link that may be a title is tried, before the site is known: first two of each kind, and those of a
    kind that led to nothing, or to what cannot be told yet, after the others."""
    known = model.patterns.get(pattern)
    tried = known.fetched if known is not None else 0
    return 0 if leads_away(url) else max(0, _LIKELY - tried - (turn >= _AT_FIRST))


def found_pages(model: SiteModel, anchors: list[Anchor], own: Key) -> dict[int, Anchor]:
    """The links of a pager by the number of the page, of those that are pages of the same thing."""
    found: dict[int, Anchor] = {}
    for anchor in anchors:
        key = model.key(anchor.url)
        if key is not None and key.role is own.role and key.name == own.name:
            found.setdefault(key.page, anchor)
    return found
