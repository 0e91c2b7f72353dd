"""From pages to named, typed fields; through redesigns; by correction of one value; from a rule file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nephila.document import parse
from nephila.errors import InputError
from nephila.wrappers.book import RuleBook
from nephila.wrappers.examples import by_examples
from nephila.wrappers.fix import fix
from nephila.wrappers.groups import Groups, sketch
from nephila.wrappers.heal import heal
from nephila.wrappers.learn import Lesson, induce, learn
from nephila.wrappers.outline import Outline
from nephila.wrappers.store import exported
from nephila.wrappers.structured import structured_facts
from nephila.wrappers.template import Template
from nephila.wrappers.watch import WINDOW, Watch
from tests.wrappers.pages import albums, page, redesigned

ALBUMS = albums(24)
BASE = "https://groove.example/p/1"


def lessons(*, json_ld: bool = False) -> list[Lesson]:
    found = []
    for number, album in enumerate(ALBUMS[:14]):
        document = parse(page(album, json_ld=json_ld and number % 2 == 0), BASE)
        found.append(Lesson(Outline(document), *structured_facts(document)))
    return found


@pytest.fixture(scope="module")
def template() -> Template:
    return learn(lessons(), "groove.example", "t-1")


def outline(html: str) -> Outline:
    return Outline(parse(html, BASE))


def test_fields_have_names_and_types_without_any_example(template: Template) -> None:
    for album in ALBUMS[14:]:
        values = template.read(outline(page(album))).values
        assert values["name"] == album.name
        assert values["price"] == {"amount": float(album.price), "currency": "EUR"}
        assert values["sku"] == album.sku
        assert album.label in values.values()


def test_wanted_fields_can_be_named() -> None:
    learned = learn(lessons(), "groove.example", "t-1", fields=["name", "genre", "dateReleased"])
    album = ALBUMS[20]
    values = learned.read(outline(page(album))).values
    assert values["name"] == album.name
    assert values["genre"] == list(album.genres)
    assert values["dateReleased"][:4] == album.released[-4:]


def test_structured_data_of_some_pages_names_the_fields_of_all() -> None:
    learned = learn(lessons(json_ld=True), "groove.example", "t-1")
    assert learned.kind == "Product"
    album = ALBUMS[20]
    values = learned.read(outline(page(album))).values
    assert (values["name"], values["sku"]) == (album.name, album.sku)
    assert values["price"]["amount"] == float(album.price)


def test_a_broken_script_does_not_lose_the_other() -> None:
    html = page(ALBUMS[0], json_ld=True).replace(
        "<head>", '<head><script type="application/ld+json">{"@type": </script>'
    )
    kind, facts = structured_facts(parse(html, BASE))
    assert kind == "Product"
    assert facts["sku"] == [ALBUMS[0].sku]


def test_a_redesign_raises_an_alarm_and_heals(template: Template) -> None:
    calm, broken = Watch(template), Watch(template)
    for album in ALBUMS[14:]:
        assert not calm.see(template.read(outline(page(album))))
    trouble = [broken.see(template.read(outline(redesigned(album)))) for album in ALBUMS[:12]]
    assert not any(trouble[: WINDOW - 1])
    assert all(trouble[WINDOW - 1 :])
    mended = heal(template, [Lesson(outline(redesigned(album))) for album in ALBUMS[:12]])
    assert mended.version == template.version + 1
    right = [mended.read(outline(redesigned(album))).values for album in ALBUMS[14:]]
    for album, values in zip(ALBUMS[14:], right, strict=True):
        assert values["name"] == album.name
        assert values["price"]["amount"] == float(album.price)
        assert values["sku"] == album.sku


@pytest.mark.parametrize("others", [0, 5])
def test_one_corrected_value_repairs_the_field(template: Template, others: int) -> None:
    more = [outline(page(album)) for album in ALBUMS[1 : others + 1]]
    mended = fix(template, outline(page(ALBUMS[0])), "byArtist", ALBUMS[0].artist, more)
    for album in ALBUMS[14:]:
        assert mended.read(outline(page(album))).values["byArtist"] == album.artist
    assert mended.field("byArtist").origin == "edited"  # type: ignore[union-attr]
    with pytest.raises(InputError):
        fix(template, outline(page(ALBUMS[0])), "price", "not on the page")


def test_rules_go_to_a_file_and_come_back(template: Template, tmp_path: Path) -> None:
    groups = Groups()
    name = groups.place(sketch(outline(page(ALBUMS[0])))).name
    kept = Template.from_dict(template.to_dict() | {"group": name})
    file = tmp_path / "rules.json"
    file.write_bytes(exported([kept], {"groove.example": groups}))
    book = RuleBook.load(file)
    found, reading = book.read(parse(page(ALBUMS[20]), BASE), "groove.example")
    assert found is not None
    assert reading.values == template.read(outline(page(ALBUMS[20]))).values
    assert book.match(outline("<body><p>Something else</p></body>")) is None
    file.write_text("{}")
    with pytest.raises(InputError):
        RuleBook.load(file)


def test_pages_are_grouped_by_template_as_they_arrive() -> None:
    groups = Groups()
    names = {
        groups.place(sketch(outline(page(album, promotion=number % 4 == 0)))).name
        for number, album in enumerate(ALBUMS)
    }
    others = {groups.place(sketch(outline(redesigned(album)))).name for album in ALBUMS}
    assert len(names) == len(others) == 1
    assert names != others
    again = Groups.from_dict(groups.to_dict())
    assert again.place(sketch(outline(page(ALBUMS[3])))).name in names


TEAMS = ("Harbour Hawks", "River Bears", "Coast Owls", "Valley Foxes", "Hill Crows", "Lake Otters")


def player(number: int) -> str:
    """The menu names every team, and the page of a player one of them again."""
    menu = "".join(f"<li><a href='/t/{team}'>{team}</a></li>" for team in TEAMS)
    return (
        f"<body><ul class='menu'>{menu}</ul><h1>Player {number * 7}</h1><ul class='facts'><li><b>Team:</b> "
        f"<a href='/t'>{TEAMS[number % len(TEAMS)]}</a></li><li><b>Height:</b> <i>{180 + number}</i></li></ul></body>"
    )


def test_a_value_that_the_menu_names_too_is_a_value() -> None:
    learned = learn([Lesson(outline(player(number))) for number in range(5)], "league.example", "t", fields=["team"])
    values = [learned.read(outline(player(number))).values.get("team") for number in range(12)]
    assert values == [TEAMS[number % len(TEAMS)] for number in range(12)]


def test_an_example_on_one_page_names_the_slot_that_is_meant() -> None:
    found = induce([Lesson(outline(player(number))) for number in range(12)])
    chosen = by_examples(found, "team", {3: {TEAMS[3]}})
    assert chosen is not None
    assert found.evidence[chosen.places[0]].values == [TEAMS[number % len(TEAMS)] for number in range(12)]
    assert by_examples(found, "team", {3: {"Nobody"}}) is None


def test_rules_that_a_redesign_put_an_end_to_have_no_say(template: Template) -> None:
    """All classes and ids have other names: labels and tags are left, and read what they did."""
    for album in ALBUMS[14:]:
        renamed = re.sub(r'(class|id)="([^"]+)"', r'\1="n-\2-x"', page(album))
        before, after = template.read(outline(page(album))), template.read(outline(renamed))
        assert after.values == before.values
        assert after.confidence < 0.9 * before.confidence


def test_rule_files_of_before_are_read(template: Template) -> None:
    data = template.to_dict()
    old = Template.from_dict(data | {"fixed": list(data["fixed"])})
    assert old.read(outline(page(ALBUMS[20]))).values == template.read(outline(page(ALBUMS[20]))).values
