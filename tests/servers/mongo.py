"""MongoDB's wire protocol (OP_MSG) over mongomock, the reference at hand: Debian and PyPI carry no MongoDB server.

    python -m tests.servers.mongo PORT

Knows the commands that a writer sends; what they do to the collections is mongomock's word.
"""

from __future__ import annotations

import contextlib
import socketserver
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bson
import mongomock
from mongomock.collection import Collection

from .ports import free_port
from .process import listening, running

_OP_MSG, _OP_QUERY, _OP_REPLY = 2013, 2004, 1
_client: Any = mongomock.MongoClient()
_turn = threading.Lock()
_HELLO = {
    "helloOk": True,
    "isWritablePrimary": True,
    "ismaster": True,
    "maxBsonObjectSize": 16 * 2**20,
    "maxMessageSizeBytes": 48_000_000,
    "maxWriteBatchSize": 100_000,
    "minWireVersion": 0,
    "maxWireVersion": 21,
    "readOnly": False,
    "ok": 1.0,
}


_every = Collection._iter_documents


def _found(collection: Any, wanted: dict[str, Any]) -> Any:
    """mongomock looks at every document; a server has an index on `_id`, without which 20,000 writes take hours."""
    by_id = wanted.get("_id")
    if by_id is None or (isinstance(by_id, dict) and set(by_id) != {"$in"}):
        return _every(collection, wanted)
    store = collection._store
    known = [store[each] for each in (by_id["$in"] if isinstance(by_id, dict) else [by_id]) if each in store]
    rest = {name: value for name, value in wanted.items() if name != "_id"}
    return (document for document in known if mongomock.filtering.filter_applies(rest, document))


Collection._iter_documents = _found  # type: ignore[method-assign]


def answer(command: dict[str, Any]) -> dict[str, Any]:
    name = next(iter(command))
    if name.lower() in ("hello", "ismaster"):
        return _HELLO
    if name in ("ping", "endSessions", "createIndexes"):
        return {"ok": 1.0}
    collection = _client[command["$db"]][command[name]]
    if name == "insert":
        return _inserted(collection, command["documents"])
    if name == "update":
        for change in command["updates"]:
            collection.replace_one(change["q"], change["u"], upsert=change.get("upsert", False))
        return {"ok": 1.0, "n": len(command["updates"]), "nModified": 0}
    if name == "delete":
        removed = sum(collection.delete_many(each["q"]).deleted_count for each in command["deletes"])
        return {"ok": 1.0, "n": removed}
    if name == "count":
        return {"ok": 1.0, "n": collection.count_documents(command.get("query", {}))}
    if name == "find":
        found = list(collection.find(command.get("filter", {}), command.get("projection")))
        namespace = f"{command['$db']}.{command[name]}"
        return {"ok": 1.0, "cursor": {"id": bson.Int64(0), "ns": namespace, "firstBatch": found}}
    return {"ok": 0.0, "code": 59, "errmsg": f"no such command: {name}"}


def _inserted(collection: Any, documents: list[dict[str, Any]]) -> dict[str, Any]:
    faults = []
    for index, document in enumerate(documents):
        try:
            collection.insert_one(document)
        except mongomock.DuplicateKeyError:
            faults.append({"index": index, "code": 11000, "errmsg": "E11000 duplicate key"})
    return {"ok": 1.0, "n": len(documents) - len(faults), **({"writeErrors": faults} if faults else {})}


class _Connection(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while head := self.rfile.read(16):
            length, request, _, kind = struct.unpack("<iiii", head)
            body = self.rfile.read(length - 16)
            if kind == _OP_QUERY:
                reply = struct.pack("<iqii", 8, 0, 0, 1) + bson.encode(_HELLO)
                self._send(reply, request, _OP_REPLY)
            elif kind == _OP_MSG:
                command = _command(body)
                with _turn:
                    said = answer(command)
                self._send(struct.pack("<IB", 0, 0) + bson.encode(said), request, _OP_MSG)

    def _send(self, body: bytes, request: int, kind: int) -> None:
        self.wfile.write(struct.pack("<iiii", 16 + len(body), 0, request, kind) + body)


def _command(body: bytes) -> dict[str, Any]:
    at, command, lists = 4, {}, {}
    while at < len(body):
        section, at = body[at], at + 1
        (size,) = struct.unpack_from("<i", body, at)
        if section == 0:
            command = bson.decode(body[at : at + size])
        else:
            end = body.index(b"\0", at + 4)
            lists[body[at + 4 : end].decode()] = bson.decode_all(body[end + 1 : at + size])
        at += size
    return command | lists


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextlib.contextmanager
def mongodb(place: Path) -> Iterator[str]:
    port = free_port()
    place.mkdir(parents=True, exist_ok=True)
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-m", "tests.servers.mongo", str(port)]
    with running(command, place / "log", lambda: listening(port), env={"PYTHONPATH": str(root)}):
        yield f"mongodb://127.0.0.1:{port}/nephila"


if __name__ == "__main__":
    _Server(("127.0.0.1", int(sys.argv[1])), _Connection).serve_forever()
