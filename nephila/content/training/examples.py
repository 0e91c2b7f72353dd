"""Samples -> examples: the features and labels of each page that can be judged. Knows samples and documents."""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from nephila.content.features.page import PageFeatures, page_features
from nephila.content.gold.datasets import Sample, gold_is_present, read_set
from nephila.content.gold.labels import PageLabels, page_labels
from nephila.content.site.memory import PageView, view_of
from nephila.content.training.cuttings import Cuttings, cut
from nephila.content.training.variants import variant
from nephila.document import parse

Key = tuple[str, str]
Variants = dict[Key, list["Example"]]
"""Of some pages, the same in other markup."""
Made = TypeVar("Made")
_GOLD_LEFT = 0.5


@dataclass(slots=True)
class Example:
    """A page ready for training and for scoring; its HTML is gone."""

    sample: Sample
    """Without its HTML."""
    features: PageFeatures
    labels: PageLabels
    view: PageView
    texts: list[str]

    @property
    def key(self) -> Key:
        return self.sample.set, self.sample.id

    @property
    def blocks(self) -> int:
        return len(self.texts)


def example_of(sample: Sample) -> Example | None:
    """None for a page that is left out: its gold is not in it."""
    document = parse(sample.html, sample.url)
    if not document.blocks or not gold_is_present(sample, lambda _: document.text(hidden=True)):
        return None
    features = page_features(document)
    return Example(
        sample=_without_html(sample),
        features=features,
        labels=page_labels(sample, document),
        view=view_of(document.layout.texts, features),
        texts=document.layout.texts,
    )


def _without_html(sample: Sample) -> Sample:
    values = {name: getattr(sample, name) for name in Sample.__slots__}
    return Sample(**(values | {"html": ""}))


def examples_of(samples: Iterable[Sample], left_out: list[str] | None = None) -> Iterator[Example]:
    """The examples of the samples; the ids of those left out are added to `left_out`."""
    for sample in samples:
        example = example_of(sample)
        if example is not None:
            yield example
        elif left_out is not None:
            left_out.append(f"{sample.set}/{sample.id}")


def load_examples(data: Path, sets: Iterable[str], cache: Path | None, left_out: list[str]) -> list[Example]:
    """The examples of whole sets. With a cache directory, a set is parsed once; delete it when the features change."""
    found: list[Example] = []
    for name in sets:
        examples, missing = _kept(cache, f"{name}.examples", partial(_examples_of_set, data, name))
        found += examples
        left_out += missing
    return found


def _examples_of_set(data: Path, name: str) -> tuple[list[Example], list[str]]:
    missing: list[str] = []
    return list(examples_of(read_set(data, name), missing)), missing


def load_variants(data: Path, sets: Sequence[str], cache: Path | None, copies: int) -> Variants:
    """So many variants of each page of the sets; kept as the examples are."""
    cuttings = _kept(cache, "cuttings", lambda: cut(sample for name in sets for sample in read_set(data, name)))
    found: Variants = defaultdict(list)
    for name in sets:
        for example in _kept(
            cache, f"{name}.variants{copies}", partial(_variants_of_set, data, name, cuttings, copies)
        ):
            found[example.key].append(example)
    return dict(found)


def _variants_of_set(data: Path, name: str, cuttings: Cuttings, copies: int) -> list[Example]:
    others = (variant(sample, cuttings, seed) for sample in read_set(data, name) for seed in range(copies))
    return [example for example in examples_of(filter(None, others)) if _tells_gold(example)]


def _tells_gold(example: Example) -> bool:
    """Whether the blocks still hold most of the gold, where there is a full one."""
    known = np.maximum(example.labels.main, 0)
    return float(known @ example.features.weights) >= _GOLD_LEFT * example.labels.gold_tokens


def _kept(cache: Path | None, name: str, make: Callable[[], Made]) -> Made:
    """What `make` gives; with a directory, from there when it was made before."""
    if cache is None:
        return make()
    path = cache / name
    if path.exists():
        # Our own file, in a directory that the user named: as trusted as the training data.
        made: Made = pickle.loads(path.read_bytes())  # noqa: S301
        return made
    made = make()
    cache.mkdir(parents=True, exist_ok=True)
    unfinished = cache / f"{name}.unfinished"
    unfinished.write_bytes(pickle.dumps(made, protocol=4))
    unfinished.rename(path)
    return made
