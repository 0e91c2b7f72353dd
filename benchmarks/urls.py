"""Microseconds a link: Nephila's canonical form and judgement beside w3lib, yarl, urllib and bare ada, in one run.

    python benchmarks/urls.py [--pages N] [--rounds N] [--links FILE]

The links are those of a made-up site (navigation that repeats from page to page, article links, relative links, escaped
and messy ones), or of FILE: one `base<TAB>href` a line, pages one after the other. CPU time, best of the rounds, the
contestants taking turns so that a noisy machine is noisy for all.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import ada_url
import yarl
from w3lib.url import canonicalize_url

from nephila.urls import Scope, canonical, canonicalize, family, fingerprint, host_key, resolve, trap, url_date

Pages = list[tuple[str, list[str]]]
WORDS = "river stone market winter garden council report night history open season north light"


def made_up(pages: int, links: int = 150) -> Pages:
    """Pages of one site: of 150 links, 110 are its navigation, 25 lead to articles, 15 are of other kinds."""
    chance = random.Random(7)
    words = WORDS.split()

    def title() -> str:
        return "-".join(chance.choices(words, k=6))

    navigation = [f"/{chance.choice(words)}/{chance.choice(words)}/" for _ in range(links - 60)]
    navigation += [f"https://www.site.example/{title()}?ref=menu" for _ in range(20)]
    made: Pages = []
    for number in range(pages):
        articles = [f"/2026/{chance.randint(1, 11):02}/{chance.randint(1, 28):02}/{title()}.html" for _ in range(25)]
        others = [f"../{title()}/", f"{title()}.html", "#top", "?page=2", "javascript:void(0)", "mailto:a@site.example"]
        others += [
            f"https://other{chance.randint(0, 99)}.example/{title()}?utm_source=site&id={number}" for _ in range(5)
        ]
        others += [f"/search?q=caf%c3%a9+{title()}&page={number}", "/Straße/ü", f" /{title()} ", f"/a/./b/{number}#c"]
        made.append((f"https://www.site.example/2026/11/{title()}.html", navigation + articles + others))
    return made


def read_links(path: Path) -> Pages:
    made: Pages = []
    for line in path.read_text("utf-8").splitlines():
        base, _, href = line.partition("\t")
        if not made or made[-1][0] != base:
            made.append((base, []))
        made[-1][1].append(href)
    return made


def each(one: Callable[[str, str], object]) -> Callable[[Pages], None]:
    """A contestant that takes one link at a time; what it cannot read counts like the rest."""

    def run(pages: Pages) -> None:
        for base, hrefs in pages:
            for href in hrefs:
                try:
                    one(base, href)
                except ValueError:
                    continue

    return run


def cold(pages: Pages) -> None:
    forget()
    for base, hrefs in pages:
        for href in hrefs:
            canonicalize(href, base)


def warm(pages: Pages) -> None:
    for base, hrefs in pages:
        resolve(base, hrefs)


def crawl(pages: Pages) -> None:
    """What a crawl does with links: all resolved and fingerprinted, the new ones judged."""
    forget()
    scope = Scope((pages[0][0],))
    seen: set[int] = set()
    for base, hrefs in pages:
        for url in resolve(base, hrefs):
            if url is None:
                continue
            identity = fingerprint(url)
            if identity in seen:
                continue
            seen.add(identity)
            if scope.allows(url) and trap(url) is None:
                host_key(url), family(url), url_date(url)


def forget() -> None:
    for cache in (canonical._page, canonical._from_root, canonical._netloc):
        cache.cache_clear()


CONTESTANTS: dict[str, Callable[[Pages], None]] = {
    "nephila canonicalize (cold)": cold,
    "nephila resolve (warm)": warm,
    "nephila resolve + judge (a crawl)": crawl,
    "ada join_url": each(ada_url.join_url),
    "urllib urljoin": each(urljoin),
    "yarl join": each(lambda base, href: str(yarl.URL(base).join(yarl.URL(href)))),
    "urljoin + w3lib canonicalize_url": each(lambda base, href: canonicalize_url(urljoin(base, href))),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=40)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--links", type=Path)
    given = options.parse_args()
    pages = read_links(given.links) if given.links else made_up(given.pages)
    links = sum(len(hrefs) for _, hrefs in pages)
    warm(pages)
    best = dict.fromkeys(CONTESTANTS, float("inf"))
    for _ in range(given.rounds):
        for name, run in CONTESTANTS.items():
            if name == "nephila resolve (warm)":
                run(pages)
            started = time.process_time()
            run(pages)
            best[name] = min(best[name], (time.process_time() - started) / links * 1e6)
    peer = best["urljoin + w3lib canonicalize_url"]
    print(f"{links:,} links of {len(pages)} pages, Python {sys.version.split()[0]}, best of {given.rounds} rounds")
    print(f"{'':36}{'us a link':>10}{'w3lib takes':>14}")
    for name, microseconds in best.items():
        print(f"{name:36}{microseconds:10.2f}{peer / microseconds:12.1f} x")


if __name__ == "__main__":
    main()
