"""Pages as sites of today write them, with what they say: class names made by machines, values in attributes, a
struck-out price beside the price, facts in grids and definition lists, icons in place of labels. All is invented.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
_STREETS = ("Lindenweg", "Hafenstraße", "Am Anger", "Mühlgasse", "Parkallee", "Gartenstraße", "Ringstraße", "Seeufer")
_TOWNS = ("Altenbruck", "Feldhausen", "Nordmoor", "Seeberg", "Talheim", "Wiesental")
_PEOPLE = ("Ines Falk", "Jonas Wieck", "Maja Thorn", "Tilda Roth", "Emil Sander", "Karl Bruhn")
_FIRMS = ("Wolkenwerk", "Kranich Labs", "Tidewater Freight", "Bluebell Health", "Northpole Energy", "Papyr")


@dataclass(frozen=True)
class Page:
    html: str
    gold: dict[str, Any]
    url: str


def pages(kind: str, count: int = 20, seed: int = 3) -> list[Page]:
    """So many pages of one template; the gold has the fields by the names and types that they should come out with."""
    rng = random.Random(f"{kind}/{seed}")
    return [KINDS[kind](rng, number) for number in range(count)]


def _shop(rng: random.Random, number: int) -> Page:
    """A shop built with CSS in JavaScript; the state of the page is in it as JSON, as the framework leaves it."""
    brand = rng.choice(("Oakum", "Ferro & Sons", "Hygge Hus", "Tindra", "Vela", "Morrow"))
    thing = rng.choice(("Desk Lamp", "Armchair", "Kettle", "Wall Clock", "Side Table", "Throw"))
    name = f"{rng.choice(('Arne', 'Linnea', 'Saga', 'Bo', 'Freja', 'Ebbe'))} {thing} {number + 2}"
    cents = rng.randint(1_900, 49_900)
    price, old = (f"{each // 100},{each % 100:02d} €" for each in (cents, int(cents * 1.3)))
    stars, votes, sku = f"{rng.randint(30, 50) / 10}", rng.randint(3, 900), f"{rng.randint(10_000, 99_999)}-{number}"
    struck = f'<s class="css-k3z9qa">{old}</s>' if rng.random() < 0.4 else ""
    specs = {
        "Color": rng.choice(("Sand", "Forest green", "Black", "Rust")),
        "Material": rng.choice(("Oak", "Steel", "Wool", "Cotton and linen")),
        "Weight": f"{rng.randint(2, 190) / 10} kg",
        "Assembly": rng.choice(("None", "By two people", "Ten minutes")),
    }
    if rng.random() < 0.3:
        specs.pop("Assembly")
    rows = "".join(f'<tr><th scope="row">{key}</th><td>{value}</td></tr>' for key, value in specs.items())
    others = "".join(
        f'<li class="css-o8xx1u"><a href="/p/{n}"><img alt="" src="{_BLANK}" data-src="/img/{n}.webp">'
        f'<span class="css-1q2w">{rng.choice(_PEOPLE).split()[0]} Stool</span>'
        f'<span class="css-t5">{rng.randint(20, 99)},00 €</span></a></li>'
        for n in rng.sample(range(1_000, 9_999), 4)
    )
    state = {"props": {"pageProps": {"product": {"title": name, "brand": {"name": brand}, "sku": sku, "price": cents}}}}
    html = f"""<!doctype html><html lang="en"><head><title>{name} | Halden Home</title></head><body><div id="__next">
