"""Signs that link to their own heading are no text; signs that mean something are."""

from __future__ import annotations

import pytest

from nephila.document import parse


def texts(html: str) -> list[str]:
    return [block.text for block in parse(html, "https://example.org/manual").blocks]


@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗"])
@pytest.mark.parametrize("href", ["#setup", "https://example.org/manual#setup"])
def test_a_sign_that_links_to_its_heading_is_left_out(sign: str, href: str) -> None:
    assert texts(f'<h2 id=setup>Set it up<a class=x href="{href}">{sign}</a></h2><p>First.</p>') == [
        "Set it up",
        "First.",
    ]


def test_other_signs_stay() -> None:
    assert texts('<p>C<a href="/sharp">#</a> and § 5 and <a href="#n1">1</a> ¶</p>') == ["C# and § 5 and 1 ¶"]


def test_the_link_is_still_a_link() -> None:
    document = parse('<h2>Set it up<a href="/other#setup">¶</a></h2>', "https://example.org/manual")
    assert [link.url for link in document.links] == ["https://example.org/other#setup"]
