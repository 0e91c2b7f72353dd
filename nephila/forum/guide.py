"""The guide of a crawl through a forum: which links are followed, in which order, under which identity.

For each page it says what the page is and which of its links are worth a fetch; for each queued URL, when its turn
comes, whether it still is. On sites that are no forums it keeps out of the way. What it learns goes to the memory, from
where the other workers take it. Knows readings, models and the memory, nothing of frontier or fetching.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nephila.document import Document
from nephila.forum.actions import changes_state, leads_away, surely_changes_state
from nephila.forum.glance import glance
from nephila.forum.learning import EXPLORED, PAGE, TITLE, UP, learn
from nephila.forum.model import Key, Role, SiteModel
from nephila.forum.naming import board_of, heading_of, title_of
from nephila.forum.outline import Anchor, Row
from nephila.forum.post import PROSE, Post
from nephila.forum.reading import Kind, Reading, read
from nephila.forum.sharing import merge
from nephila.forum.skipped import Left, Skipped
from nephila.forum.verdict import decide, worth_reading
from nephila.memory import Memory
from nephila.urls import host_key, origin

SPACE = "forum"
META = "forum"
"""Key in an entry's meta: why it is followed, and what is known of it."""
EARLY = "e"
"""In what is known of an entry: it was fetched under another identity; followed only when its row has changed."""
_BOARD, _THREAD, _CANDIDATE, _UP, _AGAIN, _PAGE, _EXPLORE = 70, 60, 55, 30, 20, 0, -60
_LIKELY = 1
"""Priority of what may be a thread on a site that may be a forum: just before all else."""
_SAMPLES = 5
"""Titles of a list that are tried before the site is known for a forum."""
_BOARDS_KEPT = 5000
_EXPLORED_FIRST = 10
_EXPLORED_SHARE = 0.02
_EXPLORED_MORE = 5
"""For each page off the forum that proved worth its fetch."""
_SAMPLED = 3
"""Pages of a pattern that tell whether it is worth following, once one of them was."""
_CONTENT = 1000
"""Characters of prose that no post and no other page has."""
_LINES_KEPT = 300_000
_FRAME_KEPT = 20_000
_ENOUGH_PAGES = 4
"""Pages that tell what stands on all of them."""


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
    number: int = 1
    """Which page it is of its thread or list, as far as can be told."""
    first: int = 1
    """Place in the thread of the first post on the page."""


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


class _Seen:
    """What this worker saw of a site that is a forum, or may be one."""

    __slots__ = ("fetched", "frame", "lines", "pages", "posts", "threads")

    def __init__(self) -> None:
        self.fetched: list[str] = []
        """Pages that were fetched before their patterns had a role, and are kept to be looked at again."""
        self.posts: set[str] = set()
        self.threads: set[str] = set()
        self.lines: set[int] = set()
        """Digests of long lines of posts."""
        self.frame: dict[int, str] = {}
        """Digest of a long line -> the page where it was seen first."""
        self.pages = 0
        """Pages whose lines are in there."""

    def add_lines(self, url: str, lines: Iterable[int]) -> None:
        if len(self.frame) < _FRAME_KEPT:
            self.pages += 1
            for line in lines:
                self.frame.setdefault(line, url)

    def known_to(self, url: str) -> set[int]:
        """Lines that other pages have."""
        return {line for line, first in self.frame.items() if first != url}

    def count(self, posts: Iterable[Post]) -> int:
        """Notes posts; how many of them are new, by number and by what they say."""
        fresh = 0
        for post in posts:
            lines = {hash(line) for line in post.text.split("\n") if len(line) >= PROSE}
            told = not lines or not lines <= self.lines
            fresh += told and (post.id is None or post.id not in self.posts)
            if post.id is not None and len(self.posts) < 5_000_000:
                self.posts.add(post.id)
            if len(self.lines) < _LINES_KEPT:
                self.lines |= lines
        return fresh