<header class="css-zz81k"><a href="/">Halden Home</a><nav><a href="/new">New in</a><a href="/sale">Sale</a></nav>
</header><main class="css-10w9u"><div class="css-p0lq2c"><img class="css-im" alt="{name}" src="{_BLANK}"
data-src="/img/{sku}.webp"></div><div class="css-8yhn4v"><a class="css-v1n3d" href="/brands/x">{brand}</a>
<h1 class="css-2hd8w">{name}</h1><div class="css-r4t3"><span role="img" aria-label="{stars} out of 5 stars"></span>
<a href="#reviews">{votes} reviews</a></div><div class="css-pr1c3"><span class="css-a9d2x">{price}</span>{struck}</div>
<p class="css-st0k">{rng.choice(("In stock", "Ships in two weeks", "Sold out"))}</p><button>Add to bag</button>
<table class="css-sp3c"><tbody>{rows}</tbody></table><p class="css-sk4u">Article number: {sku}</p></div>
<section class="css-r3l"><h2>Goes well with it</h2><ul>{others}</ul></section></main>
<footer class="css-ft0">Free returns within thirty days</footer></div>
<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script></body></html>"""
    gold = {
        "name": name,
        "brand": brand,
        "price": {"amount": cents / 100, "currency": "EUR"},
        "rating": float(stars),
        "reviewCount": votes,
        "color": specs["Color"],
        "material": specs["Material"],
        "weight": {"value": float(specs["Weight"].split()[0]), "unit": "kg"},
        "image": f"https://halden.example/img/{sku}.webp",
        "sku": sku,
    }
    return Page(html, gold, f"https://halden.example/p/{number}")


def _job(rng: random.Random, number: int) -> Page:
    """A job board: a definition list, a <time> that people see as `3 days ago`."""
    title = f"{rng.choice(('Senior', 'Junior', 'Lead'))} {rng.choice(('Welder', 'Data Analyst', 'Nurse', 'Buyer'))}"
    firm, town = rng.choice(_FIRMS), rng.choice(_TOWNS)
    day = f"2024-0{rng.randint(1, 9)}-{rng.randint(10, 28)}"
    hours = rng.choice(("Full time", "Part time", "Temporary"))
    low = rng.randint(30, 70)
    salary = f"€{low},000 to €{low + 12},000"
    facts = {"Location": town, "Employment type": hours, "Salary": salary, "Start": rng.choice(("Now", "In May"))}
    if rng.random() < 0.3:
        facts.pop("Start")
    terms = "".join(
        f'<div class="sc-eq dYxW"><dt class="sc-fz kVbR">{key}</dt><dd class="sc-gs jjQp">{value}</dd></div>'
        for key, value in facts.items()
    )
    tasks = "".join(
        f"<li>{rng.choice(('Plan', 'Check', 'Write up'))} {rng.choice(('orders', 'rosters', 'tests'))}</li>"
        for _ in range(rng.randint(2, 5))
    )
    html = f"""<!doctype html><html lang="en"><head><title>{title} at {firm} - Werkbank</title></head><body>
<div class="sc-top hQzN"><a href="/">Werkbank</a><a href="/login">Sign in</a></div><article class="sc-job bXcT">
<h1 class="sc-h eEpo">{title}</h1><a class="sc-co fMkA" href="/company/{firm.split()[0].lower()}">{firm}</a>
<p class="sc-when gJIz">Posted <time datetime="{day}">{rng.randint(2, 28)} days ago</time></p>
<dl class="sc-dl ciYz">{terms}</dl><h2>What you will do</h2><ul>{tasks}</ul>
<a class="sc-btn lpQs" href="/apply/{number}">Apply now</a></article><aside><h2>More jobs in {town}</h2>
<a href="/j/{number + 7}">{rng.choice(_FIRMS)} is hiring</a></aside></body></html>"""
    gold = {
        "title": title,
        "hiringOrganization": firm,
        "jobLocation": town,
        "datePosted": day,
        "employmentType": hours,
        "baseSalary": salary,
    }
    return Page(html, gold, f"https://werkbank.example/j/{number}")


def _home(rng: random.Random, number: int) -> Page:
    """A flat for sale: a grid of facts, each with its label below the value."""
    street, town = f"{rng.choice(_STREETS)} {rng.randint(1, 90)}", rng.choice(_TOWNS)
    price, size, rooms, year = rng.randint(120, 990), rng.randint(38, 190), rng.randint(1, 6), rng.randint(1_900, 2_022)
    name = f"{rng.choice(('Bright', 'Quiet', 'Large'))} flat {rng.choice(('by the lake', 'in town'))} {number}"
    cells = {"Living area": f"{size} m²", "Rooms": str(rooms), "Year built": str(year), "Floor": str(rng.randint(0, 5))}
    grid = "".join(
        f'<div class="flex flex-col p-2"><span class="text-xl font-bold">{value}</span>'
        f'<span class="text-sm text-gray-500">{key}</span></div>'
        for key, value in cells.items()
    )
    html = f"""<!doctype html><html lang="en"><head><title>{name} - Viertel</title></head><body class="bg-white">
