"""Elasticsearch and OpenSearch: a document a record, by the bulk interface that both speak.

elasticsearch://user:password@host:9200/index       over TLS
opensearch+http://127.0.0.1:9200/index               without
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson
import urllib3

from nephila.errors import SinkError
from nephila.sinks.base import UnreachableError
from nephila.sinks.documents import Document, DocumentSink

SCHEMES = ("elasticsearch", "elasticsearch+http", "opensearch", "opensearch+http")
_TIMEOUT = urllib3.Timeout(connect=10.0, read=120.0)
_BULK_BYTES = 8 * 2**20
"""Of one request; servers refuse more than 100 MB and like less than 15."""
_PASSING = frozenset({408, 429, 502, 503, 504})
_CREATED, _CONFLICT = 201, 409

_KEYWORDS = (
    *("url", "final_url", "canonical_url", "duplicate_of", "image", "links"),
    *("kind", "author", "language", "site", "site_name", "tags", "content_type", "extractor"),
)
_PROPERTIES: dict[str, Any] = {
    **{name: {"type": "keyword", "ignore_above": 8000} for name in _KEYWORDS},
    **{name: {"type": "text"} for name in ("title", "text", "description")},
    **{name: {"type": "date", "ignore_malformed": True} for name in ("fetched_at", "published", "modified")},
    **{name: {"type": "object", "enabled": False} for name in ("fields", "posts", "comments", "related")},
    "markdown": {"type": "text", "index": False},
    "confidence": {"type": "float"},
    "delivery": {"type": "long", "index": False},
}
"""What a page's own rules call their fields is a stranger's choice: it is kept, and makes no index grow."""


class SearchSink(DocumentSink):
    def __init__(self, uri: str) -> None:
        super().__init__(uri)
        parts = urlsplit(uri)
        self._index = parts.path.strip("/")
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,200}", self._index):
            raise SinkError(
                f"{self.uri}: write an index of small letters and digits after the host, such as //host:9200/pages"
            )
        scheme, port = ("http" if parts.scheme.endswith("+http") else "https"), parts.port or 9200
        self._root = f"{scheme}://{parts.hostname}:{port}"
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else None
        self._headers = {"content-type": "application/x-ndjson", **urllib3.make_headers(basic_auth=login)}
        self._pool: urllib3.PoolManager | None = None

    def open(self) -> None:
        self._pool = urllib3.PoolManager(timeout=_TIMEOUT, retries=False)
        mappings = {"dynamic": True, "properties": _PROPERTIES}
        self._create(self._index, mappings)
        self._create(self._keys, {"dynamic": False})

    def known(self, keys: Collection[int]) -> set[int]:
        body = orjson.dumps({"ids": [str(key) for key in keys]})
        found = self._ask("POST", f"/{self._keys}/_mget?_source=false", body, kind="application/json")
        return {int(each["_id"]) for each in found["docs"] if each.get("found")}

    def replace(self, documents: Mapping[str, Document]) -> None:
        lines = [
            orjson.dumps({"index": {"_index": self._index, "_id": name}}) + b"\n" + orjson.dumps(document) + b"\n"
            for name, document in documents.items()
        ]
        for outcome in self._bulk(lines):
            if outcome["status"] not in (200, _CREATED):
                self._refused(outcome)

    def remember(self, keys: Collection[int]) -> int:
        lines = [orjson.dumps({"create": {"_index": self._keys, "_id": str(key)}}) + b"\n{}\n" for key in keys]
        outcomes = self._bulk(lines)
        for outcome in outcomes:
            if outcome["status"] not in (_CREATED, _CONFLICT):
                self._refused(outcome)
        return sum(outcome["status"] == _CREATED for outcome in outcomes)

    def count(self) -> int:
        self._ask("POST", f"/{self._index}/_refresh", b"")  # else what came within the last second is not counted
        return int(self._ask("GET", f"/{self._index}/_count", b"", kind="application/json")["count"])

    def close(self) -> None:
        if self._pool is not None:
            self._pool.clear()
            self._pool = None

    @property
    def _keys(self) -> str:
        return f"{self._index}-deliveries"

    def _create(self, index: str, mappings: dict[str, Any]) -> None:
        answer = self._ask(
            "PUT", f"/{index}", orjson.dumps({"mappings": mappings}), kind="application/json", may=(400,)
        )
        if "error" in answer and answer["error"].get("type") != "resource_already_exists_exception":
            raise SinkError(f"cannot make the index {index} at {self.uri}: {answer['error'].get('reason')}")

    def _bulk(self, lines: Sequence[bytes]) -> list[dict[str, Any]]:
        outcomes: list[dict[str, Any]] = []
        batch: list[bytes] = []
        size = 0
        for line in (*lines, None):
            if batch and (line is None or size + len(line) > _BULK_BYTES):
                # wait_for a second copy is the index's own setting; a primary's translog is synced before it answers.
                answer = self._ask("POST", "/_bulk", b"".join(batch))
                outcomes += [next(iter(item.values())) for item in answer["items"]]
                batch, size = [], 0
            if line is not None:
                batch.append(line)
                size += len(line)
        return outcomes

    def _refused(self, outcome: dict[str, Any]) -> None:
        reason = (outcome.get("error") or {}).get("reason", outcome["status"])
        kind = UnreachableError if outcome["status"] in _PASSING else SinkError
        raise kind(f"{self.uri} refuses a document: {str(reason)[:300]}")

    def _ask(
        self, method: str, path: str, body: bytes, *, kind: str = "application/x-ndjson", may: tuple[int, ...] = ()
    ) -> dict[str, Any]:
        if self._pool is None:
            raise SinkError(f"{self.uri} was not opened before it was written")
        try:
            answer = self._pool.request(method, self._root + path, body, headers=self._headers | {"content-type": kind})
        except urllib3.exceptions.HTTPError as error:
            raise UnreachableError(f"cannot reach {self.uri}: {error}") from error
        if answer.status in _PASSING:
            raise UnreachableError(f"{self.uri} answers with status {answer.status}")
        if answer.status >= 400 and answer.status not in may:
            raise SinkError(
                f"{self.uri} answers with status {answer.status}: {answer.data[:200].decode('utf-8', 'replace')}"
            )
        try:
            return dict(orjson.loads(answer.data))
        except ValueError:
            raise SinkError(f"{self.uri} does not speak the protocol of Elasticsearch or OpenSearch") from None
