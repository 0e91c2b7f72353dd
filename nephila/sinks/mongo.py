"""MongoDB: a document a record, replaced by URL; the delivery keys in a collection beside it.

mongodb://user@host:27017/database?collection=pages
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import pymongo
from pymongo import WriteConcern
from pymongo.errors import BulkWriteError, ConfigurationError, InvalidURI, OperationFailure, PyMongoError

from nephila.errors import SinkError
from nephila.sinks.base import UnreachableError, shown
from nephila.sinks.documents import Document, DocumentSink

DEFAULT_COLLECTION = "pages"
_CONNECT_MS = 10_000
_DUPLICATE = 11000


class MongoSink(DocumentSink):
    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        self._address, self._database, self._collection = _address(uri)
        self._client: pymongo.MongoClient[dict[str, Any]] | None = None

    def open(self) -> None:
        try:
            self._client = pymongo.MongoClient(
                self._address, serverSelectionTimeoutMS=_CONNECT_MS, connectTimeoutMS=_CONNECT_MS
            )
        except (ConfigurationError, InvalidURI) as error:
            raise SinkError(f"{self.uri} is not the address of a MongoDB: {error}") from None
        with self._explained():
            # Writes something, and takes it back: who may only read learns it before the first fetch.
            probe = self._keys.insert_one({"_id": "probe"}) if not self._keys.find_one({"_id": "probe"}) else None
            if probe is not None:
                self._keys.delete_one({"_id": "probe"})
            self._documents.create_index("url")

    def known(self, keys: Collection[int]) -> set[int]:
        with self._explained():
            return {found["_id"] for found in self._keys.find({"_id": {"$in": list(keys)}}, {"_id": 1})}

    def replace(self, documents: Mapping[str, Document]) -> None:
        changes = [
            pymongo.ReplaceOne({"_id": name}, _storable(document), upsert=True) for name, document in documents.items()
        ]
        with self._explained():
            self._documents.bulk_write(changes, ordered=False)

    def remember(self, keys: Collection[int]) -> int:
        with self._explained():
            try:
                return len(self._keys.insert_many([{"_id": key} for key in keys], ordered=False).inserted_ids)
            except BulkWriteError as error:
                faults = error.details.get("writeErrors", [])
                if any(fault.get("code") != _DUPLICATE for fault in faults):
                    raise
                return len(keys) - len(faults)  # another writer was first

    def count(self) -> int:
        with self._explained():
            return self._documents.estimated_document_count()

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    @property
    def _documents(self) -> pymongo.collection.Collection[dict[str, Any]]:
        return self._open_collection(self._collection)

    @property
    def _keys(self) -> pymongo.collection.Collection[dict[str, Any]]:
        return self._open_collection(f"{self._collection}_deliveries")

    def _open_collection(self, name: str) -> pymongo.collection.Collection[dict[str, Any]]:
        if self._client is None:
            raise SinkError(f"{self.uri} was not opened before it was written")
        # Acknowledged by the journal of a majority: what is acked outlives the server's machine.
        concern = WriteConcern(w="majority", j=True)
        return self._client.get_database(self._database).get_collection(name, write_concern=concern)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OperationFailure as error:
            raise SinkError(f"cannot write {self.uri}: {_reason(error)}") from error
        except PyMongoError as error:
            raise UnreachableError(f"cannot write {self.uri}: {_reason(error)}") from error


def _address(uri: str) -> tuple[str, str, str]:
    parts = urlsplit(uri)
    query = dict(parse_qsl(parts.query))
    collection, database = query.pop("collection", DEFAULT_COLLECTION), parts.path.strip("/")
    if not re.fullmatch(r"[A-Za-z_][\w.-]{0,60}", collection):
        raise SinkError(f"{shown(uri)}: a collection's name is up to 61 letters, digits, dots, dashes and underscores")
    if not database:
        raise SinkError(f"{shown(uri)} names no database: write one after the host, such as //host/crawl")
    query.setdefault("authSource", "admin") if "@" in parts.netloc else None
    return urlunsplit(parts._replace(path=f"/{database}", query=urlencode(query))), database, collection


def _storable(document: Document) -> Document:
    """MongoDB takes no key with a NUL, and no document above 16 MB; both stand in what a stranger wrote."""
    return {name: _clean(value) for name, value in document.items()}


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name).replace("\0", "\N{REPLACEMENT CHARACTER}"): _clean(inner) for name, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list) else value


def _reason(error: BaseException) -> str:
    """What the driver says, without what it tells of itself."""
    return re.split(r" \(configured timeouts|, Timeout: ", " ".join(str(error).split()))[0][:300]
