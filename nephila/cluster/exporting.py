"""The export: the spools of a job's workers merged into its outputs, each delivery once.

The sinks' own ledger is what makes it exact: a delivery whose key is known is left out, whoever fetched it a second
time. So an export may be stopped, run again, and run while the crawl still goes on: it adds what is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from nephila.cluster.spool import read_segments, spool_files
from nephila.errors import InputError
from nephila.sinks import Delivery, open_sink

_BATCH = 2000
"""Deliveries of one commit: each costs a sync of the disk."""


@dataclass(frozen=True, slots=True)
class Exported:
    files: int
    deliveries: int
    """In the spools, those twice there counted twice."""
    written: int
    """New to the outputs."""


def export(
    directories: Sequence[Path],
    outputs: Sequence[str],
    ledger: Path,
    *,
    overwrite: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Exported:
    """Merges what is committed now. `on_progress` is told the deliveries read so far."""
    files = [path for directory in directories for path in spool_files(directory)]
    if not files:
        raise InputError(f"no spool in {', '.join(map(str, directories))}: name the workers' --spool and the job")
    read = written = 0
    with ExitStack() as stack:
        sinks = []
        for uri in outputs:
            sinks.append(open_sink(uri, ledger, overwrite=overwrite))
            stack.callback(sinks[-1].close)
        for batch in _batches(files):
            written += max([sink.commit(batch) for sink in sinks], default=0)
            read += len(batch)
            on_progress(read)
    return Exported(len(files), read, written)


def _batches(files: Sequence[Path]) -> Iterator[list[Delivery]]:
    batch: list[Delivery] = []
    for path in files:
        for segment in read_segments(path):
            batch += segment
            if len(batch) >= _BATCH:
                yield batch
                batch = []
    if batch:
        yield batch
