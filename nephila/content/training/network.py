"""The network of `content.model` for many padded pages at once, in JAX, and its aims. Knows arrays only."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from nephila.content.features.first_words import WORD_BUCKETS
from nephila.content.features.names import NAME_BUCKETS
from nephila.content.judgement import KINDS
from nephila.content.model import DISTANCES, INPUTS, POOLED
from nephila.document.outline import LEVELS

NAME_SIZE, WORD_SIZE = 12, 8
DROPOUT = 0.1
# How much each aim counts: F1 of the page, and, besides, each block's own label, comments, the kind of page.
BLOCK_AIM, COMMENT_AIM, KIND_AIM = 0.5, 0.2, 0.05

Parameters = dict[str, Any]


def initial(dense: int, width: int, seed: int) -> Parameters:
    rng = np.random.default_rng(seed)

    def matrix(rows: int, columns: int, gain: float = 1.0) -> Any:
        return jnp.asarray(rng.normal(size=(rows, columns)) * gain / np.sqrt(rows), dtype=jnp.float32)

    parameters = {
        "names": jnp.asarray(rng.normal(size=(NAME_BUCKETS, NAME_SIZE)) * 0.1, dtype=jnp.float32),
        "words": jnp.asarray(rng.normal(size=(WORD_BUCKETS, WORD_SIZE)) * 0.1, dtype=jnp.float32),
        "input": matrix(dense + LEVELS * NAME_SIZE + WORD_SIZE, width),
        "input_bias": jnp.zeros(width),
        "output": matrix(width, 2, 0.1),
        "output_bias": jnp.asarray([-0.5, -2.0]),
        "kind": matrix(2 * width, len(KINDS), 0.1),
        "kind_bias": jnp.zeros(len(KINDS)),
    }
    for index in range(len(DISTANCES)):
        parameters[f"layer{index}"] = matrix(INPUTS * width, width, 0.5)
        parameters[f"bias{index}"] = jnp.zeros(width)
    return parameters


def forward(parameters: Parameters, batch: Any, key: Any = None) -> tuple[Any, Any]:
    """Logits of each block (main, comment) and of each page's kind. With a key, features are dropped at random."""
    keys = [None] * (len(DISTANCES) + 1) if key is None else jax.random.split(key, len(DISTANCES) + 1)
    mask = batch["mask"][..., None]
    page = jnp.arange(mask.shape[0])[:, None]
    named = (parameters["names"][batch["names"]] * (batch["names"] > 0)[..., None]).sum(axis=2)
    named = named[page[..., None], batch["ancestors"]].reshape(*batch["mask"].shape, -1)
    worded = (parameters["words"][batch["words"]] * (batch["words"] > 0)[..., None]).sum(axis=2)
    inputs = jnp.concatenate((_dropped(batch["dense"], keys[0]), named, worded), axis=-1)
    vectors = jax.nn.relu(inputs @ parameters["input"] + parameters["input_bias"]) * mask
    blocks = jnp.maximum(batch["mask"].sum(axis=1), 1)[:, None, None]
    roots = jnp.sqrt(batch["weights"]) * batch["mask"]
    roots = (roots / jnp.maximum(roots.sum(axis=1, keepdims=True), 1))[..., None]
    for index, distance in enumerate(DISTANCES):
        sums = jnp.concatenate((jnp.zeros_like(vectors[:, :1]), _running_sums(vectors)), axis=1)
        seen = [vectors, _moved(vectors, distance), _moved(vectors, -distance)]
        for level in POOLED[index]:
            starts, ends = batch["starts"][..., level], batch["ends"][..., level]
            seen.append((sums[page, ends] - sums[page, starts]) / jnp.maximum(ends - starts, 1)[..., None])
        mean = (
            (vectors * roots).sum(axis=1, keepdims=True) if index % 2 else vectors.sum(axis=1, keepdims=True) / blocks
        )
        seen.append(jnp.broadcast_to(mean, vectors.shape))
        context = _dropped(jnp.concatenate(seen, axis=-1), keys[index + 1])
        new = jax.nn.relu(context @ parameters[f"layer{index}"] + parameters[f"bias{index}"])
        vectors = (vectors + new) * mask
    outputs = vectors @ parameters["output"] + parameters["output_bias"]
    pooled = jnp.concatenate((vectors.sum(axis=1) / blocks[:, 0], vectors.max(axis=1)), axis=-1)
    return outputs, pooled @ parameters["kind"] + parameters["kind_bias"]


def loss(parameters: Parameters, batch: Any, key: Any) -> Any:
    """What is made small: 1 - F1 of each page, with probabilities for choices, and cross-entropies beside it."""
    outputs, kinds = forward(parameters, batch, key)
    tokens = batch["weights"] * batch["mask"]
    likely, wanted = jax.nn.sigmoid(outputs[..., 0]), jnp.maximum(batch["main"], 0)
    hits = (likely * tokens * wanted).sum(axis=1)
    f1 = 2 * hits / jnp.maximum((likely * tokens).sum(axis=1) + (tokens * wanted).sum(axis=1), 1)
    aim = (1 - f1) * batch["full"]
    aim += BLOCK_AIM * _cross_entropy(outputs[..., 0], batch["main"], batch)
    aim += COMMENT_AIM * _cross_entropy(outputs[..., 1], batch["comments"], batch)
    known = batch["kind"] >= 0
    of_kind = jnp.take_along_axis(jax.nn.log_softmax(kinds), jnp.maximum(batch["kind"], 0)[:, None], axis=1)[:, 0]
    aim -= KIND_AIM * of_kind * known
    return (aim * batch["page_weight"]).sum() / jnp.maximum(batch["page_weight"].sum(), 1e-6)


def _cross_entropy(logits: Any, labels: Any, batch: Any) -> Any:
    """Of each page, over the blocks whose label is known; longer blocks count more, by the root of their length."""
    wanted = jnp.maximum(labels, 0)
    entropy = jnp.maximum(logits, 0) - logits * wanted + jnp.log1p(jnp.exp(-jnp.abs(logits)))
    weights = (labels >= 0) * batch["mask"] * jnp.sqrt(batch["weights"])
    return (entropy * weights).sum(axis=1) / jnp.maximum(weights.sum(axis=1), 1)


def _dropped(values: Any, key: Any) -> Any:
    """Of each page other columns are left out; the rest count for more."""
    if key is None:
        return values
    kept = jax.random.bernoulli(key, 1 - DROPOUT, (values.shape[0], 1, values.shape[2]))
    return values * kept / (1 - DROPOUT)


def _moved(vectors: Any, distance: int) -> Any:
    gap = jnp.zeros_like(vectors[:, : abs(distance)])
    if distance > 0:
        return jnp.concatenate((gap, vectors[:, :-distance]), axis=1)
    return jnp.concatenate((vectors[:, -distance:], gap), axis=1)


def _running_sums(vectors: Any, part: int = 32) -> Any:
    """`cumsum` along the blocks, as two small matrix products: JAX's own is quadratic on CPUs."""
    pages, length, width = vectors.shape
    parts = vectors.reshape(pages, length // part, part, width)
    inside = jnp.einsum("ij,bnjh->bnih", jnp.tril(jnp.ones((part, part))), parts)
    before = jnp.einsum("ij,bjh->bih", jnp.tril(jnp.ones((length // part,) * 2), -1), parts.sum(axis=2))
    return (inside + before[:, :, None]).reshape(pages, length, width)
