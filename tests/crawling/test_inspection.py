"""Between reading and writing: duplicates marked or left out, unfit records set aside with the reason."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from nephila.crawling.inspection import Inspection
from nephila.dedupe import FileDuplicates, Limits
from nephila.job import Job
from nephila.quality import Evidence
from nephila.record import Record
from nephila.sinks import Delivery
from nephila.telemetry import Counters, Metric
from tests.dedupe.documents import Documents

TEXT = Documents(random.Random(1)).text()


def inspected(place: Path, records: list[Record], **job: Any) -> tuple[list[list[Record]], list[Record], Counters]:
    async def run() -> tuple[list[list[Record]], list[Record], Counters]:
        counters, store = Counters("w"), FileDuplicates(place / "duplicates", Limits(capacity=100))
        inspection = Inspection(Job.from_dict(job), store, counters)
        passed, aside = await inspection.inspect([Delivery(n, [record]) for n, record in enumerate(records)])
        await store.close()
        return [list(each.records) for each in passed], [r for each in aside for r in each.records], counters

    return asyncio.run(run())


def test_what_the_rules_of_a_page_agreed_on_reaches_the_checks(tmp_path: Path) -> None:
    async def run() -> tuple[list[int], list[Record]]:
        job = Job.from_dict({"checks": [{"check": "agreement", "min": 0.6}, {"check": "fire rate", "name": "gone"}]})
        inspection = Inspection(job, None, Counters("w"))
        found, aside = [], []
        for number in range(40):
            price = {"price": 1.0 + number} if number < 30 else {}
            record = Record(url=f"http://a.example/{number}", fields={"name": "Kettle", **price})
            share = 0.2 if number == 5 else 1.0
            inspection.tell(number, Evidence("kettles", {"name": 1.0, **dict.fromkeys(price, share)}))
            passed, unfit = await inspection.inspect([Delivery(number, [record])])
            found += [len(each.records) for each in passed]
            aside += [each for delivery in unfit for each in delivery.records]
        assert not inspection._evidence
        return found, aside

    found, aside = asyncio.run(run())
    assert [number for number, passed in enumerate(found) if not passed][:1] == [5]
    assert found[-1] == 0  # the price is gone from the last ten pages
    reasons = [record.fields["set_aside"][0] for record in aside if record.fields]
    assert reasons[0] == {"check": "agreement", "reason": "only 20% of the rules of price agree"}
    assert reasons[-1]["check"] == "gone"


def pages(*sites: str) -> list[Record]:
    return [Record(url=f"http://{site}/{n}", site=site, text=TEXT) for n, site in enumerate(sites)]


def test_copies_are_marked_within_a_site_and_across(tmp_path: Path) -> None:
    passed, aside, counters = inspected(tmp_path, pages("a.example", "a.example", "b.example"))
    assert [record.duplicate_of for (record,) in passed] == [None, "http://a.example/0", "http://a.example/0"]
    assert aside == []
    assert counters.snapshot().counts[Metric.COPIES] == 2


def test_across_sites_only_when_asked_for(tmp_path: Path) -> None:
    passed, *_ = inspected(tmp_path, pages("a.example", "b.example", "a.example"), duplicates={"across_sites": False})
    assert [record.duplicate_of for (record,) in passed] == [None, None, "http://a.example/0"]


def test_copies_are_left_out_on_request_and_counted(tmp_path: Path) -> None:
    passed, aside, counters = inspected(tmp_path, pages("a.example", "b.example"), duplicates={"mode": "drop"})
    assert [len(records) for records in passed] == [1, 0]  # the second delivery is known as done, without a record
    assert aside == []
    assert counters.snapshot().counts[Metric.COPIES] == 1


def test_unfit_records_are_set_aside_with_every_reason(tmp_path: Path) -> None:
    checks = [{"check": "required", "fields": ["title"]}, {"check": "duplicate"}]
    records = pages("a.example", "b.example")
    records[0].title = "A"
    passed, (aside,), counters = inspected(tmp_path, records, checks=checks)
    assert [len(records) for records in passed] == [1, 0]
    assert aside.url == "http://b.example/1"
    assert aside.fields == {
        "set_aside": [
            {"check": "required title", "reason": "title is missing"},
            {"check": "duplicate", "reason": "the same text, or nearly, as http://a.example/0"},
        ]
    }
    assert counters.snapshot().labelled[Metric.REJECTED] == {"required title": 1, "duplicate": 1}
