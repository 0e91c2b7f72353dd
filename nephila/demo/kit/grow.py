"""Text that grows from word lists and sentence patterns, the same for the same seed on every machine.

A pattern names its gaps: `{place}` takes a word of that list, `{n:3-40}` a whole number of that range. Patterns and
words live in `nephila/demo/words/`, one TOML file a language or site.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

_GAP = re.compile(r"\{(\w+)(?::(\d+)-(\d+))?\}")


@cache
def words_of(name: str) -> dict[str, Any]:
    """The parsed word file `name`, such as `en` or `shop`."""
    return tomllib.loads(files("nephila.demo").joinpath("words", f"{name}.toml").read_text("utf-8"))


class Grower:
    """Grows sentences of one language from one seed."""

    def __init__(self, words: Mapping[str, Sequence[str]], seed: str) -> None:
        self._words = words
        # A string seed is hashed by SHA-512, so it does not depend on PYTHONHASHSEED.
        self.random = random.Random(seed)

    def sentence(self, pattern: str) -> str:
        """`pattern` with its gaps filled and its first letter a capital."""
        grown = _GAP.sub(self._fill, pattern)
        return grown[:1].upper() + grown[1:]

    def sentences(self, patterns: Sequence[str], count: int) -> list[str]:
        """`count` sentences of different patterns (fewer when there are not so many)."""
        chosen = self.random.sample(list(patterns), min(count, len(patterns)))
        return [self.sentence(pattern) for pattern in chosen]

    def _fill(self, gap: re.Match[str]) -> str:
        name, low, high = gap.groups()
        if low is not None:
            return str(self.random.randint(int(low), int(high)))
        return self.random.choice(self._words[name])
