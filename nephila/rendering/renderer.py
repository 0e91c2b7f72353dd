"""The decision, page by page: take it as the server sent it, read its data, or have it drawn."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import orjson

from nephila.content.visual.page import blocks_script
from nephila.document import Document, parse
from nephila.errors import InputError
from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw, Rendered
from nephila.fetch.browser.blocking import AD_HOSTS, blocker
from nephila.fetch.browser.options import Source
from nephila.fetch.client import Answer, Client, without_secrets
from nephila.fetch.errors import Cause, FetchError
from nephila.fetch.identity import user_agent
from nephila.frontier.base import Lease
from nephila.job import Job, Render
from nephila.memory import Memory
from nephila.page import Page
from nephila.reading import is_html
from nephila.rendering.embedded import learn, with_data
from nephila.rendering.need import Look, Missing, is_suspicious, missing, runs_scripts
from nephila.rendering.verdicts import Verdict, Verdicts
from nephila.urls import fingerprint, shape

logger = logging.getLogger(__name__)

_PLAIN_CHECK = 250
"""Pages of a plain group between two looks with the browser."""
_BROWSER_CHECK = 40
"""Pages of a drawn group between two looks at what the server sent: these cost no request."""
_FREE_LOOKS = 2
_LOOK_SHARE = 0.03
"""Looks at pages that seem whole: so many for each site, and this share of its pages."""
_MAX_KNOWN = 5000
_MAX_SITES = 2000
_CONDITIONS = frozenset({"etag", "last-modified", "content-encoding", "content-length", "transfer-encoding"})
"""The server speaks of the frame that it sent, not of what the scripts put into it."""

_LOOK = f"() => {{ try {{ return ({blocks_script()})(); }} catch {{ return null; }} }}"
"""What a page looks like is worth having, and not worth failing for."""

_is_ad = blocker(AD_HOSTS)


def browser_options(job: Job) -> BrowserOptions:
    http, rules = job.http, job.browser
    return BrowserOptions(
        executable=rules.executable,
        sandbox=rules.sandbox,
        user_agent=user_agent(job),
        headers=without_secrets(http.headers),
        proxy=http.proxy,
        site_proxies={host: site.proxy for host, site in job.sites.items() if site.proxy},
        allow_private=http.allow_private,
        verify_tls=http.verify_tls,
        concurrency=rules.concurrency,
        images=rules.images,
        fonts=rules.fonts,
        media=rules.media,
        ads=rules.ads,
        blocked_hosts=frozenset(rules.block),
        filters=() if rules.ads else rules.filters,
        timeout=rules.timeout,
        max_html=job.limits.max_body,
        recycle_after=rules.recycle_after,
        max_memory=rules.max_memory,
    )


class _Site:
    """What this worker has seen of a site, for its decisions."""

    def __init__(self) -> None:
        self.pages = 0
        self.idle_looks = 0
        """Drawings that showed nothing new."""
        self.links: set[int] = set()

    def met(self, look: Look) -> None:
        if len(self.links) < _MAX_KNOWN:
            self.links.update(look.links)

    @property
    def may_look(self) -> bool:
        return self.idle_looks < _FREE_LOOKS + _LOOK_SHARE * self.pages


class Renderer:
    def __init__(
        self, job: Job, client: Client, memory: Memory, on_rendered: Callable[[], None] = lambda: None
    ) -> None:
        self._job = job
        self._client = client
        self._pool = BrowserPool(browser_options(job))
        self._verdicts = Verdicts(memory)
        self._on_rendered = on_rendered
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        self._looking: dict[str, asyncio.Lock] = {}

    @property
    def pool(self) -> BrowserPool:
        return self._pool

    async def draw(self, lease: Lease, answer: Answer, wanted: bool | None = None) -> Answer:
        """The answer, drawn where the request, the site's rules or the job want it."""
        mode = self._mode(lease, wanted)
        if mode == "never" or not 200 <= answer.status < 300 or "source" in (lease.meta or {}) or not _is_page(answer):
            return answer
        try:
            return await (self._drawn(lease, answer) if mode == "always" else self._as_needed(lease, answer))
        except FetchError as error:
            if error.cause is Cause.BROWSER:
                raise
            # The page is at fault (too large, too slow, it kills its tab): what the server sent is better than nothing.
            logger.warning("%s is taken as the server sent it: %s", lease.url, error)
            return answer

    async def close(self) -> None:
        await self._pool.close()

    def _mode(self, lease: Lease, wanted: bool | None) -> Render:
        if wanted is not None:
            return "always" if wanted else "never"
        return self._job.site(lease.host).render or self._job.render

    # -- drawing ---------------------------------------------------------------------------------------------------

    async def _drawn(self, lease: Lease, answer: Answer) -> Answer:
        rules, site = self._job.browser, self._job.site(lease.host)
        draw = Draw(
            wait_for=site.wait_for or rules.wait_for,
            quiet=rules.quiet,
            patience=rules.patience,
            scrolls=rules.scrolls,
            clicks=rules.clicks,
            headers={**self._client.secrets(answer.url), **site.headers},
            cookies=self._client.cookies(answer.url),
            follow=False,
            screenshot=rules.screenshots is not None,
            script=_LOOK if rules.visual and self._job.extract != "plain" else None,
        )
        rendered = await self._pool.render(answer.url, draw, Source(answer.body, answer.status, answer.headers))
        self._on_rendered()
        if rendered.incomplete and _lost_text(answer, rendered):
            raise FetchError(Cause.RENDER, "still busy at the end of its time, with less text than the server sent")
        if rendered.screenshot is not None and rules.screenshots is not None:
            await asyncio.to_thread(_keep_picture, rules.screenshots, lease.url, rendered.screenshot)
        return _answer(answer, rendered)

    # -- deciding --------------------------------------------------------------------------------------------------

    async def _as_needed(self, lease: Lease, answer: Answer) -> Answer:
        site = self._site(lease.host)
        site.pages += 1
        group = shape(lease.url)
        verdict = await self._verdicts.of(group)
        verdict.seen += 1
        if verdict.way is None or verdict.old:
            # One at a time: what the first page shows decides for those that wait here.
            async with self._looking.setdefault(group, asyncio.Lock()):
                if verdict.way is None or verdict.old:
                    return await self._first_look(lease, answer, site, group, verdict)
            self._looking.pop(group, None)
        return await self._by_verdict(lease, answer, site, group, verdict)

    async def _first_look(self, lease: Lease, answer: Answer, site: _Site, group: str, verdict: Verdict) -> Answer:
        if not runs_scripts(answer.body, _is_ad):
            return answer
        plain = parse(answer.body, answer.url, headers=answer.headers)
        look = Look.at(plain)
        if not is_suspicious(answer.body, look) and not site.may_look:
            return answer
        return await self._compare(lease, answer, plain, look, site, group, verdict)

    async def _by_verdict(self, lease: Lease, answer: Answer, site: _Site, group: str, verdict: Verdict) -> Answer:
        if verdict.way == "plain" and (verdict.seen <= _PLAIN_CHECK or not runs_scripts(answer.body, _is_ad)):
            return answer
        if verdict.way == "browser" and verdict.seen <= _BROWSER_CHECK:
            return await self._drawn(lease, answer)
        plain = parse(answer.body, answer.url, headers=answer.headers)
        if verdict.way == "data" and verdict.seen <= _PLAIN_CHECK:
            body = with_data(plain, answer.body, verdict.paths)
            if body is not None:
                return replace(answer, body=body)
        return await self._compare(lease, answer, plain, Look.at(plain), site, group, verdict)

    async def _compare(
        self,
        lease: Lease,
        answer: Answer,
        plain: Document,
        look: Look,
        site: _Site,
        group: str,
        verdict: Verdict,
    ) -> Answer:
        """Looks at the page both ways, and learns; gives the better of them."""
        drawn = await self._drawn(lease, answer)
        if not drawn.rendered:  # it led elsewhere
            return drawn
        try:
            page = parse(drawn.body, drawn.url, headers=drawn.headers)
        except InputError:
            return answer
        shown = Look.at(page)
        lacks = missing(look, shown, site.links)
        site.met(shown)
        await self._verdicts.refresh(group, verdict)
        if not lacks.much:
            site.idle_looks += 1
            verdict.saw("plain", enough=lacks.little)
            await self._verdicts.keep(group, verdict)
            return answer
        read = self._from_data(answer, plain, page, shown, site)
        if read is not None:
            body, paths = read
            verdict.saw("data", enough=True, paths=paths)
            await self._verdicts.keep(group, verdict)
            return replace(answer, body=body)
        verdict.saw("browser", enough=lacks.most)
        await self._verdicts.keep(group, verdict)
        return drawn

    def _from_data(
        self, answer: Answer, plain: Document, page: Document, shown: Look, site: _Site
    ) -> tuple[bytes, tuple[str, ...]] | None:
        """The page written from its own data, and how, where that lacks nothing."""
        paths = learn(plain, answer.body, page)
        body = with_data(plain, answer.body, paths) if paths else None
        if body is None:
            return None
        lacks: Missing = missing(Look.at(parse(body, answer.url, headers=answer.headers)), shown, site.links)
        return None if lacks.much else (body, paths)

    def _site(self, host: str) -> _Site:
        site = self._sites.get(host)
        if site is None:
            site = self._sites[host] = _Site()
            if len(self._sites) > _MAX_SITES:
                self._sites.popitem(last=False)
        else:
            self._sites.move_to_end(host)
        return site


