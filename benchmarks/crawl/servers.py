"""nginx and redis-server, started for one benchmark on free ports and ended with it. Knows nothing of who asks them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crawl.sites import Plan

_NGINX_PLACES = "/usr/sbin:/usr/local/sbin:/sbin"


def end_on_sigterm() -> None:
    """Has SIGTERM end the program by way of its `finally` blocks, so that no server is left behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class ServerMissingError(RuntimeError):
    """A server program that the benchmark needs is not installed."""


def free_port(addresses: list[str]) -> int:
    """A port that is free on every one of the addresses."""
    for _ in range(50):
        with socket.socket() as probe:
            probe.bind((addresses[0], 0))
            port: int = probe.getsockname()[1]
        if all(_is_free(address, port) for address in addresses):
            return port
    raise OSError(f"no port is free on all of {', '.join(addresses)}")


def _is_free(address: str, port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Nginx:
    plan: Plan
    folder: Path
    pid: int
    status_url: str

    @property
    def first_log(self) -> Path:
        """Only front pages and robots.txt are logged, so that the first request of a crawl is known at no cost."""
        return self.folder / "first.log"

    def first_request(self, since: float) -> float | None:
        """When the first request after `since` came in, seconds since the epoch."""
        times = (float(line) for line in self.first_log.read_text().splitlines())
        return next((moment for moment in times if moment >= since - 0.01), None)

    def requests(self) -> int:
        """Requests served so far, as nginx counts them; each call counts as one."""
        with urllib.request.urlopen(self.status_url, timeout=5) as answer:
            return int(answer.read().split()[9])


@contextmanager
def nginx(plan: Plan, sites: Path, *, access_log: bool = False) -> Iterator[Nginx]:
    """Serves `sites` on one port of the plan's addresses."""
    program = shutil.which("nginx") or shutil.which("nginx", path=_NGINX_PLACES)
    if program is None:
        raise ServerMissingError("nginx is not installed: apt install nginx-light")
    folder = sites.parent / "nginx"
    folder.mkdir(exist_ok=True)
    status_port = free_port(["127.0.0.1"])
    (folder / "nginx.conf").write_text(_configuration(plan, sites, folder, status_port, access_log), encoding="utf-8")
    (folder / "first.log").touch()
    command = [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    with _serving(command, [(plan.address(site), plan.port) for site in range(plan.sites)], folder) as pid:
        yield Nginx(plan, folder, pid, f"http://127.0.0.1:{status_port}/")


def _configuration(plan: Plan, sites: Path, folder: Path, status_port: int, access_log: bool) -> str:
    log = f"access_log {folder}/access.log moment;" if access_log else "access_log off;"
    first = f"access_log {folder}/first.log moment;"
    servers = "\n".join(
        f"""  server {{
    listen {plan.address(site)}:{plan.port} backlog=1024; root {sites / plan.address(site)}; {log}
    location = / {{ {first} try_files /index.html =404; }}
    location = /robots.txt {{ {first} }}
  }}"""
        for site in range(plan.sites)
    )
    # Started by root, nginx would drop to a user that cannot read the temporary folder.
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = " ".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""daemon off; worker_processes 1; pid {folder}/nginx.pid; {user}
events {{ worker_connections 2048; }}
http {{
  types {{ text/html html; text/plain txt; }}
  default_type application/octet-stream; charset utf-8;
  sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=20000; server_tokens off;
  {"gzip_static on;" if plan.gzip else ""} {temporary}
  log_format moment '$msec';
{servers}
  server {{ listen 127.0.0.1:{status_port}; access_log off; location / {{ stub_status; }} }}
}}
"""


@dataclass(frozen=True, slots=True)
class Redis:
    url: str
    pid: int


@contextmanager
def redis(folder: Path) -> Iterator[Redis]:
    """A redis-server without persistence."""
    program = shutil.which("redis-server")
    if program is None:
        raise ServerMissingError("redis-server is not installed: apt install redis-server")
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port(["127.0.0.1"])
    options = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(folder)]
    with _serving([program, *options], [("127.0.0.1", port)], folder) as pid:
        yield Redis(f"redis://127.0.0.1:{port}/0", pid)


@contextmanager
def _serving(command: list[str], places: list[tuple[str, int]], folder: Path) -> Iterator[int]:
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    try:
        _wait_for(process, places, folder)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(process: subprocess.Popen[bytes], places: list[tuple[str, int]], folder: Path) -> None:
    deadline = time.monotonic() + 20
    for place in places:
        while True:
            if process.poll() is not None or time.monotonic() > deadline:
                said = (folder / "server.log").read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{process.args!r} does not serve {place}: {said}")
            try:
                socket.create_connection(place, timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
