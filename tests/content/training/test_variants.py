"""Variants of training pages: other markup around the same gold, and nothing of another fold."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nephila.content.gold.datasets import Sample
from nephila.content.gold.labels import page_labels
from nephila.content.score import share_present
from nephila.content.training.cuttings import Cuttings, cut
from nephila.content.training.variants import variant
from nephila.document import parse

SEEDS = range(60)
PARAGRAPHS = [f"The {part} of a golden orb weaver is described in sentence {part} at some length." for part in "abcdef"]
GOLD = "\n".join(PARAGRAPHS)


def _page(site: str = "one.example", fold: int = 0, comments: str | None = None) -> Sample:
    """A page with a menu, its text, comments, a box and a footer, all named after the site."""
    box = " ".join(f"{site.split('.')[0]}box{number}" for number in range(40))
    body = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    said = "" if comments is None else f"<ol class=comments><li>{comments}</li></ol>"
    html = (
        f"<title>Weavers - {site}</title><meta name=description content=about><nav class=menu><a href=/>Home</a></nav>"
        f"<article class='post entry'><h1>Weavers</h1>{body}</article>{said}"
        f"<div class=box><div>{box}</div></div><footer>Copyright</footer>"
    )
    return Sample(id="7", set="dragnet", site=site, fold=fold, html=html, gold=GOLD, lang="en", comments=comments)


def _made(sample: Sample, cuttings: Cuttings) -> list[Sample]:
    made = [variant(sample, cuttings, seed) for seed in SEEDS]
    assert all(made)
    return [one for one in made if one is not None]


def test_the_text_stays_and_all_else_may_change() -> None:
    made = _made(_page(), Cuttings())
    assert all(share_present(parse(one.html).text(hidden=True), GOLD) > 0.95 for one in made)
    for part in ("<title>", "<nav", "<article", 'class="menu"', "onebox3", "<h1", "description"):
        there = sum(part in one.html for one in made)
        assert 0 < there < len(made), part
    assert {one.gold for one in made} == {GOLD}


def test_a_seed_tells_the_variant() -> None:
    page, cuttings = _page(), cut([_page("two.example")])
    assert [one.html for one in _made(page, cuttings)] == [one.html for one in _made(page, cuttings)]
    assert len({one.html for one in _made(page, cuttings)}) > len(SEEDS) // 2


def test_what_is_put_in_comes_from_other_sites_of_the_same_fold() -> None:
    pages = [replace(_page(f"{site}.example", fold), id=str(number)) for number, (site, fold) in enumerate(_SITES)]
    cuttings = cut(pages)
    assert {fold for fold, _ in cuttings.furniture} == {0, 1}
    texts = "".join(one.html for page in pages if page.fold == 0 for one in _made(page, cuttings))
    assert "fourbox3" not in texts
    made = _made(pages[0], cuttings)
    assert any("twobox3" in one.html or "threebox3" in one.html for one in made)
    own = cut([replace(pages[0], id=str(number)) for number in range(8)])
    assert all(one.html.count("onebox3 ") <= 1 for one in _made(pages[0], own))


_SITES = [("one", 0), ("two", 0), ("three", 0), ("four", 1), ("five", 1)] + [("two", 0), ("three", 0)] * 6


def test_comments_that_are_put_in_are_told_and_labelled() -> None:
    said = " ".join(f"reader{number} says so" for number in range(30))
    cuttings = cut([_page("two.example", comments=said)])
    assert [cutting.site for cutting in cuttings.comments[0]] == ["two.example"]
    given = [one for one in _made(_page(), cuttings) if "reader7" in one.html]
    assert given
    assert all(said in (one.comments or "") for one in given)
    labels = page_labels(given[0], parse(given[0].html))
    assert labels.comments.max() > 0.9
    assert labels.main[labels.comments > 0.9].max() < 0.1


def test_nothing_is_put_into_lists_and_pages_of_segments() -> None:
    cuttings = cut([replace(_page("two.example"), id=str(number)) for number in range(8)])
    for sample in (replace(_page(), kind="listing"), replace(_page(), wanted=[PARAGRAPHS[0]], gold="")):
        assert not any("twobox3" in one.html for one in _made(sample, cuttings))


def test_segments_that_are_wanted_stay() -> None:
    page = replace(_page(), wanted=["onebox3 onebox4"], unwanted=["Copyright"], gold="")
    assert all("onebox3 onebox4" in parse(one.html).text(hidden=True) for one in _made(page, Cuttings()))


@given(st.text(alphabet="<>/ \"'=abdivph1@\n&;", max_size=200), st.integers(0, 1000))
def test_no_page_breaks_it(html: str, seed: int) -> None:
    page = replace(_page(), html=html, gold="abdiv h1 p")
    made = variant(page, cut([page]), seed)
    assert made is None or parse(made.html) is not None
