"""Examples -> padded batches. Pages of like length go together; a long page is shown a window at a time."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nephila.content.features.first_words import WORDS_EACH
from nephila.content.features.names import NAMES_EACH
from nephila.content.features.page import Floats
from nephila.content.model import CLIP
from nephila.content.training.examples import Example
from nephila.document.outline import LEVELS

LENGTHS = (64, 96, 160, 256, 384, 640)
"""Blocks of a padded page; each length is compiled once."""
BLOCKS_EACH = 6144

# So that a set counts for what it tells, not for how many pages it has: ten sites wrote all of cn_wwwxmu.
SET_WEIGHTS = {"webforum52": 2.5, "cn_wwwxmu": 0.6}
OTHER_KINDS_WEIGHT = 1.8
DROPPED_NAMES, DROPPED_WORDS, WORDLESS_PAGES = 0.15, 0.25, 0.15

Batch = dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]


@dataclass(frozen=True, slots=True)
class Scale:
    """What the dense features are centred on and divided by."""

    mean: Floats
    deviation: Floats


def scale_of(examples: Sequence[Example]) -> Scale:
    chosen = random.Random(0).sample(list(examples), min(1500, len(examples)))
    dense = np.concatenate([example.features.dense[:400] for example in chosen])
    return Scale(dense.mean(axis=0), np.maximum(dense.std(axis=0), 1e-2))


def steps_each_epoch(examples: Sequence[Example]) -> int:
    counts: dict[int, int] = defaultdict(int)
    for example in examples:
        counts[_length(example)] += 1
    return sum(-(-count // (BLOCKS_EACH // length)) for length, count in counts.items())


def epoch(examples: Sequence[Example], scale: Scale, seed: int) -> Iterator[Batch]:
    """All examples once, in random order."""
    shuffle, rng = random.Random(seed), np.random.default_rng(seed)
    groups: dict[int, list[Example]] = defaultdict(list)
    for example in examples:
        groups[_length(example)].append(example)
    batches: list[tuple[int, list[Example]]] = []
    for length, group in groups.items():
        shuffle.shuffle(group)
        size = BLOCKS_EACH // length
        batches += [(length, group[start : start + size]) for start in range(0, len(group), size)]
    shuffle.shuffle(batches)
    for length, group in batches:
        yield _batch(group, length, BLOCKS_EACH // length, scale, rng)


def _length(example: Example) -> int:
    return next((length for length in LENGTHS if example.blocks <= length), LENGTHS[-1])


def _batch(
    group: list[Example], length: int, size: int, scale: Scale, rng: np.random.Generator, *, drop: bool = True
) -> Batch:
    dense_size = len(scale.mean)
    batch: Batch = {
        "dense": np.zeros((size, length, dense_size), np.float32),
        "words": np.zeros((size, length, WORDS_EACH), np.int32),
        "names": np.zeros((size, 2 * length, NAMES_EACH), np.int32),
        "ancestors": np.zeros((size, length, LEVELS), np.int32),
        "starts": np.zeros((size, length, LEVELS), np.int32),
        "ends": np.zeros((size, length, LEVELS), np.int32),
        "weights": np.zeros((size, length), np.float32),
        "main": np.full((size, length), -1, np.float32),
        "comments": np.full((size, length), -1, np.float32),
        "mask": np.zeros((size, length), np.float32),
        "kind": np.full(size, -1, np.int32),
        "full": np.zeros(size, np.float32),
        "page_weight": np.zeros(size, np.float32),
    }
    for row, example in enumerate(group):
        _fill(batch, row, example, length, scale, rng)
    if drop:
        _drop(batch, rng)
    return batch


def _drop(batch: Batch, rng: np.random.Generator) -> None:
    """Hides names and words of some blocks, and all words of some pages: neither may be relied on alone."""
    batch["names"][rng.random(batch["names"].shape, dtype=np.float32) < DROPPED_NAMES] = 0
    batch["words"][rng.random(batch["words"].shape, dtype=np.float32) < DROPPED_WORDS] = 0
    batch["words"][rng.random(len(batch["words"])) < WORDLESS_PAGES] = 0


def _fill(batch: Batch, row: int, example: Example, length: int, scale: Scale, rng: np.random.Generator) -> None:
    start, end = _window(example, length, rng)
    count = end - start
    features, labels = example.features, example.labels
    above = features.ancestors[start:end]
    used, place = np.unique(above, return_inverse=True)
    place = place.reshape(above.shape)
    place[place >= 2 * length] = 0
    used = used[: 2 * length]
    spans = np.clip(features.spans[above] - start, 0, count)
    batch["dense"][row, :count] = np.clip((features.dense[start:end] - scale.mean) / scale.deviation, -CLIP, CLIP)
    batch["words"][row, :count] = features.words[start:end]
    batch["names"][row, : len(used)] = features.names[used]
    batch["ancestors"][row, :count] = place
    batch["starts"][row, :count] = spans[:, :, 0]
    batch["ends"][row, :count] = spans[:, :, 1]
    batch["weights"][row, :count] = features.weights[start:end]
    batch["main"][row, :count] = labels.main[start:end]
    batch["comments"][row, :count] = labels.comments[start:end]
    batch["mask"][row, :count] = 1
    batch["kind"][row] = labels.kind
    batch["full"][row] = labels.gold_tokens > 0
    batch["page_weight"][row] = page_weight(example)


def _window(example: Example, length: int, rng: np.random.Generator) -> tuple[int, int]:
    """The part of a long page that is shown this time: as a rule one with content in it."""
    count = example.blocks
    if count <= length:
        return 0, count
    content = np.flatnonzero(example.labels.main > 0.5)
    centre = int(rng.choice(content)) if len(content) and rng.random() < 0.7 else int(rng.integers(count))
    start = int(np.clip(centre - rng.integers(length), 0, count - length))
    return start, start + length


def page_weight(example: Example) -> float:
    """How much a page counts."""
    sample = example.sample
    if sample.set == "wcxb_dev" and sample.kind != "article":
        return OTHER_KINDS_WEIGHT
    return SET_WEIGHTS.get(sample.set, 1.0)
