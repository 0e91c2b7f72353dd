"""A real Prometheus from Debian's package, scraping four times a second."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import urllib3

from .ports import free_port
from .process import program, running


@dataclass(frozen=True)
class Prometheus:
    url: str

    def ask(self, query: str) -> list[dict[str, Any]]:
        answer = urllib3.request("GET", f"{self.url}/api/v1/query", fields={"query": query})
        return list(orjson.loads(answer.data)["data"]["result"])

    def wait(self, query: str, wanted: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        """Asks until the answer is the one wanted."""
        deadline = time.monotonic() + 180
        while not wanted(found := self.ask(query)):
            assert time.monotonic() < deadline, found
            time.sleep(0.2)
        return found

    def value(self, query: str, wanted: float) -> dict[str, Any]:
        """Waits until the one answer has the value; returns its labels."""
        (found,) = self.wait(query, lambda each: len(each) == 1 and float(each[0]["value"][1]) == wanted)
        labels: dict[str, Any] = found["metric"]
        return labels


@contextlib.contextmanager
def prometheus(place: Path, targets: Path) -> Iterator[Prometheus]:
    """Reads what to scrape from a file, as `write_targets` writes it."""
    place.mkdir(parents=True, exist_ok=True)
    url = f"http://127.0.0.1:{(port := free_port())}"
    (place / "prometheus.yml").write_text(
        "global: {scrape_interval: 250ms, scrape_timeout: 250ms}\n"
        f"scrape_configs:\n- job_name: nephila\n  file_sd_configs: [{{files: ['{targets}']}}]\n"
    )
    command = [program("prometheus", package="prometheus"), f"--config.file={place}/prometheus.yml"]
    command += [f"--storage.tsdb.path={place}/data", f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]

    def ready() -> bool:
        try:
            return urllib3.request("GET", f"{url}/-/ready", retries=False).status == 200
        except urllib3.exceptions.HTTPError:
            return False

    with running(command, place / "log", ready):
        yield Prometheus(url)
