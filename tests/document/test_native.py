"""The native library gives what Python gives: every array, every text, every link, on pages of every kind."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nephila.document import Limits, native, outline, parse, plain_text
from nephila.document.attributes import with_few_attributes
from nephila.document.guard import _is_harmless, guard
from nephila.document.layout import Layout
from nephila.document.limits import DEFAULT_LIMITS
from nephila.document.native_layout import NativeLayout
from nephila.document.outline import Outline
from nephila.document.tags import HEADING_BITS, Flag, Kind
from nephila.errors import InputError
from nephila.native import HERE
from tests.document.fuzz_document import mutated
from tests.document.test_properties import numbered, pieces

pytestmark = pytest.mark.skipif(
    native.library() is None, reason="no native library: there was no C compiler when the package was installed"
)

PAGES = (
    "<p>One <a href=/1>two</a> three<br>four<br><br>five",
    "<p>a<!-- not shown -->b<p>c <!-- <b> --> d",
    "<div style='Display : None'>x</div><p>y <span hidden>z</span> <i style='visibility:hidden'>w <i>v</i></i> u",
    "<p role=navigation>m<p aria-hidden=true>n<div hidden=until-found>o</div>",
    "<div onclick=f()>p<p onclick=g()>q</p><h2 onclick=h()>r</h2><span onclick=i()>s</span></div><li onclick>t",
    "<pre> one\n  two <br>three\u00a0\n</pre><pre>&nbsp;</pre><p>&nbsp;<p><a href=x>&nbsp;</a>text",
    "<article><header><h1>Title</h1></header><p>Text &lt;b&gt; &amp;amp; &amp;</article><header>Logo</header>",
    "<noscript><p>" + "long " * 50 + "</noscript><p>short",
    "<noscript><p>short</noscript><p>" + "long " * 50,
    "<select><option>a<option>b</select><textarea> t\n u</textarea><x-card>c</x-card><blink>d</blink>",
    "<template><a href=t>t</a></template><a href=y rel='NoFollow ugc'>y</a><a name=z>z</a><area href=q>",
    "<iframe><p>x</iframe><svg><style>a<b</style><title>s</title></svg><math><mi>x</mi></math><video>v</video>",
    "<a href=1>one<p>two</a> three<a href=2 title='a>b<c\"'>four</a><img><img>",
    "<table><tr><th>h<td>1<td>2<tr><td><ul><li>x<li>y</ul></table><hr>end",
    "<p>\u3000全角\u2003空白\u200b\u2028行<p>\x1c\x85<p>😀 emoji",
    "<xmp><b>shown</b></xmp><plaintext>all <i>that",
    "<p>doc <a href='#top'>¶</a> <a href='/x'>#</a>",
    "<frameset><frame src=a><noframes>old</noframes></frameset>",
    "<b x<y=1>odd</b><p =x>names",
    "",
    "<body onclick=f()>in the body itself<div onclick=g()>in a block</div>",
)


LAID_OUT = [
    name for name in vars(parse(PAGES[15]).layout) if not name.startswith("_") and name not in ("markup", "numbers")
]
"""What Python lays out, but for its own notes."""


def told(html: str | bytes, limits: Limits = DEFAULT_LIMITS) -> dict[str, Any]:
    """Everything that depends on the library."""
    document = parse(html, "https://example.org/", limits=limits)
    layout = document.layout
    found = {name: getattr(layout, name) for name in LAID_OUT}
    found |= layout.markup._asdict()
    found |= {f"numbers.{name}": each for name, each in layout.numbers._asdict().items()}
    found |= {f"outline.{name}": getattr(document.outline, name) for name in Outline.__slots__}
    plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in found.items()}
    return plain | {
        "start_tags": outline.start_tags(layout, document.outline),
        "plain": plain_text(document),
        "hrefs": document.hrefs,
        "url": [link.url for link in document.links],
    }


def both(html: str | bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[dict[str, Any], dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        by_library = told(html, limits)
        patch.setattr(native, "library", lambda: None)
        patch.setattr(outline, "load", lambda: None)
        return by_library, told(html, limits)


def differences(html: str | bytes, limits: Limits = DEFAULT_LIMITS) -> dict[str, Any]:
    ours, theirs = both(html, limits)
    return {name: (ours[name], theirs[name]) for name in theirs if ours.get(name) != theirs[name]}


@pytest.mark.parametrize("html", PAGES)
def test_it_reads_what_python_reads(html: str) -> None:
    assert not differences(html)


@pytest.mark.parametrize("html", [PAGES[0], PAGES[4], PAGES[12], PAGES[13]])
def test_ordinary_pages_are_read_by_it(html: str) -> None:
    assert isinstance(parse(html).layout, NativeLayout)


@pytest.mark.parametrize("html", [PAGES[15], "<p>x" * 60])
def test_odd_and_large_pages_are_left_to_python(html: str) -> None:
    layout = parse(html, limits=Limits(max_nodes=50)).layout
    assert type(layout) is Layout


@given(st.lists(pieces, max_size=6))
@settings(max_examples=300, deadline=None)
def test_it_reads_made_up_pages_alike(parts: list[str]) -> None:
    html, _ = numbered("".join(parts))
    assert not differences(html)


@given(st.lists(pieces, max_size=6), st.integers(1, 6), st.integers(1, 5), st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_it_keeps_the_same_limits(parts: list[str], depth: int, blocks: int, links: int) -> None:
    html, _ = numbered("".join(parts))
    assert not differences(html, Limits(max_depth=depth, max_blocks=blocks, max_links=links))


def test_it_reads_broken_pages_alike() -> None:
    for seed in range(400):
        html = mutated(random.Random(seed))
        if b"plaintext" in html:  # which Python takes for a tag in comments too
            continue
        try:
            found = differences(html)
        except InputError:
            continue
        assert not found, seed


@pytest.mark.parametrize(
    ("html", "harmless"),
    [
        (b"<p>" * 900 + b"<b>x</b>" * 50, True),
        (b"<p>x</p><b>y</b>" * 100, True),
        (b"<font>" * 2_000, False),
        (b"<font></FONT>" * 2_000, True),
        (b"</b>" * 500 + b"<b>" * 1_500, False),
        (b"<p>" * 10_002, False),
        (b"", True),
    ],
)
def test_it_sees_what_the_guard_has_to_look_at(html: bytes, harmless: bool) -> None:
    assert _is_harmless(html, DEFAULT_LIMITS) is harmless


@pytest.mark.parametrize("has_library", [True, False])
@pytest.mark.parametrize(
    ("html", "few"),
    [
        (b"<p " + b"a " * 513 + b">x", False),
        (b"<p " + b"a " * 512 + b">x", True),
        (b"<p " + b"a='<b>' " * 513 + b">x", False),
        (b"<math><p " + b"a='<b>' " * 513 + b">x", False),
        (b"<p>x < " + b"a " * 4_000, True),
        (b"<BODY a>" * 9, False),
        (b"<Html a>" * 8, True),
    ],
)
def test_attributes_that_are_too_many_are_left_out(
    html: bytes, few: bool, has_library: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_library:
        monkeypatch.setattr(native, "library", lambda: None)
    assert (with_few_attributes(html, DEFAULT_LIMITS).utf8 == html) is few


def test_the_guard_cuts_alike() -> None:
    for seed in range(400):
        html = mutated(random.Random(seed))
        with pytest.MonkeyPatch.context() as patch:
            by_library = guard(html, DEFAULT_LIMITS)
            patch.setattr(native, "library", lambda: None)
            assert guard(html, DEFAULT_LIMITS).utf8 == by_library.utf8, seed


def test_its_constants_are_those_of_python() -> None:
    source = (HERE / "tags.c").read_text(encoding="utf-8")
    kinds = re.search(r"enum kind \{\s*(.*?), KINDS\s*\}", source, re.DOTALL)
    assert kinds is not None
    assert kinds[1].split(", ") == [kind.name for kind in sorted(Kind)]
    flags = re.search(r"enum \{ (HIDDEN = .*?) \}", source)
    assert flags is not None
    for one in flags[1].split(", "):
        name, _, value = one.partition(" = ")
        assert Flag[name] == int(value), name
    assert HEADING_BITS == 7 << 24
