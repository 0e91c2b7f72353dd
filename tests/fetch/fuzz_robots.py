"""Any bytes as a robots.txt: read without an error, and the answers are sane."""

from __future__ import annotations

import math

from nephila.fetch.robots_rules import Robots
from tests.fetch.fuzzing import main

SEEDS = [
    b"User-agent: *\nDisallow: /*.gif$\nAllow: /a%2Fb?c=d\nCrawl-delay: 1.5\nSitemap: https://e.com/s.xml\n",
    b"\xef\xbb\xbfuser-agent: Nephila/1\r\nDisallow: /caf\xe9*x\r\rDisalow /y\nAllow: https://e.com/*\n",
    "User-agent: *\nDisallow: /ツ$\n".encode("utf-16"),
]


def target(data: bytes) -> None:
    robots = Robots.parse(data, url="https://e.com/robots.txt")
    for path in ("/", "/a%2fb?c=d", "/caf%E9/x.gif", "/ツ", "?q=*$"):
        answers = {robots.allows(f"https://e.com{path}", agent) for agent in ("Nephila/0.1", "nephila", "NEPHILA")}
        assert len(answers) == 1
    assert robots.allows("https://e.com/robots.txt", "nephila")
    delay = robots.crawl_delay("nephila")
    assert delay is None or (math.isfinite(delay) and delay >= 0)
    assert all(robots.sitemaps)


if __name__ == "__main__":
    main(target, SEEDS)
