"""Runs the peers over the data sets once and keeps each page's score and CPU time in a cache directory.

The peers live in a virtual environment of their own (they pin parsers and bring many dependencies), so this file
imports of Nephila only the reading of samples and the scoring:

    .venv-peers/bin/python -m benchmarks.content_peers --data DIR --cache DIR [--sets a,b] [--peers x,y]

`nephila evaluate --peers DIR` puts the cached figures beside Nephila's own.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
import time
from pathlib import Path

from nephila.content.gold.datasets import Sample, read_set, set_names
from nephila.content.gold.peers import PEERS, Peer
from nephila.content.score import bag_score, segment_score


def judge(peer: Peer, sample: Sample) -> dict[str, object]:
    """One row of the cache: the page's score and the CPU time that the peer took for it."""
    start = time.process_time()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            text = peer(sample.html, sample.lang)
    except Exception:
        text = ""  # A page on which a peer fails is a page without text.
    milliseconds = (time.process_time() - start) * 1000
    row: dict[str, object] = {"id": sample.id, "ms": round(milliseconds, 3)}
    if sample.segments_only:
        return row | {"segments": segment_score(text, sample.wanted, sample.unwanted)}
    score = bag_score(text, sample.gold)
    return row | {"p": round(score.precision, 5), "r": round(score.recall, 5), "f1": round(score.f1, 5)}


def main() -> None:
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--sets", default="")
    parser.add_argument("--peers", default=",".join(PEERS))
    args = parser.parse_args()
    for name in args.sets.split(",") if args.sets else set_names(args.data):
        samples = list(read_set(args.data, name))
        for peer_name in args.peers.split(","):
            target = args.cache / f"{name}.{peer_name}.jsonl"
            if target.exists():
                continue
            try:
                peer = PEERS[peer_name]()
            except ImportError as error:
                print(f"{peer_name} is not installed ({error}); left out")
                continue
            rows = [json.dumps(judge(peer, sample)) for sample in samples]
            args.cache.mkdir(parents=True, exist_ok=True)
            target.write_text("\n".join(rows) + "\n")
            print(f"{name} {peer_name}: {len(rows)} pages")


if __name__ == "__main__":
    main()
