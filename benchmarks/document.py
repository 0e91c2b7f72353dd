"""CPU time of the document room on real pages, beside bare parsers, and the share of the gold text in its blocks.

    python -m benchmarks.document DIR [--pages 200] [--set NAME]...

DIR holds sets of pages as JSON lines (`*.jsonl.xz`, fields `html`, `url`, `gold`). All parsers read the same bytes, in
turn, page by page, in one process; the figure is the median over the pages of the best of three. Parsers that are not
installed (lxml, resiliparse) are left out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from nephila.document import parse, plain_text

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
Reader = Callable[[bytes, str], object]


def bare_walk(body: bytes, _url: str) -> None:
    root = LexborHTMLParser(body).root
    for node in root.traverse(include_text=True) if root is not None else ():
        _ = node.tag_id


def with_metadata(body: bytes, url: str) -> None:
    document = parse(body, url)
    plain_text(document)
    _ = document.metadata, document.relations, document.robots


def readers() -> dict[str, Reader]:
    found: dict[str, Reader] = {
        "lexbor parse": lambda body, _url: LexborHTMLParser(body),
        "lexbor walk": bare_walk,
        "nephila parse": parse,
        "+ text, metadata": with_metadata,
    }
    try:
        from lxml import html
    except ImportError:
        pass
    else:
        parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
        found["lxml parse"] = lambda body, _url: html.document_fromstring(body or b"<p>", parser=parser)
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.html import HTMLTree
    except ImportError:
        pass
    else:
        found["resiliparse parse"] = lambda body, _url: HTMLTree.parse_from_bytes(body, "utf-8")
        found["resiliparse text"] = lambda body, _url: extract_plain_text(
            HTMLTree.parse_from_bytes(body, "utf-8"), main_content=True
        )
    return found


def best_of(reader: Reader, body: bytes, url: str, rounds: int = 3) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        reader(body, url)
        best = min(best, time.process_time() - start)
    return best * 1000


def pages(path: Path, most: int) -> list[dict[str, Any]]:
    with lzma.open(path, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    return random.Random(1).sample(rows, min(most, len(rows)))


def recall(text: str, gold: str) -> float | None:
    wanted = Counter(TOKEN.findall(gold.lower()))
    return (wanted & Counter(TOKEN.findall(text.lower()))).total() / wanted.total() if wanted else None


def measure(path: Path, most: int, compared: dict[str, Reader]) -> list[str]:
    times: dict[str, list[float]] = {name: [] for name in compared}
    recalls, sizes, blocks = [], [], []
    for row in pages(path, most):
        body, url = row["html"].encode("utf-8", "replace"), row.get("url") or "https://example.org/"
        for name, reader in compared.items():
            times[name].append(best_of(reader, body, url))
        document = parse(body, url)
        sizes.append(len(body))
        blocks.append(len(document.blocks))
        share = recall(document.text(hidden=True), row.get("gold") or " ".join(row.get("with") or []))
        # Less than half of the gold in the page at all: it came from elsewhere.
        if share is not None and share >= 0.5:
            recalls.append(share)
    return [
        path.name.partition(".")[0],
        str(len(sizes)),
        f"{statistics.median(sizes) / 1000:.0f}",
        f"{statistics.median(blocks):.0f}",
        f"{statistics.mean(recalls):.4f}" if recalls else "-",
        *(f"{statistics.median(times[name]):.2f}" for name in compared),
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("directory", type=Path)
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--set", action="append", dest="sets")
    chosen = options.parse_args()
    compared = readers()
    print(" | ".join(["set", "pages", "KB", "blocks", "recall", *(f"{name} ms" for name in compared)]))
    for path in sorted(chosen.directory.glob("*.jsonl.xz")):
        if not chosen.sets or path.name.partition(".")[0] in chosen.sets:
            print(" | ".join(measure(path, chosen.pages, compared)), flush=True)


if __name__ == "__main__":
    main()
