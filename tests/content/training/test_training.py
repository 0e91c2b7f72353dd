"""`nephila train` from start to end on a small set: it can be repeated to the byte, and what it writes reads pages."""

from __future__ import annotations

import json
import lzma
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nephila.content import main_content
from nephila.content.model import BlockModel
from nephila.document import parse

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

SITES, PAGES_EACH, FOLDS = 10, 6, 5
SAID = "the silk of a golden orb weaver holds more than steel of its own weight and shines in the sun"


def _page(site: int, page: int) -> tuple[str, str]:
    """A page and its gold; the sites name their parts in different ways, and repeat their furniture."""
    draw = random.Random(1000 * site + page)
    paragraphs = [" ".join(draw.choices(SAID.split(), k=40)).capitalize() + "." for _ in range(draw.randint(3, 6))]
    menu = "".join(f'<li><a href="/{entry}">Entry {entry} of site {site}</a></li>' for entry in range(8))
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    name = ("article", "story", "post", "entry", "content")[site % 5]
    html = (
        f"<title>Page {page}</title><div class=menu><ul>{menu}</ul></div><div class={name}>{body}</div>"
        f"<div class=footer><p>Copyright of site {site}, all rights reserved.</p></div>"
    )
    return html, "\n".join(paragraphs)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with lzma.open(folder / "small.jsonl.xz", "wt") as lines:
        for site in range(SITES):
            for page in range(PAGES_EACH):
                html, gold = _page(site, page)
                row = {"id": f"{site}-{page}", "site": f"site{site}.example", "fold": site % FOLDS}
                print(json.dumps(row | {"html": html, "gold": gold, "type": "article"}), file=lines)
    return folder


def _train(data: Path, weights: Path, folds: Path, *more: str) -> str:
    command = [sys.executable, "-m", "nephila", "train", "--data", str(data), "--epochs", "2", *more]
    done = subprocess.run(
        [*command, "-o", str(weights), "--folds", str(folds)], capture_output=True, text=True, check=False, timeout=1700
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_seed_gives_the_same_file_and_the_file_reads_pages(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("catboost")
    said = _train(data, tmp_path / "one.npz", tmp_path / "folds")
    assert f"{SITES * PAGES_EACH} pages; 0 left out" in said
    assert "the pages as they are" not in said
    assert sorted(path.name for path in (tmp_path / "folds").iterdir()) == [f"fold{fold}.npz" for fold in range(FOLDS)]
    cache = ("--cache", str(tmp_path / "cache"))
    assert _train(data, tmp_path / "two.npz", tmp_path / "again", *cache) == said
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    next(iter((tmp_path / "cache").glob("network-*.npz"))).unlink()  # as if it had been stopped before this one
    assert _train(data, tmp_path / "three.npz", tmp_path / "again", *cache).count("trained before") == FOLDS
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "three.npz").read_bytes()
    with np.load(tmp_path / "one.npz") as weights:
        model = BlockModel(dict(weights))
    html, gold = _page(99, 0)
    assert set(gold.split()) <= set(main_content(parse(html), model=model).text.split())


def test_variants_of_the_pages_are_learned_from_when_asked_for(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("catboost")
    said = _train(data, tmp_path / "varied.npz", tmp_path / "folds", "--variants", "2")
    assert f"{2 * SITES * PAGES_EACH} variants of them" in said
    assert said.count("the pages as they are") == FOLDS + 1
    with np.load(tmp_path / "varied.npz") as weights:
        model = BlockModel(dict(weights))
    html, gold = _page(99, 0)
    assert set(gold.split()) <= set(main_content(parse(html), model=model).text.split())
