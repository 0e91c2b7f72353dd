"""Kills and restarts parts of a running cluster at random; is every page there once, and was every host left its delay?

    python -m benchmarks.cluster_chaos --seed 7            # 20,000 pages on 20 hosts, 6 workers: 5 to 10 minutes
    python -m benchmarks.cluster_chaos --seed 1 --seeds 10 # ten runs; exit status 1 if one fails

Needs redis-server and zookeeper. What is done is drawn from the seed; the verdict is one line of JSON a run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import orjson

from tests.cluster.chaos import Chaos, Plan


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="runs, with seeds that follow each other")
    parser.add_argument("--hosts", type=int, default=20)
    parser.add_argument("--pages", type=int, default=1000, help="of each host")
    parser.add_argument("--patience", type=float, default=1800.0, help="seconds after which a run has failed")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--keep", type=Path, help="a directory for the logs and data of the runs")
    options = parser.parse_args()
    passed = True
    for seed in range(options.seed, options.seed + options.seeds):
        plan = Plan(seed, hosts=options.hosts, pages=options.pages, patience=options.patience)
        print(f"seed {seed}", flush=True)
        with tempfile.TemporaryDirectory(prefix="nephila-chaos-") as temporary:
            place = options.keep / str(seed) if options.keep else Path(temporary)
            if place.exists() and any(place.iterdir()):
                raise SystemExit(f"{place} is not empty: what another run left there would be counted")
            verdict = Chaos(plan, place).run(lambda line: None if options.quiet else print(line, flush=True))
        print(orjson.dumps(asdict(verdict)).decode(), flush=True)
        passed = passed and verdict.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
