"""The newspaper's pages as HTML: fronts, lists, articles, print versions, service pages."""

from __future__ import annotations

from datetime import datetime

from nephila.demo.kit.markup import escape, json_script, link, paragraphs
from nephila.demo.news.content import LANGUAGES, Article, Edition, edition
from nephila.demo.news.furniture import related, section_path, tag_path, whole_page

SECTION_PAGE = 4
ARCHIVE_PAGE = 10

_JSON_LD = {"harbour", "science"}
_OPEN_GRAPH = {"science", "city"}
_TIME_ELEMENT = {"sport", "city"}
"""Which sections say author and date to machines, and how; `culture` says them to people alone."""


def byline(paper: Edition, article: Article) -> str:
    return str(paper.words["byline"].format(author=article.author))


def dateline(paper: Edition, moment: datetime) -> str:
    """The date as the language writes it."""
    months = paper.words["months"]
    return str(
        paper.words["dateline"].format(
            year=moment.year,
            month=months[moment.month - 1] if months else "",
            month_number=moment.month,
            day=moment.day,
            hour=moment.hour,
            minute=moment.minute,
        )
    )


def teaser(paper: Edition, article: Article, *, large: bool = False) -> str:
    image = f'<img src="/media/{article.key}.svg" alt="" loading="lazy">' if large or article.caption else ""
    return (
        f'<div class="teaser{" large" if large else ""}">{image}<h3>{link(article.path, article.title)}</h3>'
        f'<p class="date">{escape(dateline(paper, article.published))}</p>'
        f"<p>{escape(article.paragraphs[0][:140])}…</p></div>"
    )


def world_front() -> str:
    """The root: a choice of languages, with three stories of each."""
    parts = ['<h1 class="choice">The Four Winds · Четыре ветра · 四风日报 · الرياح الأربع</h1>']
    for code in LANGUAGES:
        paper = edition(code)
        stories = "".join(teaser(paper, article) for article in paper.articles[:3])
        name = link(f"/{code}/", paper.words["name"])
        parts.append(f'<section lang="{code}" dir="{paper.words["direction"]}"><h2>{name}</h2>')
        parts.append(f'<div class="grid">{stories}</div></section>')
    return whole_page(edition("en"), "The Four Winds", "\n".join(parts), sidebar=False)


def front(paper: Edition) -> str:
    lead, *others = paper.articles[:13]
    stories = "".join(teaser(paper, article) for article in others)
    main = f'{teaser(paper, lead, large=True)}<div class="grid">{stories}</div>'
    return whole_page(paper, paper.words["ui"]["home"], main)