<header class="flex p-4"><a href="/">Viertel</a><a href="/sell">Sell your flat</a></header>
<main class="mx-auto max-w-5xl"><img class="w-full" src="/photos/{number}.jpg" alt=""><h1 class="text-3xl">{name}</h1>
<address class="text-gray-700">{street}, {town}</address>
<div class="mt-4 text-2xl" data-testid="price">€{price},000</div>
<div class="grid grid-cols-4">{grid}</div><h2 class="text-xl">About this flat</h2><p>{rng.choice(_PEOPLE)} shows it on
{rng.choice(("Mondays", "Fridays"))}, by appointment only, to those who bring their papers along.</p></main>
<footer class="p-4">Viertel is a service of nobody in particular</footer></body></html>"""
    gold = {
        "name": name,
        "address": f"{street}, {town}",
        "price": {"amount": price * 1_000, "currency": "EUR"},
        "floorSize": {"value": size, "unit": "m²"},
        "numberOfRooms": rooms,
        "yearBuilt": year,
    }
    return Page(html, gold, f"https://viertel.example/f/{number}")


def _place(rng: random.Random, number: int) -> Page:
    """A restaurant: microdata here and there, telephone and website as links behind icons."""
    name = f"{rng.choice(('Zum', 'Zur alten'))} {rng.choice(('Anker', 'Krone', 'Eiche', 'Traube'))} {number + 1}"
    street = f"{rng.choice(_STREETS)} {rng.randint(1, 90)}, {rng.choice(_TOWNS)}"
    digits = f"{rng.randint(100, 999)} {rng.randint(1_000, 9_999)}{rng.randint(10, 99)}"
    site = f"www.gasthaus-{number}.example"
    stars = rng.randint(30, 50) / 10
    icon = '<i class="icon icon-{}" aria-hidden="true"></i>'
    html = f"""<!doctype html><html lang="en"><head><title>{name}, {street} | Tellerrand</title></head><body>
<nav><a href="/">Tellerrand</a><a href="/map">Map</a></nav><div class="_2fGh1"><h1 class="_9kLmz">{name}</h1>
<div class="_1tRq"><span class="_3sTar" aria-label="Rated {stars} out of 5"></span></div>
<ul class="_7cOnT"><li>{icon.format("marker")}<span class="_0aDr">{street}</span></li>
<li>{icon.format("phone")}<a href="tel:+4930{digits.replace(" ", "")}">+49 30 {digits}</a></li>
<li>{icon.format("globe")}<a href="https://{site}/" rel="nofollow">{site}</a></li></ul>
<h2>Opening hours</h2><p class="_5hRs">{rng.choice(("Mo-Fr 11:30-22:00", "Tu-Su 17:00-23:00", "Daily from noon"))}</p>
<h2>What guests say</h2><blockquote>{rng.choice(_PEOPLE)}: the dumplings were {rng.choice(("fine", "cold"))}.
</blockquote></div></body></html>"""
    gold = {"name": name, "address": street, "telephone": f"+49 30 {digits}", "url": f"http://{site}", "rating": stars}
    return Page(html, gold, f"https://tellerrand.example/r/{number}")


def _event(rng: random.Random, number: int) -> Page:
    """A concert: the date in an attribute, the price as `from`."""
    name = f"{rng.choice(_PEOPLE)} {rng.choice(('Quartet', 'and Friends', 'Solo'))}, evening {number + 1}"
    start = f"2025-1{rng.randint(0, 2)}-{rng.randint(10, 28)}T{rng.randint(18, 21)}:30:00+01:00"
    venue, price = f"{rng.choice(('Kesselhaus', 'Alte Post', 'Speicher'))} {rng.choice(_TOWNS)}", rng.randint(9, 60)
    html = f"""<!doctype html><html lang="en"><head><title>{name} - Spielzeit</title></head><body><div id="root">
<div class="Layout_top__x1Y2z"><a href="/">Spielzeit</a></div><section class="Event_root__aB3dE">
<h1 class="Event_title__Qw9Er">{name}</h1>
<time class="Event_when__Zx8Cv" dateTime="{start}">{start[8:10]}.{start[5:7]}., {start[11:16]}</time>
<div class="Event_venue__Ty7Ui"><a href="/v">{venue}</a></div>
<div class="Event_price__Op6As">from €{price}.00</div>
<p class="Event_text__Df5Gh">{rng.choice(_PEOPLE)} wrote the programme,
and {rng.choice(_PEOPLE)} plays it in {rng.choice(("one part", "two parts"))}.</p></section></div></body></html>"""
    gold = {
        "name": name,
        "startDate": start,
        "location": venue,
        "price": {"amount": float(price), "currency": "EUR"},
    }
    return Page(html, gold, f"https://spielzeit.example/e/{number}")


KINDS: dict[str, Callable[[random.Random, int], Page]] = {
    "shop": _shop,
    "job": _job,
    "home": _home,
    "place": _place,
    "event": _event,
}
