"""What a supervisor and its workers agree upon: how a worker's end is to be read. Imports nothing heavy."""

from __future__ import annotations

EXIT_DONE = 0
"""The frontier is drained, or the worker was told to drain."""
EXIT_FATAL = 3
"""An output or the state cannot be used; the reason is in the memory, space `FATAL`, under the worker's name."""
EXIT_UNFINISHED = 4
"""It ended although there is work left: another worker should try."""

FATAL = "fatal"
DRAIN = b"drain"
"""The line that asks a worker to finish what is under way."""
