"""The text by plain rules."""

import pytest

from nephila.document import parse, plain_text

ARTICLE = {
    "latin": ("Rain is expected", "The forecast office says that rain will fall over the whole of the coast by noon."),
    "cyrillic": ("Ожидается дождь", "По данным службы погоды, к полудню дождь пройдёт на всём побережье области."),
    "cjk": ("预计将有降雨", "气象部门表示，中午之前整个沿海地区都会出现降雨，请市民出门时携带雨具。"),
    "right-to-left": ("أمطار متوقعة", "تقول هيئة الأرصاد إن الأمطار ستهطل على الساحل كله قبل الظهر من هذا اليوم."),
}


@pytest.mark.parametrize("script", ARTICLE)
@pytest.mark.parametrize("wrapper", ["main", "article", "div"])
def test_the_article_without_its_surroundings(script: str, wrapper: str) -> None:
    title, body = ARTICLE[script]
    html = f"""<body><header><p>Logo of the site</p></header><nav><ul><li><a href=/>Home</a><li>Here</ul></nav>
    <{wrapper}><h1>{title}</h1><p>{body}</p><p hidden>secret</p><p>{body}</p>
    <form><p>Subscribe now</p></form><p><a href=/1>Another story</a> <a href=/2>And one more</a></p></{wrapper}>
    <aside><p>Most read</p></aside><footer><p>All rights reserved</p></footer></body>"""
    assert plain_text(parse(html)) == "\n".join([title, body, body])


def test_the_header_of_an_article_belongs_to_it() -> None:
    html = "<header>Site</header><article><header><h1>Title</h1></header><p>Body of the article.</p></article>"
    assert plain_text(parse(html)) == "Title\nBody of the article."


def test_a_small_article_element_is_not_taken_for_the_page() -> None:
    story = "<p>A long story that is told outside of any article element, for many words.</p>" * 5
    text = plain_text(parse(f"<div>{story}</div><article><p>A teaser.</p></article>"))
    assert text.count("long story") == 5


def test_all_visible_text_is_at_hand_too() -> None:
    document = parse("<nav>menu</nav><p>text<br>line</p><p hidden>hidden</p>")
    assert document.text() == "menu\ntext\nline"
    assert document.text(hidden=True) == "menu\ntext\nline\nhidden"


def test_an_empty_page_has_an_empty_text() -> None:
    assert plain_text(parse(b"")) == ""
