"""`nephila learn`, `nephila rules` and `nephila extract --rules`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nephila.cli import app
from nephila.errors import NephilaError
from tests.wrappers.pages import albums, page

ALBUMS = albums(12)


def run(*arguments: object, exit_code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result.output


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("rules")
    (place / "pages").mkdir()
    for number, album in enumerate(ALBUMS):
        (place / "pages" / f"{number:02d}.html").write_text(page(album))
    run("learn", place / "pages", "-o", place / "rules.json", "--site", "groove.example")
    return place


def test_learned_rules_are_applied_by_extract(place: Path) -> None:
    record = json.loads(run("extract", place / "pages" / "03.html", "--rules", place / "rules.json"))
    assert record["fields"]["name"] == ALBUMS[3].name
    assert record["fields"]["sku"] == ALBUMS[3].sku


def test_rules_are_shown_tested_and_corrected(place: Path) -> None:
    rules = place / "copy.json"
    rules.write_bytes((place / "rules.json").read_bytes())
    listed = run("rules", "list", "--rules", rules)
    assert listed.startswith("groove.example/t-")
    assert "//" in run("rules", "show", "groove.example", "--rules", rules)
    assert ALBUMS[5].name in run("rules", "test", place / "pages" / "05.html", "--rules", rules)
    run("rules", "fix", place / "pages" / "00.html", "artist", ALBUMS[0].artist, "--rules", rules)
    assert ALBUMS[7].artist in run("rules", "test", place / "pages" / "07.html", "--rules", rules)
    run("rules", "edit", "groove.example", "--rename", "artist=byArtist", "--drop", "sku", "--rules", rules)
    names = run("rules", "list", "--rules", rules)
    assert "byArtist" in names
    assert "sku" not in names


def test_rules_go_into_the_state_of_a_crawl_and_out_again(place: Path) -> None:
    run("rules", "import", place / "rules.json", "--state", place / "state")
    run("rules", "export", "-o", place / "out.json", "--state", place / "state")
    before, after = (json.loads((place / name).read_bytes())["templates"] for name in ("rules.json", "out.json"))
    assert [each["fields"] for each in before] == [each["fields"] for each in after]


def test_roadrunner_prints_the_wrapper_of_two_pages(place: Path) -> None:
    printed = run("learn", place / "pages" / "00.html", place / "pages" / "01.html", "--method", "roadrunner")
    assert "#PCDATA" in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "{pages}/00.html"),
        ("learn", "{pages}", "--method", "magic"),
        ("rules", "list"),
        ("rules", "show", "nobody.example", "--rules", "{rules}"),
        ("rules", "list", "--rules", "{pages}/00.html"),
        ("rules", "fix", "{pages}/00.html", "price", "not there", "--rules", "{rules}"),
    ],
)
def test_mistakes_get_one_clear_line(place: Path, arguments: tuple[str, ...]) -> None:
    filled = [each.format(pages=place / "pages", rules=place / "rules.json") for each in arguments]
    with pytest.raises(NephilaError) as problem:
        CliRunner().invoke(app, filled, catch_exceptions=False)
    assert "\n" not in str(problem.value)
