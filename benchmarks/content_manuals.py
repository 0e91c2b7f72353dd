"""The text of manuals that Debian packages bring, page by page and with the site's memory: pages not trained on.

    apt-get install python3-doc apache2-doc python-django-doc python-sqlalchemy-doc postgresql-doc nodejs-doc \\
        exim4-doc-html libglib2.0-doc debian-policy debian-reference-en git-doc
    python -m benchmarks.content_manuals [--pages 60]

The gold is the text of the element that each manual keeps its text in, without what is known to be furniture there.
Nothing was trained on these pages. Packages that are not installed are left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from nephila.content.score import bag_score
from nephila.content.site.memory import SiteMemory
from nephila.document import parse
from nephila.extraction import main_content

SHARE = Path("/usr/share")
FIRST = 5
"""Pages after which the memory is asked."""


@dataclass(frozen=True)
class Manual:
    files: str
    text: str
    """Where the text is, as a selector."""
    furniture: str = "script"


MANUALS = {
    "python": Manual("doc/python3*-doc/html/**/*.html", "div[role=main]", "a.headerlink"),
    "apache": Manual("doc/apache2-doc/manual/en/**/*.html", "#page-content", ".toplang,.bottomlang,#quickview"),
    "django": Manual("doc/python-django-doc/html/**/*.html", "div[role=main], #bd", "a.headerlink,.nav,#sidebar"),
    "sqlalchemy": Manual("doc/python-sqlalchemy-doc/html/**/*.html", "#docs-body", "a.headerlink"),
    "postgresql": Manual("doc/postgresql-doc-*/html/*.html", "body", ".navheader,.navfooter"),
    "nodejs": Manual("doc/nodejs/api/*.html", "#apicontent", "a.mark,.toc"),
    "exim": Manual("doc/exim4-doc-html/spec_html/*.html", "#chapter"),
    "glib": Manual("gtk-doc/html/gio/*.html", "body", "table.navigation,.footer"),
    "policy": Manual("doc/debian-policy/policy.html/*.html", "div[role=main], div.body", "a.headerlink"),
    "reference": Manual("debian-reference/ch*.en.html", "body", ".navheader,.navfooter"),
    "git": Manual("doc/git-doc/*.html", "#content", "#footer"),
}


def pages_of(manual: Manual, most: int) -> Iterator[tuple[bytes, str]]:
    """Pages with their gold, in an order of chance."""
    files = sorted(path for path in SHARE.glob(manual.files) if not {"_modules", "_sources"} & set(path.parts))
    random.Random(1).shuffle(files)
    found = 0
    for path in files:
        html = path.read_bytes()
        places = LexborHTMLParser(html).css(manual.text) if len(html) < 400_000 else []
        if not places or found == most:
            continue
        for part in places[0].css(f"{manual.furniture},script,style"):
            part.decompose()
        gold = places[0].text(separator=" ")
        if len(gold) >= 200:
            found += 1
            yield html, gold


def scores_of(manual: Manual, most: int) -> list[tuple[float, float]]:
    """F1 of each page alone, and with what the pages before it told of the site."""
    memory, scores = SiteMemory(), []
    for number, (html, gold) in enumerate(pages_of(manual, most)):
        content = main_content(parse(html, f"https://manual.example/{number}"), memory)
        if number >= FIRST:
            scores.append((bag_score(content.alone, gold).f1, bag_score(content.text, gold).f1))
        if content.view is not None and content.likely is not None:
            memory.learn(content.view, content.likely)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=60, help="of each manual")
    most = parser.parse_args().pages
    means = []
    for name, manual in MANUALS.items():
        scores = scores_of(manual, most)
        if scores:
            alone, known = np.mean(scores, axis=0)
            means.append((alone, known))
            print(f"{name:12} {len(scores):4d} pages: F1 {alone:.3f} alone, {known:.3f} with the site's memory")
    if means:
        alone, known = np.mean(means, axis=0)
        print(f"{'mean':12} {len(means):4d} manuals: {alone:.3f} alone, {known:.3f} with the site's memory")
    else:
        print("none of the manuals is installed")


if __name__ == "__main__":
    main()
