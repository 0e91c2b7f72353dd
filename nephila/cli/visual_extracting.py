"""The work of `nephila extract --method visual` and `--overlay`: pages are drawn by a browser and looked at."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nephila.cli.extracting import Wanted, open_output, page_files, read_file_bytes
from nephila.content.visual import (
    SiteModel,
    VisualPage,
    blocks_script,
    learn_site,
    overlay_script,
    read_visual,
    see,
)
from nephila.document import parse
from nephila.errors import InputError
from nephila.extraction import fill
from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw, Rendered
from nephila.fetch.browser.options import Source
from nephila.fetch.errors import FetchError
from nephila.record import Record

if TYPE_CHECKING:
    from playwright.async_api import Page

_NOWHERE = "https://page.invalid/"
"""The address of a file whose address was not told: it is given to the browser, never asked for."""
_AT_ONCE = 4
_TALLEST = 16_384
"""Pixels of a picture."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A page as the browser drew it, and what its blocks are."""

    rendered: Rendered
    page: VisualPage
    picture: bytes | None = None

    def record(self, site: SiteModel | None, url: str | None) -> Record:
        record = Record(url=url or "", final_url=self.rendered.final_url if url else None, rendered=True)
        fill(record, parse(self.rendered.html.encode(), url))
        see(self.page, site).write_to(record)
        return record


def extract_visual(
    source: str, url: str | None, wanted: Wanted, output: Path | None, allow_private: bool, overlay: Path | None
) -> int:
    """Pages from where they are; a directory is taken as one site, which teaches its own model."""
    if source != "-" and Path(source).is_dir():
        if overlay is not None:
            raise InputError("a picture is of one page: name a file or an address")
        return asyncio.run(_directory(Path(source), wanted, output, allow_private))
    asyncio.run(_one(source, url, wanted, output, allow_private, overlay))
    return 0


async def _one(
    source: str, url: str | None, wanted: Wanted, output: Path | None, allow_private: bool, overlay: Path | None
) -> None:
    given = None
    if source == "-":
        given = sys.stdin.buffer.read()
    elif source.startswith(("http://", "https://")):
        url = url or source
    else:
        given = read_file_bytes(Path(source))
    options = BrowserOptions(allow_private=allow_private, images=overlay is not None, fonts=overlay is not None)
    async with BrowserPool(options) as pool:
        looked = await _look(pool, url, given, picture=overlay is not None)
    if overlay is not None and looked.picture is not None:
        _write(overlay, looked.picture)
    with open_output(output) as out:
        out.write(wanted.show(looked.record(None, url)))


async def _directory(directory: Path, wanted: Wanted, output: Path | None, allow_private: bool) -> int:
    if wanted.format != "json":
        raise InputError("a directory gives one JSON line a page: leave --format out, or name a single file")
    files = page_files(directory)
    async with BrowserPool(BrowserOptions(allow_private=allow_private, concurrency=_AT_ONCE)) as pool:
        found = await asyncio.gather(*(_try(pool, path) for path in files))
    looked = {path: one for path, one in zip(files, found, strict=True) if isinstance(one, Looked)}
    lesson = learn_site([one.page for one in looked.values()])
    with open_output(output) as out:
        for path, one in looked.items():
            record = one.record(lesson.model if lesson else None, None)
            out.write(wanted.show(record, file=str(path.relative_to(directory))))
    for line in _complaints(directory, files, found):
        print(line, file=sys.stderr)
    return 0 if len(looked) == len(files) else 1


async def _try(pool: BrowserPool, path: Path) -> Looked | InputError:
    try:
        return await _look(pool, None, read_file_bytes(path), picture=False)
    except InputError as error:
        return error


def _complaints(directory: Path, files: list[Path], found: list[Any]) -> Iterator[str]:
    for path, one in zip(files, found, strict=True):
        if isinstance(one, InputError):
            yield f"nephila: {path.relative_to(directory)}: {one}"


async def _look(pool: BrowserPool, url: str | None, given: bytes | None, *, picture: bool) -> Looked:
    address = url or _NOWHERE
    source = Source(given, headers={"content-type": "text/html"}) if given is not None else None
    follow = given is None
    draw = Draw(inspect=_inspect, follow=follow) if picture else Draw(script=blocks_script(), follow=follow)
    try:
        rendered = await pool.render(address, draw, source)
        if source is not None and rendered.moved is not None:
            # A saved page that its own script sends elsewhere: without scripts it stays, and is parsed to its end.
            source = replace(source, headers={**source.headers, "content-security-policy": "script-src 'none'"})
            rendered = await pool.render(address, draw, source)
    except FetchError as error:
        raise InputError(f"cannot draw {address if url else 'the page'}: {error}") from error
    if rendered.status >= 400:
        raise InputError(f"{address} answered with status {rendered.status}: check the address")
    value, shot = rendered.value if picture else (rendered.value, None)
    return Looked(rendered, read_visual(value), shot)


async def _inspect(page: Page) -> tuple[Any, bytes]:
    value = await page.evaluate(blocks_script())
    await page.evaluate(overlay_script(), see(read_visual(value)).boxes)
    size = page.viewport_size or {"width": 1280, "height": 1024}
    height = max(size["height"], min(_TALLEST, int(value["height"])))
    area: Any = {"x": 0, "y": 0, "width": size["width"], "height": height}
    return value, await page.screenshot(full_page=True, animations="disabled", clip=area)


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
