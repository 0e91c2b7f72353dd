"""Entries, leases and visits as the bytes that the scripts read and keep; lua/queues.lua says how a record is laid out.

A URL is kept without its host, which its queue names. All numbers are big-endian. Knows the contract and bytes alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from struct import Struct
from typing import Any

import orjson

from nephila.frontier.base import DeadLetter, Entry, HostRule, Lease, Politeness, Visit, rank

NO_BUDGET = 0xFFFFFFFF

_U2, _U4, _U8 = Struct(">H"), Struct(">I"), Struct(">Q")
_RULE = Struct(">dI")
_MOST_PARALLEL = 2**24 - 1
_LEASE = Struct(">Q8s")
_PRIORITY, _PRIORITY_AND_DATE = Struct(">i"), Struct(">id")
_DEAD = Struct(">dIH")

_ORPHANED = 0x8000
_META, _FAMILY = 4, 8
_PREFIXES = ("", "https://", "http://")
_DEEP = 255


def fingerprint_bytes(fingerprint: int) -> bytes:
    return fingerprint.to_bytes(8, "big", signed=True)


# -- entries ---------------------------------------------------------------------------------------------------------


def pack_entries(entries: Sequence[Entry], politeness: Politeness, budget: int | None) -> bytes:
    """A batch for lua/adding.lua, each URL once."""
    hosts: dict[str, int] = {}
    parts = [b""]
    unique = _unique(entries)
    for entry in unique:
        number = hosts.setdefault(entry.host, len(hosts) + 1)
        order = rank(entry.priority, entry.modified)
        fingerprint = entry.fingerprint.to_bytes(8, "big", signed=True)
        decimals = b"%d" % entry.fingerprint
        family = b"" if entry.family is None else entry.family.to_bytes(8, "big", signed=True)
        facts = _rank_facts(entry)
        rest = _rest(entry, family)
        parts += (
            _U2.pack(number),
            order.to_bytes(6, "big"),
            fingerprint[5:],
            bytes((len(decimals),)),
            decimals,
            fingerprint,
            bytes((len(family),)),
            family,
            bytes((len(facts),)),
            facts,
            len(rest).to_bytes(3, "big"),
            rest,
        )
    limit = NO_BUDGET if budget is None else min(budget, NO_BUDGET - 1)
    rules = b"".join(pack_rule(host, politeness.rule(host)) for host in hosts)
    head = (_U4.pack(limit), _U4.pack(politeness.mark()), _U4.pack(len(hosts)), rules, _U4.pack(len(unique)))
    parts[0] = b"".join(head)
    return b"".join(parts)


def pack_rule(host: str, rule: HostRule) -> bytes:
    name = host.encode("utf-8", "surrogatepass")
    return _U2.pack(len(name)) + name + _RULE.pack(rule.delay, rule.shy << 24 | min(rule.parallel, _MOST_PARALLEL))


def _unique(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Of an entry that comes twice in a batch, the first one stays, with the better rank."""
    first: dict[int, Entry] = {}
    for entry in entries:
        known = first.setdefault(entry.fingerprint, entry)
        if known is not entry and rank(entry.priority, entry.modified) < rank(known.priority, known.modified):
            first[entry.fingerprint] = replace(known, priority=entry.priority, modified=entry.modified)
    return list(first.values())


def _rank_facts(entry: Entry) -> bytes:
    if entry.modified is not None:
        return _PRIORITY_AND_DATE.pack(entry.priority, entry.modified)
    return _PRIORITY.pack(entry.priority) if entry.priority else b""


def _rest(entry: Entry, family: bytes) -> bytes:
    """What only clients read: kind of URL, depth, family, meta, and the URL without what its host tells."""
    url, host = entry.url, entry.host
    kind = 0
    for number in (1, 2):
        start = _PREFIXES[number] + host
        if url.startswith(start):
            kind, url = number, url[len(start) :]
            break
    depth = bytes((entry.depth,)) if 0 <= entry.depth < _DEEP else b"\xff" + entry.depth.to_bytes(8, "big", signed=True)
    if family:
        kind |= _FAMILY
    if entry.meta is None:
        return b"".join((bytes((kind,)), depth, family, url.encode("utf-8", "surrogatepass")))
    meta = orjson.dumps(dict(entry.meta))
    size = len(meta).to_bytes(3, "big")
    return b"".join((bytes((kind | _META,)), depth, family, size, meta, url.encode("utf-8", "surrogatepass")))


# -- leases ----------------------------------------------------------------------------------------------------------


def pack_leases(leases: Iterable[Lease]) -> bytes:
    parts: list[bytes] = []
    for lease in leases:
        worker = lease.worker.encode()
        parts += (_U2.pack(len(worker)), worker, _LEASE.pack(lease.token, fingerprint_bytes(lease.fingerprint)))
    return b"".join(parts)


def unpack_lease(value: bytes, token: int, worker: str, deadline: float) -> Lease:
    """A lease as lua/leases.lua keeps it."""
    end = 3 + int.from_bytes(value[1:3], "big")
    facts = _facts(value[3:end].decode("utf-8", "surrogatepass"), value, end)
    return Lease(token=token, worker=worker, deadline=deadline, **facts)


