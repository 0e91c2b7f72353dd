"""Instances as containers, through the API that Docker and Podman share, over its socket or an SSH tunnel to it.

The tunnel is OpenSSH's own (`ssh -L` to the socket), so that keys, agents, jump hosts and known hosts are those of the
operator's configuration. Containers carry labels, by which the controller finds them again.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import docker
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from requests.exceptions import RequestException

from nephila.cluster.controller.backend import Instance
from nephila.cluster.controller.plan import HostRules, ServiceRules
from nephila.errors import ConfigError

_CLUSTER, _HOST, _SERVICE, _INDEX = "nephila.cluster", "nephila.host", "nephila.service", "nephila.index"
_DEFAULT_SOCKET = "/var/run/docker.sock"
_TUNNEL_SECONDS = 20.0
_API_SECONDS = 300
"""An engine that copies an image for each container, on a busy disk, takes its time."""


class ContainerBackend:
    def __init__(self, cluster: str, host: str, rules: HostRules) -> None:
        self._cluster, self._host = cluster, host
        self._tunnel: _Tunnel | None = None
        address = rules.address
        if address.startswith("ssh://"):
            self._tunnel = _Tunnel(address)
            address = f"unix://{self._tunnel.socket}"
        elif not address.startswith("unix://"):
            raise ConfigError(f"hosts.{host}: write its address as unix:///path or ssh://host")
        try:
            self._client: Any = docker.DockerClient(base_url=address, timeout=_API_SECONDS)
            self._client.ping()
        except DockerException as error:
            self.close()
            raise ConfigError(f"hosts.{host}: no container engine answers at {rules.address}: {error}") from None

    def instances(self) -> list[Instance]:
        found = []
        ours = [f"{_CLUSTER}={self._cluster}", f"{_HOST}={self._host}"]
        for container in self._client.containers.list(all=True, filters={"label": ours}):
            labels = container.labels
            running = container.status == "running"
            found.append(Instance(labels[_SERVICE], int(labels[_INDEX]), running, f"container {container.short_id}"))
        return sorted(found, key=lambda each: (each.service, each.index))

    def start(self, service: str, index: int, rules: ServiceRules) -> None:
        name = self._name(service, index)
        with suppress(NotFound):
            self._client.containers.get(name).remove(force=True)
        command = [part.replace("{index}", str(index)).replace("{host}", self._host) for part in rules.command]
        options: dict[str, Any] = {"network_mode": rules.network} if rules.network else {}
        try:
            self._client.containers.run(
                rules.image,
                command or None,
                name=name,
                detach=True,
                environment=rules.environment,
                labels={_CLUSTER: self._cluster, _HOST: self._host, _SERVICE: service, _INDEX: str(index)},
                volumes=list(rules.volumes),
                read_only=rules.read_only,
                tmpfs={"/tmp": ""} if rules.read_only else None,  # noqa: S108 - within the container
                cap_drop=["ALL"],
                security_opt=["no-new-privileges"],
                **options,
            )
        except ImageNotFound:
            raise ConfigError(f"{self._host} has no image {rules.image}: build it there, or pull it") from None
        except APIError as error:
            raise ConfigError(f"{self._host} cannot start {service}: {error.explanation or error}") from None
        except RequestException as error:
            raise ConfigError(f"{self._host} did not answer when {service} was started: {error}") from None

    def healthy(self, instance: Instance, rules: ServiceRules) -> bool:  # noqa: ARG002 - the image knows
        container = self._container(instance)
        state = container.attrs["State"]
        health = (state.get("Health") or {}).get("Status") or "none"
        if health == "starting":  # Podman asks by a timer of systemd, where there is one: we ask ourselves
            health = "healthy" if self._asked(container) else health
        return state.get("Running", False) and health in ("healthy", "none")

    def _asked(self, container: Any) -> bool:
        how, *command = (container.attrs["Config"].get("Healthcheck") or {}).get("Test") or ["NONE"]
        if how not in ("CMD", "CMD-SHELL"):
            return True
        asked = command if how == "CMD" else ["sh", "-c", command[0]]
        return bool(container.exec_run(asked).exit_code == 0)

    def stop(self, instances: list[Instance], grace: float) -> None:
        if not instances:
            return
        with ThreadPoolExecutor(len(instances)) as threads:  # each waits for its own to end
            list(threads.map(lambda each: self._container(each).stop(timeout=int(grace)), instances))

    def remove(self, instance: Instance) -> None:
        try:
            self._container(instance).remove(force=True, v=True)
        except NotFound:
            return

    def logs(self, instance: Instance, lines: int) -> Iterator[str]:
        yield from self._container(instance).logs(tail=lines).decode("utf-8", "replace").splitlines()

    def close(self) -> None:
        client = getattr(self, "_client", None)
        if client is not None:
            client.close()
        if self._tunnel is not None:
            self._tunnel.close()

    def _container(self, instance: Instance) -> Any:
        return self._client.containers.get(self._name(instance.service, instance.index))

    def _name(self, service: str, index: int) -> str:
        return f"{self._cluster}-{service}-{index}"


class _Tunnel:
    """A local socket that ends at the engine's socket of another machine."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if not parts.hostname or parts.hostname.startswith("-"):
            raise ConfigError(f"{address}: write it as ssh://[user@]host[:port][/path/of/the/socket]")
        self._place = tempfile.TemporaryDirectory(prefix="nephila-")
        self.socket = Path(self._place.name) / "engine.sock"
        remote = parts.path if parts.path not in ("", "/") else _DEFAULT_SOCKET
        command = ["ssh", "-nNT", "-o", "BatchMode=yes", "-o", "ExitOnForwardFailure=yes"]
        command += ["-L", f"{self.socket}:{remote}"]
        command += ["-p", str(parts.port)] if parts.port else []
        command += ["--", f"{parts.username}@{parts.hostname}" if parts.username else parts.hostname]
        self._process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        self._wait(parts.hostname)

    def _wait(self, host: str) -> None:
        deadline = time.monotonic() + _TUNNEL_SECONDS
        while not self.socket.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self._process.kill()
                said = (self._process.communicate()[1] or b"").decode("utf-8", "replace").strip().splitlines()
                self._place.cleanup()
                raise ConfigError(f"no SSH tunnel to {host}: {said[-1] if said else 'it takes too long'}")
            time.sleep(0.05)

    def close(self) -> None:
        self._process.terminate()
        self._process.communicate()
        self._place.cleanup()
