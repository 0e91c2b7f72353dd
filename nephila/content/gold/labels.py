"""Gold -> labels of a page's blocks, for training. Knows samples and documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nephila.content.features.page import Floats
from nephila.content.gold.align import shares
from nephila.content.gold.datasets import Sample
from nephila.content.judgement import KINDS
from nephila.content.score import tokens
from nephila.document.document import Document

UNKNOWN = -1.0

_KIND_OF_SET = {"dragnet": "article", "l3s_gn1": "article", "waddle_daniel": "article", "cn_wwwxmu": "article"}


@dataclass(slots=True)
class PageLabels:
    main: Floats
    """The share of each block's tokens that is in the gold; -1 where the set does not tell."""
    comments: Floats
    """The same for readers' comments, of sets that have them apart."""
    gold_tokens: int
    """Of the whole gold, found in the page or not; 0 where there is no full gold."""
    kind: int
    """The place of the page's kind in `KINDS`; -1 when unknown."""


def page_labels(sample: Sample, document: Document) -> PageLabels:
    blocks = [tokens(block.text) for block in document.blocks]
    if sample.segments_only:
        return PageLabels(_from_segments(sample, document), np.full(len(blocks), UNKNOWN, np.float32), 0, -1)
    gold = tokens(sample.gold)
    comments = np.full(len(blocks), UNKNOWN, np.float32)
    if sample.set == "dragnet":
        comments[:] = shares(blocks, tokens(sample.comments)) if sample.comments else 0.0
    main = np.array(shares(blocks, gold), dtype=np.float32)
    return PageLabels(main, comments, len(gold), kind_of(sample))


def kind_of(sample: Sample) -> int:
    kind = _KIND_OF_SET.get(sample.set, sample.kind)
    return KINDS.index(kind) if kind in KINDS else -1


def _from_segments(sample: Sample, document: Document) -> Floats:
    """Only the blocks that hold a segment are known; a block with both kinds stays unknown."""
    labels = np.full(len(document.blocks), UNKNOWN, np.float32)
    wanted = [" ".join(segment.split()) for segment in sample.wanted if segment.strip()]
    unwanted = [" ".join(segment.split()) for segment in sample.unwanted if segment.strip()]
    for index, block in enumerate(document.blocks):
        text = " ".join(block.text.split())
        good = any(segment in text for segment in wanted)
        bad = any(segment in text for segment in unwanted)
        if good != bad:
            labels[index] = float(good)
    return labels