def _facts(host: str, value: bytes, at: int) -> dict[str, Any]:
    """The facts of the record that begins at `at`: a key of 11 bytes and a length of 3, then the body."""
    attempts = int.from_bytes(value[at + 22 : at + 24], "big")
    facts: dict[str, Any] = {
        "host": host,
        "fingerprint": int.from_bytes(value[at + 14 : at + 22], "big", signed=True),
        "attempt": (attempts & ~_ORPHANED) + 1,
    }
    if attempts & _ORPHANED:
        facts["orphaned"] = True
    at += 24
    size = value[at]
    at += 1
    if size == _PRIORITY_AND_DATE.size:
        facts["priority"], facts["modified"] = _PRIORITY_AND_DATE.unpack_from(value, at)
    elif size:
        (facts["priority"],) = _PRIORITY.unpack_from(value, at)
    at += size
    size = int.from_bytes(value[at : at + 3], "big")
    at += 3
    facts["visit"] = int.from_bytes(value[at : at + 3], "big") if size else 0
    if size > 8:
        facts.update(_unpack_validators(value[at + 8 : at + size]))
    _add_rest(facts, host, value, at + size)
    return facts


def _add_rest(facts: dict[str, Any], host: str, value: bytes, at: int) -> None:
    kind, depth = value[at], value[at + 1]
    at += 2
    if depth == _DEEP:
        depth = int.from_bytes(value[at : at + 8], "big", signed=True)
        at += 8
    facts["depth"] = depth
    if kind & _FAMILY:
        facts["family"] = int.from_bytes(value[at : at + 8], "big", signed=True)
        at += 8
    if kind & _META:
        end = at + 3 + int.from_bytes(value[at : at + 3], "big")
        facts["meta"] = orjson.loads(value[at + 3 : end])
        at = end
    rest = value[at:].decode("utf-8", "surrogatepass")
    facts["url"] = _PREFIXES[kind & 3] + host + rest if kind & 3 else rest


# -- visits ----------------------------------------------------------------------------------------------------------


def pack_visits(visits: Iterable[Visit], budget: int | None) -> bytes:
    """For lua/complete.lua. A visit that found no change keeps the validators of the last one."""
    parts: list[bytes] = []
    for visit in visits:
        lease = visit.lease
        validators = _pack_validators(visit if visit.changed else _kept(visit))
        family = b"" if lease.family is None or budget is None else fingerprint_bytes(lease.family)
        worker = lease.worker.encode()
        parts += (
            _U2.pack(len(worker)),
            worker,
            _LEASE.pack(lease.token, fingerprint_bytes(lease.fingerprint)),
            bytes((visit.changed + 2 * visit.counted + 4 * visit.novel, len(family))),
            family,
            len(validators).to_bytes(3, "big"),
            validators,
        )
    return b"".join(parts)


def _kept(visit: Visit) -> Visit:
    lease = visit.lease
    return replace(
        visit,
        etag=lease.etag if visit.etag is None else visit.etag,
        last_modified=lease.last_modified if visit.last_modified is None else visit.last_modified,
        digest=lease.digest if visit.digest is None else visit.digest,
    )


def _pack_validators(visit: Visit) -> bytes:
    """One byte that tells what is there; the digest; the length of the ETag, it, and the date."""
    if visit.etag is None and visit.last_modified is None:
        return b"" if visit.digest is None else b"\x01" + fingerprint_bytes(visit.digest)
    kind = (visit.digest is not None) + 2 * (visit.etag is not None) + 4 * (visit.last_modified is not None)
    digest = b"" if visit.digest is None else fingerprint_bytes(visit.digest)
    etag = (visit.etag or "").encode("utf-8", "surrogatepass")[:65535]
    date = (visit.last_modified or "").encode("utf-8", "surrogatepass")
    return b"".join((bytes((kind,)), digest, _U2.pack(len(etag)), etag, date))


def _unpack_validators(value: bytes) -> Mapping[str, Any]:
    kind, at = value[0], 1
    facts: dict[str, Any] = {}
    if kind & 1:
        facts["digest"] = int.from_bytes(value[at : at + 8], "big", signed=True)
        at += 8
    if kind & 6:
        end = at + 2 + int.from_bytes(value[at : at + 2], "big")
        if kind & 2:
            facts["etag"] = value[at + 2 : end].decode("utf-8", "surrogatepass")
        if kind & 4:
            facts["last_modified"] = value[end:].decode("utf-8", "surrogatepass")
    return facts


# -- dead letters ----------------------------------------------------------------------------------------------------


def unpack_dead(value: bytes) -> DeadLetter:
    died_at, attempts, size = _DEAD.unpack_from(value)
    at = _DEAD.size + size
    reason = value[_DEAD.size : at].decode("utf-8", "replace")
    end = at + 2 + int.from_bytes(value[at : at + 2], "big")
    facts = _facts(value[at + 2 : end].decode("utf-8", "surrogatepass"), value, end)
    return DeadLetter(facts["url"], facts["fingerprint"], facts["host"], reason, attempts, died_at)
