"""Who wrote a page: names as pages write them, and where they stand."""

from __future__ import annotations

import pytest

from nephila.content.metadata.people import is_fuller, people, person, without_by
from nephila.content.metadata.title import title_of, titles_of
from nephila.document import parse
from nephila.extraction import extract

WORDS = f"<p>{'Some words of the text. ' * 20}</p>"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("Ada Lovelace - The Times", "Ada Lovelace"),
        ("Ada Lovelace <ada at example dot org>", "Ada Lovelace"),
        ("Ada LovelaceUpdated", "Ada Lovelace"),
        ("Autorin: Ada Lovelace", "Ada Lovelace"),
        ("© Ada Lovelace", "Ada Lovelace"),
        ("The Kettle Team", "The Kettle Team"),
        ("The kettles of the north", None),
        ("Wedding ListsJust MarriedHoneymoons", None),
        ("MacDonald McNally", "MacDonald McNally"),
        ("Cite this page", None),
        ("Photo", None),
        ("ada", None),
        ("R2 D2", None),
    ],
)
def test_what_may_be_a_name(text: str, name: str | None) -> None:
    assert person(text) == people(text) == name


def test_several_names() -> None:
    assert people("Ada Lovelace and Bo Berg") == "Ada Lovelace, Bo Berg"
    assert people("Ada Lovelace, Bo Berg & Cy Lund") == "Ada Lovelace, Bo Berg, Cy Lund"
    assert people("Ada McLee & Bo van der Berg") == "Ada McLee, Bo van der Berg"
    assert people("Ada and Bo") == "Ada and Bo"
    assert people("Salt water and Cold winds") == "Salt water and Cold winds"  # no two names


def test_logins_are_names_where_the_page_says_so() -> None:
    assert people("ada_l9", logins=True) == "ada_l9"
    assert people("ada_l9") is None
    assert people("admin", logins=True) is None
    assert people("2024", logins=True) is None
    assert people("two words", logins=True) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Ada Moor", "Ada Moor"),
        ("Veröffentlicht vonAda Moor", "Ada Moor"),
        ("PorAda Moor", "Ada Moor"),
        ("Byron Moor", "Byron Moor"),
        ("Vondra Moor", "Vondra Moor"),
    ],
)
def test_a_by_is_no_part_of_the_name(text: str, name: str) -> None:
    assert without_by(text) == name


@pytest.mark.parametrize(
    ("name", "other", "fuller"),
    [
        ("Ada Moor", "amoor", True),
        ("Ada Moor", "ada.moor", True),
        ("Ada Moor", "AdaM", True),
        ("Ada Moor", "Ada", True),
        ("Ada Moor", "Bo", False),  # somebody else
        ("Ada Moor", "Bo Berg", False),
        ("Ada", "bo", False),
    ],
)
def test_a_name_says_more_than_a_login(name: str, other: str, fuller: bool) -> None:
    assert is_fuller(name, other) is fuller


def author(html: str, title: str = "On tides") -> str | None:
    return extract(f"<title>{title}</title><h1>On tides</h1>{html}{WORDS}", "https://a.example/tides").author


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<div>Written by</div><div>Ada Moor</div>", "Ada Moor"),
        ("<h6>Author(s)</h6><ul><li>Ada Moor</li></ul>", "Ada Moor"),
        ("<div><b>Von:</b></div><div>ada_m</div>", "ada_m"),
        ("<div>By</div><p>The sea is never still, and so are we.</p>", None),
        ("<p>by ada_m</p>", "ada_m"),
        ("<p>by adam</p>", "adam"),
        ("<p>posted by adam | 3 May 2020</p>", "adam"),
        ("<p>made by hand and with care</p>", None),
        ("<p>by hand, and with care</p>", None),
        (
            "<div>Written by</div><div>Ada Moor, 4+ years at sea and on other waters of this and other lands</div>",
            "Ada Moor",
        ),
        (f"<div>By</div><p>Ada Moor - {'she lives at the end of the road. ' * 9}</p>", None),
        ("<p>3 min <a rel=author href=/1>amoor</a></p><p>3 min <b class=author>Ada Moor</b> x</p>", "Ada Moor"),
        ("<p>Thread starter ada99</p>", "ada99"),
        ("<p>Thread starter</p><p>Ada 99</p>", "Ada 99"),
        ("<p>3 min · <a href='/authors/ada-moor/'>Ada Moor</a> · tides</p>", "Ada Moor"),
        ("<p>3 min · <a href='https://a.example/autor/1'>Ada von der Moor</a> · x</p>", "Ada von der Moor"),
        ("<p>3 min · <a href='/team/'>Our People</a> · tides</p>", None),
        ("<p>3 min · <a href='/authors/'>All Authors</a> · tides</p>", None),
        ("<p>3 min · <a href='/profile/new'>Start your free trial</a> · tides</p>", None),
        ("<meta name=author content=amoor><p>By Ada Moor</p>", "Ada Moor"),
        ("<meta name=author content=amoor><p>By somebody</p>", "amoor"),
        ("<meta name='dc:creator' content='By Ada Moor'>", "Ada Moor"),
    ],
)
def test_who_wrote_it_by_what_readers_see(html: str, name: str | None) -> None:
    assert author(html) == name


