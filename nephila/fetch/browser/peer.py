"""Whose process is at the other end of a loopback connection: the kernel knows the user of each socket.

Asked over netlink, one socket at a time: reading the table of all connections takes milliseconds on a busy machine.
"""

from __future__ import annotations

import os
import socket
import struct
import sys

_NETLINK_SOCK_DIAG = 4
_SOCK_DIAG_BY_FAMILY = 20
_NLM_F_REQUEST = 1
_HEADER = struct.Struct("=IHHII")
_REQUEST = struct.Struct("=BBBxI")
_NO_COOKIE = b"\xff" * 8
# In the answer: after the netlink header, inet_diag_msg with the user at its 16th word.
_USER = struct.Struct("=I")
_USER_OFFSET = _HEADER.size + 4 + 48 + 12


def is_own_process(peer: tuple[str, int], here: tuple[str, int]) -> bool:
    """Whether the connection from `peer` to `here`, both IPv4 on this machine, was opened by our own user.

    Where the kernel cannot be asked (it is no Linux, or a sandbox forbids it) the answer is yes: the address was
    checked to be loopback, which is all that other programs of this kind rely on.
    """
    if not sys.platform.startswith("linux"):
        return True
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _NETLINK_SOCK_DIAG) as kernel:
            kernel.settimeout(1.0)
            kernel.send(_question(peer, here))
            answer = kernel.recv(4096)
    except OSError:
        return True
    kind = _HEADER.unpack_from(answer)[1]
    if kind != _SOCK_DIAG_BY_FAMILY or len(answer) < _USER_OFFSET + _USER.size:
        return False  # no such socket: it is gone already
    user: int = _USER.unpack_from(answer, _USER_OFFSET)[0]
    return user == os.getuid()


def _question(peer: tuple[str, int], here: tuple[str, int]) -> bytes:
    every_state = 0xFFFFFFFF
    body = _REQUEST.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, every_state)
    body += struct.pack("!HH", peer[1], here[1])
    body += socket.inet_aton(peer[0]).ljust(16, b"\0") + socket.inet_aton(here[0]).ljust(16, b"\0")
    body += struct.pack("=I", 0) + _NO_COOKIE
    return _HEADER.pack(_HEADER.size + len(body), _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 1, 0) + body
