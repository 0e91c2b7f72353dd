"""Addresses of the coordinator: `zookeeper://[user:password@]host[:port],host[:port],.../path`. Knows no other room."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from nephila.errors import ConfigError

DEFAULT_ROOT = "/nephila"
_SHAPE = re.compile(r"zookeeper://(?:([^/@:]+):([^/@]*)@)?([^/@?#]+)(/[\w./-]*)?", re.ASCII)
_HOST = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ZooKeeperAddress:
    hosts: str
    """As kazoo takes them: `host:port,host:port`."""
    root: str = DEFAULT_ROOT
    """The node under which everything of this cluster lies."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    """With a user, nodes are made so that only this user can read or change them."""


def parse_address(address: str) -> ZooKeeperAddress:
    """Raises ConfigError; its message does not repeat the address, which may hold a password."""
    match = _SHAPE.fullmatch(address)
    hosts = match[3].split(",") if match else []
    if match is None or not all(map(_HOST.fullmatch, hosts)):
        raise ConfigError("write the coordinator as zookeeper://[user:password@]host:port,host:port[/path]")
    root = (match[4] or "").rstrip("/") or DEFAULT_ROOT
    if re.search(r"//|/\.\.?(?:/|$)", root):
        raise ConfigError(f"{root} is no path of a ZooKeeper node")
    user, password = (unquote(match[1]), unquote(match[2])) if match[1] else (None, None)
    return ZooKeeperAddress(",".join(hosts), root, user, password)
