"""A crawl of the sample shop writes a table of products, with no rule given, through a change of the template."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest

from nephila import Job, crawl
from nephila.demo import serve
from nephila.demo.shop import gold
from nephila.sinks.reader import read_records


@pytest.mark.slow
def test_the_table_of_products_stays_whole_through_a_redesign(tmp_path: Path) -> None:
    output = tmp_path / "pages.jsonl"
    with serve("shop") as served:
        root = served["shop"]
        request = urllib.request.Request(f"{root}_control/redesign?after=40", method="POST")
        urllib.request.urlopen(request).close()
        crawl(
            Job.from_dict(
                {
                    "seeds": [root],
                    "outputs": [str(output)],
                    "state": str(tmp_path / "state"),
                    "refine": True,
                    "scope": {"exclude": [r"[?&](sort|brand|max|view|ref)="]},
                    "limits": {"max_pages": 200},
                    "politeness": {"delay": 0.0},
                    "http": {"allow_private": True},
                }
            )
        )
        products = gold(root)
    found = {record.url: record.fields or {} for record in read_records(output) if record.url in products}
    assert len(found) == len(products)
    named = sum(found[url].get("name") == product.name for url, product in products.items())
    priced = sum(
        (found[url].get("price") or {}).get("amount") == float(product.price) for url, product in products.items()
    )
    skus = sum(found[url].get("sku") == product.sku for url, product in products.items())
    print(f"of {len(products)} products: {named} names, {priced} prices, {skus} SKUs")
    assert named >= 0.95 * len(products)
    assert skus >= 0.95 * len(products)
    assert priced >= 0.95 * len(products)
