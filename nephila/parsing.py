"""Parsing beside the event loop: lexbor does not hold the interpreter's lock, so a second core can build the tree.

A fifth of a worker's time, and a page that is dear to parse no longer holds up the leases of the others. Knows pages
and documents, nothing of what is done with them.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from nephila.document import Document, parse
from nephila.page import Page

_SMALL_BYTES = 16 * 1024
"""Parsed sooner than it is handed over."""


class Parser:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="parser")

    async def parse(self, page: Page) -> Document:
        """Raises InputError for what is no page, as `document.parse` does."""
        if len(page.body) < _SMALL_BYTES:
            return _parsed(page)
        return await asyncio.get_running_loop().run_in_executor(self._thread, _parsed, page)


def _parsed(page: Page) -> Document:
    return parse(page.body, page.final_url, headers=page.headers)
