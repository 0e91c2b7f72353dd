from __future__ import annotations

from nephila.telemetry import Counters, Kind, Metric, Snapshot
from nephila.telemetry.counters import MAX_LABELS, MAX_URL_LENGTH, OTHER


def test_names_are_unique_documented_and_good_for_prometheus() -> None:
    assert len({metric.exported for metric in Metric}) == len(Metric)
    for metric in Metric:
        assert metric.help
        assert metric.exported.replace("_", "").isalnum()
        assert metric.exported.endswith("_total") == (metric.kind is Kind.COUNTER)


def test_counts_labels_gauges_and_timings_survive_the_way_as_json() -> None:
    counters = Counters("w1")
    counters.add(Metric.PAGES)
    counters.add(Metric.PAGES, 4)
    counters.add(Metric.STATUS, label=404)
    counters.set(Metric.IN_FLIGHT, 7)
    counters.observe(Metric.FETCH_SECONDS, 0.03)
    counters.observe(Metric.FETCH_SECONDS, 99.0)
    counters.error("timeout", "https://a.example/1")
    counters.error("timeout", "https://a.example/2")
    snapshot = Snapshot.from_json(counters.snapshot().to_json())
    assert snapshot.counts == {"pages": 5, "responses": 1, "errors": 2}
    assert snapshot.labelled == {"responses": {"404": 1}, "errors": {"timeout": 2}}
    assert snapshot.gauges == {"in_flight": 7}
    assert snapshot.examples == {"timeout": "https://a.example/1"}
    timing = snapshot.timings["fetch_seconds"]
    assert (timing.count, timing.total) == (2, 99.03)
    assert (timing.quantile(0.5), timing.quantile(0.95)) == (0.05, float("inf"))
    assert counters.get(Metric.PAGES) == 5
    assert counters.get(Metric.STATUS, 404) == 1


def test_what_a_newer_version_adds_is_left_out() -> None:
    data = Counters("w").snapshot().to_json().replace(b'{"worker"', b'{"novelty":[1],"worker"')
    assert Snapshot.from_json(data).worker == "w"


def test_labels_and_examples_are_bounded() -> None:
    counters = Counters("w1")
    for number in range(MAX_LABELS * 3):
        counters.error(f"cause {number} " + "x" * 1000, "https://a.example/" + "y" * 10_000)
    snapshot = counters.snapshot()
    shares = snapshot.labelled["errors"]
    assert sum(shares.values()) == snapshot.counts["errors"] == MAX_LABELS * 3
    assert len(shares) == MAX_LABELS + 1
    assert shares[OTHER] == MAX_LABELS * 2
    assert max(map(len, shares)) <= 64
    assert max(map(len, snapshot.examples.values())) <= MAX_URL_LENGTH


def test_examples_carry_no_secrets() -> None:
    counters = Counters("w1")
    counters.error("http 401", "https://me:hunter2@a.example/?token=hunter2")
    assert "hunter2" not in str(counters.snapshot().examples)


def test_a_snapshot_is_a_copy() -> None:
    counters = Counters("w1")
    counters.add(Metric.STATUS, label=200)
    counters.observe(Metric.FETCH_SECONDS, 1)
    before = counters.snapshot()
    counters.add(Metric.STATUS, label=200)
    counters.observe(Metric.FETCH_SECONDS, 1)
    assert before.counts["responses"] == before.labelled["responses"]["200"] == 1
    assert before.timings["fetch_seconds"].count == 1
