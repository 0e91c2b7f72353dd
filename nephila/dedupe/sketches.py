"""The sketch of a text: a few numbers by which near-copies know each other. Knows text alone.

Features are the 12 bytes from each start of a word (in scripts without blanks: of each character), after the text was
lowered, its punctuation left out and its blanks made alike: about the sequences of two to three words. Of these sets

- the sketch keeps 80 bits, each a bit of the smallest hash in one of 80 equal ranges (one-permutation MinHash with one
  bit a range): two texts whose sets have the resemblance (Jaccard) J differ in about 80 * (1 - J) / 2 bits;
- the keys are the smallest hashes of pairs of features, about four words: a text is stored under two of them and
  looked up under eight, so that a near-copy is met unless both pairs were lost.

A page's text takes some 50 microseconds, most of them NumPy's own cost of a call: hence the constants made once, and
the arrays that are changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xxhash

BITS = 80
STORED, ASKED = 2, 8
"""Keys under which a text is stored, and under which it is looked up."""
MIN_FEATURES = 24
"""Below this the sets say too little: only an exact copy counts."""
MAX_TEXT = 200_000
"""Characters; of a longer text, the beginning."""

_WINDOW = 12
_MULTIPLY, _ADD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_32, _29 = np.uint64(32), np.uint64(29)
_KEYS_EXPECTED = 3 * ASKED
_BLANK = 32

_Words = npt.NDArray[np.uint64]


def _table() -> bytes:
    """ASCII letters lowered; what is neither letter nor digit a blank; bytes of other scripts as they are."""
    return bytes(ord(chr(b).lower()) if b < 128 and chr(b).isalnum() else b if b >= 128 else 32 for b in range(256))


_ALIKE = _table()
_LEFT_OUT = b".,;:!?\"'()[]"
_BOUNDS = ((np.arange(BITS, dtype=np.float64) / BITS) * 2.0**64).astype(np.uint64)
_SALT = (np.arange(BITS, dtype=np.uint64) + np.uint64(1)) * _MULTIPLY


@dataclass(frozen=True, slots=True)
class Sketch:
    """Of a text, or of anything that has an exact hash only (`keys` has one element then)."""

    bits: int
    """80 of them."""
    keys: tuple[int, ...]
    """64-bit numbers, the best first."""
    near: bool
    """False: it says nothing about near-copies."""


def exact(digest: int) -> Sketch:
    """For what is equal or not, by its content hash."""
    number = xxhash.xxh3_128_intdigest(digest.to_bytes(8, "little", signed=True))
    return Sketch(number >> (128 - BITS), (number & (2**64 - 1),), near=False)


def sketch(text: str) -> Sketch | None:
    """None for a text without a word."""
    alike = _single_blanks(text[:MAX_TEXT].encode("utf-8", "replace").translate(_ALIKE, _LEFT_OUT).strip())
    if not alike:
        return None
    hashes = _features(alike)
    if len(hashes) < MIN_FEATURES:
        return exact(int.from_bytes(xxhash.xxh3_64_digest(alike), "big", signed=True))
    keys = _keys(hashes)
    hashes.sort()
    first = hashes.take(hashes.searchsorted(_BOUNDS), mode="wrap")
    first ^= _SALT
    packed = np.packbits(_mixed(first).view(np.int64) < 0).tobytes()  # the highest bit of each
    return Sketch(int.from_bytes(packed, "big"), keys, near=True)


def _single_blanks(alike: bytes) -> bytes:
    """A third of the time of `replace`, and of splitting and joining."""
    raw = np.frombuffer(alike, np.uint8)
    blank = raw == _BLANK
    second = blank[1:] & blank[:-1]
    if not second.any():
        return alike
    kept = np.ones(len(alike), np.bool_)
    np.logical_not(second, out=kept[1:])
    return raw[kept].tobytes()


def _features(alike: bytes) -> _Words:
    """The hash of each feature; a feature that comes twice counts twice, which harms neither bits nor keys."""
    length, padded = len(alike), alike + bytes(_WINDOW)
    raw = np.frombuffer(padded, np.uint8, length)
    before = raw == _BLANK  # a feature begins behind each
    if not alike.isascii():
        before[:-1] |= raw[1:] >= 0xE0  # first byte of a character beyond the alphabets: each begins one
    at = before.nonzero()[0]
    hashes: _Words = np.ndarray((length,), "<u8", padded, 1, strides=(1,))[at]
    ends = np.ndarray((length,), "<u8", padded, 1 + _WINDOW - 8, strides=(1,))[at]
    hashes *= _MULTIPLY
    ends *= _ADD
    hashes ^= ends
    return _mixed(hashes)


def _keys(hashes: _Words) -> tuple[int, ...]:
    """The smallest hashes of two features, a word between them: a phrase that thousands of texts share is no key."""
    pairs = hashes[:-2] * _ADD
    pairs ^= hashes[2:]
    if len(pairs) > _KEYS_EXPECTED:
        # Hashes are spread evenly: those below this bound are about three times as many as are wanted.
        small = sorted(set(pairs[pairs < np.uint64(2**64 // len(pairs) * _KEYS_EXPECTED)].tolist()))
        if len(small) >= ASKED:
            return tuple(small[:ASKED])
    return tuple(sorted(set(pairs.tolist()))[:ASKED])


def _mixed(values: _Words) -> _Words:
    """In place."""
    values ^= values >> _32
    values *= _ADD
    values ^= values >> _29
    return values


def distance(one: int, other: int) -> int:
    return (one ^ other).bit_count()
