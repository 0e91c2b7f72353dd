"""Which pages of a crawl are drawn by a browser, and what becomes of them.

A browser is fifty times dearer than a plain request. With `render = "auto"` each template group of a site (`shape` of
its URLs) is judged by a few samples: both what the server sent and what the browser made of it are read, and the
browser is used further only where text or links are missing without it, and the data in the page (`embedded`) cannot
give them either. The verdicts live in the site memory (`verdicts`) and are checked again now and then. The decision
is `renderer`'s; the comparison is `need`'s. Browsers themselves are in `fetch.browser`.
"""

from nephila.rendering.renderer import Renderer, browser_options

__all__ = ["Renderer", "browser_options"]
