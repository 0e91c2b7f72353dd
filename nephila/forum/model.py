"""What is known of one forum: the role of each address pattern, the template of its posts. Kept in the site memory.

A pattern's role comes from the pages that its addresses led to, and is checked with every further one. JSON-able, so
that workers share it and a person can read and mend it. Knows addresses and templates; decides nothing about a crawl.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import orjson

from nephila.forum.address import Address, read_address, slot_names
from nephila.forum.fields import Template

_VALUES_KEPT = 24
_NEARLY = 0.75
LEAST_STEP = 3
"""By which an address counts posts, not pages."""


class Role(StrEnum):
    THREAD = "thread"
    BOARD = "board"
    """A list of threads or boards; the index is one too."""
    POST = "post"
    """Leads to a place within a thread that has an address of its own."""
    PAGE = "page"
    """Neither board nor thread, but worth a fetch: articles, manuals."""
    OTHER = "other"


FOLLOWED = frozenset({Role.THREAD, Role.BOARD})


@dataclass(slots=True)
class Pattern:
    role: Role | None = None
    id_slot: int | None = None
    page_slot: int | None = None
    page_step: int = 1
    page_base: int = 0
    """The value in the address of page n is `page_step * n + page_base`."""
    fetched: int = 0
    useful: int = 0
    leads: str | None = None
    """The pattern of the addresses that it redirects to."""
    landed: int = 0
    """How often it did."""
    fixed: bool = False
    """Set by a person: not learned again."""
    values: list[list[str]] = field(default_factory=list)
    """Some values of each slot, till its meaning is clear."""

    def learn_values(self, address: Address) -> None:
        while len(self.values) < len(address.values):
            self.values.append([])
        for known, value in zip(self.values, address.values, strict=False):
            if value not in known and len(known) < _VALUES_KEPT:
                known.append(value)

    def choose_id(self, skip: int | None = None, text: str = "") -> int | None:
        """The slot that differs most; of those that hardly differ less, numbers before words, the last number.

        `text`: the pattern, which tells numbers that end a title.
        """
        ends = [bool(text[: slot.start()].endswith(_TITLE_ENDS)) for slot in re.finditer(r"\{[#*]\}", text)]
        best: tuple[int, int, int] | None = None
        chosen = None
        most = max((len(known) for slot, known in enumerate(self.values) if slot != skip), default=0)
        for slot, known in enumerate(self.values):
            if slot == skip or not known:
                continue
            numeric = all(value.isdigit() for value in known)
            if slot < len(ends) and ends[slot] and any(_are_codes(other, most) for other in self.values):
                numeric = False
            # Titles that end with a number: `/topic/kettles-2024`.
            telling = numeric and known != ["0"] and len(known) >= _NEARLY * most
            worth = (telling, len(known), slot if numeric else -slot)
            if best is None or worth > best:
                best, chosen = worth, slot
        return chosen


_TITLE_ENDS = ("{*}-", "{*}_", "{*}.")
_SHORTEST_CODE = 4


def _are_codes(values: list[str], most: int) -> bool:
    """Whether they are made of letters and digits alone, all of one length, as many as there are pages: `1f0x7q`."""
    lengths = {len(value) for value in values}
    made = all(value.isalnum() and value.isascii() and not value.isdigit() for value in values)
    digits = sum(any(map(str.isdigit, value)) for value in values)
    return (
        bool(values)
        and len(values) >= most
        and made
        and len(lengths) == 1
        and min(lengths) >= _SHORTEST_CODE
        and (digits > len(values) / 2)
    )


@dataclass(frozen=True, slots=True)
class Key:
    """The identity of a page of a board or thread, whatever its address looks like."""

    role: Role
    name: str
    page: int

    def text(self) -> str:
        return f"{self.role}:{self.name}:{self.page}"

    def is_of(self, other: Key) -> bool:
        """Whether both are pages of one list or thread."""
        return (self.role, self.name) == (other.role, other.name)


_PAGES_KEPT = 12
_AUTHORS_KEPT = 8


@dataclass(slots=True)
class Evidence:
    """What speaks for a forum and against it; `nephila.forum.verdict` weighs it."""

    seen: int = 0
    """Pages looked at."""
    read: int = 0
    """Of them, those that were read for posts before the site was known."""
    threads: list[str] = field(default_factory=list)
    """Some pages where several people write, and nothing else stands."""
    answered: int = 0
    """Of the threads, those with two authors or more."""
    authors: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    """Some pages that list threads, or what lists them."""
    misses: int = 0
    """Pages that stood as titles in lists and show no posts."""
    articles: int = 0
    """Pages with comments under something longer."""
    led: int = 0
    """Pages that begin with long writing."""
    right: int = 0
    """On a forum: boards and threads that were what they were taken for."""
    wrong: int = 0
    contents: int = 0
    """On a forum: pages with writing that is in no post."""

    def add_thread(self, url: str, authors: set[str]) -> None:
        if url not in self.threads and len(self.threads) < _PAGES_KEPT:
            self.threads.append(url)
            self.answered += len(authors) > 1
            self.authors += sorted(authors - set(self.authors))[: _AUTHORS_KEPT - len(self.authors)]

    def add_list(self, url: str) -> None:
        if url not in self.lists and len(self.lists) < _PAGES_KEPT:
            self.lists.append(url)

    def merged(self, other: Evidence) -> Evidence:
        """With what another worker saw of the same site."""
        more, less = (self, other) if self.seen >= other.seen else (other, self)
        more.threads = list(dict.fromkeys([*more.threads, *less.threads]))[:_PAGES_KEPT]
        more.lists = list(dict.fromkeys([*more.lists, *less.lists]))[:_PAGES_KEPT]
        more.authors = list(dict.fromkeys([*more.authors, *less.authors]))[:_AUTHORS_KEPT]
        for name in ("read", "answered", "misses", "articles", "led", "right", "wrong", "contents"):
            setattr(more, name, max(getattr(more, name), getattr(less, name)))
        return more


@dataclass(slots=True)
class SiteModel:
    forum: bool = False
    ruled_out: bool = False
    """Taken for no forum."""
    evidence: Evidence = field(default_factory=Evidence)
    patterns: dict[str, Pattern] = field(default_factory=dict)
    wild: frozenset[str] = frozenset()
    template: Template | None = None
    listing: dict[str, list[list[str]]] = field(default_factory=dict)
    """Pattern of rows -> patterns and addresses of the pages that list them, till the rows' role is known."""
    listed: set[str] = field(default_factory=set)
    """Patterns of rows that lists have shown."""
    explored: int = 0
    early: dict[str, str] = field(default_factory=dict)
    """Keys of pages that were fetched under other identities, most before their patterns had a role -> the address that
    was fetched."""
    boards: dict[str, list[Any]] = field(default_factory=dict)
    """Key of a board's first page -> its address, path and title: where the next crawl begins."""
    per_page: Counter[int] = field(default_factory=Counter)
    """Posts on thread pages that have a next one, but for the first of each thread."""
    per_first: Counter[int] = field(default_factory=Counter)
    """The same of the first ones: what begins a thread may stand above as many answers as other pages have."""
    boxes: dict[int, str] = field(default_factory=dict, compare=False)
    """Digest of a group of links at one place -> pattern of the page that had it first; of this worker alone."""
    day_first: bool | None = None
    """Whether 3/4/2024 is in April, as other dates of the site tell."""

    def address(self, url: str) -> Address:
        return read_address(url, self.wild)

    def pattern(self, address: Address) -> Pattern:
        return self.patterns.setdefault(address.pattern, Pattern())

    def role(self, url: str) -> Role | None:
        known = self.patterns.get(self.address(url).pattern)
        return None if known is None else known.role

    def key(self, url: str) -> Key | None:
        """The identity of a URL whose pattern is known to be followed."""
        address = self.address(url)
        known = self.patterns.get(address.pattern)
        if known is None or known.role not in FOLLOWED:
            return None
        return Key(known.role, _name(address, known), page_number(address, known))

    def first_page(self, url: str) -> str | None:
        """The address of the first page of what a further page's address leads to, as the site writes those."""
        address = self.address(url)
        known = self.patterns.get(address.pattern)
        if known is None or known.page_slot is None:
            return None
        head, mark, query = url.partition("?")
        value = address.slot(known.page_slot)
        parts = query.split("&") if mark else []
        rest = [part for part in parts if part.partition("=")[2] != value or not _ends_with_slot(address, known, part)]
        if len(rest) < len(parts):
            first = head + ("?" + "&".join(rest) if rest else "")
        else:
            trimmed = head.rstrip("/")
            first = trimmed[: trimmed.rindex("/") + 1] if trimmed.endswith(value) else url
        return first if first != url else None

    def is_between(self, url: str) -> bool:
        """Whether an address that counts posts names one in the middle of a page: `?topic=7.19`, ten on each."""
        address = self.address(url)
        known = self.patterns.get(address.pattern)
        if known is None or known.role not in FOLLOWED or known.page_slot is None or known.page_step < LEAST_STEP:
            return False
        value = address.slot(known.page_slot)
        return value.isdigit() and (int(value) - known.page_base) % known.page_step != 0

    def was_early(self, key: Key) -> bool:
        """Whether the page was fetched under another identity; what proved to be a view or another page was not it."""
        fetched = self.early.get(key.text())
        return fetched is not None and self.key(fetched) == key

    def is_view(self, address: Address) -> bool:
        """Whether it is an address of boards or threads with more in its query: another view of the same."""
        path, _, query = address.pattern.partition("?")
        names = _parameters(query)
        for text, known in self.patterns.items():
            if known.role in FOLLOWED and "{" in text and text != address.pattern:
                base, _, rest = text.partition("?")
                if base == path and _parameters(rest) <= names:
                    return True
        return False

    def posts_before(self, number: int) -> int | None:
        """Posts on the pages of a thread before its n-th, as far as can be told."""
        first, others = (counts.most_common(1) for counts in (self.per_first, self.per_page))
        if number == 1 or not (first or others):
            return 0 if number == 1 else None
        return (first or others)[0][0] + (number - 2) * (others or first)[0][0]

    def to_json(self) -> bytes:
        plain = ("forum", "ruled_out", "explored", "listing", "boards", "day_first")
        data: dict[str, Any] = {name: getattr(self, name) for name in plain}
        data["evidence"] = asdict(self.evidence)
        data["early"] = self.early
        data["listed"] = sorted(self.listed)
        data["wild"] = sorted(self.wild)
        for name in ("per_page", "per_first"):
            data[name] = {str(count): times for count, times in getattr(self, name).items()}
        data["template"] = self.template.to_dict() if self.template else None
        data["patterns"] = {text: asdict(known) for text, known in self.patterns.items()}
        return orjson.dumps(data)

    @classmethod
    def from_json(cls, data: bytes) -> SiteModel:
        raw = orjson.loads(data)
        model = cls(raw["forum"], raw["ruled_out"], Evidence(**raw["evidence"]))
        model.explored = raw["explored"]
        model.wild = frozenset(raw["wild"])
        model.listing = raw["listing"]
        model.boards = raw["boards"]
        model.day_first = raw.get("day_first")
        model.early = dict(raw["early"])
        model.listed = set(raw["listed"])
        for name in ("per_page", "per_first"):
            setattr(model, name, Counter({int(count): times for count, times in raw.get(name, {}).items()}))
        model.template = Template.from_dict(raw["template"]) if raw["template"] else None
        for text, known in raw["patterns"].items():
            role = Role(known.pop("role")) if known.get("role") else None
            known.pop("role", None)
            model.patterns[text] = Pattern(role=role, **known)
        return model


