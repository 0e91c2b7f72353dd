"""Samples -> examples: the features and labels of each page that can be judged. Knows samples and documents."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nephila.content.datasets import Sample, gold_is_present, read_set
from nephila.content.features import PageFeatures, page_features
from nephila.content.labels import PageLabels, page_labels
from nephila.content.site import PageView, view_of
from nephila.document import parse


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
    def key(self) -> tuple[str, str]:
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
        kept = cache / f"{name}.examples" if cache is not None else None
        if kept is not None and kept.exists():
            # Our own file, in a directory that the user named: as trusted as the training data.
            examples, missing = pickle.loads(kept.read_bytes())  # noqa: S301
        else:
            missing = []
            examples = list(examples_of(read_set(data, name), missing))
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(pickle.dumps((examples, missing), protocol=4))
        found += examples
        left_out += missing
    return found
