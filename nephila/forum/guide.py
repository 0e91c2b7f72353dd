"""The guide of a crawl through a forum: which links are followed, in which order, under which identity.

For each page it says what the page is and which of its links are worth a fetch; for each queued URL, when its turn
comes, whether it still is. On sites that are no forums it keeps out of the way. What it learns goes to the memory, from
where the other workers take it. Knows readings, models and the memory, nothing of frontier or fetching.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nephila.document import Document
from nephila.forum.actions import changes_state, leads_away, surely_changes_state
from nephila.forum.learning import EXPLORED, PAGE, TITLE, UP, learn
from nephila.forum.model import FOLLOWED, Key, Role, SiteModel
from nephila.forum.naming import board_of, heading_of, title_of
from nephila.forum.outline import Anchor, Row
from nephila.forum.reading import Kind, Reading, read
from nephila.memory import Memory
from nephila.urls import host_key, origin

SPACE = "forum"
META = "forum"
"""Key in an entry's meta: why it is followed, and what is known of it."""
EARLY = "e"
"""In what is known of an entry: it was fetched under another identity; followed only when its row has changed."""
_GIVE_UP = 40
"""Pages of a site that are looked at before it is taken for no forum."""
_BOARD, _THREAD, _CANDIDATE, _UP, _AGAIN, _EXPLORE = 70, 60, 55, 30, 20, -60
_LIKELY = 1
"""Priority of what may be a thread on a site that may be a forum: just before all else."""
_SAMPLES = 5
"""Titles of a list that are tried before the site is known for a forum."""
_BOARDS_KEPT = 5000
_EXPLORED_FIRST = 10
_EXPLORED_SHARE = 0.02


@dataclass(slots=True)
class Way:
    """A link worth following."""

    url: str
    priority: int
    identity: str | None = None
    """What makes it the same as other URLs; None: the URL itself."""
    modified: float | None = None
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Guided:
    """A page as the guide sees it."""

    reading: Reading
    key: Key | None
    ways: list[Way]
    steered: bool
    """Only `ways` are to be followed; otherwise they come before the page's other links."""
    board: list[str] = field(default_factory=list)
    title: str | None = None
    thread_url: str | None = None
    """Of the thread's first page."""
    fresh: int = 0
    """Threads that no page had named before."""
    run: int | None = None
    """Of a later crawl, which: its boards are looked at again once in it."""
    first: int = 1
    """Place in the thread of the first post on the page."""


