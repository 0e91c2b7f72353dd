"""Traces for OpenTelemetry: a span for each page and for each commit, where somebody listens.

Needs the extra `traces`, and an address in the standard variable OTEL_EXPORTER_OTLP_ENDPOINT; without it a span costs a
comparison. Sampling and headers are set by OpenTelemetry's other variables. URLs lose their secrets before they go out.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from nephila import __version__
from nephila.telemetry.redact import redact

logger = logging.getLogger(__name__)

_tracer: Any = None
_NOTHING: AbstractContextManager[None] = nullcontext()


def start_tracing(worker: str, exporter: Any = None) -> Any:
    """Begins, if the environment names a collector (or `exporter` is given); returns the provider, to be shut down."""
    global _tracer
    if exporter is None and not os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        return None
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            exporter = OTLPSpanExporter()
    except ImportError as error:
        logger.warning("no traces: %s is missing; pip install 'nephila[traces]'", error.name)
        return None
    about = {"service.name": "nephila", "service.version": __version__, "service.instance.id": worker}
    provider = TracerProvider(resource=Resource.create(about))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer("nephila", __version__)
    return provider


def span(name: str, attributes: Mapping[str, str | int | float] | None = None) -> AbstractContextManager[Any]:
    """Around a piece of work; an exception that leaves it is noted."""
    if _tracer is None:
        return _NOTHING
    clean = {key: redact(value) if isinstance(value, str) else value for key, value in (attributes or {}).items()}
    found: AbstractContextManager[Any] = _tracer.start_as_current_span(name, attributes=clean)
    return found
