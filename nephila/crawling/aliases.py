"""Parameters that change nothing: `?ref=home`, `?view=grid`, the order of a list that fits on one page.

Learned while crawling, for each kind of path: two pages whose addresses differ in one parameter alone either say the
same or do not. Once a parameter has made no difference often enough, an address that differs from a fetched one in
nothing else need not be fetched. One of ten is all the same, and one page that is different clears the parameter's
name. What a page says is its title and the sets of its lines and links: a list that is sorted anew is the same list. A
parameter that may be missing too is taken off. The workers add up what they have counted; which page was fetched under
which address, each knows for itself. Knows addresses, text and the memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import orjson

from nephila.crawling.novelty import digest
from nephila.memory import Memory
from nephila.urls import family

_SPACE = "aliases"

_ENOUGH = 8
"""Pairs of equal pages that tell what a parameter is."""
_RARELY = 20
"""Equal pairs for each that was not."""
_MISSING = 3
"""Equal pairs of which one page had no such parameter, after which it may be taken off."""
_TELLING = 200
"""Characters that a page must have: empty ones are all alike."""
_CHECKED = 10
"""Of the addresses that need not be fetched, one of so many is."""
_KINDS = 2_000
_PAGES = 5_000
"""Pages that are remembered of one kind."""
_NAMES = 8
"""Parameters of one address that are looked at."""


class _Kind:
    """Pages of one shape of path, with and without parameters."""

    __slots__ = ("fetched", "fresh", "idle", "pairs", "said")

    def __init__(self) -> None:
        self.said: dict[str, dict[str, int]] = {}
        """Address without one parameter -> that parameter's name ("": it had no more) -> what the page said."""
        self.pairs: dict[str, list[int]] = {}
        """Name -> pairs that were equal, pairs that were not, and of both those where one address was without it."""
        self.fresh: dict[str, list[int]] = {}
        """Those of them that the other workers do not know of."""
        self.idle: frozenset[str] = frozenset()
        self.fetched: dict[str, set[str]] = {}
        """Address without the parameters that are idle -> the addresses that were fetched."""

    def note(self, url: str, said: int) -> None:
        for name in sorted(_names(url))[:_NAMES]:
            others = self.said.setdefault(_without(url, {name}), {})
            for other in (name, ""):
                if other in others:
                    self._compare(name, equal=others[other] == said, missing=not other)
            others[name] = said
        own = self.said.setdefault(_without(url, set()), {})
        for name in [name for name in own if name]:
            self._compare(name, equal=own[name] == said, missing=True)
        own[""] = said
        self.fetched.setdefault(_without(url, self.idle), set()).add(url)
        while len(self.said) > _PAGES:
            del self.said[next(iter(self.said))]
        while len(self.fetched) > _PAGES:
            del self.fetched[next(iter(self.fetched))]

    def _compare(self, name: str, *, equal: bool, missing: bool) -> None:
        for pairs in (self.pairs, self.fresh):
            counted = pairs.setdefault(name, [0, 0, 0, 0])
            counted[not equal] += 1
            counted[2 + (not equal)] += missing
        self._judge(name)

    def take(self, name: str, pairs: list[int]) -> None:
        """What all workers have counted."""
        self.pairs[name] = _sum(pairs, self.fresh.get(name, [0, 0, 0, 0]))
        self._judge(name)

    def _judge(self, name: str) -> None:
        equal, different, *_ = self.pairs[name]
        idle = equal >= _ENOUGH and different * _RARELY <= equal
        if idle != (name in self.idle):
            self.idle = self.idle | {name} if idle else self.idle - {name}
            known = [url for urls in self.fetched.values() for url in urls]
            self.fetched = {}
            for url in known:
                self.fetched.setdefault(_without(url, self.idle), set()).add(url)

    def shorter(self, url: str) -> str | None:
        """The address without what may be missing; None where nothing may."""
        names = {name for name in self.idle if self.pairs[name][2] >= _MISSING and not self.pairs[name][3]}
        if names.isdisjoint(_names(url)):
            return None
        path, _, query = url.partition("?")
        rest = [part for part in query.split("&") if part.partition("=")[0] not in names]
        return f"{path}?{'&'.join(rest)}" if rest else path

    def is_another_name(self, url: str) -> bool:
        if not self.idle or self.idle.isdisjoint(_names(url)):
            return False
        twins = self.fetched.get(_without(url, self.idle), set())
        return bool(twins) and url not in twins


class Aliases:
    """What this worker has learned; bounded, the kinds that were met first are forgotten."""

    def __init__(self) -> None:
        self._kinds: dict[int, _Kind] = {}
        self._spared = 0

    def asks_for(self, url: str) -> bool:
        """Whether to note what the page says: pages without parameters only where some of their kind have them."""
        return "?" in url or (bool(self._kinds) and _path_kind(url) in self._kinds)

    def saw(self, url: str, text: str, title: str | None = None, links: Iterable[str] = ()) -> None:
        """A page was fetched: its text, and what else tells pages apart that say the same."""
        if len(text) < _TELLING:
            return
        kind = self._kinds.setdefault(_path_kind(url), _Kind())
        # Of links the path: their parameters may be those of the page that they stand on.
        paths = {href.partition("#")[0].partition("?")[0] for href in links}
        lines = {line.strip() for line in text.split("\n")}
        kind.note(url, sum(map(digest, [f"title {title}", *lines, *(f"link {path}" for path in paths)])))
        if len(self._kinds) > _KINDS:
            del self._kinds[next(iter(self._kinds))]

    async def share(self, memory: Memory) -> None:
        """Adds what was counted here to what others have, and takes the sums."""
        for number, kind in list(self._kinds.items()):
            fresh, kind.fresh = kind.fresh, {}
            for name, pairs in fresh.items():
                await memory.update(_SPACE, f"{number}:{name}", partial(_added, pairs))
        for key, sums in await memory.items(_SPACE):
            shape, _, name = key.partition(":")
            if len(self._kinds) < _KINDS or int(shape) in self._kinds:
                self._kinds.setdefault(int(shape), _Kind()).take(name, orjson.loads(sums))

    def tells_against(self, url: str) -> bool:
        """Whether a page that says the same, for all that is known, was or will be fetched under another address."""
        kind = self._kinds.get(_path_kind(url)) if "?" in url else None
        return kind is not None and (kind.is_another_name(url) or kind.shorter(url) is not None)

    def shorter(self, url: str) -> str | None:
        """The address under which the page should be fetched instead, where it has parameters that may be missing."""
        kind = self._kinds.get(_path_kind(url)) if "?" in url else None
        return kind.shorter(url) if kind is not None else None

    def spares(self, url: str) -> bool:
        """Whether it need not be fetched."""
        if not self.tells_against(url):
            return False
        self._spared += 1
        return self._spared % _CHECKED != 0


def _added(pairs: list[int], sums: bytes | None) -> bytes:
    return orjson.dumps(_sum(orjson.loads(sums) if sums else [0, 0, 0, 0], pairs))


def _sum(some: list[int], others: list[int]) -> list[int]:
    return [one + other for one, other in zip(some, others, strict=True)]


def _path_kind(url: str) -> int:
    return family(url.partition("?")[0])


def _names(url: str) -> set[str]:
    query = url.partition("?")[2]
    return {part.partition("=")[0] for part in query.split("&")} if query else set()


def _without(url: str, names: set[str] | frozenset[str]) -> str:
    """The address without these parameters, the rest of them in alphabetic order."""
    path, _, query = url.partition("?")
    return "&".join([path, *sorted(part for part in query.split("&") if part and part.partition("=")[0] not in names)])
