"""The frontier: which URL next, for all workers. `Frontier` is the contract, `SqliteFrontier` the embedded default."""

from nephila.frontier.base import (
    MAX_PRIORITY,
    DeadLetter,
    Entry,
    Frontier,
    HostRule,
    HostStats,
    Lease,
    Limits,
    Politeness,
    Stats,
    Visit,
    rank,
)
from nephila.frontier.sqlite import SqliteFrontier

__all__ = [
    "MAX_PRIORITY",
    "DeadLetter",
    "Entry",
    "Frontier",
    "HostRule",
    "HostStats",
    "Lease",
    "Limits",
    "Politeness",
    "SqliteFrontier",
    "Stats",
    "Visit",
    "rank",
]
