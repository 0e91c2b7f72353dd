"""Page -> Record: the door of the room. Knows documents and the methods of this room, not the crawl."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nephila.content.asides import captions_of, related_of
from nephila.content.features.page import Floats, PageFeatures, page_features
from nephila.content.judgement import Judgement
from nephila.content.keeping import keep
from nephila.content.kinds import told_kind
from nephila.content.lines import extract_lines
from nephila.content.markdown.blocks import render_markdown
from nephila.content.metadata.description import Description, describe
from nephila.content.model import BlockModel, shipped
from nephila.content.site.memory import PageView, SiteMemory, view_of
from nephila.content.talk.posts import PostsOf, posts_wanted, with_posts
from nephila.content.talk.replies import without_replies
from nephila.content.talk.whole import talk_named
from nephila.content.teasers import without_teasers
from nephila.document import Block, Document
from nephila.errors import InputError
from nephila.record import Record

METHODS = ("auto", "lines")
_COMMENT = 0.5


@dataclass(slots=True)
class Content:
    """The main text of a page, as blocks and as texts."""

    blocks: list[Block]
    text: str
    markdown: str
    kind: str | None = None
    confidence: float | None = None
    """The expected F1 of the text, between 0 and 1."""
    comments: list[dict[str, Any]] = field(default_factory=list)
    talk: bool = False
    """Whether a line of the page heads comments and elements are called so, whether the model found some or not."""
    captions: list[str] | None = None
    related: list[dict[str, str]] | None = None
    view: PageView | None = None
    """The page as a site memory sees it, when one was given."""
    likely: Floats | None = None
    """Of each block of the page, what the model thought without the site."""
    alone: str = ""
    """The text as the page alone would give it: the same on every visit, however much was learned of the site."""


def main_content(
    document: Document,
    site: SiteMemory | None = None,
    model: BlockModel | None = None,
    *,
    learned: bool = False,
    posts_of: PostsOf | None = None,
) -> Content:
    """The main text by the trained model; with the memory of its site, by what the site's other pages tell as well.

    The page is not added to the memory: that is the caller's decision, with the content's `view` and `likely`.
    `learned` says that it was before: then what it said itself does not count. `posts_of` is asked of threads in doubt.
    """
    if not document.layout.texts:
        return Content([], "", "")
    model = model or shipped()
    page = page_features(document)
    texts = document.layout.texts
    judgement = without_replies(model.judge(page), page, texts)
    kept, expected = keep(judgement, page, texts)
    told = _told(document, page, judgement, (kept, expected), posts_of)
    if told is not judgement:
        judgement = told
        kept, expected = keep(judgement, page, texts)
    view, alone = None, None
    if site is not None:
        view = view_of(texts, page)
        if site.pages:
            alone = "\n".join([texts[place] for place in kept.nonzero()[0].tolist()])
            signals = site.signals(view, judgement.main if learned else None)
            known = keep(judgement, page, texts, model.with_site(judgement, page.weights, signals))
            # A page that its site leaves nothing of is one of many alike: what it says is its text all the same.
            kept, expected = known if known[0].any() else (kept, expected)
    blocks = _kept_blocks(document, kept)
    text = text_of(blocks)
    return Content(
        blocks,
        text,
        render_markdown(blocks, document.join),
        told_kind(judgement.kinds, document.metadata),
        round(model.confidence(expected), 4),
        _comments(document, judgement.comment, kept),
        talk_named(page),
        captions_of(document, page, kept),
        related_of(document, page, kept),
        view,
        judgement.main,
        text if alone is None else alone,
    )


def _told(
    document: Document,
    page: PageFeatures,
    judgement: Judgement,
    choice: tuple[NDArray[np.bool_], float],
    posts_of: PostsOf | None,
) -> Judgement:
    """What is known once the model's own choice is: lists behind an article, posts of a thread. No page is both."""
    kept, expected = choice
    if posts_of is None or not posts_wanted(judgement, expected):
        return without_teasers(judgement, page, kept)
    marks = posts_of(document)
    return judgement if marks is None else with_posts(judgement, marks, page.weights)


def _kept_blocks(document: Document, kept: NDArray[np.bool_]) -> list[Block]:
    return document.blocks.at(kept.nonzero()[0].tolist())


def text_of(blocks: list[Block]) -> str:
    """One line a block; a block with line breaks has as many."""
    return "\n".join([block.text for block in blocks])


def _comments(document: Document, likely: Floats, kept: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Consecutive blocks of comments, each run one comment."""
    places = (likely >= _COMMENT).nonzero()[0]
    places = places[~kept[places]] if len(places) else places
    if not len(places):
        return []
    texts = document.layout.texts
    runs = np.split(places, np.flatnonzero(np.diff(places) > 1) + 1)
    return [{"text": "\n".join([texts[place] for place in run.tolist()])} for run in runs]


def _dated_span(content: Content) -> tuple[int, int] | None:
    """The first and the last block of a text that was published on a day, as goods and lists are not."""
    blocks = content.blocks
    return (blocks[0].index, blocks[-1].index) if blocks and content.kind in ("article", "thread") else None


def fill(
    record: Record,
    document: Document,
    method: str = "auto",
    site: SiteMemory | None = None,
    *,
    learned: bool = False,
    posts_of: PostsOf | None = None,
) -> Content:
    """Writes what this room knows of the page into its record; gives the content, for the memory of the site."""
    if method == "lines":
        content = Content([], extract_lines(document), "")
    elif method == "auto":
        content = main_content(document, site, learned=learned, posts_of=posts_of)
    else:
        raise InputError(f"there is no method {method!r}: use one of {', '.join(METHODS)}")
    record.text = content.text or None
    record.markdown = content.markdown or None
    record.kind = content.kind
    record.confidence = content.confidence
    record.comments = content.comments or None
    record.captions = content.captions
    record.related = content.related
    record.extractor = method
    known = describe(document, content.text, _dated_span(content))
    for name in Description.__slots__:
        setattr(record, name, getattr(known, name))
    return content
