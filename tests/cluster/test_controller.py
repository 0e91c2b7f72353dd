"""The controller with processes: order, health, scaling, draining, and what is said when something fails."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nephila.cluster.controller.conductor import Conductor
from nephila.cluster.controller.plan import load_plan
from nephila.errors import ConfigError, NephilaError
from tests.servers.ports import free_port

SERVER = """
import http.server, sys
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
WORKER = """
import pathlib, signal, sys, time
alive = pathlib.Path(sys.argv[1])
def drain(*_):
    time.sleep(0.3)
    print("drained", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, drain)
print("began", flush=True)
while True:
    alive.touch()
    time.sleep(0.05)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for name, program in (("server", SERVER), ("worker", WORKER)):
        (tmp_path / f"{name}.py").write_text(program)
    port = free_port()
    path = tmp_path / "cluster.toml"
    path.write_text(f"""
name = "test"
state = "{tmp_path}/state"

[services.worker]
command = ["{sys.executable}", "{tmp_path}/worker.py", "{tmp_path}/alive.{{index}}"]
needs = ["server"]
scale = 2
grace = 20
health.file = "{tmp_path}/alive.{{index}}"

[services.server]
command = ["{sys.executable}", "{tmp_path}/server.py", "{port}"]
grace = 20
health.tcp = "127.0.0.1:{port}"
""")
    return path


@contextmanager
def conducted(file: Path) -> Iterator[tuple[Conductor, list[str]]]:
    said: list[str] = []
    with Conductor(load_plan(file), said.append) as conductor:
        try:
            yield conductor, said
        finally:
            conductor.remove()


def running(conductor: Conductor) -> dict[Any, Any]:
    return {row["service"]: row["running"] for row in conductor.status()}


def test_services_come_up_in_order_scale_and_go_in_reverse(file: Path) -> None:
    with conducted(file) as (conductor, said):
        conductor.up()
        assert said == [
            "server.1: starting on local",
            "server: up",
            "worker.1: starting on local",
            "worker.2: starting on local",
            "worker: up",
        ]
        assert running(conductor) == {"server": 1, "worker": 2}
        said.clear()
        conductor.up()  # nothing is missing
        assert said == ["server: up", "worker: up"]
        with Conductor(load_plan(file)) as another:  # one that was not there when they were started
            another.scale("worker", 3)
            assert running(another)["worker"] == 3
            another.scale("worker", 1)
            assert running(another)["worker"] == 1
        said.clear()
        conductor.stop()
        assert said == ["worker.1: stopping on local", "server.1: stopping on local"]
        assert running(conductor) == {"server": 0, "worker": 0}
        lines = list(conductor.logs(["worker"]))
        assert ("worker.3", "drained") in lines
        assert ("worker.1", "drained") in lines


def test_only_what_is_named_and_what_it_needs_is_started(file: Path) -> None:
    with conducted(file) as (conductor, _):
        conductor.up(["server"])
        assert running(conductor) == {"server": 1, "worker": 0}
        conductor.up(["worker"])
        assert running(conductor) == {"server": 1, "worker": 2}


def test_one_that_was_killed_is_started_again(file: Path) -> None:
    with conducted(file) as (conductor, said):
        conductor.up()
        (victim,) = [row["instances"][0] for row in conductor.status() if row["service"] == "worker"]  # type: ignore[index]

        os.kill(int(victim["identity"].removeprefix("pid ")), signal.SIGKILL)
        while running(conductor)["worker"] == 2:
            pass
        said.clear()
        conductor.up()
        assert "worker.1: starting on local" in said
        assert running(conductor)["worker"] == 2


def test_what_does_not_come_up_is_named_with_its_last_words(tmp_path: Path) -> None:
    path = tmp_path / "cluster.toml"
    path.write_text(f"""
name = "test"
state = "{tmp_path}/state"
[services.bad]
command = ["{sys.executable}", "-c", "print('no disk'); raise SystemExit(1)"]
""")
    with conducted(path) as (conductor, _), pytest.raises(NephilaError, match=r"bad\.1 on local has ended: no disk"):
        conductor.up()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 'x'\n[services.a]\ncommand=['x']\nneeds=['b']", "needs 'b'"),
        ("name = 'x'\n[services.a]\ncommand=['x']\nneeds=['b']\n[services.b]\ncommand=['x']\nneeds=['a']", "circle"),
        ("name = 'x'\n[services.a]\ncomand=['x']", "comand"),
        ("name = 'X Y'\n[services.a]\ncommand=['x']", "small letters"),
        ("name = 'x'\n[hosts.h]\nbackend='container'\n[services.a]\ncommand=['x']", "no image"),
        ("name = ", "not valid TOML"),
    ],
)
def test_a_plan_that_does_not_agree_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "cluster.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_plan(path)
