"""The part of Elasticsearch's and OpenSearch's interface that a writer uses: index creation, _bulk, _mget, _search.

    python -m tests.servers.search PORT

A reference of our own after their documentation: neither Debian nor PyPI carries a server.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson

from .ports import free_port
from .process import listening, running

_indices: dict[str, dict[str, Any]] = {}
_turn = threading.Lock()


def _bulk(body: bytes) -> dict[str, Any]:
    lines = body.split(b"\n")
    assert lines.pop() == b"", "the body must end with a line's end"
    items, at = [], 0
    while at < len(lines):
        ((action, target),) = orjson.loads(lines[at]).items()
        document, at = orjson.loads(lines[at + 1]), at + 2
        index = _indices.setdefault(target["_index"], {})
        known = target["_id"] in index
        if action == "create" and known:
            error = {"type": "version_conflict_engine_exception", "reason": "document already exists"}
            items.append({action: {"_id": target["_id"], "status": 409, "error": error}})
        else:
            index[target["_id"]] = document
            items.append({action: {"_id": target["_id"], "status": 200 if known else 201}})
    return {"errors": any("error" in value for item in items for value in item.values()), "items": items}


def answer(method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
    path = path.partition("?")[0]
    if path == "/_bulk":
        return 200, _bulk(body)
    name, _, verb = path.strip("/").partition("/")
    if method == "PUT" and not verb:
        if name in _indices:
            error = {"type": "resource_already_exists_exception", "reason": f"index [{name}] already exists"}
            return 400, {"error": error, "status": 400}
        _indices[name] = {}
        return 200, {"acknowledged": True}
    index = _indices.get(name)
    if index is None:
        return 404, {"error": {"type": "index_not_found_exception", "reason": "no such index"}, "status": 404}
    if verb == "_mget":
        return 200, {"docs": [{"_id": each, "found": each in index} for each in orjson.loads(body)["ids"]]}
    if verb == "_refresh":
        return 200, {"_shards": {"failed": 0}}
    if verb == "_count":
        return 200, {"count": len(index)}
    if verb == "_search":
        hits = [{"_id": each, "_source": document} for each, document in index.items()]
        return 200, {"hits": {"total": {"value": len(hits)}, "hits": hits}}
    return 405, {"error": {"type": "unsupported", "reason": path}, "status": 405}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        with _turn:
            status, said = answer(self.command, self.path, body)
        data = orjson.dumps(said)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = _answer  # noqa: N815

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@contextlib.contextmanager
def search(place: Path) -> Iterator[str]:
    port = free_port()
    place.mkdir(parents=True, exist_ok=True)
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-m", "tests.servers.search", str(port)]
    with running(command, place / "log", lambda: listening(port), env={"PYTHONPATH": str(root)}):
        yield f"elasticsearch+http://127.0.0.1:{port}"


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler).serve_forever()
