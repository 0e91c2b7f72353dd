"""The configurations for Prometheus, Grafana and the log shippers, each checked by its own tool where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
import yaml

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


def log_line(tmp_path: Path) -> str:
    """One that the program wrote."""
    program_text = (
        "import logging; from nephila.telemetry import configure_logging\n"
        f"configure_logging(level='info', format='json', file={str(tmp_path / 'log')!r}, worker='worker-1')\n"
        "logging.getLogger('nephila.test').warning('a page was given up')\n"
    )
    subprocess.run([sys.executable, "-c", program_text], check=True)
    return (tmp_path / "log").read_text().splitlines()[0]


def test_vectors_own_language_makes_fields_of_a_log_line(tmp_path: Path) -> None:
    """Compiled and run by Vector's VRL, from PyPI; the rest of the file is checked by `vector validate` alone."""
    runtime = pytest.importorskip("vrl_python").VRLRuntime
    config = yaml.safe_load((PLACE / "vector.yaml").read_text())
    source = config["transforms"]["parsed"]["source"]
    assert runtime.check_syntax(source) is None
    event = runtime().execute(source, {"message": log_line(tmp_path), "file": "a"}).processed_event
    assert event["message"] == "a page was given up"
    assert event["log.level"] == "warning"
    torn = runtime().execute(source, {"message": "Traceback (most recent call last):"}).processed_event
    assert torn == {"message": "Traceback (most recent call last):"}
    inputs = [name for part in ("transforms", "sinks") for each in config[part].values() for name in each["inputs"]]
    assert set(inputs) <= {*config["sources"], *config["transforms"]}


def test_fluent_bit_can_read_the_time_of_a_log_line(tmp_path: Path) -> None:
    wanted = re.search(r"time_format (\S+)", (PLACE / "parsers.conf").read_text())
    assert wanted is not None
    stamp = json.loads(log_line(tmp_path))["@timestamp"]
    datetime.strptime(stamp, wanted[1].replace("%L", "%f"))  # noqa: DTZ007 - %L is Fluent Bit's fraction


@pytest.mark.slow
def test_the_board_is_of_the_type_that_grafana_itself_has_for_boards(tmp_path: Path) -> None:
    node = PLACE.parent.parent / ".node" / "node_modules"
    if not (node / "@grafana" / "schema").exists():
        pytest.skip("no .node: `make test-slow` makes it where npm is installed")
    (tmp_path / "node_modules").symlink_to(node)
    board = (PLACE / "grafana.json").read_text()

    def faults(board: str) -> str:
        source = f"import type {{ Dashboard }} from '@grafana/schema';\nexport const board: Dashboard = {board};\n"
        (tmp_path / "board.ts").write_text(source)
        options = "--noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext board.ts"
        return subprocess.run(
            [node / ".bin" / "tsc", *options.split()], cwd=tmp_path, capture_output=True, text=True, check=False
        ).stdout

    assert faults(board) == ""
    assert "TS2322" in faults(re.sub(r'"schemaVersion": \d+', '"schemaVersion": "one"', board))


def test_the_panels_of_the_board_lie_side_by_side_on_grafanas_grid() -> None:
    board = json.loads((PLACE / "grafana.json").read_text())
    assert board["title"]
    assert board["schemaVersion"] >= 36
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["title"]
        assert panel["type"] in {"timeseries", "stat", "gauge", "table", "bargauge", "heatmap"}
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken
        taken |= cells
