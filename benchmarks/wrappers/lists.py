"""Records of listing pages against their gold nodes.

    python -m benchmarks.wrappers.lists [--mistakes]

The gold XPath is evaluated on the tree of html5lib, its nodes are marked, and the marked page is read. A record is
right when it holds the text of exactly one gold node, all of it, and no part of another; where gold names only the
first part of each record (`<dt>` of a list with `<dd>`), what follows is the record's too.
"""

from __future__ import annotations

import argparse
import json
import lzma
import warnings

from benchmarks.wrappers.sites import DATA
from nephila.document import parse
from nephila.wrappers.lists import find_listing
from nephila.wrappers.outline import Outline


def marked(html: str, xpath: str) -> str:
    import html5lib
    from lxml import etree

    warnings.simplefilter("ignore")
    tree = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False)
    for number, node in enumerate(tree.xpath(xpath)):
        node.set("data-gold", str(number))
    return etree.tostring(tree, method="html", encoding="unicode")


def gold_units(outline: Outline) -> list[tuple[set[int], int]]:
    """Of each gold node, its text units, and the element."""
    found = []
    for element, tag in enumerate(outline.tags):
        if "data-gold" in tag.attributes:
            inside = {
                u
                for u, o in enumerate(outline.owner)
                if element <= o < outline.end[element] and not outline.attribute[u]
            }
            found.append((inside, element))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mistakes", action="store_true")
    chosen = options.parse_args()
    found = right = gold_total = 0
    with lzma.open(DATA / "lists.jsonl.xz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        outline = Outline(parse(marked(row["html"], row["record_xpath"])))
        gold = gold_units(outline)
        listing = find_listing(outline)
        records = [] if listing is None else listing.records
        every = set().union(*(units for units, _ in gold))
        hits, exact = 0, 0
        for record in records:
            units = {unit for unit in record.units if not outline.attribute[unit]}
            held = [each for each, _ in gold if each and each <= units]
            if len(held) == 1 and len(units & every) == len(held[0]):
                hits += 1
                exact += units == held[0]
        found, right, gold_total = found + len(records), right + hits, gold_total + len(gold)
        if chosen.mistakes and (hits < len(gold) or hits < len(records)):
            print(f"page {row['id']}: {len(gold)} gold, {len(records)} found, {hits} right  {row['record_xpath']}")
            if listing is not None:
                tag = outline.tags[listing.parent]
                print(
                    f"   in <{tag.name} {tag.mark}>: {[outline.tags[e].name for e in listing.records[0].elements][:6]}",
                    repr(" ".join(outline.texts[u] for u in listing.records[0].units))[:100],
                )
        elif chosen.mistakes:
            print(f"page {row['id']}: {hits} right, {exact} of them the gold node itself")
    print(
        f"records found {right / gold_total:.3f}, found ones right {right / max(1, found):.3f} ({gold_total} records)"
    )


if __name__ == "__main__":
    main()
