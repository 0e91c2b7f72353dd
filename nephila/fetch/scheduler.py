"""Scrapy's scheduler for a worker: a plain queue. What comes when was decided by the frontier, at the claim."""

from __future__ import annotations

from collections import deque

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler


class Queue(BaseScheduler):
    def __init__(self) -> None:
        self._requests: deque[Request] = deque()

    def has_pending_requests(self) -> bool:
        return bool(self._requests)

    def enqueue_request(self, request: Request) -> bool:
        self._requests.append(request)
        return True

    def next_request(self) -> Request | None:
        return self._requests.popleft() if self._requests else None
