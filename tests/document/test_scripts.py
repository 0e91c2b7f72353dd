"""A page is parsed without the insides of its scripts and style sheets, and its tree is the same."""

from __future__ import annotations

import random
import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from nephila.document import native, parse
from nephila.document.native import without_scripts
from tests.document.fuzz_document import mutated

pytestmark = pytest.mark.skipif(
    native.library() is None, reason="no native library: there was no C compiler when the package was installed"
)

_INSIDES = re.compile(r"(?s)(<(script|style)\b[^>]*>).*?(</\2>)")

TOKENS = (
    *(b"<script>", b"</script>", b"<SCRIPT type=x>", b"</Script\n>", b"<script/>", b"<style>", b"</style >"),
    *(b"<svg>", b"</svg>", b"<svg/>", b"<desc>", b"<foreignObject>", b"<math>", b"<select>", b"<option>x"),
    *(b"</select>", b"<body>", b"<head>"),
    *(b"<title>", b"</title>", b"<textarea>", b"</textarea>", b"<iframe>", b"</iframe>", b"<xmp>", b"</xmp>"),
    *(b"<noframes>", b"</noframes>", b"<frameset>", b"<plaintext>", b"<noscript>", b"</noscript>"),
    *(b"<!--", b"-->", b"--!>", b"<!-->", b"<![CDATA[", b"]]>", b"<!doctype html>", b"<?x", b"</ x>", b"<", b">"),
    *(b"<a x=\"", b"<a ='>'>", b'"', b"'", b"=", b"/", b"<p>t", b"<table>", b"<td>", b"</table>", b"text", b"\0"),
    b"<script type='application/ld+json'>",
)  # fmt: skip


def tree(html: bytes) -> tuple[str, list[str]]:
    """The page as it is written out, but for scripts (those in a <template> are not stripped); and its data."""
    parsed = LexborHTMLParser(html)
    data = [script.text() for script in parsed.tags("script") if "json" in (script.attributes.get("type") or "")]
    parsed.strip_tags(["script", "style", "svg"], recursive=True)
    return _INSIDES.sub(r"\1\3", parsed.html or ""), data


def test_the_insides_of_scripts_and_style_sheets_are_left_out() -> None:
    page = b"<head><style>p { }</style><script src='>'>if (a<b) c();</script></head><p>text<Script>d</SCRIPT >end"
    left = b"<head><style></style><script src='>'></script></head><p>text<Script></SCRIPT >end"
    assert without_scripts(page) == (left, True, 1, 0, native.SCRIPT | native.STYLE)


def test_data_stay() -> None:
    document = parse('<script type="application/LD+json">{"name": "x"}</script><script>y</script>')
    assert document.data == [("application/ld+json", '{"name": "x"}')]


@pytest.mark.parametrize(
    "page",
    [
        "<textarea><script>shown</textarea><p>text</script>",
        "<!-- <script> --><p>text</script>",
        "<p title='<script>'>text</script>",
        '<p ="<script>">text</script>',
        "<script><!-- <script> </script> text --></script><p>more",
        "<svg><script><p>text</script></svg>",
        "<select><style>text</style></select>",
        "<frameset><style></frameset><noframes>x</style>",
        "<p>text<script>never ends",
    ],
)
def test_what_only_looks_like_a_script_stays(page: str) -> None:
    assert tree(without_scripts(page.encode()).html) == tree(page.encode())


@pytest.mark.parametrize("seed", range(40))
def test_the_tree_is_the_same_whatever_the_page(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        page = b"".join(rng.choices(TOKENS, k=rng.randint(3, 40)))
        assert tree(without_scripts(page).html) == tree(page), page
    page = mutated(rng)
    assert tree(without_scripts(page).html) == tree(page)


HIDDEN_TYPES = (b"<script type='ld+js&#111;n'>", b"<script x=1 TYPE = js&#111;n >", b'<script type="a js&#111;n">')
ELEMENTS = {"script": native.SCRIPT, "style": native.STYLE, "svg": native.DRAWING, "base": native.BASE}


@pytest.mark.parametrize("seed", range(40))
def test_what_was_not_seen_is_not_in_the_tree(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        page = b"".join(rng.choices((*TOKENS, b"<base href=x>", b"<BASE/>", *HIDDEN_TYPES), k=12))
        parsed, seen = LexborHTMLParser(page), without_scripts(page).seen
        for name, bit in (ELEMENTS | {"iframe": native.FRAME}).items():
            assert seen & bit or not parsed.tags(name), (name, page)
        types = [script.attributes.get("type") or "" for script in parsed.tags("script")]
        assert seen & native.DATA or not any("json" in kind for kind in types), page


@pytest.mark.parametrize("tag", HIDDEN_TYPES)
def test_a_type_that_is_written_by_references_is_told(tag: bytes) -> None:
    assert without_scripts(tag + b"{}</script><script src='x?a&b'></script>").seen & native.DATA
    assert not without_scripts(b"<script src='x?a&b' type=module></script>").seen & native.DATA


def test_the_elements_of_an_ordinary_page_are_told() -> None:
    assert without_scripts(b"<title>t</title><p>x</p>").seen == 0
    assert without_scripts(b"<svg><style>a</style></svg>").seen == native.DRAWING | native.STYLE
    assert without_scripts(b"<script type='application/ld+JSON'></script>").seen == native.SCRIPT | native.DATA
    assert without_scripts(b"<iframe src=x></iframe><Base href=y>").seen == native.FRAME | native.BASE


def test_attributes_and_roots_are_counted() -> None:
    page = b"<html a><body b c='>' d=\"<p e f>\" ==g>" + b"<p" + b" x=1" * 40 + b"><html>"
    assert without_scripts(page)[1:4] == (True, 40, 3)
