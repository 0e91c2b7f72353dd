"""`python -m nephila.demo`: serve the sample sites on loopback."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from nephila.demo.server import SITES, run
from nephila.errors import NephilaError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m nephila.demo", description="Serve the sample sites on loopback.")
    parser.add_argument("sites", nargs="*", metavar="SITE", help=f"{', '.join(SITES)} (all), or MODULE:ATTRIBUTE")
    parser.add_argument("--port", type=int, default=0, help="port of the first site, the others follow; 0: free ones")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--log", type=Path, help="append one JSON line for every request to this file")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end when standard input ends")
    given = parser.parse_args()
    try:
        asyncio.run(
            run(
                given.sites,
                host=given.host,
                port=given.port,
                log=given.log,
                until_stdin_closes=given.until_stdin_closes,
            )
        )
    except (NephilaError, OSError) as problem:
        print(f"nephila demo: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
