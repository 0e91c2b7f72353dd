"""The process of a station: how Python is set up for it, and its run from start to end."""

from __future__ import annotations

import gc

from nephila.cluster.address import ZooKeeperAddress
from nephila.cluster.place import Place
from nephila.cluster.station import Station, StationOptions


async def serve(place: Place, coordinator: ZooKeeperAddress | None, options: StationOptions) -> None:
    # As in a worker of a single machine: a page makes thousands of short-lived objects and hardly a cycle.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    await Station(place, coordinator, options).run()
