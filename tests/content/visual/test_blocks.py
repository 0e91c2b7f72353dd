"""The injected script in a real Chromium: which blocks it finds, and what it says of them."""

from __future__ import annotations

import asyncio
import shutil
from typing import Any

import pytest

from nephila.content.visual import VisualPage, blocks_script, read_visual

pytest.importorskip("playwright")

from nephila.fetch.browser import BrowserOptions, BrowserPool, Draw
from nephila.fetch.browser.options import Source

pytestmark = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("chromium-headless-shell", "chromium")), reason="no Chromium here"
)

_PAGE = """<!doctype html><title>A title</title>
<meta name="description" content="What it is about."><meta property="og:description" content="The same.">
<style>
 body { font: 16px/20px serif; color: rgb(1, 2, 3); margin: 0 }
 .lead { font-size: 20px; color: rgb(200, 0, 0) } .row:nth-child(even) { background-color: rgb(9, 9, 9) }
 .gone { display: none } #own { letter-spacing: 2px } li + li { margin-top: 7px } [lang=fr] { font-style: italic }
</style>
<div id=main class="wide b a"><p class=lead>One <a href=x>inline link</a> and <b>bold</b><br>second line</p>
 loose text <p>Two</p> more loose text
 <p class=gone>never shown</p><script>var x = "no text"</script></div>
<ul><li class=row>first</li><li class=row>second</li><li class=row id=own>third</li><li lang=fr>quatre</li></ul>
<div id=host></div><x-light><span slot=s>slotted words</span><i>not slotted</i></x-light>
<iframe width=400 srcdoc="<style>p{margin:30px;color:blue}</style><p>within the frame</p>"></iframe>
<pre>kept
  lines</pre>
<script>
 document.querySelector("#host").attachShadow({mode: "open"}).innerHTML =
   "<style>p { text-align: center }</style><p>in the shadow</p>";
 document.querySelector("x-light").attachShadow({mode: "open"}).innerHTML = "<div><slot name=s></slot></div>";
</script>"""

# What the definition says, property by property, without any short cut: for the blocks of the page's own tree.
_SLOWLY = """() => {
  const skip = /^(width|height|top|left|right|bottom|block-size|inline-size|perspective-origin|transform-origin)$/;
  const twins = /(^|-)(inline|block)(-|$)|^inset|(start|end)-(start|end)/;
  const base = getComputedStyle(document.body);
  const names = [...base].filter((name) => name[0] !== "-" && !skip.test(name) && !twins.test(name));
  const found = {};
  for (const element of document.querySelectorAll("p, li, pre, #main")) {
    const style = getComputedStyle(element), own = {};
    for (const name of names) {
      const value = style.getPropertyValue(name);
      if (value !== base.getPropertyValue(name)) own[name] = value;
    }
    found[element.textContent.trim().slice(0, 12)] = own;
  }
  return found;
}"""


def _run(html: str, script: str) -> Any:
    async def draw() -> Any:
        async with BrowserPool(BrowserOptions()) as pool:
            source = Source(html.encode(), headers={"content-type": "text/html; charset=utf-8"})
            return (await pool.render("https://page.invalid/", Draw(script=script), source)).value

    return asyncio.run(draw())


@pytest.fixture(scope="module")
def both() -> tuple[VisualPage, dict[str, dict[str, str]]]:
    quick, slow = _run(_PAGE, f"() => [({blocks_script()})(), ({_SLOWLY})()]")
    return read_visual(quick), slow


@pytest.fixture(scope="module")
def page(both: tuple[VisualPage, Any]) -> VisualPage:
    return both[0]


def _texts(page: VisualPage) -> dict[str, Any]:
    return {block.text: block for block in page.blocks}


def test_the_closest_block_of_each_text_is_found_and_inline_links_are_not(page: VisualPage) -> None:
    texts = _texts(page)
    assert list(texts)[:3] == ["One inline link and bold\nsecond line", "loose text\nmore loose text", "Two"]
    assert "never shown" not in "".join(texts)
    assert "no text" not in "".join(texts)
    lead = texts["One inline link and bold\nsecond line"]
    assert lead.linked == len("inline link")
    assert (lead.tags, lead.link_tags) == (3, 1)
    assert lead.path == ("div", "p")
    assert lead.selector == ("div#main.a.b.wide", "p.lead")
    assert texts["kept\nlines"].name == "pre"


def test_shadow_trees_slots_and_frames_are_part_of_the_page(page: VisualPage) -> None:
    texts = _texts(page)
    shadow, slotted, framed = texts["in the shadow"], texts["slotted words"], texts["within the frame"]
    assert shadow.style["text-align"] == "center"
    assert shadow.path == ("div", "p")
    assert slotted.path[0] == "x-light"
    assert "not slotted" not in "".join(texts)
    assert framed.style["color"] == "rgb(0, 0, 255)"
    assert framed.path == ("iframe", "p")
    assert framed.top > slotted.top


def test_styles_are_those_that_differ_from_the_body(both: tuple[VisualPage, dict[str, dict[str, str]]]) -> None:
    page, slow = both
    texts = _texts(page)
    assert texts["One inline link and bold\nsecond line"].style["font-size"] == "20px"
    assert "font-family" not in texts["Two"].style
    compared = 0
    for block in page.blocks:
        expected = slow.get(block.text.split("\n")[0][:12]) or slow.get(block.text[:12])
        if expected is not None and "frame" not in block.text and "shadow" not in block.text:
            assert dict(block.style) == expected, block.text
            compared += 1
    assert compared >= 6


def test_metadata_and_geometry(page: VisualPage) -> None:
    assert page.titles == ["A title"]
    assert page.descriptions == ["What it is about.", "The same."]
    lead = page.blocks[0]
    assert lead.left == 0
    assert lead.height == 40
    assert page.width == 1280
    assert page.body["color"] == "rgb(1, 2, 3)"


def test_a_page_without_text_has_no_blocks() -> None:
    assert read_visual(_run("<body></body>", blocks_script())).blocks == []


def test_a_page_that_breaks_the_tools_of_the_script_gives_no_more_than_an_error() -> None:
    html = (
        "<p>text</p><script>Element.prototype.getBoundingClientRect = () => { throw 1 }; JSON.stringify = null</script>"
    )
    assert read_visual(_run(html, blocks_script())).blocks[0].text == "text"  # it runs in a world of its own
