"""The metrics endpoint, asked by a real Prometheus."""

from __future__ import annotations

from pathlib import Path

import pytest
import urllib3

from nephila.errors import ConfigError
from nephila.job import Job
from nephila.telemetry import Counters, Kind, Metric
from nephila.telemetry.gathered import Gathered
from nephila.telemetry.prometheus import neighbour, serve_metrics, write_targets
from tests.cluster.fleet import Fleet
from tests.dashboard.conftest import launch
from tests.servers.lightsite import light_site, seeds
from tests.servers.ports import free_port
from tests.servers.prometheus import prometheus
from tests.servers.redis import RedisServer, needs_redis


def counted() -> Counters:
    counters = Counters("worker-1")
    counters.add(Metric.PAGES, 7)
    counters.add(Metric.STATUS, 5, label=200)
    counters.add(Metric.STATUS, 2, label=404)
    counters.set(Metric.IN_FLIGHT, 3)
    for seconds in (0.003, 0.2, 90.0):
        counters.observe(Metric.FETCH_SECONDS, seconds)
    return counters


def test_the_endpoint_names_every_metric_once() -> None:
    endpoint = serve_metrics("127.0.0.1:0", lambda: [counted().snapshot()])
    try:
        text = urllib3.request("GET", f"http://{endpoint.address}/metrics").data.decode()
    finally:
        endpoint.close()
    kinds = {Kind.COUNTER: "counter", Kind.GAUGE: "gauge", Kind.TIMING: "histogram"}
    for metric in Metric:
        assert text.count(f"# TYPE {metric.exported} {kinds[metric.kind]}\n") == 1
    assert 'nephila_pages_total{worker="worker-1"} 7.0' in text
    assert 'nephila_responses_total{status="404",worker="worker-1"} 2.0' in text
    assert 'nephila_fetch_seconds_bucket{le="0.25",worker="worker-1"} 2.0' in text
    assert 'nephila_fetch_seconds_count{worker="worker-1"} 3.0' in text
    assert "process_resident_memory_bytes" in text


def test_a_real_prometheus_finds_the_targets_and_answers_from_them(tmp_path: Path) -> None:
    counters = counted()
    endpoint = serve_metrics("127.0.0.1:0", lambda: [counters.snapshot()])
    write_targets(tmp_path / "metrics.json", [endpoint.address])
    try:
        with prometheus(tmp_path / "prometheus", tmp_path / "metrics.json") as server:
            counters.add(Metric.PAGES, 5)
            labels = server.value("nephila_pages_total", 12)
            assert (labels["worker"], labels["service"]) == ("worker-1", "nephila")
            (slow,) = server.ask("histogram_quantile(0.5, nephila_fetch_seconds_bucket)")
            assert 0.1 < float(slow["value"][1]) <= 0.25
    finally:
        endpoint.close()


@needs_redis
def test_a_worker_of_a_cluster_and_the_dashboard_answer_prometheus(tmp_path: Path) -> None:
    """One worker process serves two jobs, one after the other: its counters go on, they do not begin anew."""
    port, targets = free_port(), tmp_path / "metrics.json"
    worker, shown = (f"127.0.0.1:{free_port()}" for _ in range(2))
    write_targets(targets, [worker, shown])
    with (
        RedisServer(tmp_path / "redis") as redis,
        light_site(port, tmp_path / "log", hosts=2, pages=6),
        Fleet(tmp_path / "fleet", redis.url, options=("--metrics", worker)) as fleet,
        prometheus(tmp_path / "prometheus", targets) as server,
    ):
        dashboard, _ = launch(tmp_path / "none", "--frontier", redis.url, "--metrics", shown)
        try:
            rules = {"http": {"allow_private": True}, "scope": {"sitemaps": False}, "politeness": {"delay": 0}}
            first = Job.from_dict({"seeds": seeds(port, 2)[:1], "name": "one", **rules})
            fleet.start()
            fleet.wait(fleet.submit(first))
            labels = server.value("nephila_pages_total", 6)
            assert labels["instance"] == worker
            fleet.wait(fleet.submit(first.model_copy(update={"seeds": (seeds(port, 2)[1],), "name": "two"})))
            server.value("nephila_pages_total", 12)
            fleet.terminate(fleet.workers[0])
            waiting = first.model_copy(update={"seeds": tuple(seeds(port, 2)), "name": "three"})
            fleet.submit(waiting)
            labels = server.value("nephila_queued", 2)
            assert (labels["instance"], labels["worker"]) == (shown, "three")
        finally:
            dashboard.terminate()
            dashboard.wait(120)


def test_ended_workers_stay_in_the_counts_but_not_in_the_gauges() -> None:
    figures, one, two = Gathered("machine-1"), counted(), counted()
    with figures.counting(one):
        assert figures.snapshot().gauges == {"in_flight": 3}
        with figures.counting(two):
            assert figures.snapshot().counts["pages"] == 14
            two.add(Metric.PAGES)
    after = figures.snapshot()
    assert after.worker == "machine-1"
    assert after.counts["pages"] == 15
    assert after.labelled["responses"] == {"200": 10, "404": 4}
    assert after.timings["fetch_seconds"].count == 6
    assert after.gauges == {}


def test_addresses() -> None:
    assert neighbour("127.0.0.1:9464", 2) == "127.0.0.1:9466"
    assert neighbour("[::1]:0", 2) == "[::1]:0"
    with pytest.raises(ConfigError, match="host:port"):
        serve_metrics("9464", lambda: [counted().snapshot()])
    endpoint = serve_metrics("127.0.0.1:0", lambda: [counted().snapshot()])
    with pytest.raises(ConfigError, match="cannot serve metrics"):
        serve_metrics(endpoint.address, lambda: [counted().snapshot()])
    endpoint.close()
