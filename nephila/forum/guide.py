"""The guide of a crawl through a forum: what each page is, and where to go from there.

For each queued URL, when its turn comes, it says whether it is still worth a fetch (`turns`); for each page what it is
and which of its links are (`links`). On sites that are no forums it keeps out of the way. What it learns goes to the
memory, from where the other workers take it. Knows readings, models and the memory, nothing of frontier or fetching.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nephila.document import Document
from nephila.forum.actions import leads_away
from nephila.forum.glance import glance
from nephila.forum.learning import PAGE, TITLE, UP, learn
from nephila.forum.links import Links
from nephila.forum.model import Role, SiteModel
from nephila.forum.naming import describe_thread
from nephila.forum.post import PROSE
from nephila.forum.reading import Kind, Reading, read
from nephila.forum.seen import Seen
from nephila.forum.sharing import merge
from nephila.forum.skipped import Left, Skipped
from nephila.forum.turns import SAMPLED, Turns
from nephila.forum.verdict import decide, worth_reading
from nephila.forum.way import BOARD, META, Guided, Way
from nephila.memory import Memory
from nephila.urls import host_key, origin

SPACE = "forum"
_BOARDS_KEPT = 5000
_CONTENT = 1000
"""Characters of prose that no post and no other page has."""
_FIRST_PAGES = 24
"""Pages of a site that are read one after the other, as long as nothing is known of it."""
_ENOUGH_REDIRECTS = 2
_ENOUGH_PAGES = 4
"""Pages that tell what stands on all of them."""


class Guide:
    def __init__(self, memory: Memory, *, mode: str = "auto", member: bool = False) -> None:
        self._memory = memory
        self._mode = mode
        self.models: dict[str, SiteModel] = {}
        self.skipped = Skipped(memory)
        self._dirty: set[str] = set()
        self._loaded: set[str] = set()
        self._seen: dict[str, Seen] = {}
        self._turns = Turns(self.skipped, member=member)
        self._links = Links(self.skipped, self._seen)
        self._released: list[tuple[str, str | None]] = []
        """Sites and patterns whose links are to be followed after all; without a pattern: all that were left out."""

    # -- sharing ---------------------------------------------------------------------------------------------------

    async def load(self, url: str) -> None:
        """Takes what is known of the site of a URL from the memory, once."""
        host = host_key(url)
        if host not in self._loaded:
            data = await self._memory.get(SPACE, host)
            self._loaded.add(host)  # not before: pages that come at once all wait for what is known
            if data is not None and host not in self.models:
                self.models[host] = SiteModel.from_json(data)

    async def share(self) -> None:
        """Gives what was learned to the other workers, and takes what they learned."""
        await self.skipped.share()
        for host in list(self.models):
            await self._share(host)

    async def share_site(self, url: str) -> None:
        """The same for the site of a URL alone."""
        host = host_key(url)
        if host in self.models:
            await self._share(host)

    async def _share(self, host: str) -> None:
        model = self.models[host]
        if host in self._dirty:
            self._dirty.discard(host)
            # A copy: the memory changes it in a thread, and pages are looked at meanwhile.
            own = model.to_json()

            def change(data: bytes | None) -> bytes:
                return own if data is None else merge(SiteModel.from_json(own), SiteModel.from_json(data)).to_json()

            try:
                await self._memory.update(SPACE, host, change)
            except BaseException:
                self._dirty.add(host)
                raise
        elif model.ruled_out and not model.forum:
            return
        data = await self._memory.get(SPACE, host)
        if data is not None:
            self.models[host] = merge(self.models[host], SiteModel.from_json(data))

    def judge(self, url: str, meta: Mapping[str, Any] | None, *, again: bool) -> Way | bool:
        """Whether a queued URL is worth its fetch now; a `Way` instead: it is another's alias, follow that.

        `again`: it was fetched in an earlier run.
        """
        model = self.models.get(host_key(url))
        if model is not None and model.forum:
            self._dirty.add(host_key(url))  # what is tried is counted
        return self._turns.judge(url, meta, model, again=again)

    def redirected(self, url: str, target: str) -> None:
        """Learns what addresses are worth that lead to others: those of single posts into threads that a list names."""
        model = self.models.get(host_key(url))
        if model is None or model.ruled_out or host_key(target) != host_key(url):
            return
        own, there = model.address(url), model.address(target)
        pattern, key = model.pattern(own), model.key(target)
        if pattern.role is not None or pattern.fixed or own.pattern == there.pattern:
            return
        pattern.fetched += 1
        pattern.landed = pattern.landed + 1 if pattern.leads == there.pattern else 1
        pattern.leads = there.pattern
        if not model.forum or key is None:
            return
        threads = self._seen[host_key(url)].threads if host_key(url) in self._seen else set()
        pattern.useful += key.name not in threads and not model.was_early(key)
        if pattern.fetched >= _ENOUGH_REDIRECTS and not pattern.useful:
            pattern.role = Role.POST
        self._dirty.add(host_key(url))

    def is_same_page(self, url: str, target: str, meta: Mapping[str, Any] | None) -> bool:
        """Whether a redirect leads to another address of the page that was asked for, by its identity.

        Then nobody else will read that: the target's own entry, if there is one, is refused as an alias of this one.
        """
        model = self.models.get(host_key(url))
        key = model.key(target) if model is not None and origin(url) == origin(target) else None
        told: dict[str, Any] = (meta or {}).get(META) or {}
        return key is not None and told.get("k") == key.text()

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
        seen = self._seen.setdefault(host, Seen())
        model.evidence.seen += not again
        self._dirty.add(host)
        if not model.forum and not self._is_worth_reading(url, model, seen, document, told, again=again):
            self._forget(host, model)
            return None
        whole = model.forum or self._mode == "always"
        reading = read(document, url, model, fetched_at, seen.known_to(url), whole=whole)
        try:
            return self._guided(url, model, reading, told, again=again)
        finally:
            reading.page.tree.let_go()

    def _is_worth_reading(
        self, url: str, model: SiteModel, seen: Seen, document: Document, told: Mapping[str, Any], *, again: bool
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
            kept = {key.text(): one for one in seen.fetched if (key := model.key(one)) is not None}
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
            model.early[key.text()] = url
        guided.view = model.forum and reading.kind is Kind.THREAD and model.role(url) is Role.POST
        if reading.kind is Kind.THREAD:
            describe_thread(guided, model, told)
        self._links.choose(guided, model, told)
        if key is not None and key.role is Role.BOARD and key.page == 1 and len(model.boards) < _BOARDS_KEPT:
            model.boards[key.text()] = [url, told.get("b") or [], told.get("t")]
        return guided

    def _is_content(self, reading: Reading, seen: Seen) -> bool:
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

    def undecided(self, url: str, meta: Mapping[str, Any] | None, kind: Kind) -> bool:
        """Whether a page should wait: what it is depends on whether its site is a forum, and that is not yet known."""
        model = self.models.get(host_key(url))
        if model is None or model.ruled_out:
            return False
        told = (meta or {}).get(META) or {}
        if model.forum:
            if kind is Kind.THREAD:
                return model.template is not None and not model.template.is_sure
            return told.get("o") in (TITLE, PAGE) and kind is Kind.OTHER and model.template is None
        return kind is not Kind.OTHER or told.get("o") in (TITLE, PAGE, UP)

    def kept(self, url: str) -> None:
        """The page is kept to be looked at again: it need not be fetched under another identity."""
        if (seen := self._seen.get(host_key(url))) is not None:
            seen.fetched.append(url)

    def learning(self, url: str) -> bool:
        """Whether the site may still turn out to be a forum."""
        model = self.models.get(host_key(url))
        return model is not None and not model.forum and not model.ruled_out

    def knows_little(self, url: str) -> bool:
        """Whether so few pages of the site were seen that each may tell what it is."""
        model = self.models.get(host_key(url))
        return model is None or (self.learning(url) and model.evidence.seen < _FIRST_PAGES)

    def is_untried(self, url: str) -> bool:
        """Whether another worker may know better by now what an address leads to, or whether it was tried."""
        model = self.models.get(host_key(url))
        if model is None or not model.forum:
            return self.knows_little(url)
        pattern = model.patterns.get(model.address(url).pattern)
        return (pattern is None or (pattern.role is None and not pattern.fetched)) and not leads_away(url)

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
            found += links if known is None or known.role is Role.PAGE else links[: SAMPLED - 1]
        return found


async def boards_again(memory: Memory, run: float) -> list[Way]:
    """Where another crawl of the forums begins: the first page of each board, once in each run."""
    ways = []
    for _, data in await memory.items(SPACE):
        model = SiteModel.from_json(data)
        for key, (url, board, title) in model.boards.items() if model.forum else ():
            told = {"o": TITLE, "k": key, "r": int(run), "b": board, "t": title}
            ways.append(Way(url, BOARD, f"{origin(url)}/~forum/{key}@{int(run)}", None, {META: told}))
    return ways
