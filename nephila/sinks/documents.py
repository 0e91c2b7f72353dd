"""Stores of documents (MongoDB, Elasticsearch): no transaction spans several of them, so the order does the work.

First the documents, each under the identity of its URL, then the delivery keys. A crash in between leaves documents
whose keys are missing; the page is delivered again and replaces them with itself: each is there once at any moment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from nephila.sinks.base import Delivery, shown
from nephila.sinks.patience import patiently
from nephila.sinks.plain import plain_row, row_ids

Document = dict[str, Any]


class DocumentSink(ABC):
    """A store adds four short methods; each raises UnreachableError when it cannot be reached now."""

    def __init__(self, uri: str) -> None:
        self.uri = shown(uri)

    @abstractmethod
    def open(self) -> None: ...

    @abstractmethod
    def known(self, keys: Collection[int]) -> set[int]:
        """Those of the keys that are there."""

    @abstractmethod
    def replace(self, documents: Mapping[str, Document]) -> None:
        """Puts each document under its identity, durably."""

    @abstractmethod
    def remember(self, keys: Collection[int]) -> int:
        """Adds the keys, durably; returns how many were new."""

    @abstractmethod
    def close(self) -> None: ...

    def commit(self, segment: Sequence[Delivery]) -> int:
        if not segment:
            return 0
        documents = {delivery.key: _documents(delivery) for delivery in reversed(segment)}
        return patiently(lambda: self._commit(documents), self.uri)

    def _commit(self, documents: dict[int, dict[str, Document]]) -> int:
        known = self.known(documents)
        fresh = [key for key in documents if key not in known]
        latest = {name: document for key in reversed(fresh) for name, document in documents[key].items()}
        if latest:
            self.replace(latest)
        return self.remember(fresh) if fresh else 0


def _documents(delivery: Delivery) -> dict[str, Document]:
    rows = map(plain_row, delivery.records)
    return {name: {**row, "delivery": delivery.key} for name, row in zip(row_ids(delivery.records), rows, strict=True)}
