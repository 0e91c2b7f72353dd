"""The network gives what its definition says, and what was trained is what is run."""

from __future__ import annotations

import numpy as np
import pytest

from nephila.content.features.first_words import WORD_BUCKETS
from nephila.content.features.names import NAME_BUCKETS
from nephila.content.features.page import Floats, PageFeatures, page_features
from nephila.content.judgement import KINDS
from nephila.content.model import DISTANCES, INPUTS, POOLED, BlockModel
from nephila.document import parse
from nephila.document.outline import LEVELS

WIDTH = 8
HTML = """<title>The story</title><body><nav><ul><li><a href=/>Home</a><li><a href=/b>More</a></ul></nav>
<main><h1>The story</h1><div class="text body"><p>First words, here.<p>Second words. 12<p>第三段文字。</div>
<aside id=related><p><a href=/c>Another story</a></aside></main><footer>© 2024</footer>"""


def weights_of(dense: int, seed: int = 0) -> dict[str, Floats]:
    rng = np.random.default_rng(seed)

    def some(*shape: int) -> Floats:
        return (rng.normal(size=shape) * 0.2).astype(np.float32)

    weights = {
        "names": some(NAME_BUCKETS, 3), "words": some(WORD_BUCKETS, 2),
        "input": some(dense + LEVELS * 3 + 2, WIDTH), "input_bias": some(WIDTH),
        "output": some(WIDTH, 2), "output_bias": some(2),
        "kind": some(2 * WIDTH, len(KINDS)), "kind_bias": some(len(KINDS)),
        "mean": some(dense), "deviation": np.ones(dense, np.float32),
        "confidence_x": np.array([0, 1], np.float32), "confidence_y": np.array([0.5, 0.9], np.float32),
    }  # fmt: skip
    weights["names"][0] = weights["words"][0] = 0
    for index in range(len(DISTANCES)):
        weights |= {f"layer{index}": some(INPUTS * WIDTH, WIDTH), f"bias{index}": some(WIDTH)}
    return weights


def by_definition(weights: dict[str, Floats], page: PageFeatures) -> Floats:
    """The same network, block by block and without a trick."""
    count = len(page.dense)
    vectors = []
    for block in range(count):
        dense = np.clip((page.dense[block] - weights["mean"]) / weights["deviation"], -5, 5)
        named = [weights["names"][page.names[container]].sum(axis=0) for container in page.ancestors[block]]
        worded = weights["words"][page.words[block]].sum(axis=0)
        vectors.append(
            np.maximum(np.concatenate([dense, *named, worded]) @ weights["input"] + weights["input_bias"], 0)
        )
    now = np.array(vectors)
    roots = np.sqrt(page.weights) / max(1.0, np.sqrt(page.weights).sum())
    for index, distance in enumerate(DISTANCES):
        new = []
        for block in range(count):
            before = now[block - distance] if block >= distance else np.zeros(WIDTH)
            after = now[block + distance] if block + distance < count else np.zeros(WIDTH)
            around = [now[slice(*page.spans[page.ancestors[block, level]])].mean(axis=0) for level in POOLED[index]]
            of_page = roots @ now if index % 2 else now.mean(axis=0)
            seen = np.concatenate([now[block], before, after, *around, of_page])
            new.append(now[block] + np.maximum(seen @ weights[f"layer{index}"] + weights[f"bias{index}"], 0))
        now = np.array(new)
    return np.asarray(1 / (1 + np.exp(-(now @ weights["output"] + weights["output_bias"]))))


@pytest.mark.parametrize("html", [HTML, "<p>one block", HTML + "<p>more</p>" * 30])
def test_probabilities_are_those_of_the_definition(html: str) -> None:
    page = page_features(parse(html))
    weights = weights_of(page.dense.shape[1])
    judgement = BlockModel(weights).judge(page)
    expected = by_definition(weights, page)
    assert judgement.main == pytest.approx(expected[:, 0], abs=1e-4)
    assert judgement.comment == pytest.approx(expected[:, 1], abs=1e-4)
    assert judgement.kinds.sum() == pytest.approx(1)


def test_confidence_follows_the_learned_line() -> None:
    model = BlockModel(weights_of(5))
    assert model.confidence(0.5) == pytest.approx(0.7)


def test_the_trained_network_is_the_one_that_runs() -> None:
    pytest.importorskip("jax")
    from nephila.content.gold.datasets import Sample
    from nephila.content.training.batches import Scale, _batch
    from nephila.content.training.examples import example_of
    from nephila.content.training.network import forward

    sample = Sample("1", "s", "a.example", 0, HTML, "The story First words, here. Second words. 12 第三段文字。")
    example = example_of(sample)
    assert example is not None
    dense = example.features.dense.shape[1]
    weights = weights_of(dense)
    batch = _batch([example], 64, 2, Scale(weights["mean"], weights["deviation"]), np.random.default_rng(0), drop=False)
    outputs, kinds = forward(weights, batch)
    judgement = BlockModel(weights).judge(example.features)
    likely = 1 / (1 + np.exp(-np.asarray(outputs)[0, : example.blocks, 0]))
    assert judgement.main == pytest.approx(likely, abs=1e-4)
    shares = np.exp(np.asarray(kinds)[0] - np.asarray(kinds)[0].max())
    assert judgement.kinds == pytest.approx(shares / shares.sum(), abs=1e-4)


def test_labels_follow_the_gold() -> None:
    from nephila.content.gold.datasets import Sample
    from nephila.content.gold.labels import page_labels

    document = parse(HTML)
    full = page_labels(Sample("1", "dragnet", "a", 0, HTML, "First words, here. Second words. 12"), document)
    texts = [block.text for block in document.blocks]
    assert [text for text, share in zip(texts, full.main, strict=True) if share == 1] == [
        "First words, here.",
        "Second words. 12",
    ]
    assert KINDS[full.kind] == "article"
    parts = page_labels(Sample("2", "t", "a", 0, HTML, "", wanted=["Second words"], unwanted=["Another"]), document)
    assert sorted(set(parts.main.tolist())) == [-1, 0, 1]
    assert parts.gold_tokens == 0
