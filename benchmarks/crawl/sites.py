"""The link graph and the files: `build(folder, Plan(...))` writes every site under `folder/<address>/`.

Page 0 of a site is its front page. Page k links to pages k*FAN+1 ... k*FAN+FAN, so that all are reached from the front
page whatever the rest of the links say; the rest is random: a tenth to the other sites, a few to hosts that do not
exist and must not be asked. Hrefs are relative, path-absolute and absolute, some with a fragment, many repeated.
"""

from __future__ import annotations

import gzip
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.crawl.blocks import Dress, Sheet, make_dress
from benchmarks.crawl.templates import LINKS, TEMPLATES, front
from benchmarks.crawl.text import LANGUAGES, Writer

FAN = 12
ELSEWHERE = 0.13
"""Of the links that are neither menu nor tree: a tenth of all."""
OUTSIDE = 4
"""Links of a page that lead out of the benchmark."""


@dataclass(frozen=True, slots=True)
class Plan:
    sites: int = 8
    pages: int = 1000
    """Pages of one site, the front page included."""
    port: int = 8080
    seed: int = 1
    gzip: bool = False
    """Whether a compressed copy lies beside every page (for nginx's gzip_static)."""

    def address(self, site: int) -> str:
        return f"127.0.0.{site + 1}"

    def origin(self, site: int) -> str:
        return f"http://{self.address(site)}:{self.port}"

    def kind(self, site: int) -> str:
        return list(TEMPLATES)[site % len(TEMPLATES)]

    def path(self, site: int, number: int) -> str:
        """The path of a page; its shape follows the kind of the site."""
        if number == 0:
            return "/"
        match self.kind(site):
            case "news":
                return f"/{2015 + number % 11}/{number % 12 + 1:02d}/story-{_slug(site, number)}.html"
            case "shop":
                return f"/c{number % 20}/{_slug(site, number)}.html"
            case "thread":
                return f"/board-{number % 9}/thread-{10_000 + number * 37}.html"
            case _:
                return f"/manual/{'abcdefgh'[number % 8]}/{_slug(site, number)}.html"

    def seeds(self) -> list[str]:
        return [self.origin(site) + "/" for site in range(self.sites)]

    def urls(self) -> set[str]:
        """Every page that there is: what a crawl must bring, each once."""
        return {
            self.origin(site) + self.path(site, number) for site in range(self.sites) for number in range(self.pages)
        }


def _slug(site: int, number: int) -> str:
    random, words = Random(site * 1_000_003 + number), _SLUG_WORDS
    return f"{random.choice(words)}-{random.choice(words)}-{number}"


_SLUG_WORDS = ("harbour", "budget", "museum", "engine", "orchard", "railway", "bridge", "market", "garden", "island")


def build(folder: Path, plan: Plan, processes: int | None = None) -> int:
    """Writes all sites; returns the bytes of HTML written."""
    count = min(plan.sites, processes or os.cpu_count() or 1)
    with ProcessPoolExecutor(count) as pool:
        return sum(pool.map(_build_site, [folder] * plan.sites, [plan] * plan.sites, range(plan.sites)))


def _build_site(folder: Path, plan: Plan, site: int) -> int:
    root = folder / plan.address(site)
    random = Random(f"{plan.seed}/site/{site}")
    writer = Writer(LANGUAGES[site % len(LANGUAGES)], plan.seed)
    dress = make_dress(f"{writer.label(random)} {site + 1}", writer.language, f"s{site}", writer, random)
    paths = [[plan.path(other, number) for number in range(plan.pages)] for other in range(plan.sites)]
    menu = [0, *(random.randrange(plan.pages) for _ in range(23))]
    (root).mkdir(parents=True, exist_ok=True)
    (root / "robots.txt").write_text("User-agent: *\nAllow: /\n", encoding="utf-8")
    written = 0
    for number in range(plan.pages):
        body = page(plan, site, number, dress, writer, paths, menu).encode()
        path = paths[site][number]
        file = root / ("index.html" if path == "/" else path[1:])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
        if plan.gzip:
            file.with_name(file.name + ".gz").write_bytes(gzip.compress(body, 5, mtime=0))
        written += len(body)
    return written


def page(
    plan: Plan, site: int, number: int, dress: Dress, writer: Writer, paths: list[list[str]], menu: list[int]
) -> str:
    random = Random(f"{plan.seed}/{site}/{number}")
    sheet = Sheet(
        dress=dress,
        writer=writer,
        random=random,
        title=writer.title(random),
        author=writer.name(random),
        date=f"{2015 + number % 11}-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
        number=number,
        hrefs=iter(_hrefs(plan, site, number, random, paths, menu)),
    )
    return front(sheet) if number == 0 else TEMPLATES[plan.kind(site)](sheet)


def _hrefs(plan: Plan, site: int, number: int, random: Random, paths: list[list[str]], menu: list[int]) -> list[str]:
    here = paths[site][number]
    children = [child for child in range(number * FAN + 1, number * FAN + FAN + 1) if child < plan.pages]
    elsewhere = ELSEWHERE if plan.sites > 1 else 0.0
    loose = LINKS - len(menu) - len(children) - OUTSIDE
    body = [_href(plan, site, site, here, paths[site][child], random) for child in children]
    for _ in range(loose):
        target = (site + random.randrange(1, plan.sites)) % plan.sites if random.random() < elsewhere else site
        body.append(_href(plan, site, target, here, paths[target][random.randrange(plan.pages)], random))
    body += [f"https://partner{random.randrange(99)}.example.invalid/{random.randrange(10**6)}" for _ in range(OUTSIDE)]
    random.shuffle(body)
    return [*(paths[site][target] for target in menu), *body]


def _href(plan: Plan, site: int, target: int, here: str, path: str, random: Random) -> str:
    form = random.random()
    fragment = f"#s{random.randrange(30)}" if form * 100 % 10 < 1 else ""
    if target != site or form < 0.2:
        return plan.origin(target) + path + fragment
    if form < 0.6:
        return path + fragment
    return _relative(here, path) + fragment


def _relative(here: str, path: str) -> str:
    """`path` as seen from `here`, always with `./` or `../` in front."""
    depth = here.count("/") - 1
    folder, _, name = path.rpartition("/")
    if folder and folder == here.rpartition("/")[0]:
        return f"./{name}"
    return ("../" * depth or "./") + path[1:]
