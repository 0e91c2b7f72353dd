"""What the model thinks of one page. Knows numbers only."""

from __future__ import annotations

from dataclasses import dataclass

from nephila.content.features.page import Floats

KINDS = ("article", "listing", "collection", "product", "forum", "documentation", "service")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model thinks of one page."""

    main: Floats
    """Of each block, the probability that it is main text."""
    comment: Floats
    """Of each block, the probability that it is a reader's comment."""
    kinds: Floats
    """The probability of each of `KINDS`."""
