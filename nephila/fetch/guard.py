"""The network guard: nothing that a page names may lead the crawler into the network it runs in.

Three gates, because each sees what the others cannot. `check_url` judges hosts spelled as addresses, before a request
and before each redirect hop. `GuardedResolver` resolves a name once and hands on only the addresses that passed. The
connector's socket gate judges the address that is about to be dialled, whatever way it came, so that a name that
resolves differently the next moment gains nothing. Knows aiohttp; knows nothing of Scrapy, jobs or the frontier.

A request sent through a proxy is dialled by the proxy: the guard sees the proxy's address alone, and the proxy must
guard its own way out.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import aiohttp
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import Connection
from aiohttp.resolver import DefaultResolver
from aiohttp.tracing import Trace

from nephila.fetch import clearance
from nephila.fetch.addresses import Address, is_public, literal_addresses, unwrapped

__all__ = [
    "AddressRefused",
    "AllowPrivate",
    "GuardedConnector",
    "GuardedResolver",
    "Permit",
    "check_url",
    "guarded_connector",
    "is_public",
]

Network = IPv4Network | IPv6Network


class AddressRefused(OSError):  # noqa: N818 - it names what happened, as ConnectionRefused would
    """A host is, or resolves to, an address outside the public internet.

    An OSError, so that aiohttp reports it as a failed connection: `ClientConnectorError.os_error` is this object.
    """

    def __init__(self, host: str, addresses: Iterable[str] = ()) -> None:
        self.host = host
        self.addresses = tuple(addresses)
        what = f"{host} ({', '.join(self.addresses)})" if self.addresses else host or "a URL without a host"
        super().__init__(errno.EACCES, f"refused to connect to {what}: not on the public internet; see --allow-private")


@dataclass(frozen=True, slots=True)
class Permit:
    """What may be reached besides the public internet: everything, or some networks and names."""

    everything: bool = False
    networks: tuple[Network, ...] = ()
    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, allow_private: AllowPrivate) -> Permit:
        """From a bool, or from addresses (`127.0.0.1`), networks (`10.0.0.0/8`) and host names, mixed."""
        if isinstance(allow_private, Permit):
            return allow_private
        if isinstance(allow_private, bool):
            return cls(everything=allow_private)
        return _permit_for(frozenset(allow_private))

    def name(self, host: str) -> bool:
        return self.everything or _plain_name(host) in self.names

    def address(self, ip: str | Address) -> bool:
        if self.everything or is_public(ip):
            return True
        try:
            plain = unwrapped(ip_address(ip) if isinstance(ip, str) else ip)
        except ValueError:
            return False
        return any(plain in network for network in self.networks)


AllowPrivate = bool | Collection[str] | Permit


@lru_cache(maxsize=64)
def _permit_for(entries: frozenset[str]) -> Permit:
    networks: list[Network] = []
    names: set[str] = set()
    for entry in entries:
        try:
            networks.append(ip_network(entry.strip("[]"), strict=False))
        except ValueError:
            names.add(_plain_name(entry))
    return Permit(networks=tuple(networks), names=frozenset(names))


def _plain_name(host: str) -> str:
    return host.rstrip(".").lower()


def check_url(url: str | yarl.URL, allow_private: AllowPrivate = False) -> None:
    """Raises `AddressRefused` when the URL's host is an address, in any spelling, that may not be reached.

    aiohttp asks no resolver about such hosts. Names pass: the resolver judges what they resolve to. The URL is read
    by the parser that aiohttp dials by (yarl); what it cannot read is refused.
    """
    try:
        host = yarl.URL(url).host
    except Exception:  # yarl means ValueError, but `http://@/` and the like have brought others
        raise AddressRefused(str(url)[:200]) from None
    if not host:
        raise AddressRefused("")
    permit = Permit.of(allow_private)
    if permit.everything:
        return
    meanings = literal_addresses(host)
    if meanings is None:
        return
    if not meanings or not all(map(permit.address, meanings)):
        raise AddressRefused(host, map(str, meanings))


class GuardedResolver(AbstractResolver):
    """Asks another resolver once and hands on only the addresses that passed; refuses when none did.

    The inner one is aiohttp's own choice: aiodns where it is installed, for it waits on sockets, while the threaded
    resolver shares the loop's few threads, and a handful of slow names would hold up every other lookup.
    """

    def __init__(self, allow_private: AllowPrivate = False, inner: AbstractResolver | None = None) -> None:
        self._permit = Permit.of(allow_private)
        self._inner = inner if inner is not None else DefaultResolver()
        self._trusted_names: set[str] = set()
        self._trusted_addresses: set[str] = set()

    def trust(self, host: str) -> None:
        """Lets the connector dial a host of the operator's choice (a proxy), wherever it is; pages may not name it."""
        meanings = literal_addresses(host)
        if meanings is None:
            self._trusted_names.add(_plain_name(host))
        else:
            self._trusted_addresses.update(map(str, meanings))

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if self._permit.name(host) or _plain_name(host) in self._trusted_names:
            self._trusted_addresses.update(result["host"] for result in found)
            return found
        passed = [result for result in found if self._permit.address(result["host"])]
        if not passed:
            raise AddressRefused(host, [result["host"] for result in found])
        return passed

    def may_dial(self, address: str) -> bool:
        """Whether a connection to this address may be opened; those of trusted names are remembered."""
        return self._permit.address(address) or address in self._trusted_addresses

    async def close(self) -> None:
        await self._inner.close()


class GuardedConnector(aiohttp.TCPConnector):
    """A connector that resolves through the guard and judges each address again as it opens the socket."""

    def __init__(self, guard: GuardedResolver, **kw: Any) -> None:
        self._guard = guard
        super().__init__(resolver=guard, socket_factory=self._open_socket, **kw)

    def _open_socket(self, addr_info: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, protocol, _, sockaddr = addr_info
        address = str(sockaddr[0])
        if not self._guard.may_dial(address):
            raise AddressRefused(address)
        return socket.socket(family=family, type=kind, proto=protocol)

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - aiohttp's own
    ) -> Connection:
        """The connection is there and nothing is sent yet: the last moment to think better of it."""
        connection = await super().connect(req, traces, timeout)
        try:
            clearance.check()
        except BaseException:
            connection.release()
            raise
        return connection

    async def close(self, *, abort_ssl: bool = False) -> None:
        await super().close(abort_ssl=abort_ssl)
        await self._guard.close()


def guarded_connector(
    allow_private: AllowPrivate = False, *, proxies: Iterable[str] = (), **kw: Any
) -> GuardedConnector:
    """The connector for every plain HTTP request of the crawler; keywords as for `aiohttp.TCPConnector`.

    `resolver`, when given, is the inner one; `proxies` are URLs of proxies that may be dialled though they be private.
    Must be called in a running loop.
    """
    guard = GuardedResolver(allow_private, kw.pop("resolver", None))
    for proxy in proxies:
        guard.trust(yarl.URL(proxy).host or "")
    # A crawler comes back to a host every few seconds; aiohttp's 10 seconds would resolve it anew nearly each time.
    return GuardedConnector(guard, **{"ttl_dns_cache": 300, "dns_cache_max_size": 10_000, **kw})