def _ends_with_slot(address: Address, known: Pattern, part: str) -> bool:
    """Whether the parameter is the one that holds the page."""
    names = slot_names(address.pattern)
    slot = known.page_slot
    return slot is not None and slot < len(names) and names[slot] == f"{part.partition('=')[0]}="


def _parameters(query: str) -> set[str]:
    return {part.partition("=")[0] for part in query.split("&") if part}


def _name(address: Address, known: Pattern) -> str:
    """What the pattern is about and its value: alike for all patterns that show pages of one thing."""
    if known.id_slot is None or known.id_slot >= len(address.values):
        return without_page(address.pattern, known.page_slot)
    before = _before_slot(address.pattern, known.id_slot)
    path, mark, query = before.partition("?")
    if mark:  # of the query, only the parameter that holds it
        before = f"{path}?{query.rpartition('&')[2]}"
    return f"{before}{address.values[known.id_slot]}"


def without_page(pattern: str, page_slot: int | None) -> str:
    """The pattern of a list that has no number itself, without what tells its pages."""
    if page_slot is not None:
        slots = list(re.finditer(r"[^/?&{}]*\{[#*]\}", pattern))
        if page_slot < len(slots):
            begin, end = slots[page_slot].span()
            pattern = pattern[:begin].rstrip("/&") + pattern[end:]
    return pattern.rstrip("/?&") or "/"


def _before_slot(pattern: str, slot: int) -> str:
    """The pattern up to a slot, without the slots before it."""
    place = -1
    for match in re.finditer(r"\{[#*]\}", pattern):
        place += 1
        if place == slot:
            return re.sub(r"\{[#*]\}[-_.,/]?", "", pattern[: match.start()])
    return pattern


def page_number(address: Address, known: Pattern) -> int:
    if known.page_slot is None or known.page_slot >= len(address.values):
        return 1
    value = address.values[known.page_slot]
    if not value.isdigit():
        return 1
    # Rounded down: `?topic=7.19` shows a post of the page that begins with the tenth.
    return max(1, (int(value) - known.page_base) // (known.page_step or 1))
