"""Parameters that change nothing are learned from pages that were fetched, and doubted as soon as one does."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from nephila.crawling.aliases import Aliases
from nephila.memory.sqlite import SqliteMemory

SITE = "https://shop.example"


def said(*lines: object) -> str:
    return "\n".join(f"{line}: a line of some length that only this page has" for line in lines) + "\n" + "same " * 50


def learned(pages: int = 8) -> Aliases:
    """Products whose links carry where they were clicked."""
    known = Aliases()
    for number in range(pages):
        for source in ("?ref=home", "?ref=list"):
            known.saw(f"{SITE}/p/{number}{source}", said(number))
    return known


def test_a_parameter_that_makes_no_difference_is_learned() -> None:
    known = learned()
    assert known.spares(f"{SITE}/p/3?ref=mail")
    assert not known.spares(f"{SITE}/p/3?ref=home"), "fetched before: whoever asks for it again has a reason"
    assert not known.spares(f"{SITE}/p/99?ref=home"), "nobody has seen this one under any address"
    assert not known.spares(f"{SITE}/p/3?color=red")
    assert not known.spares(f"{SITE}/about?ref=mail"), "another kind of page"


def test_a_page_without_the_parameter_counts_too() -> None:
    known = Aliases()
    for number in range(9):
        known.saw(f"{SITE}/p/{number}?ref=home", said(number))
        assert known.asks_for(f"{SITE}/p/{number}")
        known.saw(f"{SITE}/p/{number}", said(number))
    assert known.spares(f"{SITE}/p/50?ref=x")


def test_what_may_be_missing_is_taken_off() -> None:
    known = Aliases()
    for number in range(9):
        known.saw(f"{SITE}/p/{number}?id=1&ref=home", said(number))
        known.saw(f"{SITE}/p/{number}?id=1", said(number))
    assert known.spares(f"{SITE}/p/50?ref=x&id=2"), "the page will be fetched by its other name"
    assert known.shorter(f"{SITE}/p/50?ref=x&id=2") == f"{SITE}/p/50?id=2"
    assert known.shorter(f"{SITE}/p/50?ref=x") == f"{SITE}/p/50"
    assert known.shorter(f"{SITE}/p/50?id=2") is None
    assert learned().shorter(f"{SITE}/p/3?ref=mail") is None, "nobody has seen a page without it"


def test_a_few_pages_tell_nothing() -> None:
    assert not learned(7).spares(f"{SITE}/p/3?ref=mail")


def test_short_pages_tell_nothing() -> None:
    known = Aliases()
    for number in range(50):
        known.saw(f"{SITE}/p?id={number}", "Please wait")
    assert not known.spares(f"{SITE}/p?id=77")


def test_pages_that_say_the_same_may_have_other_titles_or_lead_elsewhere() -> None:
    for titles, links in (
        ([f"Page {n}" for n in range(50)], [[]] * 50),
        ([""] * 50, [[f"/to/{n}"] for n in range(50)]),
    ):
        known = Aliases()
        for number, (title, found) in enumerate(zip(titles, links, strict=True)):
            known.saw(f"{SITE}/p?id={number}", said("filler"), title, found)
        assert not known.spares(f"{SITE}/p?id=77")


def test_a_list_sorted_anew_is_the_same_list() -> None:
    known = Aliases()
    for brand in range(10):
        known.saw(f"{SITE}/c?brand={brand}&sort=name", said(*range(brand, brand + 5)))
        known.saw(f"{SITE}/c?brand={brand}&sort=price", said(*reversed(range(brand, brand + 5))))
    assert known.spares(f"{SITE}/c?sort=newest&brand=3"), "in whichever order the parameters stand"
    assert not known.spares(f"{SITE}/c?brand=77&sort=newest")


def test_two_parameters_that_change_nothing_are_seen_through_together() -> None:
    known = Aliases()
    for brand in range(10):
        for order in ("name", "price"):
            for view in ("grid", "rows"):
                known.saw(f"{SITE}/c?brand={brand}&sort={order}&view={view}", said(brand))
    known.saw(f"{SITE}/c?brand=44", said(44))
    assert known.spares(f"{SITE}/c?brand=44&sort=newest&view=large")


def test_one_page_that_differs_clears_the_name() -> None:
    known = learned()
    known.saw(f"{SITE}/p/3?ref=mail", said("something else"))
    assert not known.spares(f"{SITE}/p/4?ref=mail")


def test_one_of_ten_is_fetched_all_the_same() -> None:
    known = learned()
    assert [known.spares(f"{SITE}/p/3?ref={n}") for n in range(20)].count(False) == 2


def test_pages_of_a_list_are_never_taken_for_one() -> None:
    known = Aliases()
    for topic in range(30):
        known.saw(f"{SITE}/t/{topic}", said(topic, 1))
        for page in (1, 2, 3):
            known.saw(f"{SITE}/t/{topic}?page={page}", said(topic, page))
    assert not any(known.spares(f"{SITE}/t/{topic}?page=4") for topic in range(30))


def test_workers_add_up_what_they_have_counted(tmp_path: Path) -> None:
    async def main() -> None:
        memory = SqliteMemory(tmp_path / "memory.sqlite")
        one, other = learned(4), Aliases()
        for number in range(4, 8):
            other.saw(f"{SITE}/p/{number}?ref=home", said(number))
            other.saw(f"{SITE}/p/{number}?ref=list", said(number))
        for known in (one, other, one):
            await known.share(memory)
        assert one.spares(f"{SITE}/p/3?ref=mail")
        assert not one.spares(f"{SITE}/p/5?ref=mail"), "the other has that page"
        assert other.spares(f"{SITE}/p/5?ref=mail")
        other.saw(f"{SITE}/p/5?ref=mail", said("something else"))
        for known in (other, one):
            await known.share(memory)
            await known.share(memory)
        assert not one.spares(f"{SITE}/p/2?ref=mail")
        await memory.close()

    asyncio.run(main())


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30), st.integers(0, 2)), max_size=300))
def test_what_tells_pages_apart_is_never_left_out(seen: list[tuple[str, int, int]]) -> None:
    """`id` chooses the page, `x` does nothing: no page is spared whose content was not fetched."""
    known, fetched = Aliases(), set()
    for path, number, idle in seen:
        url = f"{SITE}/{path}?id={number}&x={idle}"
        if known.spares(url):
            assert (path, number) in fetched
        else:
            known.saw(url, said(path, number))
            fetched.add((path, number))
