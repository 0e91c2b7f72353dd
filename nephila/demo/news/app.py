"""The newspaper's addresses."""

from __future__ import annotations

from datetime import UTC, datetime

from aiohttp import web

from nephila.demo.kit import answers
from nephila.demo.kit.drawing import landscape
from nephila.demo.kit.markup import escape, quote
from nephila.demo.news import feeds, pages
from nephila.demo.news.content import LANGUAGES, Article, Edition, edition
from nephila.demo.news.furniture import section_path, tag_path, whole_page


def build() -> web.Application:
    app = web.Application()
    paper = News()
    languages = "|".join(LANGUAGES)
    app.add_routes(
        [
            web.get("/", paper.world),
            web.get("/robots.txt", paper.robots),
            web.get("/sitemap.xml", paper.sitemap_index),
            web.get(rf"/sitemaps/{{language:{languages}}}.xml.gz", paper.sitemap),
            web.get("/static/news.css", paper.style),
            web.get(r"/media/{key:[a-z]+-\d+}.svg", paper.picture),
            web.get(r"/print/{language:[a-z]+}-{number:\d+}", paper.printed),
            web.get("/share", paper.share),
            web.post("/subscribe", paper.subscribe),
            web.post("/_control/correct", paper.correct),
            web.get(rf"/{{language:{languages}}}/", paper.front),
            web.get(rf"/{{language:{languages}}}/rss.xml", paper.rss),
            web.get(rf"/{{language:{languages}}}/search", paper.search),
            web.get(rf"/{{language:{languages}}}/archive/", paper.archive),
            web.get(rf"/{{language:{languages}}}/tag/{{tag}}/", paper.tag),
            web.get(rf"/{{language:{languages}}}/{{slug}}", paper.service),
            web.get(rf"/{{language:{languages}}}/{{section}}/", paper.section),
            web.get(rf"/{{language:{languages}}}/{{section}}/page/{{number:\d+}}/", paper.section),
            web.get(rf"/{{language:{languages}}}/{{rest:.+\.html}}", paper.article),
        ]
    )
    return app


def _origin(request: web.Request) -> str:
    return f"{request.scheme}://{request.host}"


def _edition(request: web.Request) -> Edition:
    return edition(request.match_info["language"])


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 1000:
        raise web.HTTPNotFound
    return int(text)


class News:
    """Answers for every address; corrections made while it runs are its only state."""

    def __init__(self) -> None:
        self._articles = {article.path: article for code in LANGUAGES for article in edition(code).articles}
        self._corrected: dict[str, datetime] = {}

    async def world(self, request: web.Request) -> web.Response:
        return answers.conditional(request, answers.page(pages.world_front()))

    async def robots(self, request: web.Request) -> web.Response:
        return web.Response(text=feeds.robots(_origin(request)))

    async def sitemap_index(self, request: web.Request) -> web.Response:
        return answers.conditional(request, answers.xml(feeds.sitemap_index(_origin(request))))

    async def sitemap(self, request: web.Request) -> web.Response:
        body = feeds.sitemap(_edition(request), _origin(request))
        return web.Response(body=body, headers={"Content-Type": "application/gzip"})

    async def rss(self, request: web.Request) -> web.Response:
        text = feeds.rss(_edition(request), _origin(request))
        return answers.conditional(request, answers.xml(text, "application/rss+xml"))

    async def style(self, _: web.Request) -> web.Response:
        return answers.asset("nephila.demo.news", "news.css")

    async def picture(self, request: web.Request) -> web.Response:
        return answers.svg(landscape(request.match_info["key"]))

    async def front(self, request: web.Request) -> web.Response:
        return answers.conditional(request, answers.page(pages.front(_edition(request))))

    async def section(self, request: web.Request) -> web.Response:
        paper = _edition(request)
        for section in paper.words["section"]:
            if section["slug"] == request.match_info["section"]:
                number = _number(request.match_info.get("number", "1"))
                articles = paper.of_section(section["key"])
                base = section_path(paper, section["key"])
                return self._list(request, section["name"], articles, number, pages.SECTION_PAGE, base, "page/{n}/")
        raise web.HTTPNotFound

    async def archive(self, request: web.Request) -> web.Response:
        paper = _edition(request)
        number = _number(request.query.get("page", "1"))
        title, base = paper.words["ui"]["archive"], f"/{paper.language}/archive/"
        return self._list(request, title, list(paper.articles), number, pages.ARCHIVE_PAGE, base, "?page={n}")

    async def tag(self, request: web.Request) -> web.Response:
        paper, tag = _edition(request), request.match_info["tag"]
        articles = paper.of_tag(tag)
        number = _number(request.query.get("page", "1"))
        return self._list(request, tag, articles, number, pages.ARCHIVE_PAGE, tag_path(paper, tag), "?page={n}")

    def _list(
        self, request: web.Request, title: str, articles: list[Article], number: int, size: int, base: str, pager: str
    ) -> web.Response:
        if (number - 1) * size >= len(articles):
            raise web.HTTPNotFound
        text = pages.listing(_edition(request), title, articles, number, size, base, pager)
        return answers.conditional(request, answers.page(text))

    async def article(self, request: web.Request) -> web.Response:
        article = self._articles.get(request.rel_url.raw_path)
        if article is None:
            raise web.HTTPNotFound
        paper = edition(article.language)
        corrected = self._corrected.get(article.path)
        correction = paper.words["ui"]["correction"] if corrected else None
        text = pages.article_page(paper, article, _origin(request), correction)
        # The GB18030 story is declared by its meta element alone, the windows-1251 one by the header too.
        response = answers.page(text, encoding=article.encoding, declare=article.encoding != "gb18030")
        return answers.conditional(request, response, corrected or article.modified)

    async def printed(self, request: web.Request) -> web.Response:
        for article in self._articles.values():
            if article.key == f"{request.match_info['language']}-{request.match_info['number']}":
                return answers.page(pages.print_page(edition(article.language), article, _origin(request)))
        raise web.HTTPNotFound

    async def service(self, request: web.Request) -> web.Response:
        paper, slug = _edition(request), request.match_info["slug"]
        if slug not in paper.words["pages"]:
            raise web.HTTPNotFound
        return answers.conditional(request, answers.page(pages.service_page(paper, slug)))

    async def search(self, request: web.Request) -> web.Response:
        paper, wanted = _edition(request), request.query.get("q", "")[:100]
        found = [article for article in paper.articles if wanted and wanted.lower() in article.text.lower()]
        stories = "".join(pages.teaser(paper, article) for article in found)
        return answers.page(whole_page(paper, wanted, f"<h1>{escape(wanted)}</h1>{stories}"))

    async def share(self, request: web.Request) -> web.Response:
        raise web.HTTPFound("/" if "u" not in request.query else str(request.query["u"]))

    async def subscribe(self, _: web.Request) -> web.Response:
        raise web.HTTPSeeOther("/")

    async def correct(self, request: web.Request) -> web.Response:
        """Appends the correction to the story at `path` and dates it now: what a recrawl should notice."""
        article = self._articles.get(quote(request.query.get("path", "")))
        if article is None:
            raise web.HTTPNotFound
        self._corrected[article.path] = datetime.now(UTC).replace(microsecond=0)
        return web.json_response(
            {"corrected": article.path, "text": edition(article.language).words["ui"]["correction"]}
        )
