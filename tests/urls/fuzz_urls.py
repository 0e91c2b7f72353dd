"""Fuzzes the urls room: mutated links go through every function; nothing may raise, and the invariants must hold.

    python -m tests.urls.fuzz_urls [seconds] [seed]

Prints how many links were tried; a broken invariant ends it with the link that broke it.
"""

from __future__ import annotations

import random
import sys
import time

from nephila.urls import (
    MAX_LENGTH,
    Mode,
    Scope,
    canonicalize,
    family,
    fingerprint,
    host_key,
    origin,
    registered_domain,
    resolve,
    trap,
    url_date,
)
from nephila.urls.traps import REASONS

BASE = "http://base.example:8080/dir/page;v=1?q=1"
CORPUS = (
    "https://www.example.org/news/2026/11/15/some-title.html?page=2&utm_source=x#top",
    "http://user:pass@EXAMPLE.org:80/a/../b/%7e%2F?sid=0123456789abcdef0123456789abcdef&x=1",
    "/viewtopic.php?f=1&amp;t=2;PHPSESSID=abc",
    "//cdn.example.co.uk/a;jsessionid=1A2B?c",
    "../../x/./y/?#!/route",
    "http://münchen.de/straße?ü=ß",
    "http://0x7f.1/",
    "http://[::1]:8080/a/b/a/b/a/b",
    "javascript:void(0)",
    "/login?next=/login%3Fnext%3D%252F",
    "/%%34%31%2%35",
    "?cfid=1&cftoken=2",
)
PIECES = (
    *"/?#&;=%:@.\\ \t\n\0[]|'\"<>{}^`~+-_aZ09é中\u200d\U0001f577\ud800",
    "%2e", "%2F", "%25", "%41", "%zz", "..", "//", "http://", "xn--", "sid=", "utm_id=1", ";jsessionid=", "&amp;",
    "2026/11/15", "a/b/", "%E4%B8%AD", "0" * 20, "f" * 32,
)  # fmt: skip
SCOPE = Scope((BASE, "https://example.org/docs/"), Mode.SITE, include=("*a*", "/b*"), exclude=("*.pdf", "re:[0-9]{9}"))


def mutate(chance: random.Random) -> str:
    """A link of the corpus with a few pieces put in, taken out, doubled or blown up."""
    text = chance.choice(CORPUS)
    for _ in range(chance.randint(1, 8)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.randint(0, 12))
        kind = chance.random()
        if kind < 0.5:
            text = text[:start] + chance.choice(PIECES) + text[start:]
        elif kind < 0.7:
            text = text[:start] + text[end:]
        elif kind < 0.9:
            text = text[:end] + text[start:end] * chance.randint(1, 3) + text[end:]
        elif kind < 0.95:
            text = text[:start] + chance.choice(CORPUS) + text[start:]
        else:
            text = text[:start] + chance.choice(PIECES) * chance.choice((50, 500, 3000)) + text[start:]
    return text


def check(link: str) -> None:
    """Every invariant of the room, for one link."""
    url = canonicalize(link, BASE)
    assert resolve(BASE, [link]) == [url]
    if url is None:
        return
    assert len(url) <= MAX_LENGTH
    assert url.isascii()
    assert canonicalize(url) == url, "canonical form is not stable"
    judge(url)


def judge(url: str) -> None:
    """All that is asked about a canonical URL."""
    assert -(2**63) <= fingerprint(url) < 2**63
    assert -(2**63) <= family(url) < 2**63
    host = host_key(url)
    assert host
    assert url.startswith(f"{origin(url)}/")
    assert origin(url).endswith(f"://{host}")
    assert registered_domain(host)
    assert trap(url) in (None, *REASONS)
    url_date(url)
    SCOPE.refusal(url)


def fuzz(seconds: float, seed: int, most: int | None = None) -> int:
    """Tries links until the time is over or `most` are done; returns how many."""
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    tried = 0
    while time.monotonic() < end and tried != most:
        link = mutate(chance)
        try:
            check(link)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}: {link[:2000]!r}") from error
        tried += 1
    return tried


if __name__ == "__main__":
    wanted = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    start_seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    print(f"seed {start_seed}: {fuzz(wanted, start_seed):,} links, no invariant broken")