def _is_page(answer: Answer) -> bool:
    return is_html(Page(answer.url, answer.url, answer.status, answer.body, answer.started_at, answer.headers))


def _answer(answer: Answer, rendered: Rendered) -> Answer:
    if rendered.moved is not None:
        # A script's redirect is one like any other: the target is an entry of its own, judged by scope and robots.
        return replace(answer, status=302, headers={"location": rendered.moved}, body=b"")
    headers = {name: value for name, value in answer.headers.items() if name not in _CONDITIONS}
    headers["content-type"] = "text/html; charset=utf-8"
    return replace(
        answer,
        headers=headers,
        body=rendered.html.encode("utf-8", "replace"),
        seconds=answer.seconds + rendered.seconds,
        rendered=True,
        seen=rendered.value,
    )


def _lost_text(answer: Answer, rendered: Rendered) -> bool:
    """Whether a page that was not finished shows less than half of what the server sent: it waits for something."""
    try:
        drawn = Look.at(parse(rendered.html, answer.url)).words.total()
        return 2 * drawn < Look.at(parse(answer.body, answer.url, headers=answer.headers)).words.total()
    except InputError:
        return False


def _keep_picture(directory: Path, url: str, picture: bytes) -> None:
    """`<fingerprint>.png`, and a line in `index.jsonl` that says of which page."""
    directory.mkdir(parents=True, exist_ok=True)
    name = f"{fingerprint(url) & 0xFFFFFFFFFFFFFFFF:016x}.png"
    (directory / name).write_bytes(picture)
    with (directory / "index.jsonl").open("ab") as index:
        index.write(orjson.dumps({"url": url, "file": name}) + b"\n")
