"""The controller's file: hosts, services, and what needs what. Pydantic, as jobs are; unknown keys are errors."""

from __future__ import annotations

import graphlib
import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from nephila.errors import ConfigError


def _name(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,40}", text):
        raise ValueError(f"{text!r}: use small letters, digits and dashes")
    return text


Name = Annotated[str, AfterValidator(_name)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HostRules(_Part):
    """A place where instances run."""

    backend: Literal["process", "container"] = "process"
    """process: on this machine; container: through the API of Docker or Podman."""
    address: str = "unix:///var/run/docker.sock"
    """Of the API: unix:///path, or ssh://[user@]host[:port][/path/of/the/socket]."""


class HealthRules(_Part):
    """When an instance counts as up; without any of these, when it has lived for a second."""

    tcp: str | None = None
    """host:port that takes connections."""
    file: Path | None = None
    """A file that was touched within the last 30 seconds (of a process; of a container, its own health check)."""
    seconds: float = Field(default=60, gt=0)
    """How long to wait for it."""


class ServiceRules(_Part):
    command: tuple[str, ...] = ()
    """Program and arguments; `{index}` is the instance's number, `{host}` its host's name."""
    image: str | None = None
    """For hosts with containers."""
    environment: dict[str, str] = Field(default_factory=dict)
    needs: tuple[Name, ...] = ()
    """Services that must be up before."""
    scale: int = Field(default=1, ge=0, le=1000)
    """Instances, spread over its hosts in turn."""
    hosts: tuple[Name, ...] = ()
    """Where it may run; empty: everywhere."""
    grace: float = Field(default=30, ge=0)
    """Seconds between SIGTERM and SIGKILL."""
    health: HealthRules = HealthRules()
    volumes: tuple[str, ...] = ()
    """Of containers: source:target[:ro]."""
    network: str | None = None
    """Of containers: `host`, or the name of a network."""
    read_only: bool = True
    """Of containers: no writing but to volumes and /tmp."""


class Plan(_Part):
    name: Name
    """Of the cluster: everything that it starts carries it."""
    state: Path = Path(".nephila/cluster")
    """Where processes and their logs are kept."""
    hosts: dict[Name, HostRules] = Field(default_factory=lambda: {"local": HostRules()})
    services: dict[Name, ServiceRules]

    @model_validator(mode="after")
    def _agrees(self) -> Plan:
        for name, service in self.services.items():
            for other in service.needs:
                if other not in self.services:
                    raise ValueError(f"services.{name} needs {other!r}, which is not there")
            for host in service.hosts:
                if host not in self.hosts:
                    raise ValueError(f"services.{name} names the host {host!r}, which is not there")
            for host in self.places(name):
                if self.hosts[host].backend == "container" and service.image is None:
                    raise ValueError(f"services.{name} has no image, and {host} runs containers")
                if self.hosts[host].backend == "process" and not service.command:
                    raise ValueError(f"services.{name} has no command, and {host} runs processes")
        self.order()
        return self

    def order(self) -> list[str]:
        """The services, each after those that it needs."""
        try:
            return list(graphlib.TopologicalSorter({n: s.needs for n, s in self.services.items()}).static_order())
        except graphlib.CycleError as error:
            raise ValueError(f"services need each other in a circle: {' -> '.join(error.args[1])}") from None

    def places(self, service: str) -> list[str]:
        return list(self.services[service].hosts or self.hosts)


def load_plan(path: Path) -> Plan:
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from None
    try:
        return Plan.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{path}: {place + ': ' if place else ''}{message}") from None
