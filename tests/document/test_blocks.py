"""Blocks: where a run of text begins and ends, and what is known of it."""

import gc
import weakref

import pytest

from nephila.document import Flag, Limits, parse


def texts(html: str) -> list[str]:
    return [block.text for block in parse(html).blocks]


def test_block_level_elements_bound_the_runs_of_text() -> None:
    assert texts("<div>before<p>one</p>between<p>two</p>after</div>") == ["before", "one", "between", "two", "after"]


def test_inline_elements_do_not() -> None:
    assert texts("<p>a <b>bold</b>, <i>i</i><u>u</u> <a href=/x>link</a>.</p>") == ["a bold, iu link."]


@pytest.mark.parametrize("empty", ["<div></div>", "<hr>", "<ul><li></li></ul>", "<my-card></my-card>"])
def test_an_empty_block_still_separates(empty: str) -> None:
    assert texts(f"<div>one{empty}two</div>") == ["one", "two"]


def test_one_br_is_a_line_break_two_end_the_block() -> None:
    assert texts("<div>one<br>two<br/>\n<br>three</div>") == ["one\ntwo", "three"]


def test_white_space_is_folded_and_that_between_elements_counts() -> None:
    assert texts("<p>  a\n\tb <b>c</b> <i>d</i>\n<u>e</u></p>\n\n<p>f&nbsp;g</p>") == ["a b c d e", "f g"]


def test_pre_keeps_its_lines() -> None:
    assert texts("<pre>\ndef f():\n    return <b>1</b>\n\n\nf()  \n</pre>") == ["def f():\n    return 1\n\n\nf()"]


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template><p>x</p></template>",
        "<svg><text>x</text></svg>",
        "<iframe>x</iframe>",
        "<!-- x -->",
        "<noscript>x</noscript>",
        "<video>x</video>",
        "<datalist><option>x</datalist>",
    ],
)
def test_what_is_not_text_of_the_page_is_left_out(markup: str) -> None:
    assert texts(f"<p>one {markup} two</p><p>three</p>")[-1] == "three"
    assert "x" not in " ".join(texts(f"<p>one {markup} two</p>"))


def test_noscript_counts_where_it_is_the_content() -> None:
    posts = "<div class=post>A long post that only crawlers see.</div>" * 3
    blocks = parse(f"<p>Loading</p><noscript>{posts}</noscript>").blocks
    assert len(blocks) == 4
    assert Flag.NOSCRIPT in blocks[1].flags


@pytest.mark.parametrize(
    "html",
    [
        '<p>a</p><iframe src="x"/>' + "<div>lost words</div>" * 100,
        "<title>Broken</titl" + "<p>lost words</p>" * 100,
    ],
)
def test_an_element_that_swallows_the_page_is_closed(html: str) -> None:
    assert texts(html).count("lost words") >= 99


def test_a_block_knows_its_element_its_path_and_its_ancestors() -> None:
    html = "<body><main id=m class='a b'><section><h2>Head <em>line</em></h2><p>Text</p></section></main></body>"
    heading, paragraph = parse(html).blocks
    assert (heading.tag, heading.heading, heading.text) == ("h2", 2, "Head line")
    assert paragraph.path == ("html", "body", "main", "section", "p")
    assert (paragraph.heading, paragraph.depth) == (0, 4)
    main = next(container for container in paragraph.container.ancestors() if container.tag == "main")
    assert (main.id, main.classes, main.role) == ("m", ["a", "b"], None)
    assert main is next(container for container in heading.container.ancestors() if container.tag == "main")


def test_containers_are_in_document_order_and_know_their_blocks() -> None:
    document = parse("<body><div><p>1</p><p>2</p></div>3<ul><li>4<li>5</ul></body>")
    assert [container.index for container in document.containers] == list(range(len(document.containers)))
    spans = {container.tag: (container.start, container.end) for container in document.containers}
    assert (spans["html"], spans["div"], spans["ul"], spans["li"]) == ((0, 5), (0, 2), (3, 5), (4, 5))
    for container in document.containers:
        assert container.parent is None or container.parent.index < container.index


@pytest.mark.parametrize(
    ("html", "flag"),
    [
        ("<nav>x</nav>", Flag.NAV),
        ("<div role=navigation>x</div>", Flag.NAV),
        ("<header><p>x</p></header>", Flag.HEADER),
        ("<footer>x</footer>", Flag.FOOTER),
        ("<div role=contentinfo>x</div>", Flag.FOOTER),
        ("<aside>x</aside>", Flag.ASIDE),
        ("<form><p>x</form>", Flag.FORM),
        ("<ul><li>x</ul>", Flag.LIST),
        ("<table><td>x</table>", Flag.TABLE),
        ("<blockquote>x</blockquote>", Flag.QUOTE),
        ("<pre>x</pre>", Flag.CODE),
        ("<article>x</article>", Flag.ARTICLE),
        ("<main>x</main>", Flag.MAIN),
        ("<figure><figcaption>x</figure>", Flag.CAPTION),
        ("<button>x</button>", Flag.BUTTON),
        ("<p hidden>x</p>", Flag.HIDDEN),
        ("<div style='display: none'><p>x</p></div>", Flag.HIDDEN),
        ("<div aria-hidden=true>x</div>", Flag.HIDDEN),
        ("<span style='DISPLAY:NONE'>x</span>", Flag.HIDDEN),
    ],
)
def test_flags_come_from_all_ancestors(html: str, flag: Flag) -> None:
    inside, after = parse(html + "<p>plain</p>").blocks
    assert flag in inside.flags
    assert after.flags == Flag(0)


