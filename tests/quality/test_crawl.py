"""Checks on what learned rules say of themselves, in a crawl of the sample shop."""

from __future__ import annotations

from pathlib import Path

import orjson

from tests.crawl.crawling import Place
from tests.sites import serve


def test_records_whose_rules_disagree_are_set_aside_and_counted(tmp_path: Path) -> None:
    place, job = Place(tmp_path), tmp_path / "job.toml"
    job.write_text('[[checks]]\nname = "all agree"\ncheck = "agreement"\nmin = 1.0\n')
    with serve("shop") as served:
        done = place.crawl(served["shop"], "--job", job, "--max-pages", 240, "--delay", 0)
    assert done.status == 0, done.err
    aside = [orjson.loads(line) for line in (place.state / "set-aside.jsonl").read_bytes().splitlines()]
    assert aside
    for record in aside:
        (reason, *_) = record["fields"]["set_aside"]
        assert reason["check"] == "all agree"
        assert "of the rules of" in reason["reason"]
    assert place.summary["labelled"]["rejected"] == {"all agree": len(aside)}
    assert len(place.records) + len(aside) == 240
    assert not {record["url"] for record in aside} & set(place.urls)
