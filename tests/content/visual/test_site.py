"""A site's own model from its pages alone, and the shipped one on pages that it never saw."""

from __future__ import annotations

from typing import Any

import numpy as np

from nephila.content.visual import SiteModel, learn_site, see
from nephila.content.visual.labelling import label_by_text, label_site
from nephila.content.visual.learning import LEAST_PAGES
from tests.content.visual.pages import article, block, sentence


def _names(labels: np.ndarray, pages: list[Any]) -> set[str]:
    blocks = [one for page in pages for one in page.blocks]
    return {one.name for one, label in zip(blocks, labels.tolist(), strict=True) if label}


def test_the_cluster_nearest_to_the_descriptions_is_the_content() -> None:
    pages = [article(number) for number in range(8)]
    assert _names(label_site(pages), pages) == {"p"}


def test_a_comment_that_repeats_the_description_on_one_page_misleads_nobody() -> None:
    pages = [article(number) for number in range(8)]
    for page in pages:
        page.blocks.extend(block(f"I agree {index}", name="td", font_size="13px") for index in range(3))
    pages[0].blocks.append(block(pages[0].descriptions[0] * 2, name="td", font_size="13px"))
    assert _names(label_site(pages), pages) == {"p"}


def test_pages_of_another_template_get_a_cluster_of_their_own() -> None:
    pages = [article(number) for number in range(6)]
    other = [article(number) for number in range(6, 12)]
    for page in other:
        page.blocks[:] = [one for one in page.blocks if one.name != "p"]
        page.blocks.extend(block(page.descriptions[0], name="div", font_family="sans") for _ in range(2))
    assert _names(label_site([*pages, *other]), [*pages, *other]) == {"p"}
    assert _names(label_site([*pages, *other], templates=True), [*pages, *other]) == {"p", "div"}


def test_a_known_text_labels_its_cluster() -> None:
    page = article(1, paragraphs=6)
    text = "\n".join(one.text for one in page.blocks if one.name == "p")
    assert _names(label_by_text(page, text), [page]) == {"p"}


def test_a_site_teaches_its_model_and_the_model_knows_new_pages() -> None:
    lesson = learn_site([article(number) for number in range(8)])
    assert lesson is not None
    model = SiteModel.from_bytes(lesson.model.to_bytes())
    assert model == lesson.model
    new = article(99, paragraphs=7)
    seen = see(new, model)
    assert seen.by == "site"
    assert [one.text for one in seen.content if one.name == "p"] == [sentence(990 + index) for index in range(7)]
    assert not any(one.name == "li" for one in seen.content)
    assert 0 < seen.confidence <= 1


def test_too_few_pages_teach_nothing() -> None:
    assert learn_site([article(number) for number in range(LEAST_PAGES - 1)]) is None
    assert learn_site([]) is None


def test_a_model_of_another_version_is_learned_again() -> None:
    assert SiteModel.from_bytes(b'{"format": 0}') is None


def test_the_shipped_model_judges_where_the_site_is_unknown_or_looks_different() -> None:
    page = article(5, paragraphs=6)
    alone = see(page)
    assert alone.by == "general"
    assert {one.name for one in alone.content} >= {"p"}
    assert "Menu 1" not in alone.text
    stranger = SiteModel({"color:pink": 1.0}, -1.0, 8, 1.0)
    assert see(page, stranger).by == "general"


def test_markdown_keeps_headings_and_lists() -> None:
    page = article(5)
    seen = see(page)
    everything = type(seen)(page, np.ones(len(page.blocks)), "general")
    assert "# Heading 5" in everything.markdown
    assert "- Menu 0" in everything.markdown