@pytest.mark.parametrize("tag", ["div", "li", "td", "p"])
def test_text_in_an_element_that_is_pressed_is_on_a_button(tag: str) -> None:
    table = ("<table><tr>", "</table>") if tag == "td" else ("", "")
    html = f'{table[0]}<{tag} class=link onclick="show(1)">menu</{tag}>{table[1]}<p>plain</p>'
    pressed, plain = parse(html).blocks
    assert Flag.BUTTON in pressed.flags
    assert plain.flags == Flag(0)


@pytest.mark.parametrize(
    "html",
    [
        "<div onclick='close()'><p>text</p></div>",
        "<body onclick='close()'>text",
        "<h2 onclick='open()'>text</h2>",
        "<p>text <span onclick='play()'>here</span></p>",
        "<p title=' onclick=1'>text</p>",
    ],
)
def test_what_stands_further_down_or_amid_text_is_none(html: str) -> None:
    (block,) = parse(html).blocks
    assert Flag.BUTTON not in block.flags


def test_hidden_words_in_a_line_are_a_block_apart() -> None:
    blocks = parse("<p>seen <span hidden>unseen</span> seen too</p>").blocks
    assert [(block.text, block.hidden) for block in blocks] == [("seen", False), ("unseen", True), ("seen too", False)]


def test_link_text_and_links_are_counted() -> None:
    block = parse("<p>Read <a href=/a>this one</a> or <a href=/b><b>that</b> one</a>.</p>", "https://e.org/").blocks[0]
    assert (block.link_count, block.link_length) == (2, len("this one") + len("that") + len("one"))
    assert 0 < block.link_density < 1


def test_images_count_in_the_run_or_before_it() -> None:
    blocks = parse("<p>one <img> two</p><figure><img><figcaption>cap</figcaption></figure><p>end</p>").blocks
    assert [block.image_count for block in blocks] == [1, 1, 0]


def test_inline_markup_can_be_recovered() -> None:
    before, block, after = parse(
        '<p>x<div><i class="c d">plain</i> &amp; <a href=/x>a <b>bold</b></a><br>end</div>y'
    ).blocks
    assert block.html == '<i class="c d">plain</i> &amp; <a href="/x">a <b>bold</b></a><br>end'
    assert block.inline_attributes() == [{"class": "c d"}]
    assert (before.html, after.html) == ("x", "y")


def test_the_length_in_html_counts_markup() -> None:
    plain, marked = parse("<p>text</p><p>t<b class=x>ex</b>t</p>").blocks
    assert plain.html_length() == len("<p>text</p>")
    assert marked.html_length() > plain.html_length()


def test_options_are_lines_of_one_block() -> None:
    blocks = parse("<label>Size</label><select><option>S<option>M</select><p>x</p>").blocks
    assert [block.text for block in blocks] == ["Size", "S\nM", "x"]


@pytest.mark.parametrize(
    "words", ["Die Überschrift des Tages", "Заголовок новости дня", "今日新闻的标题", "عنوان الخبر اليوم"]
)
def test_four_scripts_come_through(words: str) -> None:
    document = parse(f"<html><head><title>{words}</title></head><body><h1>{words}</h1><p>{words}</p></body></html>")
    assert (document.title, texts_of(document)) == (words, [words, words])


def texts_of(document: object) -> list[str]:
    return [block.text for block in document.blocks]  # type: ignore[attr-defined]


def test_limits_cut_and_say_so() -> None:
    html = "<p>one</p><p>two</p><p>three</p>"
    assert not parse(html).truncated
    for limits in (Limits(max_blocks=2), Limits(max_nodes=6), Limits(max_bytes=20)):
        document = parse(html, limits=limits)
        assert document.truncated
        assert texts_of(document) == texts_of(parse(html))[: len(document.blocks)] or limits.max_bytes == 20


def test_below_the_depth_limit_the_text_is_kept_and_the_containers_shared() -> None:
    document = parse("<div>" * 50 + "deep<p>deeper</p>", limits=Limits(max_depth=10))
    assert texts_of(document) == ["deep", "deeper"]
    assert max(container.depth for container in document.containers) == 10


def test_a_page_is_let_go_with_its_last_block() -> None:
    """A circle would keep it till Python looks for such."""
    document = parse("<div><ul><li>one <b>two</b><li>three</ul><p>four</div>")
    assert [list(block.container.ancestors())[-1].tag for block in document.blocks] == ["html"] * 3
    seen = weakref.ref(document.layout)
    gc.disable()
    try:
        del document
        assert seen() is None
    finally:
        gc.enable()


def test_containers_know_their_depth_and_their_start_tags_where_others_have_no_text() -> None:
    containers = parse("<div></div><div id=a><ul></ul><div id=b><p id=c>text</p></div></div>").blocks.containers
    assert [container.depth for container in containers] == [len(list(c.ancestors())) - 1 for c in containers]
    place = len(containers) - 1
    assert containers.source(place) == b'<p id="c">'
    assert containers.source_above(place) == b'<div id="b">'
