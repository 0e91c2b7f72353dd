"""A fuzz target for the document room: mutates pages of its own and looks at everything that a Document offers.

    python -m tests.document.fuzz_document --seconds 300 [--seed N]

A page that breaks it is written to the directory given by --keep, and its seed is printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from nephila.document import Limits, parse, plain_text
from nephila.errors import InputError

SEEDS = (
    b"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>News - Site</title><base href="/b/">
<meta name="robots" content="noindex"><link rel="canonical" href="/c"><meta http-equiv="refresh" content="3;url=/r">
<script type="application/ld+json">{"@type":"Article","author":{"name":"A"},
"datePublished":"2024-01-02T03:04:05Z",}</script>
</head><body><nav><ul><li><a href="/1">One</a><li><a href="?p=2">Two</a></ul></nav><main><article itemscope
 itemtype="https://schema.org/Article"><h1 itemprop="headline">Head</h1><p>Text <b>bold <i>both</b>
 it</i><br><br>more</p><pre> code\n  lines</pre><table><tr><td>1<td>2</table><img alt=x>
<time datetime="2024-01-02">2 Jan</time></article></main>
<form><select><option>a<option>b</select><textarea>t</textarea></form><p hidden>h<svg><title>x</title></svg>
<noscript><p>n</p></noscript><template><p>t</p></template><iframe src=x></iframe></body></html>""",
    '<head><meta charset="gbk"><title>标题</title></head><body><div>正文<p>段落</p>文字</div>'.encode("gbk"),
    "<p>Текст <a href='http://[x'>ссылка</a><div style='display:none'>скрыто</div>".encode("cp1251"),
    "<div dir=rtl><p>نص عربي</p><a href=//x.y>رابط</a></div>".encode("utf-16"),
    b"<frameset><frame src=/a><noframes>x</noframes></frameset>",
    b"<font color=1><p><font color=2><p>" * 30 + b"<x-y z>" * 20 + b"<math><mi><annotation>x</annotation></math>",
)
TOKENS = (
    *(
        b"<",
        b">",
        b"</",
        b"/>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b'"',
        b"'",
        b"=",
        b"&",
        b"&#0;",
        b"&amp",
        b"\x00",
        b"\xff",
    ),
    *(
        b"<p>",
        b"<div>",
        b"</div>",
        b"<table>",
        b"<tr>",
        b"<td>",
        b"</table>",
        b"<b>",
        b"</b>",
        b"<a href=/x>",
        b"</a>",
        b"<br>",
    ),
    *(
        b"<iframe/>",
        b"<title>",
        b"<svg>",
        b"<math>",
        b"<select>",
        b"<option>",
        b"<template>",
        b"<noscript>",
        b"<plaintext>",
    ),
    *(
        b"<body a=b>",
        b"<html c>",
        b"<script>",
        b"</script>",
        b"<textarea>",
        b"<style>",
        b"<frameset>",
        b"<pre>",
        b"<span hidden>",
    ),
    *(
        b'<script type="application/ld+json">',
        b'{"a":[',
        b'"\\',
        b"<div itemscope>",
        b"<i itemprop=x>",
        b"\xef\xbb\xbf",
        b"\xc3\x28",
    ),
)
HEADERS = (
    None,
    "text/html",
    "text/html; charset=gbk",
    "text/html; charset=utf-16",
    "text/html; charset=iso-2022-jp",
    "x;charset=\x00",
)


def mutated(rng: random.Random) -> bytes:
    body = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randint(1, 30)):
        place = rng.randint(0, len(body))
        action = rng.random()
        if action < 0.5:
            body[place:place] = rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 50))
        elif action < 0.7:
            del body[place : place + rng.randint(1, 40)]
        elif action < 0.85:
            length = rng.randint(1, 200)
            body[place:place] = body[place : place + length] * rng.randint(1, 4)
        elif action < 0.95:
            body[place:place] = rng.randbytes(rng.randint(1, 8))
        else:
            other = rng.choice(SEEDS)
            body[place:place] = other[rng.randint(0, len(other)) :]
        del body[100_000:]
    return bytes(body)


def examine(body: bytes, header: str | None, limits: Limits) -> None:
    """Everything that can be asked of a page; raises whatever is wrong with it."""
    try:
        document = parse(body, "https://e.org/dir/page", content_type=header, limits=limits)
    except InputError:
        return
    assert all(block.text.strip() for block in document.blocks)
    assert len(document.blocks) <= limits.max_blocks
    assert len(document.links) <= limits.max_links
    for index, container in enumerate(document.containers):
        assert container.index == index
        assert 0 <= container.start < container.end <= len(document.blocks)
    for block in document.blocks[:50]:
        block.html_length()
        assert 0 <= block.link_length <= len(block.text)
    for link in document.links[:50]:
        assert link.url.lower().startswith("http")
        assert link.block is None or link.block < len(document.blocks)
        assert link.text == link.text.strip()
    plain_text(document)
    assert document.metadata is document.metadata
    assert document.robots is not None
    assert document.relations is not None


def inputs(seed: int) -> Iterator[tuple[int, bytes, str | None, Limits]]:
    while True:
        rng = random.Random(seed)
        limits = rng.choice((Limits(), Limits(), Limits(max_depth=5, max_blocks=7, max_links=3, max_nodes=99)))
        yield seed, mutated(rng), rng.choice(HEADERS), limits
        seed += 1


def run(seconds: float, seed: int, keep: Path | None, slowest_allowed: float = 5.0) -> int:
    """The number of pages that were tried; the first that breaks is raised."""
    end = time.monotonic() + seconds
    tried = 0
    for number, body, header, limits in inputs(seed):
        if time.monotonic() > end:
            break
        start = time.process_time()
        try:
            examine(body, header, limits)
            assert time.process_time() - start < slowest_allowed, "too slow"
        except BaseException:
            print(f"seed {number}, {len(body)} bytes, header {header!r}", file=sys.stderr)
            if keep is not None:
                (keep / f"{number}.html").write_bytes(body)
            raise
        tried += 1
    return tried


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--keep", type=Path)
    chosen = options.parse_args()
    print(f"{run(chosen.seconds, chosen.seed, chosen.keep)} pages, none broke it")
