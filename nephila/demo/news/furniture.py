"""What stands around every page of the newspaper: masthead, navigation, sidebar, banner, footer."""

from __future__ import annotations

from nephila.demo.kit.markup import escape, link, quote
from nephila.demo.news.content import LANGUAGES, Article, Edition, edition


def section_path(paper: Edition, key: str) -> str:
    return f"/{paper.language}/{paper.slugs[key]}/"


def tag_path(paper: Edition, tag: str) -> str:
    return f"/{paper.language}/tag/{quote(tag)}/"


def whole_page(paper: Edition, title: str, main: str, *, head: str = "", sidebar: bool = True) -> str:
    """`main` within the furniture; `head` is further markup for the head element."""
    words, ui = paper.words, paper.words["ui"]
    aside = _sidebar(paper) if sidebar else ""
    return f"""<!DOCTYPE html>
<html lang="{paper.language}" dir="{words["direction"]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} | {escape(words["name"])}</title>
<link rel="stylesheet" href="/static/news.css">
<link rel="alternate" type="application/rss+xml" title="{escape(words["name"])}" href="/{paper.language}/rss.xml">
{head}
</head>
<body>
<div class="cookie-banner" role="dialog"><span>{escape(ui["cookies"])}</span>
<button type="button">{escape(ui["accept"])}</button></div>
<header class="masthead">
<div class="languages">{_languages()}</div>
<a class="name" href="/{paper.language}/">{escape(words["name"])}</a>
<p class="motto">{escape(words["motto"])}</p>
<form class="search" action="/{paper.language}/search" method="get">
<input type="search" name="q" placeholder="{escape(ui["search"])}"><button>{escape(ui["search"])}</button></form>
</header>
{_navigation(paper)}
<div class="columns">
<main id="content">
{main}
</main>
{aside}
</div>
{_footer(paper)}
</body>
</html>
"""


def _languages() -> str:
    return " ".join(
        link(f"/{code}/", edition(code).words["ui"]["language"], f'hreflang="{code}"') for code in LANGUAGES
    )


def _navigation(paper: Edition) -> str:
    words, ui = paper.words, paper.words["ui"]
    sections = [(f"/{paper.language}/", ui["home"])]
    sections += [(section_path(paper, section["key"]), section["name"]) for section in words["section"]]
    sections.append((f"/{paper.language}/archive/", ui["archive"]))
    topics = [(tag_path(paper, tag), tag) for tag in words["words"]["tag"]]
    services = [(f"/{paper.language}/{slug}", title) for slug, (title, _) in words["pages"].items()]
    return (
        f'<nav class="sections"><ul>{_items(sections)}</ul></nav>\n'
        f'<nav class="topics"><ul>{_items(topics)}</ul></nav>\n'
        f'<nav class="services"><ul>{_items(services)}</ul></nav>'
    )


def _items(links: list[tuple[str, str]]) -> str:
    return "".join(f"<li>{link(href, text)}</li>" for href, text in links)


def _sidebar(paper: Edition) -> str:
    ui = paper.words["ui"]
    popular = sorted(paper.articles, key=lambda article: (article.number * 7) % 31)[:5]
    links = [(f"{article.path}?utm_source=sidebar&utm_medium=most-read", article.title) for article in popular]
    return f"""<aside class="sidebar">
<section class="box"><h3>{escape(ui["most_read"])}</h3><ol>{_items(links)}</ol></section>
<section class="box newsletter"><h3>{escape(ui["newsletter"])}</h3><p>{escape(ui["newsletter_text"])}</p>
<form action="/subscribe" method="post"><input type="email" name="email" placeholder="{escape(ui["email"])}">
<button>{escape(ui["subscribe"])}</button></form></section>
<section class="box ad"><small>{escape(ui["advertisement"])}</small><p>Tallow &amp; Twine, ship chandlers</p></section>
</aside>"""


def _footer(paper: Edition) -> str:
    ui, pages = paper.words["ui"], paper.words["pages"]
    links = " · ".join(link(f"/{paper.language}/{slug}", pages[slug][0]) for slug in ("about", "contact", "privacy"))
    return (
        f'<footer class="footer"><p>{links} · {link(f"/{paper.language}/rss.xml", "RSS")}</p>'
        f"<p>© 2025 {escape(paper.words['name'])}. {escape(ui['rights'])}</p></footer>"
    )


def related(paper: Edition, article: Article) -> str:
    """Other stories of the section, with the campaign parameters that newspapers put on such links."""
    others = [other for other in paper.of_section(article.section) if other is not article][:4]
    links = [(f"{other.path}?utm_source=related&utm_campaign=below-article", other.title) for other in others]
    return f'<section class="related"><h3>{escape(paper.words["ui"]["related"])}</h3><ul>{_items(links)}</ul></section>'
