"""A hostile page in the page view: its text, and nothing that runs or loads."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from nephila.dashboard.views import marked_page
from nephila.page import Page

_LIVE = re.compile(r"<(script|iframe|object|embed|form|link|base|svg|img|video)\b|\son\w+=|javascript:", re.IGNORECASE)


def _shown(html: str) -> str:
    page = Page("http://a.example/", "http://a.example/", 200, html.encode(), 0.0, {"content-type": "text/html"})
    return marked_page(page).decode().partition("</style>")[2]


def test_nothing_of_the_page_is_alive() -> None:
    text = "A sentence of the article that is long enough to be taken for its text. " * 5
    shown = _shown(
        f"""<body onload="alert(1)"><base href="//evil/"><script>alert(2)</script><svg onload=alert(3)></svg>
        <article><p onclick="x()">{text}</p><p><a href="javascript:alert(4)">{text}</a></p></article>
        <iframe src="//evil/"></iframe><img src=x onerror=alert(5)><form action="//evil/"><input name=a></form>
        <style>body{{background:url(//evil/)}}</style><math><mtext><img src=x onerror=alert(6)></math></body>"""
    )
    assert "<mark id=" in shown
    assert "A sentence of the article" in shown
    assert not _LIVE.search(shown)


@given(st.text(alphabet=st.sampled_from(list("<>/=\"' abponimgscrtxsvle!-&;:()")), max_size=200))
def test_whatever_the_markup(html: str) -> None:
    tags = re.findall(r"<[^>]*>", _shown(f"<p>{html}</p>"))
    assert not _LIVE.search("".join(tags))
