"""Blocks become Markdown that says the same: headings, lists, tables, quotes, code, links; nothing else is markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nephila.content.markdown.blocks import render_markdown
from nephila.document import parse
from nephila.document.links import Joiner


def markdown(html: str) -> str:
    document = parse(html, "https://site.example/dir/page")
    return render_markdown(document.blocks, Joiner(document.base_url, None).join)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>Two\nlines</h2><p>text</p>", "## Two lines\n\ntext"),
        ("<ul><li>one<li>two</ul>", "- one\n- two"),
        ("<ol start=3><li>c<li>d</ol>", "3. c\n4. d"),
        ("<ul><li>one<ol><li>a<li value=7>b</ol></ul>", "- one\n  1. a\n  7. b"),
        (
            "<ul><li>do<pre>a\n\n  b</pre><li><pre>c</pre></ul>",
            "- do\n\n  ```\n  a\n\n    b\n  ```\n\n- ```\n  c\n  ```",
        ),
        ("<h2><b>All</b></h2><h3><b>One</b> and <b>two</b></h3>", "## All\n\n### **One** and **two**"),
        ("<p><del>not</del> so, <s>no</s> ~~ nor ~ so</p>", "~~not~~ so, ~~no~~ \\~~ nor ~ so"),
        ("<blockquote><p>said</p></blockquote>", "> said"),
        ("<pre><code class='x'>a  = 1\n  b</code></pre>", "```\na  = 1\n  b\n```"),
        ("<pre class=language-py>x</pre>", "```py\nx\n```"),
        ("<pre><code id=a class='hljs language-c++'>x</code></pre>", "```c++\nx\n```"),
        ("<div class='highlight-go x'><div class=highlight><pre>x</pre></div></div>", "```go\nx\n```"),
        ("<div class=highlight-default><div class=highlight><pre>x</pre></div></div>", "```\nx\n```"),
        ("<div class=highlight-box><div><pre>x</pre></div></div>", "```\nx\n```"),
        ("<pre><code class='language-a`b'>x</code></pre>", "```\nx\n```"),
        ("<p><b>bold</b> and <i>soft</i> and <code>x*y</code></p>", "**bold** and *soft* and `x*y`"),
        ("<p>x<b> </b>y<b>z <i> </i></b></p>", "x y**z**"),
        ("<p>x<br><b>&zwj;</b>y<b>&nbsp;</b></p>", "x  \n\u200dy"),
        ("<p><code><span>f(0),</span> <span>f(1)</span></code> <code>x</code></p>", "`f(0), f(1)` `x`"),
        ("<p>see <a href='../a b'>this <em>one</em></a>.</p>", "see [this *one*](https://site.example/a%20b)."),
        ("<p>a<br>b</p>", "a  \nb"),
        ("<table><tr><th>A<th>B<tr><td>1<td>2|3</table>", "| A | B |\n| --- | --- |\n| 1 | 2\\|3 |"),
        ("<p>2 * 3 * 4 [note] `x`</p>", "2 \\* 3 \\* 4 \\[note\\] \\`x\\`"),
        ("<p># no heading</p><p>- no item</p><p>1. no number</p>", "\\# no heading\n\n\\- no item\n\n1\\. no number"),
        ("<p>snake_case stays, _this_ is no stress</p>", "snake_case stays, \\_this\\_ is no stress"),
    ],
)
def test_markup_is_kept(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize("blanks", ["  ", "\t", "\n", "\f", "\v", "\xa0", "\r", " \xa0\t"])
def test_blanks_of_all_kinds_are_one(blanks: str) -> None:
    assert markdown(f"<p>dew <b>on{blanks}silk</b> and{blanks}webs</p>") == "dew **on silk** and webs"


def test_a_layout_table_is_no_table() -> None:
    cells = "".join(f"<tr><td><p>{'long words ' * 40}</p></td><td>{'more words ' * 40}</td></tr>" for _ in range(3))
    assert "|" not in markdown(f"<table>{cells}</table>")


def test_the_fence_is_longer_than_the_ticks_in_the_code() -> None:
    assert markdown("<pre>a ``` b</pre>") == "````\na ``` b\n````"


@given(st.text(alphabet="ab*_~`[]()<>#|\\-1.\n &", min_size=1, max_size=60))
def test_no_word_is_lost_or_made_up(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    shown = markdown(f"<p>x{escaped}x</p>")
    letters = [character for character in shown.replace("\\", "") if character.isalnum()]
    assert letters == [character for character in f"x{text}x" if character.isalnum()]


def test_ten_thousand_items_take_linear_time() -> None:
    items = "".join(f"<li>item {number}" for number in range(10_000))
    assert markdown(f"<ol>{items}</ol>").endswith("10000. item 9999")
