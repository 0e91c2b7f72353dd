"""Links: absolute, with their text and their place; and what a page says about following and indexing it."""

import re
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.document import Document, Limits, links, parse
from nephila.document.links import Joiner

URL = "https://example.org/news/today/page.html?x=1"


def urls(html: str, url: str | None = URL) -> list[str]:
    return [link.url for link in parse(html, url).links]


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("https://other.net/a", "https://other.net/a"),
        ("/a/b?c=d#e", "https://example.org/a/b?c=d#e"),
        ("//cdn.net/x", "https://cdn.net/x"),
        ("next.html", "https://example.org/news/today/next.html"),
        ("../up", "https://example.org/news/up"),
        ("/a/../b", "https://example.org/b"),
        ("?page=2", "https://example.org/news/today/page.html?page=2"),
        ("  /space \n", "https://example.org/space"),
        ("/new\nline", "https://example.org/newline"),
        ("HTTP://Upper.net/", "HTTP://Upper.net/"),
    ],
)
def test_references_become_absolute(href: str, url: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == [url]


@pytest.mark.parametrize(
    "href",
    [
        "",
        "#top",
        "javascript:void(0)",
        "JavaScript:x",
        "mailto:a@b.c",
        "tel:+1",
        "data:text/html,x",
        "ftp://e.org/",
        "http://",
        "http://[::1",
        "blob:x",
    ],
)
def test_what_leads_to_no_page_is_no_link(href: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == []


def test_base_counts_wherever_it_stands() -> None:
    html = '<a href="x">x</a><base href="/dir/"><base href="/other/">'
    assert urls(html) == ["https://example.org/dir/x"]
    assert urls('<base href="javascript:x"><a href="x">x</a>') == ["https://example.org/news/today/x"]


def test_without_an_address_only_absolute_links_are_known() -> None:
    assert urls('<a href="/a">x</a><a href="https://e.org/b">x</a>', None) == ["https://e.org/b"]


def test_areas_and_frames_are_links() -> None:
    assert urls('<map><area href="/area" alt="here"></map>') == ["https://example.org/area"]
    assert urls('<frameset><frame src="/frame"></frameset>') == ["https://example.org/frame"]


def test_links_of_noscript_are_followed() -> None:
    assert urls('<p>Some long text here.</p><noscript><a href="/2">next</a></noscript>') == ["https://example.org/2"]


def test_a_link_knows_its_text_rel_and_block() -> None:
    html = '<p>first</p><p>see <a href="/a" rel="NoFollow ugc">the <b>thing</b></a></p>'
    html += '<a href=/i><img alt="a picture"></a>'
    document = parse(html, URL)
    link, image = document.links
    assert (link.text, link.rel, link.nofollow, link.block) == ("the thing", frozenset({"nofollow", "ugc"}), True, 1)
    assert (image.text, image.rel, image.nofollow, image.block) == ("a picture", frozenset(), False, None)
    assert document.blocks[1].link_count == 1


def test_a_link_around_blocks_belongs_to_the_first() -> None:
    document = parse("<p>x</p><a href=/a><h3>Title</h3><p>Teaser</p></a>", URL)
    assert (document.links[0].text, document.links[0].block) == ("Title Teaser".replace(" ", ""), 1)
    assert [block.link_density for block in document.blocks] == [0, 1, 1]


def test_the_number_of_links_is_bounded() -> None:
    document = parse("<a href=/a>x</a>" * 30, URL, limits=Limits(max_links=10))
    assert (len(document.links), document.truncated) == (10, True)


HEAD = """<head>
<link rel="canonical" href="/canonical"><link rel="next" href="?p=3"><link rel="prev" href="?p=1">
<link rel="alternate" type="application/rss+xml" href="/feed.rss">
<link rel="alternate" type="application/atom+xml" href="/feed.atom">
<link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" hreflang="x-default" href="/">
<link rel="amphtml" href="/amp"><link rel="stylesheet" href="/style.css"><link rel="canonical" href="/second">
<meta http-equiv="refresh" content="5; URL='/moved'">
</head>"""


def test_relations_of_the_head() -> None:
    relations = parse(HEAD, URL).relations
    assert relations.canonical == "https://example.org/canonical"
    assert (relations.next or "").endswith("?p=3")
    assert (relations.prev or "").endswith("?p=1")
    assert relations.amp == "https://example.org/amp"
    assert relations.feeds == ["https://example.org/feed.rss", "https://example.org/feed.atom"]
    assert relations.languages == {"de": "https://example.org/de/", "x-default": "https://example.org/"}
    assert relations.refresh == "https://example.org/moved"


def test_absent_relations_are_none() -> None:
    relations = parse("<p>x</p>", URL).relations
    assert (relations.canonical, relations.next, relations.refresh, relations.feeds) == (None, None, None, [])


@pytest.mark.parametrize(
    ("html", "header", "noindex", "nofollow"),
    [
        ("", None, False, False),
        ('<meta name="robots" content="noindex, follow">', None, True, False),
        ('<meta name="ROBOTS" content="NONE">', None, True, True),
        ('<meta name="nephila" content="nofollow">', None, False, True),
        ('<meta name="googlebot" content="noindex">', None, False, False),
        ("", "noindex, nofollow", True, True),
        ("", "googlebot: noindex, nofollow", False, False),
        ("", "otherbot: noindex, nephila: nofollow", False, True),
        ("", "unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", True, False),
    ],
)
def test_robots_directives(html: str, header: str | None, noindex: bool, nofollow: bool) -> None:
    document = parse(html, URL, headers={"x-robots-tag": header} if header else None)
    assert (document.noindex, document.nofollow) == (noindex, nofollow)


@given(
    st.lists(st.text(max_size=40), max_size=5), st.sampled_from([URL, None, "not a url", "http://[bad", "http://e.org"])
)
def test_links_are_absolute_whatever_they_say(hrefs: list[str], url: str | None) -> None:
    escaped = (href.replace("&", "&amp;").replace('"', "&quot;") for href in hrefs)
    document: Document = parse("".join(f'<a href="{href}">x</a>' for href in escaped), url)
    assert all(link.url.lower().startswith(("http://", "https://")) for link in document.links)


@given(
    st.from_regex(r"https?://[a-zA-Z0-9.:@\[\]-]{0,9}[/?#\s]?.{0,9}", fullmatch=True),
    st.sampled_from(["/a", "b", "//c/d"]),
)
def test_plain_addresses_are_a_base_as_all_others_are(url: str, href: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        quick = Joiner(url, None)
        patch.setattr(links, "_PLAIN_ORIGIN", re.compile("(?!)"))
        thorough = Joiner(url, None)
    assert (quick.base, quick.join(href)) == (thorough.base, thorough.join(href))


segments = st.sampled_from(["a", "b.html", "..", ".", "x y", "", "é", "c;p", "d=1", "%20", "~u", "...", ".h", "q(1)"])
folders = st.lists(segments, max_size=4).map("/".join)
ends = st.sampled_from(["", "?a=1", "?", "?x/../y", "#f", "#", "?q#f", "?#z", "? é#a b"])


@given(
    st.sampled_from(["http://h.org", "http://h.org:80", "https://me@h.org"]),
    folders,
    st.sampled_from(["", "./", "../", "../../"]),
    folders,
    ends,
)
def test_references_from_a_folder_are_joined_as_the_library_does(
    site: str, folder: str, up: str, path: str, end: str
) -> None:
    base, href = f"{site}/{folder}", up + path + end
    expected = urljoin(base, href.strip()) if href.strip() and not href.strip().startswith("#") else None
    assert Joiner(base, None).join(href) == expected


def test_plain_references_from_a_folder_need_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(links, "urljoin")
    joiner = Joiner("https://example.org/a/b/c.html", None)
    assert joiner.join("../d/e.html?x=1#y") == "https://example.org/a/d/e.html?x=1#y"
    assert joiner.join("../../../f") == "https://example.org/f"
    assert joiner.join("./g") == "https://example.org/a/b/g"
