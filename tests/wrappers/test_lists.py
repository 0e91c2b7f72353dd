"""Records of a listing page."""

from __future__ import annotations

from nephila.document import parse
from nephila.wrappers.cards import read_listing
from nephila.wrappers.lists import find_listing
from nephila.wrappers.outline import Outline
from tests.wrappers.pages import albums, listing

BASE = "https://groove.example/new"


def test_cards_with_their_fields_and_the_next_page() -> None:
    items = albums(9)
    found = read_listing(parse(listing(items), BASE))
    assert [card["name"] for card in found["items"]] == [album.name for album in items]
    assert [card["url"] for card in found["items"]] == [f"https://groove.example/p/{album.sku}" for album in items]
    assert found["items"][0]["price"] == {"amount": float(items[0].price), "currency": "EUR"}
    assert found["items"][0]["image"] == f"https://groove.example/i/{items[0].sku}.jpg"
    assert found["next"] == "https://groove.example/new?page=2"
    assert "next" not in read_listing(parse(listing(items, None), BASE))


def test_rows_take_the_names_of_their_columns() -> None:
    rows = "".join(f"<tr><td><a href='/s/{n}'>Station {n}</a></td><td>{n} km</td><td>open</td></tr>" for n in range(12))
    table = f"<body><table><tr><th>Name</th><th>Distance</th><th>State</th></tr>{rows}</table></body>"
    found = read_listing(parse(table, BASE))
    assert len(found["items"]) == 12
    assert found["items"][3] == {
        "name": "Station 3",
        "distance": "3 km",
        "state": "open",
        "url": "https://groove.example/s/3",
    }


def test_records_of_several_elements() -> None:
    items = "".join(
        f"<dt><a href='/{n}'>Result {n}</a></dt><dd>What result number {n} is about.</dd>" for n in range(8)
    )
    found = find_listing(Outline(parse(f"<body><h1>Search</h1><dl>{items}</dl></body>")))
    assert found is not None
    assert len(found.records) == 8
    assert all(len(record.elements) == 2 for record in found.records)


def test_no_list_no_records() -> None:
    text = "<p>A long paragraph about one thing, and one only.</p>"
    assert find_listing(Outline(parse(f"<body><h1>Title</h1>{text}</body>"))) is None
