"""The browser: pages drawn by a system Chromium, within every bound that plain requests have.

    async with BrowserPool(BrowserOptions()) as pool:
        rendered = await pool.render("https://example.org/")

`pool` keeps one Chromium and its tabs, and replaces what crashed or grew too large; `tab` draws one page; `proxy` is
the only way out that Chromium has, and judges every address by the network guard. Playwright is asked for nothing but
what Chromium's own protocol does in one message: each message costs a way through three processes. Knows nothing of
Scrapy, the frontier, or whether a page needs a browser.
"""

from nephila.fetch.browser.options import BrowserOptions, Draw, Rendered
from nephila.fetch.browser.pool import BrowserPool

__all__ = ["BrowserOptions", "BrowserPool", "Draw", "Rendered"]
