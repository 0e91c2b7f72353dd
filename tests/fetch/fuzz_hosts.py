"""Any text as a URL's host: what the C library takes for an address inside the network never passes the guard."""

from __future__ import annotations

import socket

import yarl

from nephila.fetch.guard import AddressRefused, check_url, is_public
from tests.fetch.fuzzing import main

SEEDS = [
    b"127.0.0.1",
    b"0x7f.1",
    b"2130706433",
    b"0177.0.0.01",
    b"[::ffff:10.0.0.1]",
    b"[fe80::1%25eth0]",
    b"%31%32%37.1",
    b"8.8.8.8",
]


def target(data: bytes) -> None:
    url = f"http://{data.decode('utf-8', 'replace')}/"
    try:
        check_url(url)
    except AddressRefused:
        return
    host = yarl.URL(url).raw_host or ""
    try:
        dialled = socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, ValueError):
        return
    assert is_public(dialled), (url, dialled)


if __name__ == "__main__":
    main(target, SEEDS)
