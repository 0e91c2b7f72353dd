"""The figures of this process for Prometheus: an HTTP endpoint that reads the counters when it is asked.

    endpoint = serve_metrics("127.0.0.1:9464", lambda: [counters.snapshot()])
    ...
    endpoint.close()

Needs the extra `metrics`. Every name is one of `names`; counting costs the crawl nothing more than before.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from nephila.errors import ConfigError
from nephila.telemetry.counters import Snapshot, Timing
from nephila.telemetry.names import BUCKETS, Kind, Metric
from nephila.telemetry.progress import Progress

_OF_THE_FRONTIER = (Metric.QUEUED, Metric.LEASED, Metric.HOSTS, Metric.DEAD)

Source = Callable[[], Sequence[Snapshot]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    address: str
    _server: Any

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def serve_metrics(address: str, source: Source) -> Endpoint:
    """Serves /metrics at `host:port` in a thread of its own."""
    try:
        from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, start_http_server
    except ImportError:
        raise ConfigError("metrics need prometheus-client: pip install 'nephila[metrics]'") from None
    host, port = split_address(address)
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    registry.register(_Figures(source))
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        raise ConfigError(f"cannot serve metrics at {address}: {error.strerror}; choose another port") from None
    return Endpoint(f"{host}:{server.server_port}", server)


def frontier_snapshot(progress: Progress) -> Snapshot:
    """What the supervisor alone knows: the state of the frontier."""
    gauges = {str(metric): float(progress.gauge(metric)) for metric in _OF_THE_FRONTIER}
    return Snapshot("supervisor", "", progress.started, time.time(), gauges=gauges)


def split_address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise ConfigError(f"{address!r} is no address for metrics: write host:port, such as 127.0.0.1:9464")
    return host, int(port)


def neighbour(address: str, number: int) -> str:
    """The address of the process with this number: the next ports after the supervisor's."""
    host, port = split_address(address)
    return f"{host}:{port + number if port else 0}"


def write_targets(path: Path, addresses: list[str]) -> None:
    """Where to scrape, in the form that Prometheus reads from files (`file_sd_configs`)."""
    part = path.with_suffix(".part")
    part.write_bytes(orjson.dumps([{"targets": addresses, "labels": {"service": "nephila"}}]))
    part.replace(path)


class _Figures:
    def __init__(self, source: Source) -> None:
        self._source = source

    def collect(self) -> Iterator[Any]:
        snapshots = self._source()
        for metric in Metric:
            yield _family(metric, snapshots)


def _family(metric: Metric, snapshots: Sequence[Snapshot]) -> Any:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    name = metric.exported
    if metric.kind is Kind.TIMING:
        histogram = HistogramMetricFamily(name, metric.help, labels=["worker"])
        for snapshot in snapshots:
            timing = snapshot.timings.get(metric, Timing())
            bounds = [*(str(bound) for bound in BUCKETS), "+Inf"]
            counts = list(zip(bounds, itertools.accumulate(timing.buckets), strict=True))
            histogram.add_metric([snapshot.worker], counts, timing.total)
        return histogram
    if metric.kind is Kind.GAUGE:
        gauge = GaugeMetricFamily(name, metric.help, labels=["worker"])
        for snapshot in snapshots:
            if metric in snapshot.gauges:
                gauge.add_metric([snapshot.worker], snapshot.gauges[metric])
        return gauge
    labels = ["worker", metric.label] if metric.label else ["worker"]
    counter = CounterMetricFamily(name.removesuffix("_total"), metric.help, labels=labels)
    for snapshot in snapshots:
        if metric.label is None:
            counter.add_metric([snapshot.worker], snapshot.counts.get(metric, 0))
        for label, value in snapshot.labelled.get(metric, {}).items() if metric.label else ():
            counter.add_metric([snapshot.worker, label], value)
    return counter
