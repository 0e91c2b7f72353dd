"""Which IP addresses belong to the public internet, and which hosts of URLs are IP addresses in disguise.

Pure functions over addresses; knows nothing of DNS, sockets or jobs. The rule is the standard library's view of the
IANA registries; the only networks named here are those whose addresses carry an IPv4 address inside.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import unquote

Address = IPv4Address | IPv6Address

_NAT64 = IPv6Network("64:ff9b::/96")
_IPV4_COMPATIBLE = IPv6Network("::/96")
_LOW_32_BITS = 0xFFFFFFFF
# The middle of an ISATAP interface identifier (RFC 5214), with the universal/local bit cleared.
_ISATAP_MARK = 0x00005EFE
_UNIVERSAL_BIT = 0x02000000

_BLANK = re.compile(r"[\x00-\x20\x7f\s]")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")


@lru_cache(maxsize=4096)
def is_public(ip: str | Address) -> bool:
    """Whether the address, and every IPv4 address that it carries inside, is globally reachable.

    Text that is no IP address is not public.
    """
    if isinstance(ip, str):
        try:
            ip = ip_address(ip)
        except ValueError:
            return False
    if isinstance(ip, IPv4Address):
        return _is_global_unicast(ip)
    if ip.scope_id is not None:  # a zone names an interface of this machine
        return False
    plain = unwrapped(ip)
    if isinstance(plain, IPv4Address):
        return _is_global_unicast(plain)
    # `is_reserved` and `is_site_local` are asked too because `is_global` of Python 3.11 and 3.12 depends on the patch
    # release: 3.11.7 holds ::127.0.0.1, 64:ff9b:1::/48 and fec0::/10 for global.
    return _is_global_unicast(ip) and not ip.is_site_local and all(map(_is_global_unicast, _carried(ip)))


def unwrapped(ip: Address) -> Address:
    """The IPv4 address when the IPv6 one is merely its other spelling (IPv4-mapped, NAT64), else the address itself."""
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return ip.ipv4_mapped
        if ip in _NAT64:
            return IPv4Address(int(ip) & _LOW_32_BITS)
    return ip


def _is_global_unicast(ip: Address) -> bool:
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _carried(ip: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that a tunnel would send packets for this IPv6 address to."""
    low = int(ip) & _LOW_32_BITS
    if ip.sixtofour is not None:
        yield ip.sixtofour
    if ip.teredo is not None:
        yield from ip.teredo
    if ip in _IPV4_COMPATIBLE:
        yield IPv4Address(low)
    if (int(ip) >> 32 & _LOW_32_BITS & ~_UNIVERSAL_BIT) == _ISATAP_MARK:
        yield IPv4Address(low)


def literal_addresses(host: str) -> list[Address] | None:
    """Every address that a host spelled in numbers may mean; None when the host is a name, to be resolved.

    Programs disagree on `010.0.0.1` (octal or decimal), so each reading is given. A host that ends in a number but
    makes no address (`1.2.3.4.5`, `256.0.0.1`) is no name either: the list is empty.
    """
    host = unicodedata.normalize("NFKC", unquote(host)).rstrip(".")
    if _BLANK.search(host):  # `inet_aton` reads `127.0.0.1 x` as an address; no name holds a blank
        return []
    if ":" in host:
        return _parsed(host.strip("[]"))
    labels = host.split(".")
    if not _NUMERIC_LABEL.fullmatch(labels[-1]):
        return None
    readings = {_ipv4_of(labels, leading_zero_base) for leading_zero_base in (8, 10)}
    return [reading for reading in readings if reading is not None]


def _parsed(host: str) -> list[Address]:
    # An IPv6 zone is written %25eth0 in a URL; `unquote` has already made it %eth0.
    try:
        return [ip_address(host)]
    except ValueError:
        return []


def _ipv4_of(labels: list[str], leading_zero_base: int) -> IPv4Address | None:
    """The old `inet_aton` forms: one to four numbers in decimal, hex or octal; the last one fills what is left."""
    if len(labels) > 4:
        return None
    try:
        numbers = [_number(label, leading_zero_base) for label in labels]
    except ValueError:
        return None
    *head, last = numbers
    room = 8 * (4 - len(head))
    if any(number > 255 for number in head) or last >> room:
        return None
    value = last
    for position, number in enumerate(head):
        value |= number << 8 * (3 - position)
    return IPv4Address(value)


def _number(label: str, leading_zero_base: int) -> int:
    if not label.isascii() or len(label) > 64 or not _NUMERIC_LABEL.fullmatch(label):
        raise ValueError(label)
    if label[:2] in ("0x", "0X"):
        return int(label[2:] or "0", 16)
    return int(label, leading_zero_base if label[0] == "0" else 10)
