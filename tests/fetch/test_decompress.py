"""Content codings: what was packed comes back, and nothing else than a FetchError ever comes instead."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import assume, given
from hypothesis import strategies as st

from nephila.fetch.decompress import decompress
from nephila.fetch.errors import Cause, FetchError

LIMIT = 2**20


def _raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(body) + packer.flush()


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": lambda body: gzip.compress(body, 1),
    "deflate": zlib.compress,
    "br": lambda body: brotli.compress(body, quality=3),
    "zstd": zstandard.ZstdCompressor().compress,
    "identity": bytes,
}
codings = st.sampled_from(list(PACK))
packed_codings = st.sampled_from([name for name in PACK if name != "identity"])
bodies = st.binary(max_size=400).flatmap(lambda seed: st.integers(0, 60).map(lambda times: seed * times))


@given(bodies, st.lists(codings, min_size=1, max_size=3), st.sampled_from([", ", ",", " ,"]))
def test_any_nesting_comes_back(body: bytes, layers: list[str], comma: str) -> None:
    packed = body
    for layer in layers:
        packed = PACK[layer](packed)
    assert decompress(packed, comma.join(layers).upper(), LIMIT) == body


@given(bodies)
def test_raw_deflate_is_understood_as_browsers_do(body: bytes) -> None:
    assert decompress(_raw_deflate(body), "deflate", LIMIT) == body


@given(bodies, packed_codings, st.data())
def test_a_cut_stream_is_an_error_wherever_it_ends(body: bytes, coding: str, data: st.DataObject) -> None:
    packed = PACK[coding](body)
    end = data.draw(st.integers(1, max(1, len(packed) - 1)))
    assume(end < len(packed))
    with pytest.raises(FetchError) as failure:
        decompress(packed[:end], coding, LIMIT)
    assert failure.value.cause in (Cause.TRUNCATED, Cause.ENCODING)
    beginning = decompress(packed[:end], coding, LIMIT, cut=True)
    assert body.startswith(beginning)


@given(st.binary(min_size=1, max_size=2000), codings)
def test_garbage_is_an_error_or_a_body_within_the_limit(body: bytes, coding: str) -> None:
    with contextlib.suppress(FetchError):
        assert len(decompress(body, coding, 1000)) <= max(1000, len(body))


@given(st.integers(0, 5000), packed_codings)
def test_the_limit_is_exact(size: int, coding: str) -> None:
    packed = PACK[coding](b"x" * size)
    assert len(decompress(packed, coding, size)) == size
    if size:
        with pytest.raises(FetchError) as failure:
            decompress(packed, coding, size - 1)
        assert failure.value.cause in (Cause.TOO_LARGE, Cause.BOMB)
        assert decompress(packed, coding, size - 1, cut=True) == b"x" * (size - 1)


def test_growth_beyond_reason_is_called_a_bomb() -> None:
    for coding in ("gzip", "deflate", "br", "zstd"):
        with pytest.raises(FetchError) as failure:
            decompress(PACK[coding](b" " * 2**22), coding, 2**21)
        assert failure.value.cause is Cause.BOMB
        assert not failure.value.may_pass


def test_members_frames_and_trailing_garbage() -> None:
    assert decompress(gzip.compress(b"a") + gzip.compress(b"b"), "gzip", LIMIT) == b"ab"
    assert decompress(PACK["zstd"](b"a") + PACK["zstd"](b"b"), "zstd", LIMIT) == b"ab"
    assert decompress(gzip.compress(b"a") + b"\0\0 padding", "gzip", LIMIT) == b"a"


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_a_million_tiny_members_are_refused_before_they_cost_anything(coding: str) -> None:
    with pytest.raises(FetchError) as failure:
        decompress(PACK[coding](b"x") * 500_000, coding, 2**24)
    assert failure.value.cause is Cause.BOMB


def test_too_many_layers_and_unknown_codings() -> None:
    with pytest.raises(FetchError) as failure:
        decompress(b"x", "gzip, gzip, gzip, gzip", LIMIT)
    assert failure.value.cause is Cause.BOMB
    assert decompress(b"as it is", "utf-8", LIMIT) == b"as it is"
    assert decompress(b"", "gzip", LIMIT) == b""
