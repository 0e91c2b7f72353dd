"""Scripts on a Redis server: what the shared frontier and memory stand on. Knows no key and no other room."""

from nephila.redis.connecting import is_redis, without_password
from nephila.redis.scripts import Script, load_script
from nephila.redis.server import PATIENCE, Server

__all__ = ["PATIENCE", "Script", "Server", "is_redis", "key_prefix", "load_script", "without_password"]


def key_prefix(job: str) -> bytes:
    """Of all keys of a job; a brace in its name would end the hash tag too soon."""
    return f"nephila:{{{job.replace('{', '(').replace('}', ')')}}}:".encode()