def listing(paper: Edition, title: str, articles: list[Article], number: int, size: int, base: str, pager: str) -> str:
    """One page of a list; `pager` is the address of page n with `{n}` in it, `base` that of the first."""
    pages = max(1, -(-len(articles) // size))
    shown = articles[(number - 1) * size : number * size]
    ui = paper.words["ui"]
    address = [base if n == 1 else base + pager.format(n=n) for n in range(1, pages + 1)]
    links = [
        link(address[n - 1], str(n)) if n != number else f'<span class="here">{n}</span>' for n in range(1, pages + 1)
    ]
    if number > 1:
        links.insert(0, link(address[number - 2], ui["previous"], 'rel="prev"'))
    if number < pages:
        links.append(link(address[number], ui["next"], 'rel="next"'))
    stories = "".join(teaser(paper, article) for article in shown)
    main = f'<h1>{escape(title)}</h1><div class="list">{stories}</div><div class="pager">{" ".join(links)}</div>'
    return whole_page(paper, title, main)


def article_page(paper: Edition, article: Article, origin: str, correction: str | None = None) -> str:
    ui = paper.words["ui"]
    section = next(section for section in paper.words["section"] if section["key"] == article.section)
    crumbs = (
        f"{link(f'/{paper.language}/', ui['home'])} › {link(section_path(paper, article.section), section['name'])}"
    )
    tags = " ".join(link(tag_path(paper, tag), tag, 'rel="tag"') for tag in article.tags)
    main = f"""<div class="crumbs">{crumbs}</div>
<article class="story">
<h1>{escape(article.title)}</h1>
<div class="meta"><span class="byline">{escape(byline(paper, article))}</span> {_date(paper, article)}</div>
{_figure(paper, article)}
<div class="story-body">
{_body(paper, article)}
{paragraphs([correction]) if correction else ""}
</div>
<div class="tags">{escape(ui["tags"])}: {tags}</div>
{_share(paper, article)}
</article>
{related(paper, article)}
{_comments(paper, article)}"""
    page = whole_page(paper, article.title, main, head=_head(paper, article, origin))
    return page.replace('<meta charset="utf-8">', f'<meta charset="{article.encoding}">', 1)


def print_page(paper: Edition, article: Article, origin: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="{paper.language}" dir="{paper.words["direction"]}"><head><meta charset="utf-8">
<title>{escape(article.title)}</title><meta name="robots" content="noindex">
<link rel="canonical" href="{origin}{article.path}"></head>
<body><h1>{escape(article.title)}</h1>
<p>{escape(byline(paper, article))}, {escape(dateline(paper, article.published))}</p>
{"".join(f"<{kind}>{escape(text)}</{kind}>" for kind, text in article.blocks)}
<p>{link(article.path, paper.words["name"])}</p></body></html>
"""


def service_page(paper: Edition, slug: str) -> str:
    title, text = paper.words["pages"][slug]
    return whole_page(paper, title, f"<h1>{escape(title)}</h1>\n{paragraphs([text])}")


def _head(paper: Edition, article: Article, origin: str) -> str:
    parts = [f'<link rel="canonical" href="{origin}{article.path}">']
    if article.section in _OPEN_GRAPH:
        properties = {
            "og:type": "article",
            "og:title": article.title,
            "og:site_name": paper.words["name"],
            "og:url": origin + article.path,
            "og:image": f"{origin}/media/{article.key}.svg",
            "og:description": article.paragraphs[0],
            "article:published_time": article.published.isoformat(),
            "article:author": article.author,
        }
        parts += [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    if article.section in _JSON_LD:
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": article.title,
            "author": [{"@type": "Person", "name": article.author}],
            "datePublished": article.published.isoformat(),
            "dateModified": article.modified.isoformat(),
            "inLanguage": article.language,
            "publisher": {"@type": "Organization", "name": paper.words["name"]},
            "keywords": list(article.tags),
        }
        parts.append(json_script(data, 'type="application/ld+json"'))
    return "\n".join(parts)


def _date(paper: Edition, article: Article) -> str:
    text = escape(dateline(paper, article.published))
    if article.section in _TIME_ELEMENT:
        text = f'<time datetime="{article.published.isoformat()}">{text}</time>'
    updated = ""
    if article.modified != article.published:
        updated = f" · {escape(paper.words['ui']['updated'])}: {escape(dateline(paper, article.modified))}"
    return f'<span class="dateline">{text}</span><span class="updated">{updated}</span>'


def _figure(paper: Edition, article: Article) -> str:
    if article.caption is None:
        return ""
    credit = f"<small>{escape(paper.words['ui']['photo'])}</small>"
    return (
        f'<figure><img src="/media/{article.key}.svg" alt="">'
        f"<figcaption>{escape(article.caption)} {credit}</figcaption></figure>"
    )


def _body(paper: Edition, article: Article) -> str:
    """The main text, interrupted as newspapers do: by a link to another story, or by an advertisement."""
    ui = paper.words["ui"]
    parts = [f"<{kind}>{escape(text)}</{kind}>" for kind, text in article.blocks]
    other = paper.articles[(article.number + 3) % len(paper.articles)]
    if article.number % 3 == 0 and other is not article:
        target = link(other.path + "?utm_source=inline", other.title)
        parts.insert(3, f'<div class="inline-link"><b>{escape(ui["read_also"])}:</b> {target}</div>')
    elif article.number % 3 == 1:
        parts.insert(4, f'<div class="ad"><small>{escape(ui["advertisement"])}</small> Tallow &amp; Twine</div>')
    return "\n".join(parts)


def _share(paper: Edition, article: Article) -> str:
    ui = paper.words["ui"]
    places = " ".join(
        link(f"/share?to={place}&u={article.path}", place, 'rel="nofollow" class="button"')
        for place in ("Pigeon", "Bottle", "Semaphore")
    )
    printing = link(f"/print/{article.key}", ui["print"], 'rel="nofollow"')
    return f'<div class="share"><b>{escape(ui["share"])}:</b> {places} {printing}</div>'


def _comments(paper: Edition, article: Article) -> str:
    ui = paper.words["ui"]
    if not article.comments:
        return ""
    items = "".join(
        f'<li class="comment" id="comment-{article.number}-{rank}"><b class="who">{escape(comment.author)}</b> '
        f'<span class="when">{escape(dateline(paper, comment.published))}</span><p>{escape(comment.text)}</p>'
        f'<a href="#reply" rel="nofollow">{escape(ui["reply"])}</a> '
        f'<a href="#report" rel="nofollow">{escape(ui["report"])}</a></li>'
        for rank, comment in enumerate(article.comments)
    )
    return (
        f'<section class="comments" id="comments"><h3>{escape(ui["comments"])} ({len(article.comments)})</h3>'
        f"<ul>{items}</ul></section>"
    )
