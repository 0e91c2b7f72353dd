"""The shipped part of the prior: field names of schema.org, label words of many languages, kinds of values."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nephila.wrappers.prior import Profile
from nephila.wrappers.shapes import label_key, words_of
from nephila.wrappers.tally import Tally

_FILE = Path(__file__).parent / "lexicon.toml"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a field by its name alone."""

    name: str
    labels: frozenset[str]
    """Keys of labels."""
    words: frozenset[str]
    """Words in markup."""
    kinds: tuple[str, ...] = ()
    type: str = "text"
    many: bool = False
    headline: bool = False

    def profile(self) -> Profile:
        """A profile with nothing in it but this; in the same order in every process, for sums to be the same."""
        return Profile(
            self.name,
            labels=Tally(dict.fromkeys(sorted(self.labels), 1.0)),
            words=Tally({word: 1.0 for label in sorted(self.labels) for word in label.split()}),
            markup=Tally(dict.fromkeys(sorted(self.words), 1.0)),
            kinds=Tally({kind: 1.0 / (1 + rank) for rank, kind in enumerate(self.kinds)}),
        )


@cache
def _read() -> tuple[dict[str, Known], dict[str, list[str]]]:
    data = tomllib.loads(_FILE.read_text("utf-8"))
    fields = {
        name: Known(
            name,
            frozenset(filter(None, map(label_key, [*entry["labels"], name]))),
            frozenset({*entry["markup"], *words_of(name), name.lower()}),
            tuple(entry["kinds"]),
            entry.get("type", "text"),
            entry.get("many", False),
            entry.get("headline", False),
        )
        for name, entry in data["field"].items()
    }
    return fields, data["type"]


def known_field(name: str) -> Known:
    """What is shipped of a field; of one that is not, its name's own words."""
    return _read()[0].get(name) or Known(name, frozenset({label_key(name)}), frozenset(words_of(name)))


def schema_types() -> dict[str, list[str]]:
    """Type -> its fields."""
    return _read()[1]
