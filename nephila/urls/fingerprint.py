"""64-bit identities of URLs: of the page (`fingerprint`), of one visit to it (`delivery_key`), of its kind (`family`).

All are signed, as SQLite and JSON like their integers, and stable for ever: they are keys of stored frontiers and
outputs, so their values are pinned by tests. A frontier of 100 million URLs meets one accidental collision of
fingerprints with a chance of 1 in 3,700. Knows no other room.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

from nephila.urls.shape import shape

_MASK = (1 << 64) - 1


def fingerprint(url: str) -> int:
    """Identity of the page at a canonical URL.

    The order of parameters does not count (filters of a shop link to each other in every order, n! URLs of one page);
    the order among parameters of one name does. The URL itself keeps its order: it is fetched as it was found.
    """
    head, mark, query = url.partition("?")
    if mark and "&" in query:
        url = f"{head}?{'&'.join(sorted(query.split('&'), key=_name))}"
    return _signed(xxh3_64_intdigest(url.encode()))


def delivery_key(fingerprint: int, visit: int) -> int:
    """Identity of one visit's record: the fingerprint for visit 0, else a mix in which no two pages of a visit meet."""
    if visit == 0:
        return fingerprint
    # The finalizer of splitmix64: every step is a bijection of 64 bits, so different fingerprints stay different.
    mixed = (fingerprint + visit * 0x9E3779B97F4A7C15) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return _signed(mixed ^ (mixed >> 31))


def family(url: str) -> int:
    """Identity of a canonical URL's shape (`nephila.urls.shape`): the unit of the trap budget."""
    return _signed(xxh3_64_intdigest(shape(url).encode()))


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
