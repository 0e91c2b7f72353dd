"""The last question before a request goes out: is it still ours to make? Asked once its connection is there.

Between the claim of a URL and its request a process may be stopped or cut off for longer than its lease lasts. The gate
sets the question for each request; it travels with the task (a context variable) to the connector that asks it, past
everything that need not know of leases.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from nephila.fetch.errors import Cause, FetchError

_question: ContextVar[Callable[[], bool] | None] = ContextVar("clearance", default=None)


def ask_before_sending(question: Callable[[], bool]) -> None:
    """For the requests of this task, and of the tasks that it starts from now on."""
    _question.set(question)


def check() -> None:
    question = _question.get()
    if question is not None and not question():
        raise FetchError(Cause.LEASE_LOST)
