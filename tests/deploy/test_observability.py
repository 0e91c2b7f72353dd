"""The configurations for Prometheus, Grafana and the log shippers, each checked by its own tool where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nephila.telemetry import Kind, Metric
from tests.servers.process import program

PLACE = Path(__file__).parent.parent.parent / "deploy" / "observability"


def exported() -> set[str]:
    names = {metric.exported for metric in Metric}
    return names | {
        f"{m.exported}_{end}" for m in Metric if m.kind is Kind.TIMING for end in ("bucket", "sum", "count")
    }


@pytest.mark.parametrize("arguments", [("check", "config", "prometheus.yml"), ("test", "rules", "alerts_test.yml")])
def test_promtool_accepts_the_configuration_and_the_alerts_ring_when_they_should(arguments: tuple[str, ...]) -> None:
    promtool = program("promtool", package="prometheus")
    done = subprocess.run([promtool, *arguments], cwd=PLACE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["alerts.yml", "grafana.json", "alerts_test.yml"])
def test_boards_and_alerts_name_metrics_that_exist(name: str) -> None:
    used = set(re.findall(r"nephila_[a-z_]+", (PLACE / name).read_text()))
    assert used
    assert used <= exported()


def test_every_query_of_the_board_is_one_that_prometheus_understands(tmp_path: Path) -> None:
    promtool = program("promtool", package="prometheus")
    board = json.loads((PLACE / "grafana.json").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = "".join(f"  - {{record: 'board:{n}', expr: {json.dumps(query)}}}\n" for n, query in enumerate(queries))
    (tmp_path / "rules.yml").write_text(f"groups:\n- name: board\n  rules:\n{rules}")
    done = subprocess.run([promtool, "check", "rules", tmp_path / "rules.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_boards_are_those_of_their_program() -> None:
    spec: dict[str, object] = {"__file__": str(PLACE / "make_boards.py"), "__name__": "make_boards"}
    exec((PLACE / "make_boards.py").read_text(), spec)
    assert json.loads((PLACE / "grafana.json").read_text()) == spec["grafana"]()  # type: ignore[operator]
    lines = (PLACE / "opensearch-dashboard.ndjson").read_text().splitlines()
    assert [json.loads(line) for line in lines] == spec["opensearch"]()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("vector", ["validate", "--no-environment", "vector.yaml"]),
        ("fluent-bit", ["--dry-run", "-c", "fluent-bit.conf"]),
    ],
)
def test_log_shippers_accept_their_configuration(tool: str, arguments: list[str]) -> None:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is neither in Debian nor in PyPI")
    assert subprocess.run([found, *arguments], cwd=PLACE).returncode == 0