def test_whose_blog_it_is() -> None:
    assert author("", "On tides | Ada Moor's blog") == "Ada Moor"
    assert author("", "On tides | The kettle’s blog") is None
    assert author("", "On tides | Today's notes") is None
    assert author("<p>By Bo Berg</p>", "On tides | Ada Moor's blog") == "Bo Berg"


def item(kind: str, inside: str, prop: str = "") -> str:
    return f"<div itemscope itemtype='https://schema.org/{kind}' {prop}>{inside}</div>"


def posted_by(name: str) -> str:
    return item("Person", f"<b itemprop=name>{name}</b> Member Joined 2012 Posts 7,012", "itemprop=author")


def test_microdata_names_a_person_not_all_that_is_said_of_them() -> None:
    assert author(item("Article", f"{posted_by('Ada Moor')}{posted_by('Bo Berg')}")) == "Ada Moor, Bo Berg"


def test_those_who_comment_did_not_write_the_page() -> None:
    comments = item("Comment", posted_by("Bo Berg")) + item("Comment", posted_by("Cy Lund"))
    assert author(comments) is None
    assert author(comments + item("BlogPosting", posted_by("Ada Moor"))) == "Ada Moor"
    assert author(item("ImageObject", posted_by("Bo Berg")) + item("Article", posted_by("Ada Moor"))) == "Ada Moor"
    others = item("Article", posted_by("Bo Berg"))
    assert author(item("Article", posted_by("Ada Moor")) + others) == "Ada Moor"


def test_the_first_to_speak_asked_the_question() -> None:
    answers = item("Answer", posted_by("bo"), "itemprop=acceptedAnswer")
    assert author(item("Question", f"{posted_by('ada')}{answers}")) == "ada"
    assert author(item("DiscussionForumPosting", item("Comment", posted_by("ada")) + item("Comment", "Hm."))) == "ada"


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (item("Product", "<b itemprop=name>A kettle</b>"), None),
        ('<script type="application/ld+json">{"@type": "Product", "name": "A kettle"}</script>', None),
        ('<meta property="og:type" content="product">', None),
        (item("Product", "<b itemprop=name>A kettle</b>") + item("NewsArticle", "<b>A kettle</b>"), "Ada Moor"),
        (item("Product", posted_by("Cy Lund")), "Cy Lund"),  # who wrote a book that is sold
        ("", "Ada Moor"),
    ],
)
def test_what_is_sold_is_by_its_maker(told: str, name: str | None) -> None:
    assert author(f"<p>by Ada Moor</p>{told}") == name


def test_an_address_is_no_author() -> None:
    assert author(item("Article", "<a itemprop=author href='/people/3'>x</a>")) is None


def test_a_heading_that_words_the_title_otherwise_still_tells_where_the_byline_is() -> None:
    page = "<title>The best tides of the northern sea</title><h2>Tides of the sea</h2><h2>Buy more tides</h2>"
    title, shown = titles_of(parse(page))
    assert (title, shown) == ("The best tides of the northern sea", "Tides of the sea")
    assert title_of(parse(page)) == title
    far = "".join(f"<p>Menu {number}</p>" for number in range(45))
    assert extract(f"{far}{page}<p>By Ada Moor</p>{WORDS}").author == "Ada Moor"


def test_a_name_comes_before_a_login_wherever_they_are_marked() -> None:
    marked = "<p>In <a rel=author href=/1>amoor</a></p><p>In <b class=author>Ada Moor</b>, 3</p>"
    assert extract(f"{WORDS * 3}{marked}").author == "Ada Moor"


def test_a_top_heading_comes_before_one_that_agrees_a_little_better() -> None:
    page = "<title>Tides of the sea</title><h1>The tides of the sea</h1><h2>Tides of the sea</h2>"
    assert title_of(parse(page)) == "The tides of the sea"


@pytest.mark.parametrize(
    "name", ["published", "published-date", "publish_date", "pub_date", "dc:date", "dcterms:created"]
)
def test_more_names_of_the_day(name: str) -> None:
    assert extract(f"<meta name='{name}' content='2021-02-16'>{WORDS}").published == "2021-02-16"
