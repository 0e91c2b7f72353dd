"""The memory: small facts shared by all workers and kept between crawls. `Memory` is the contract."""

from nephila.memory.base import Memory
from nephila.memory.sqlite import SqliteMemory

__all__ = ["Memory", "SqliteMemory"]