class Guide:
    def __init__(self, memory: Memory, *, mode: str = "auto", member: bool = False) -> None:
        self._memory = memory
        self._mode = mode
        self._member = member
        """Logged in: a careless link could log out or write."""
        self.models: dict[str, SiteModel] = {}
        self._dirty: set[str] = set()
        self._loaded: set[str] = set()
        self._early: dict[str, dict[str, None]] = {}
        """URLs fetched before their pattern had a role, by host."""
        self._posts: dict[str, dict[str, str]] = {}
        """Post ids seen by this worker -> thread."""
        self._threads: dict[str, set[str]] = {}

    # -- sharing ---------------------------------------------------------------------------------------------------

    async def load(self, url: str) -> None:
        """Takes what is known of the site of a URL from the memory, once."""
        host = host_key(url)
        if host not in self._loaded:
            self._loaded.add(host)
            data = await self._memory.get(SPACE, host)
            if data is not None and host not in self.models:
                self.models[host] = SiteModel.from_json(data)

    async def share(self) -> None:
        """Gives what was learned to the other workers, and takes what they learned."""
        for host in list(self.models):
            model = self.models[host]
            if host in self._dirty:
                self._dirty.discard(host)
                merged: list[SiteModel] = []

                def change(data: bytes | None, model: SiteModel = model, merged: list[SiteModel] = merged) -> bytes:
                    both = merge(model, SiteModel.from_json(data)) if data is not None else model
                    merged[:] = [both]
                    return both.to_json()

                await self._memory.update(SPACE, host, change)
                self.models[host] = merged[0]
            elif model.forum or model.seen < _GIVE_UP:
                data = await self._memory.get(SPACE, host)
                if data is not None:
                    self.models[host] = merge(model, SiteModel.from_json(data))

    # -- turns -----------------------------------------------------------------------------------------------------

    def judge(self, url: str, meta: Mapping[str, Any] | None, *, again: bool) -> Way | bool:
        """Whether a queued URL is worth its fetch now; a `Way` instead: it is another's alias, follow that.

        `again`: it was fetched in an earlier run.
        """
        told: dict[str, Any] = (meta or {}).get(META) or {}
        model = self.models.get(host_key(url))
        if "source" in (meta or {}):
            return model is None or not model.forum or meta is None or meta["source"] != "feed"
        if self._member and not told and changes_state(url):
            return False
        if model is None or not model.forum:
            self._note(url, model)
            return True
        key = model.key(url)
        if key is not None:
            if again:
                return False  # `boards_again` begins another crawl of a forum
            if told.get("k") == key.text() or told.get("r"):
                return True
            if key.text() in self._early_keys(url, model):
                return False
            return Way(url, _THREAD, self._identity(url, key), meta={META: {**told, "k": key.text()}})
        role = model.role(url)
        if role is not None or changes_state(url):
            return False
        if told.get("o") == EXPLORED or (not told and not (meta or {}).get("from")):
            return self._may_explore(url, model) or told.get("plain") is True
        self._note(url, model)
        return True

    def _note(self, url: str, model: SiteModel | None) -> None:
        early = self._early.setdefault(host_key(url), {})
        if len(early) < 2000 and (model is None or model.key(url) is None):
            early[url] = None

    def _early_keys(self, url: str, model: SiteModel) -> set[str]:
        early = self._early.get(host_key(url), {})
        keys = {key.text() for one in early if (key := model.key(one)) is not None} | set(model.early)
        if len(keys) > len(model.early):
            model.early = sorted(keys)
        return keys

    def _may_explore(self, url: str, model: SiteModel) -> bool:
        if leads_away(url) or model.explored >= _EXPLORED_FIRST + _EXPLORED_SHARE * model.seen:
            return False
        pattern = model.pattern(model.address(url))
        if pattern.fetched:
            return False
        pattern.fetched += 1
        model.explored += 1
        return True

    # -- pages -----------------------------------------------------------------------------------------------------

    def look(
        self, url: str, meta: Mapping[str, Any] | None, document: Document, fetched_at: float, *, again: bool = False
    ) -> Guided | None:
        """What the page is and where to go from there; None: a page like any other.

        `again`: it was looked at before, and has waited for what others tell.
        """
        host = host_key(url)
        model = self.models.setdefault(host, SiteModel())
        if not model.forum and (model.ruled_out or model.seen >= _GIVE_UP) and self._mode == "auto":
            return None
        told: dict[str, Any] = (meta or {}).get(META) or {}
        model.seen += not again
        reading = read(document, url, model, fetched_at)
        new = self._new_posts(host, reading)
        learn(model, reading, told.get("o"), new, again=again)
        self._dirty.add(host)
        if not model.forum and reading.kind is Kind.OTHER and not told:
            return None
        key = model.key(url)
        guided = Guided(reading, key, [], steered=model.forum, run=told.get("r"))
        if reading.kind is Kind.THREAD:
            self._describe_thread(guided, model, told)
        self._choose(guided, model, told)
        if key is not None and key.role is Role.BOARD and key.page == 1 and len(model.boards) < _BOARDS_KEPT:
            model.boards[key.text()] = [url, told.get("b") or [], told.get("t")]
        return guided

    def undecided(self, url: str, meta: Mapping[str, Any] | None, guided: Guided | None) -> bool:
        """Whether a page should wait: for the site's posts to be seen elsewhere, or for what its rows lead to."""
        model = self.models.get(host_key(url))
        if model is None:
            return False
        told = (meta or {}).get(META) or {}
        titled = told.get("o") in (TITLE, PAGE)
        if model.forum:
            return titled and guided is not None and guided.reading.kind is Kind.OTHER and model.template is None
        if model.ruled_out or model.seen >= _GIVE_UP:
            return False
        return titled or (guided is not None and guided.reading.kind is not Kind.OTHER)

    def learning(self, url: str) -> bool:
        """Whether the site may still turn out to be a forum."""
        model = self.models.get(host_key(url))
        return model is not None and not model.forum and not model.ruled_out and model.seen < _GIVE_UP

    def _new_posts(self, host: str, reading: Reading) -> int:
        if reading.found is None:
            return 0
        seen = self._posts.setdefault(host, {})
        fresh = [post for post in reading.found.posts if post.id is None or post.id not in seen]
        if len(seen) < 5_000_000:
            seen.update({post.id: "" for post in fresh if post.id is not None})
        return len(fresh)

    def _identity(self, url: str, key: Key) -> str:
        return f"{origin(url)}/~forum/{key.text()}"

    # -- links -----------------------------------------------------------------------------------------------------

    def _choose(self, guided: Guided, model: SiteModel, told: Mapping[str, Any]) -> None:
        reading = guided.reading
        board = self._board_path(guided, model, told)
        facts = {id(row.anchor): row for row in reading.rows}
        most = len(reading.outline.anchors) if model.forum else _SAMPLES
        candidates = {id(anchor) for group in reading.candidates for anchor in group.anchors[:most]}
        crumbs = {id(anchor) for anchor in reading.outline.crumbs}
        for anchor in reading.outline.anchors:
            key = model.key(anchor.url)
            row = facts.get(id(anchor))
            if key is not None:
                if key.page == 1 and (reading.kind is not Kind.THREAD or not reading.outline.within(anchor.node.start)):
                    self._add(guided, model, anchor, key, row, board)
            elif id(anchor) in candidates:
                if not surely_changes_state(anchor.url):
                    priority = _CANDIDATE if model.forum else _LIKELY
                    modified = row.modified if row is not None else None
                    guided.ways.append(Way(anchor.url, priority, None, modified, self._meta(TITLE, anchor, board)))
            elif id(anchor) in crumbs and reading.kind is Kind.THREAD and self._leads_up(anchor, model):
                guided.ways.append(Way(anchor.url, _UP if model.forum else _LIKELY, None, None, {META: {"o": UP}}))
        self._pages(guided, model, board, told.get("r"))
        if model.forum:
            self._explore(guided, model)

    def _leads_up(self, anchor: Anchor, model: SiteModel) -> bool:
        if changes_state(anchor.url, anchor.text) or leads_away(anchor.url):
            return False
        return model.role(anchor.url) is None

    def _add(
        self, guided: Guided, model: SiteModel, anchor: Anchor, key: Key, row: Row | None, board: list[str]
    ) -> None:
        early = key.text() in self._early_keys(anchor.url, model)
        if key == guided.key or (early and (row is None or not row.facts or not model.forum)):
            return
        if key.role is Role.BOARD:
            path = board if guided.reading.kind is Kind.LIST and row is not None else []
            meta = self._meta(TITLE, anchor, path, key)
            if early:
                meta[META][EARLY] = 1
            guided.ways.append(Way(anchor.url, _BOARD, self._identity(anchor.url, key), None, meta))
            return
        known = self._threads.setdefault(host_key(anchor.url), set())
        meta = self._meta(TITLE, anchor, board if row is not None else [], key)
        if early:
            meta[META][EARLY] = 1
        if key.name not in known:
            guided.fresh += 1
        if len(known) < 2_000_000:
            known.add(key.name)
        modified = row.modified if row is not None else None
        guided.ways.append(Way(anchor.url, _THREAD, self._identity(anchor.url, key), modified, meta))

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
            found = {number: found[number] for number in sorted(found) if number == own.page + 1}
        for number, anchor in found.items():
            key = Key(own.role, own.name, number)
            if number == own.page or key.text() in self._early_keys(anchor.url, model):
                continue
            told: dict[str, Any] = {"o": PAGE, "k": key.text(), "b": board, "t": guided.title}
            if guided.thread_url is not None:
                told["u"] = guided.thread_url
            identity = self._identity(anchor.url, key)
            if again:
                told["r"] = run
                identity += f"@{run}"
            priority = _AGAIN if single else _BOARD if own.role is Role.BOARD else _THREAD + 1
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
            if (known is not None and (known.role is not None or known.fetched)) or self._variant(address.path, model):
                continue
            if changes_state(anchor.url, anchor.text, anchor.node.attributes) or leads_away(anchor.url):
                continue
            patterns.add(address.pattern)
            guided.ways.append(Way(anchor.url, _EXPLORE, None, None, {META: {"o": EXPLORED}}))

    def _variant(self, path: str, model: SiteModel) -> bool:
        """Whether the path is that of boards or threads, with something else in its query: another view of them."""
        return any(known.role in FOLLOWED and text.partition("?")[0] == path for text, known in model.patterns.items())

    # -- what a thread is called ---------------------------------------------------------------------------------------

    def _board_path(self, guided: Guided, model: SiteModel, told: Mapping[str, Any]) -> list[str]:
        crumbs = [
            anchor.text
            for anchor in guided.reading.outline.crumbs
            if anchor.text and (key := model.key(anchor.url)) is not None and key.role is Role.BOARD
            and model.patterns[anchor.address.pattern].id_slot is not None
        ]  # fmt: skip
        if guided.reading.kind is Kind.THREAD:
            return guided.board
        above = [str(name) for name in told.get("b") or []]
        own = told.get("t")
        titled = told.get("o") in (TITLE, PAGE) and own and guided.key is not None and guided.key.role is Role.BOARD
        path = above if told.get("o") == PAGE else [*above, str(own)] if titled else []
        if not path and not crumbs and guided.key is not None and guided.key.role is Role.BOARD:
            return [name for name in (heading_of(guided.reading),) if name and guided.reading.address.path != "/"]
        return path or crumbs

    def _describe_thread(self, guided: Guided, model: SiteModel, told: Mapping[str, Any]) -> None:
        guided.title = title_of(guided.reading, told.get("t"))
        guided.thread_url = told.get("u") or guided.reading.outline.url
        guided.board = board_of(guided.reading, model) or [str(name) for name in told.get("b") or []]
        number = guided.key.page if guided.key is not None else 1
        size = model.posts_a_page
        guided.first = 1 + (number - 1) * (size or 0) if number > 1 and size else 1


