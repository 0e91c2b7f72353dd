"""Serving the dashboard: the socket, the token, the line that says where it is."""

from __future__ import annotations

import gc
import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nephila.errors import ConfigError, NephilaError

if TYPE_CHECKING:
    from nephila.dashboard.crawls import Crawls


def serve(
    root: Path,
    frontier: str | None,
    spool: Path,
    host: str,
    port: int,
    token: str | None,
    names: list[str],
    metrics: str | None = None,
    *,
    allow_private: bool,
) -> None:
    try:
        import uvicorn

        from nephila.dashboard.app import make_app
        from nephila.dashboard.guards import is_loopback
    except ImportError as error:
        raise ConfigError(f"the dashboard needs {error.name}: pip install 'nephila[dashboard]'") from None
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
        typer.echo(f"token: {token}", err=True)
    if token is not None and len(token) < 16:
        raise ConfigError("--token: too short to keep anybody out; give 16 characters at least")
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    typer.echo(f"http://{shown}:{listener.getsockname()[1]}/")
    own = {"127.0.0.1", "localhost", "::1"} if is_loopback(host) else {host.lower()}
    hosts = frozenset(own | {name.lower() for name in names})
    app = make_app(_crawls(root, frontier, spool, allow_private=allow_private), hosts=hosts, token=token)
    if metrics is not None:
        _watch(metrics, root, frontier, spool)
    threading.Thread(target=_warm_up, args=(root, frontier), daemon=True).start()
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[listener])


def _warm_up(root: Path, frontier: str | None) -> None:
    """What the first visitor would wait for otherwise: a look at a crawl of this machine, and the model."""
    from nephila.dashboard.figures import frontier_figures
    from nephila.dashboard.local import LocalCrawls
    from nephila.dashboard.views import warm_up

    warm_up()
    if frontier is None:
        with suppress(NephilaError, OSError):  # the visitor will be told
            frontier_figures(lambda: LocalCrawls(root))
    gc.collect()
    gc.freeze()  # what is loaded by now stays: a sweep through it would hold a request up by some 60 ms


def _watch(metrics: str, root: Path, frontier: str | None, spool: Path) -> None:
    """Answers Prometheus, till the process ends."""
    from nephila.dashboard.figures import frontier_figures
    from nephila.telemetry.prometheus import serve_metrics

    def crawls() -> Crawls:
        return _crawls(root, frontier, spool, allow_private=False)

    endpoint = serve_metrics(metrics, lambda: frontier_figures(crawls))
    typer.echo(f"metrics: http://{endpoint.address}/metrics", err=True)


def _crawls(root: Path, frontier: str | None, spool: Path, *, allow_private: bool) -> Crawls:
    if frontier is None:
        from nephila.dashboard.local import LocalCrawls

        return LocalCrawls(root, allow_private=allow_private)
    from nephila.cli.places import place
    from nephila.dashboard.cluster import ClusterCrawls

    return ClusterCrawls(place(frontier, spool), root, allow_private=allow_private)


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ConfigError(f"cannot listen on {host} port {port}: {error.strerror}; choose another --port") from None
