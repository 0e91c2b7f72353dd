"""Trains the network: Adam with a falling rate, and the running mean of the weights at the end. Repeatable by seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from nephila.content.features.page import Floats
from nephila.content.training.batches import Scale, epoch, scale_of, steps_each_epoch
from nephila.content.training.examples import Example, Variants
from nephila.content.training.network import Parameters, initial, loss

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """Chosen by experiment on the folds (docs/extraction-tried.md)."""

    width: int = 48
    epochs: int = 9
    varied: float = 0.5
    """How often a page that has variants is shown as one of them."""
    rate: float = 3e-3
    settling: int = 2
    """Epochs at the end on the pages as they are, where variants were shown."""
    settling_rate: float = 1e-3
    decay: float = 0.01
    seed: int = 0
    warm_up: int = 100


def fit(
    examples: Sequence[Example], variants: Variants, settings: Settings, report: Report = lambda _: None
) -> dict[str, Floats]:
    """The trained weights, by the names that `content.model` reads."""
    # The default generator of random numbers costs more than the network itself.
    jax.config.update("jax_default_prng_impl", "rbg")
    scale = scale_of(examples)
    parameters = initial(len(scale.mean), settings.width, settings.seed)
    shown = _shown(examples, variants, settings)
    parameters = _run(parameters, shown, scale, settings, report)
    if variants and settings.settling:
        report("the pages as they are")
        gentle = replace(settings, rate=settings.settling_rate, seed=settings.seed + 1)
        parameters = _run(parameters, [list(examples)] * settings.settling, scale, gentle, report)
    weights = {name: np.array(value) for name, value in parameters.items()}
    # Bucket 0 stands for "none": the model sums without looking.
    weights["names"][0] = 0
    weights["words"][0] = 0
    return weights | {"mean": scale.mean, "deviation": scale.deviation}


def _run(
    parameters: Parameters, shown: Sequence[list[Example]], scale: Scale, settings: Settings, report: Report
) -> Parameters:
    """Some epochs, with the pages of each; the rate falls to nothing. The running mean of the parameters."""
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    state = (parameters, zeros, zeros, parameters)
    key = jax.random.PRNGKey(settings.seed)
    total = sum(map(steps_each_epoch, shown))
    step = 0
    for number, pages in enumerate(shown):
        losses = []
        for batch in epoch(pages, scale, settings.seed * 1000 + number):
            step += 1
            key, drawn = jax.random.split(key)
            rate = settings.rate * min(1.0, step / settings.warm_up) * (0.5 * (1 + np.cos(np.pi * step / total)) + 0.01)
            state, value = _step(state, batch, drawn, np.float32(rate), np.float32(step), settings.decay)
            losses.append(value)
        report(f"epoch {number + 1}/{len(shown)}: loss {np.mean([float(value) for value in losses]):.4f}")
    averaged: Parameters = state[3]
    return averaged


def _shown(examples: Sequence[Example], variants: Variants, settings: Settings) -> list[list[Example]]:
    """The pages of each epoch: all of them, some as one of their variants."""
    draw = random.Random(settings.seed)

    def one(example: Example) -> Example:
        others = variants.get(example.key)
        return draw.choice(others) if others and draw.random() < settings.varied else example

    return [[one(example) for example in examples] for _ in range(settings.epochs)]


@partial(jax.jit, static_argnames="decay")
def _step(state: Any, batch: Any, key: Any, rate: Any, step: Any, decay: float) -> Any:
    parameters, first, second, averaged = state
    value, slopes = jax.value_and_grad(loss)(parameters, batch, key)
    size = jnp.sqrt(sum((slope**2).sum() for slope in jax.tree.leaves(slopes)))
    slopes = jax.tree.map(lambda slope: slope * jnp.minimum(1.0, 1.0 / size), slopes)
    first = jax.tree.map(lambda mean, slope: 0.9 * mean + 0.1 * slope, first, slopes)
    second = jax.tree.map(lambda mean, slope: 0.99 * mean + 0.01 * slope**2, second, slopes)
    parameters = jax.tree.map(
        lambda weight, mean, square: (
            weight * (1 - rate * decay) - rate * (mean / (1 - 0.9**step)) / (jnp.sqrt(square / (1 - 0.99**step)) + 1e-8)
        ),
        parameters,
        first,
        second,
    )
    share = jnp.minimum(0.995, (1 + step) / (10 + step))
    averaged = jax.tree.map(lambda mean, weight: share * mean + (1 - share) * weight, averaged, parameters)
    return (parameters, first, second, averaged), value
