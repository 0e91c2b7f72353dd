"""A small mutation fuzzer: `python -m tests.fetch.fuzz_robots [seconds]` runs a target until the time is over.

Seeds and crashes are bytes; the random numbers are seeded, so that a run can be repeated.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence

_INTERESTING = [
    b"\0",
    b"\xff",
    b"<",
    b">",
    b"&",
    b'"',
    b"*",
    b"$",
    b"%",
    b"\r",
    b"\n",
    b"]]>",
    b"-->",
    b"<!--",
    b"<![CDATA[",
]


def mutated(data: bytes, seeds: Sequence[bytes], rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        at = rng.randint(0, len(out))
        span = rng.randint(0, min(40, len(out) - at))
        match rng.randint(0, 5):
            case 0:
                del out[at : at + span]
            case 1:
                out[at:at] = rng.choice(_INTERESTING) * rng.choice((1, 1, 1, 20))
            case 2:
                out[at:at] = rng.randbytes(rng.randint(1, 4))
            case 3:
                out[at:at] = out[at : at + span] * rng.randint(1, 10)
            case 4:
                other = rng.choice(seeds)
                start = rng.randint(0, len(other))
                out[at : at + span] = other[start : start + 60]
            case _:
                if at < len(out):
                    out[at] ^= 1 << rng.randint(0, 7)
    return bytes(out[:20_000])


def run(
    target: Callable[[bytes], None],
    seeds: Sequence[bytes],
    *,
    rounds: int | None = None,
    seconds: float = 0,
    seed: int = 1,
) -> int:
    """Gives the number of inputs tried; an error is raised anew with the input that caused it."""
    rng = random.Random(seed)
    pool = list(seeds)
    done = 0
    deadline = time.monotonic() + seconds
    while done < rounds if rounds is not None else time.monotonic() < deadline:
        data = mutated(rng.choice(pool), seeds, rng)
        try:
            target(data)
        except Exception as error:
            raise AssertionError(f"{target.__module__} fails on {data!r}") from error
        if rng.random() < 0.02:  # some inputs live on, so that mutations add up
            pool.append(data)
            if len(pool) > 200:
                pool.pop(rng.randrange(len(seeds), len(pool)))
        done += 1
    return done


def main(target: Callable[[bytes], None], seeds: Sequence[bytes]) -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    print(run(target, seeds, seconds=seconds, seed=random.randrange(2**32)), "inputs, no failure")
