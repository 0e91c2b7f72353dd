"""The shop's addresses."""

from __future__ import annotations

from aiohttp import web

from nephila.demo.kit import answers
from nephila.demo.kit.grow import words_of
from nephila.demo.kit.markup import escape, paragraphs
from nephila.demo.shop import lists
from nephila.demo.shop.content import by_path, catalogue
from nephila.demo.shop.drawing import goods
from nephila.demo.shop.frame import whole_page
from nephila.demo.shop.products import product_page


def build() -> web.Application:
    app = web.Application()
    shop = Shop()
    app.add_routes(
        [
            web.get("/", shop.front),
            web.get("/robots.txt", shop.robots),
            web.get("/sitemap.xml", shop.sitemap),
            web.get("/static/shop.css", shop.style),
            web.get("/img/{sku}.svg", shop.picture),
            web.get("/c/{slug}/", shop.category),
            web.get("/p/{name}", shop.product),
            web.get("/info/{slug}", shop.info),
            web.get("/cart", shop.cart),
            web.route("*", "/cart/add", shop.add),
            web.post("/_control/redesign", shop.redesign),
            web.get("/_control/state", shop.state),
        ]
    )
    return app


class Shop:
    """Answers for every address. Its state: whether the redesign is live, and what was put into the basket."""

    def __init__(self) -> None:
        self._products_shown = 0
        self._redesign_after: int | None = None
        self._basket: list[tuple[str, str]] = []

    async def front(self, request: web.Request) -> web.Response:
        return answers.conditional(request, answers.page(lists.front()))

    async def robots(self, request: web.Request) -> web.Response:
        text = "User-agent: *\nDisallow: /cart\nDisallow: /_control/\n"
        return web.Response(text=f"{text}\nSitemap: {request.scheme}://{request.host}/sitemap.xml\n")

    async def sitemap(self, request: web.Request) -> web.Response:
        origin = f"{request.scheme}://{request.host}"
        entries = "".join(f"<url><loc>{origin}{path}</loc></url>" for path in by_path())
        return answers.xml(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        )

    async def style(self, _: web.Request) -> web.Response:
        return answers.asset("nephila.demo.shop", "shop.css")

    async def picture(self, request: web.Request) -> web.Response:
        product = catalogue().get(request.match_info["sku"])
        if product is None:
            raise web.HTTPNotFound
        return answers.svg(goods(product.shape, product.sku))

    async def category(self, request: web.Request) -> web.Response:
        for category in words_of("shop")["category"]:
            if category["slug"] == request.match_info["slug"]:
                text = lists.category_page(category["slug"], category["name"], lists.Choice.of(request.query))
                if text is not None:
                    return answers.conditional(request, answers.page(text))
        raise web.HTTPNotFound

    async def product(self, request: web.Request) -> web.Response:
        product = by_path().get(request.path)
        if product is None:
            raise web.HTTPNotFound
        redesigned = self._redesign_after is not None and self._products_shown >= self._redesign_after
        self._products_shown += 1
        text = product_page(product, f"{request.scheme}://{request.host}", redesigned=redesigned)
        return answers.conditional(request, answers.page(text))

    async def info(self, request: web.Request) -> web.Response:
        pages = words_of("shop")["pages"]
        if request.match_info["slug"] not in pages:
            raise web.HTTPNotFound
        title, text = pages[request.match_info["slug"]]
        return answers.page(whole_page(title, f"<h1>{escape(title)}</h1>{paragraphs([text])}"))

    async def cart(self, _: web.Request) -> web.Response:
        return answers.page(whole_page("Basket", f"<h1>Basket</h1><p>{len(self._basket)} things.</p>"))

    async def add(self, request: web.Request) -> web.Response:
        """A link that changes something, as many shops have: no crawler should follow it."""
        if len(self._basket) < 10_000:
            self._basket.append((request.method, request.query.get("sku", "")))
        raise web.HTTPSeeOther("/cart")

    async def redesign(self, request: web.Request) -> web.Response:
        """Puts the new product template live: at once, or with `?after=N` when N more products were shown."""
        after = request.query.get("after", "0")
        if not after.isascii() or not after.isdigit():
            raise web.HTTPBadRequest(text="after must be a number of product pages")
        self._redesign_after = self._products_shown + int(after)
        return web.json_response({"redesign_after": self._redesign_after})

    async def state(self, _: web.Request) -> web.Response:
        return web.json_response(
            {
                "products_shown": self._products_shown,
                "redesign_after": self._redesign_after,
                "basket": [{"method": method, "sku": sku} for method, sku in self._basket],
            }
        )
