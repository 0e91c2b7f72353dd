"""The gate on sites never seen: a page is scored by a model that had none of its site in the training.

All folds take too long for every build, so their figures are kept in a file that names the weights they belong to: new
weights need new figures (`python -m benchmarks.content_held_out`). A step that came later, behind the same weights, has
its change beside them, measured on folds that were trained anew in the same way. What the figures say of the code today
is checked on a sample of one fold, with that fold's model. A floor is only ever raised.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from nephila.content.gold.datasets import Sample, gold_is_present, read_set
from nephila.content.model import WEIGHTS, BlockModel
from nephila.content.score import bag_score, mean, segment_f1, segment_score
from nephila.document import parse
from nephila.extraction import main_content

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "text"
GATE = Path(__file__).parent / "held_out"
FIGURES = json.loads((GATE / "figures.json").read_text())

FLOORS = {
    "cleaneval": 0.937, "cn_wwwxmu": 0.955, "dragnet": 0.948, "l3s_gn1": 0.966, "trafilatura_eval": 0.934,
    "waddle_daniel": 0.95, "waddle_daniel el": 0.974, "waddle_daniel en": 0.95, "waddle_daniel pl": 0.942,
    "waddle_daniel ru": 0.918, "waddle_daniel zh": 0.963, "wcxb_dev": 0.886, "wcxb_dev article": 0.957,
    "wcxb_dev collection": 0.655, "wcxb_dev documentation": 0.922, "wcxb_dev forum": 0.877, "wcxb_dev listing": 0.767,
    "wcxb_dev product": 0.652, "wcxb_dev service": 0.86, "webforum52": 0.92,
}  # fmt: skip
EVERY = {"cleaneval": 2, "cn_wwwxmu": 5, "dragnet": 3, "l3s_gn1": 2, "trafilatura_eval": 3, "waddle_daniel": 4,
         "wcxb_dev": 2, "webforum52": 1}  # fmt: skip
FOLD_FLOORS = {"cleaneval": 0.954, "cn_wwwxmu": 0.951, "dragnet": 0.959, "l3s_gn1": 0.965, "trafilatura_eval": 0.948,
               "waddle_daniel": 0.958, "wcxb_dev": 0.865, "webforum52": 0.902}  # fmt: skip


def test_the_figures_are_of_the_weights_in_the_package() -> None:
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert digest == FIGURES["weights"], "new weights: measure them with `python -m benchmarks.content_held_out`"


@pytest.mark.parametrize("name", sorted(FLOORS))
def test_no_figure_of_the_folds_falls_below_its_floor(name: str) -> None:
    assert FIGURES["f1"][name] + FIGURES["change"].get(name, 0) >= FLOORS[name]


@pytest.fixture(scope="module")
def model() -> BlockModel:
    with np.load(GATE / "model.npz") as weights:
        return BlockModel(dict(weights))


def _sample_of(name: str) -> list[Sample]:
    """The same pages in every run, whatever the order of the file."""
    pages = (page for page in read_set(DATA, name) if page.fold == FIGURES["fold"])
    chosen = [page for page in pages if crc32(page.id.encode()) % EVERY[name] == 0]
    return [page for page in chosen if gold_is_present(page, lambda html: parse(html).text(hidden=True))]


@pytest.mark.shared
@pytest.mark.skipif(not DATA.exists(), reason="the shared data sets are not beside the project")
@pytest.mark.parametrize("name", sorted(EVERY))
def test_pages_of_sites_never_seen_come_out_as_well_as_they_did(name: str, model: BlockModel) -> None:
    pages = _sample_of(name)
    texts = [main_content(parse(page.html, page.url), model=model).text for page in pages]
    pairs = list(zip(texts, pages, strict=True))
    if name == "trafilatura_eval":
        f1 = segment_f1([segment_score(text, page.wanted, page.unwanted) for text, page in pairs]).f1
    else:
        f1 = mean([bag_score(text, page.gold) for text, page in pairs]).f1
    assert f1 >= FOLD_FLOORS[name], f"{name}: F1 {f1:.4f} of {len(pages)} pages is below {FOLD_FLOORS[name]}"
