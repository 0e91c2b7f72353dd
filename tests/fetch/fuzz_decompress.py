"""Any bytes under any content coding: a FetchError or a body within the limit, and nothing else."""

from __future__ import annotations

import contextlib
import gzip
import zlib

import brotli
import zstandard

from nephila.fetch.decompress import decompress
from nephila.fetch.errors import FetchError
from tests.fetch.fuzzing import main

_TEXT = b"<p>The lighthouse keeper counts the ships.</p>\n" * 20
LIMIT = 4000
CODINGS = ["gzip", "deflate", "br", "zstd", "gzip, gzip", "zstd, br", "x-gzip, identity"]

SEEDS = [
    bytes([number]) + packed
    for number, packed in enumerate(
        [
            gzip.compress(_TEXT),
            zlib.compress(_TEXT),
            brotli.compress(_TEXT, quality=3),
            zstandard.ZstdCompressor().compress(_TEXT),
            gzip.compress(gzip.compress(_TEXT)),
            brotli.compress(zstandard.ZstdCompressor().compress(_TEXT)),
            gzip.compress(b"a") + gzip.compress(b"b"),
        ]
    )
]


def target(data: bytes) -> None:
    coding = CODINGS[data[0] % len(CODINGS)] if data else "gzip"
    for cut in (False, True):
        with contextlib.suppress(FetchError):
            assert len(decompress(data[1:], coding, LIMIT, cut=cut)) <= max(LIMIT, len(data))


if __name__ == "__main__":
    main(target, SEEDS)
