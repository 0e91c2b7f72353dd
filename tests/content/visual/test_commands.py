"""`extract`, `train` and `evaluate` with `--method visual`, and `--overlay`, as users run them."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson
import pytest

from nephila.content.visual import GeneralModel
from tests.content.visual.pages import article, write_data
from tests.crawl.crawling import nephila
from tests.sites import lighthouses, serve

pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("chromium-headless-shell", "chromium")), reason="no Chromium here"
)

_STYLE = "<style>body{font:16px/1.5 serif;margin:0 100px}nav a{display:block;font:12px sans-serif;width:90px}</style>"


def _page(number: int) -> str:
    words = " ".join(f"word{number}x{index} of the story, told at length," for index in range(12))
    menu = "".join(f"<a href=/{index}>Section {index}</a>" for index in range(8))
    return (
        f"<title>Story {number}</title><meta name=description content='{words[:80]}'>{_STYLE}<nav>{menu}</nav>"
        f"<main><h1>Story {number}</h1><p>{words}</p><p>{words} again.</p><p>{words} at last.</p></main>"
        "<footer>All rights reserved</footer>"
    )


def test_a_page_and_its_picture(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(_page(1))
    done = nephila("extract", "page.html", "--method", "visual", "--overlay", "out.png", cwd=tmp_path)
    assert done.status == 0, done.err
    record = orjson.loads(done.out)
    assert record["extractor"] == "visual"
    assert record["rendered"] is True
    assert record["title"] == "Story 1"
    assert "word1x3 of the story" in record["text"]
    assert "Section 3" not in record["text"]
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_the_picture_of_an_address_shows_its_chosen_blocks(tmp_path: Path) -> None:
    from PIL import Image

    with serve("lighthouses") as served:
        gold = lighthouses.gold(served["lighthouses"])
        url, leaf = next(
            (url, leaf) for url, leaf in gold.items() if leaf.kind == "script" and len(leaf.paragraphs) > 1
        )
        done = nephila("extract", url, "--allow-private", "--overlay", "out.png", "--format", "text", cwd=tmp_path)
    assert done.status == 0, done.err
    assert all(paragraph in done.out for paragraph in leaf.paragraphs)
    with Image.open(tmp_path / "out.png") as picture:
        assert picture.size[0] == 1280
        colours = {colour for _, colour in picture.convert("RGB").getcolors(maxcolors=2**24) or ()}
    assert (10, 125, 50) in colours, "what was chosen is framed in green"


def test_a_directory_is_a_site(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for number in range(6):
        (site / f"{number}.html").write_text(_page(number))
    done = nephila("extract", site, "--method", "visual")
    assert done.status == 0, done.err
    records = [orjson.loads(line) for line in done.out.splitlines()]
    assert [record["file"] for record in records] == [f"{number}.html" for number in range(6)]
    for number, record in enumerate(records):
        assert record["text"].count(f"word{number}x5") == 3
        assert "All rights reserved" not in record["text"]


def test_a_saved_page_that_wants_to_be_elsewhere_is_read_where_it_is(tmp_path: Path) -> None:
    away = "<script>if (location.host !== 'own.example') location.href = 'http://own.example/'</script>"
    (tmp_path / "page.html").write_text(away + _page(1))
    done = nephila("extract", "page.html", "--method", "visual", "--format", "text", cwd=tmp_path)
    assert done.status == 0, done.err
    assert "word1x3 of the story" in done.out


def test_a_picture_of_a_directory_is_refused(tmp_path: Path) -> None:
    done = nephila("extract", tmp_path, "--overlay", tmp_path / "out.png")
    assert done.status == 2
    assert "a picture is of one page" in done.last_line


def test_data_of_another_kind_is_refused(tmp_path: Path) -> None:
    done = nephila("evaluate", "--method", "visual", "--data", tmp_path)
    assert done.status == 2
    assert "no data set" in done.last_line


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sites, and a mixed set of twelve, whose pages nobody labelled."""
    place = tmp_path_factory.mktemp("data")
    for site in ("north", "south"):
        write_data(place, site, [article(number, host=f"{site}.example") for number in range(8)])
    write_data(place, "chaos", [article(number, 3 + number % 4, f"host{number}.example") for number in range(12)], "p")
    return place


def test_a_model_is_trained_and_can_be_loaded(data: Path, tmp_path: Path) -> None:
    done = nephila("train", "--method", "visual", "--data", data, "-o", tmp_path / "model.npz")
    assert done.status == 0, done.err
    assert "Trained on 12 pages" in done.out
    model = GeneralModel.load(tmp_path / "model.npz")
    page = article(77, 5)
    chosen = {one.name for one, score in zip(page.blocks, model.scores(page).tolist(), strict=True) if score > 0}
    assert chosen == {"p"}


def test_all_tables_are_printed_beside_the_paper_s_figures(data: Path, tmp_path: Path) -> None:
    done = nephila("evaluate", "--method", "visual", "--data", data, "--json", tmp_path / "tables.json")
    assert done.status == 0, done.err
    for number in range(2, 9):
        assert f"Table {number}" in done.out
    for figure in ("31.28", "92.83", "96.15"):
        assert figure in done.out, "the paper's own"
    tables = {table["title"]: table["lines"] for table in orjson.loads((tmp_path / "tables.json").read_bytes())}
    own = next(lines for title, lines in tables.items() if title.startswith("Table 2"))
    assert [(line["name"], line["score"]["f1"]) for line in own] == [("north", 1.0), ("south", 1.0)]
    ships = next(line for line in tables["Table 3: unseen sites"] if "ships" in line["name"])
    assert ships["text"]["f1"] > 0.9, "sites that were never seen, against their gold texts"