async def boards_again(memory: Memory, run: float) -> list[Way]:
    """Where another crawl of the forums begins: the first page of each board, once in each run."""
    ways = []
    for _, data in await memory.items(SPACE):
        model = SiteModel.from_json(data)
        for key, (url, board, title) in model.boards.items() if model.forum else ():
            told = {"o": TITLE, "k": key, "r": int(run), "b": board, "t": title}
            ways.append(Way(url, _BOARD, f"{origin(url)}/~forum/{key}@{int(run)}", None, {META: told}))
    return ways


def found_pages(model: SiteModel, anchors: list[Anchor], own: Key) -> dict[int, Anchor]:
    """The links of a pager by the number of the page, of those that are pages of the same thing."""
    found: dict[int, Anchor] = {}
    for anchor in anchors:
        key = model.key(anchor.url)
        if key is not None and key.role is own.role and key.name == own.name:
            found.setdefault(key.page, anchor)
    return found


def merge(one: SiteModel, other: SiteModel) -> SiteModel:
    """What two workers know of a site; of what both know, what was seen more often."""
    first, second = (one, other) if one.seen >= other.seen else (other, one)
    first.forum = one.forum or other.forum
    first.ruled_out = (one.ruled_out or other.ruled_out) and not first.forum
    first.wild = one.wild | other.wild
    for text, pattern in second.patterns.items():
        known = first.patterns.get(text)
        if known is None or (pattern.fixed and not known.fixed) or (known.role is None and pattern.role is not None):
            first.patterns[text] = pattern
        elif not known.fixed:
            if known.page_slot is None and pattern.page_slot is not None:
                known.page_slot, known.page_step, known.page_base = (
                    pattern.page_slot,
                    pattern.page_step,
                    pattern.page_base,
                )
            known.fetched, known.useful = max(known.fetched, pattern.fetched), max(known.useful, pattern.useful)
    if first.template is None or (second.template is not None and second.template.seen > first.template.seen):
        first.template = second.template or first.template
    first.boards = {**second.boards, **first.boards}
    first.early = sorted({*first.early, *second.early})
    for count, times in second.per_page.items():
        first.per_page[count] = max(first.per_page[count], times)
    return first