class Guide:
    def __init__(self, memory: Memory, *, mode: str = "auto", member: bool = False) -> None:
        self._memory = memory
        self._mode = mode
        self._member = member
        """Logged in: a careless link could log out or write."""
        self.models: dict[str, SiteModel] = {}
        self.skipped = Skipped(memory)
        self._dirty: set[str] = set()
        self._loaded: set[str] = set()
        self._seen: dict[str, _Seen] = {}
        self._released: list[tuple[str, str | None]] = []
        """Sites and patterns whose links are to be followed after all; without a pattern: all that were left out."""

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
        await self.skipped.share()
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
            elif model.forum or not model.ruled_out:
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
            return model is None or self._is_harmless(url, model)
        key = model.key(url)
        if key is not None:
            if again:
                return False  # `boards_again` begins another crawl of a forum
            if told.get("r"):
                return True
            if key.text() in model.early:
                return False
            if told.get("k") == key.text():
                return True
            return Way(url, _THREAD, self._identity(url, key), meta={META: {**told, "k": key.text()}})
        if self._is_wanted(url, model, told, meta or {}):
            return True
        if model.role(url) is not Role.POST and not changes_state(url):
            self.skipped.add(host_key(url), model.address(url).pattern, url, refused=True)
        return False

    def _is_harmless(self, url: str, model: SiteModel) -> bool:
        """On what may be a forum, what may write something waits till that is known."""
        if model.ruled_out or not (model.evidence.threads or model.listing) or not surely_changes_state(url):
            return True
        self.skipped.add(host_key(url), "", url, refused=True)
        return False

    def _is_wanted(self, url: str, model: SiteModel, told: Mapping[str, Any], meta: Mapping[str, Any]) -> bool:
        """Whether what is neither board nor thread is worth its fetch."""
        role = model.role(url)
        if role is Role.PAGE:
            return True
        if role is not None or changes_state(url):
            return False
        if told.get("o") == EXPLORED or (not told and not meta.get("from")):
            return not model.is_view(model.address(url)) and self._may_explore(url, model)
        return told.get("o") != TITLE or not self._is_no_title(url, model)

    def _may_explore(self, url: str, model: SiteModel) -> bool:
        evidence = model.evidence
        most = _EXPLORED_FIRST + _EXPLORED_SHARE * evidence.seen + _EXPLORED_MORE * evidence.contents
        pattern = model.pattern(model.address(url))
        sampled = pattern.useful and pattern.fetched < _SAMPLED
        if not sampled and (pattern.fetched or leads_away(url) or model.explored >= most):
            return False
        pattern.fetched += 1
        model.explored += not sampled
        return True

    # -- pages -----------------------------------------------------------------------------------------------------

    def look(
        self, url: str, meta: Mapping[str, Any] | None, document: Document, fetched_at: float, *, again: bool = False
    ) -> Guided | None:
        """What the page is and where to go from there; None: a page like any other.

        `again`: it was looked at before, and has waited for what others tell.
        """
        host = host_key(url)
        model = self.models.get(host)
        if model is None:
            model = self.models[host] = SiteModel()
        if model.ruled_out and not model.forum and self._mode == "auto":
            return None
        told: dict[str, Any] = (meta or {}).get(META) or {}
        seen = self._seen.setdefault(host, _Seen())
        model.evidence.seen += not again
        self._dirty.add(host)
        if not model.forum and not self._is_worth_reading(url, model, seen, document, told, again=again):
            self._forget(host, model)
            return None
        whole = model.forum or self._mode == "always"
        reading = read(document, url, model, fetched_at, seen.known_to(url), whole=whole)
        return self._guided(url, model, reading, told, again=again)

    def _is_worth_reading(
        self, url: str, model: SiteModel, seen: _Seen, document: Document, told: Mapping[str, Any], *, again: bool
    ) -> bool:
        sight = glance(document)
        seen.add_lines(url, sight.lines)
        pattern = model.patterns.get(model.address(url).pattern)
        titled = told.get("o") in (TITLE, PAGE, UP) or model.evidence.seen <= 1
        if not again:
            model.evidence.led += sight.led
        if self._mode == "always" or worth_reading(model, sight, pattern, titled=titled):
            return True
        if not again:
            # A thread that is not read now says nothing for its pattern or against it.
            thread = pattern is not None and pattern.role is Role.THREAD
            model.evidence.misses += told.get("o") == TITLE and not thread
            decide(model)
        return False

    def _guided(
        self, url: str, model: SiteModel, reading: Reading, told: Mapping[str, Any], *, again: bool
    ) -> Guided | None:
        host = host_key(url)
        seen = self._seen[host]
        steered = model.forum
        new = seen.count(reading.found.posts) if reading.found is not None else 0
        content = steered and reading.kind is not Kind.THREAD and self._is_content(reading, seen)
        role = model.pattern(reading.address).role
        learn(model, reading, told.get("o"), new, again=again, content=content)
        if seen.fetched:
            kept = {key.text() for one in seen.fetched if (key := model.key(one)) is not None}
            model.early = model.early | kept if model.forum else kept
        self._forget(host, model)
        if not model.forum and reading.kind is Kind.OTHER and not told and not steered:
            return None
        key = model.key(url)
        number = told.get("n") or (key.page if key is not None else 1)
        guided = Guided(reading, key, [], steered=model.forum, run=told.get("r"), number=number)
        if model.forum and content and role is not Role.PAGE:
            self._released.append((host, reading.address.pattern))
        if model.forum and key is not None and told.get("k") != key.text():
            model.early.add(key.text())
        if reading.kind is Kind.THREAD:
            self._describe_thread(guided, model, told)
        self._choose(guided, model, told)
        if key is not None and key.role is Role.BOARD and key.page == 1 and len(model.boards) < _BOARDS_KEPT:
            model.boards[key.text()] = [url, told.get("b") or [], told.get("t")]
        return guided

    def _is_content(self, reading: Reading, seen: _Seen) -> bool:
        """Whether the page has much writing that is in no post and on no other page."""
        known = seen.known_to(reading.outline.url)
        page = reading.page
        lines = {hash(text): free for text, free in zip(page.texts, page.free, strict=True) if free >= PROSE}
        prose = sum(free for line, free in lines.items() if line not in seen.lines and line not in known)
        enough = seen.pages >= _ENOUGH_PAGES
        seen.add_lines(reading.outline.url, lines)
        return enough and prose >= _CONTENT

    def _forget(self, host: str, model: SiteModel) -> None:
        """What was kept till the site is known."""
        if self._mode == "always":
            model.ruled_out = False
        elif model.ruled_out:
            if self.skipped.has(host):
                self._released.append((host, None))
            self._seen.pop(host, None)
            model.patterns.clear()
            model.listing.clear()

    def undecided(self, url: str, meta: Mapping[str, Any] | None, kind: Kind, *, seed: bool = False) -> bool:
        """Whether a page should wait: what it is depends on whether its site is a forum, and that is not yet known."""
        model = self.models.get(host_key(url))
        if model is None or model.ruled_out:
            return False
        told = (meta or {}).get(META) or {}
        if model.forum:
            return told.get("o") in (TITLE, PAGE) and kind is Kind.OTHER and model.template is None
        return kind is not Kind.OTHER or seed or told.get("o") in (TITLE, PAGE, UP)

    def kept(self, url: str) -> None:
        """The page is kept to be looked at again: it need not be fetched under another identity."""
        if (seen := self._seen.get(host_key(url))) is not None:
            seen.fetched.append(url)

    def learning(self, url: str) -> bool:
        """Whether the site may still turn out to be a forum."""
        model = self.models.get(host_key(url))
        return model is not None and not model.forum and not model.ruled_out

    def is_forum(self, url: str) -> bool:
        model = self.models.get(host_key(url))
        return model is not None and model.forum

    async def released(self) -> list[Left]:
        """Links that were left out and are to be followed after all."""
        found: list[Left] = []
        while self._released:
            host, pattern = self._released.pop()
            links = await self.skipped.of(host, pattern)
            known = self.models[host].patterns.get(pattern) if pattern is not None else None
            # Of a pattern that is not yet known to be worth it, a few.
            found += links if known is None or known.role is Role.PAGE else links[: _SAMPLED - 1]
        return found

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
            if (
                key is not None
                and guided.key is not None
                and (key.role, key.name) == (guided.key.role, guided.key.name)
            ):
                continue  # a page of this same list or thread: see below
            if key is not None:
                # Inside posts too: what somebody points at may stand in no list that is shown.
                if key.page == 1:
                    self._add(guided, model, Target(anchor, anchor.url, key), row, board)
                elif row is not None:
                    # A member's rows may lead to where the member stopped reading.
                    self._add(guided, model, _from_the_first(model, anchor, key), row, board)
            elif id(anchor) in candidates:
                if not surely_changes_state(anchor.url) and not self._is_no_title(anchor.url, model):
                    priority = _CANDIDATE if model.forum else _LIKELY
                    modified = row.modified if row is not None else None
                    guided.ways.append(Way(anchor.url, priority, None, modified, self._meta(TITLE, anchor, board)))
            elif id(anchor) in crumbs and reading.kind is Kind.THREAD and self._leads_up(anchor, model):
                guided.ways.append(Way(anchor.url, _UP if model.forum else _LIKELY, None, None, {META: {"o": UP}}))
        self._pages(guided, model, board, told.get("r"))
        if model.forum:
            self._explore(guided, model)
            self._leave_out(guided, model)
            return
        for way in guided.ways:
            # Before the site is known, a link is what its address says: nothing is fetched twice if it is no forum.
            way.identity, way.priority = None, min(way.priority, _LIKELY)
            way.meta[META].pop("k", None)

    def _is_no_title(self, url: str, model: SiteModel) -> bool:
        """On a forum, links of a pattern that stand where titles may, and have led to nothing: authors, tags."""
        pattern = model.patterns.get(model.address(url).pattern)
        tried = pattern is not None and pattern.role is None and pattern.fetched >= _SAMPLED and not pattern.useful
        return model.forum and (tried or leads_away(url))

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
                guided.ways.append(Way(anchor.url, _PAGE))
            elif role is not Role.POST and not changes_state(anchor.url, anchor.text, anchor.node.attributes):
                self.skipped.add(host, pattern, anchor.url)

    def _leads_up(self, anchor: Anchor, model: SiteModel) -> bool:
        if changes_state(anchor.url, anchor.text) or leads_away(anchor.url):
            return False
        return model.role(anchor.url) is None

    def _add(self, guided: Guided, model: SiteModel, target: Target, row: Row | None, board: list[str]) -> None:
        anchor, key = target.anchor, target.key
        early = key.text() in model.early
        if key == guided.key or (early and (row is None or not row.facts or not model.forum)):
            return
        if key.role is Role.BOARD:
            path = board if guided.reading.kind is Kind.LIST and row is not None else []
            meta = self._meta(TITLE, anchor, path, key)
            if early:
                meta[META][EARLY] = 1
            guided.ways.append(Way(target.url, _BOARD, self._identity(target.url, key), None, meta))
            return
        known = self._seen.setdefault(host_key(target.url), _Seen()).threads
        meta = self._meta(TITLE, anchor, board if row is not None else [], key)
        if guided.reading.kind is Kind.THREAD and guided.reading.outline.within(anchor.node.start):
            meta[META].pop("t", None)  # the words of whoever points at it
        if early:
            meta[META][EARLY] = 1
        if key.name not in known:
            guided.fresh += 1
        if model.forum and len(known) < 2_000_000:
            known.add(key.name)
        modified = row.modified if row is not None else None
        guided.ways.append(Way(target.url, _THREAD, self._identity(target.url, key), modified, meta))

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
            if number == own.page or key.text() in model.early:
                continue
            told: dict[str, Any] = {"o": PAGE, "k": key.text(), "b": board, "t": guided.title}
            if anchor is reading.outline.following and not reading.outline.pager:
                told["n"] = guided.number + 1
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
            told = known is not None and (known.role is not None or (known.fetched and not known.useful))
            if told or model.is_view(address):
                continue
            if changes_state(anchor.url, anchor.text, anchor.node.attributes) or leads_away(anchor.url):
                continue
            patterns.add(address.pattern)
            guided.ways.append(Way(anchor.url, _EXPLORE, None, None, {META: {"o": EXPLORED}}))

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
        number = guided.number
        size = model.posts_a_page or (_size_told(guided.reading, number) if number > 1 else None)
        guided.first = 1 + (number - 1) * size if number > 1 and size else 1
        for post in guided.reading.found.posts if guided.reading.found is not None else ():
            if post.number is not None and post.number < number:
                post.number = None  # a count of something else: what stands on the third page is not the second post


def _size_told(reading: Reading, number: int) -> int | None:
    """Posts of a page, as the place of the first post on a further page tells."""
    posts = reading.found.posts if reading.found is not None else []
    if not posts or posts[0].place is None:
        return None
    size, rest = divmod(posts[0].place - 1, number - 1)
    return size if not rest and len(posts) <= size <= _MOST_A_PAGE else None


_MOST_A_PAGE = 200


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
