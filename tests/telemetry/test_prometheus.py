"""The metrics endpoint, asked by a real Prometheus."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import orjson
import pytest
import urllib3

from nephila.errors import ConfigError
from nephila.telemetry import Counters, Kind, Metric
from nephila.telemetry.prometheus import neighbour, serve_metrics, write_targets
from tests.servers.process import free_port, program, running


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
    endpoint = serve_metrics("127.0.0.1:0", counted().snapshot)
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
    prometheus = program("prometheus", package="prometheus")
    counters, port = counted(), free_port()
    endpoint = serve_metrics("127.0.0.1:0", counters.snapshot)
    write_targets(tmp_path / "metrics.json", [endpoint.address])
    (tmp_path / "prometheus.yml").write_text(
        "global: {scrape_interval: 250ms, scrape_timeout: 250ms}\n"
        f"scrape_configs:\n- job_name: nephila\n  file_sd_configs: [{{files: ['{tmp_path}/metrics.json']}}]\n"
    )
    command = [prometheus, f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data"]
    command += [f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]

    def ask(query: str) -> list[dict[str, Any]]:
        answer = urllib3.request("GET", f"http://127.0.0.1:{port}/api/v1/query", fields={"query": query})
        return list(orjson.loads(answer.data)["data"]["result"])

    def ready() -> bool:
        try:
            return urllib3.request("GET", f"http://127.0.0.1:{port}/-/ready", retries=False).status == 200
        except urllib3.exceptions.HTTPError:
            return False

    try:
        with running(command, tmp_path / "log", ready):
            counters.add(Metric.PAGES, 5)
            deadline = time.monotonic() + 60
            while not (found := ask("nephila_pages_total")) or found[0]["value"][1] != "12":
                assert time.monotonic() < deadline, found
                time.sleep(0.2)
            assert found[0]["metric"]["worker"] == "worker-1"
            assert found[0]["metric"]["service"] == "nephila"
            (slow,) = ask("histogram_quantile(0.5, nephila_fetch_seconds_bucket)")
            assert 0.1 < float(slow["value"][1]) <= 0.25
    finally:
        endpoint.close()


def test_addresses() -> None:
    assert neighbour("127.0.0.1:9464", 2) == "127.0.0.1:9466"
    assert neighbour("[::1]:0", 2) == "[::1]:0"
    with pytest.raises(ConfigError, match="host:port"):
        serve_metrics("9464", counted().snapshot)
    endpoint = serve_metrics("127.0.0.1:0", counted().snapshot)
    with pytest.raises(ConfigError, match="cannot serve metrics"):
        serve_metrics(endpoint.address, counted().snapshot)
    endpoint.close()
