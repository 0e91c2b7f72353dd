from __future__ import annotations

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from nephila.telemetry import tracing
from nephila.telemetry.tracing import span, start_tracing


def test_without_a_collector_a_span_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    assert start_tracing("w") is None
    with span("page", {"url.full": "http://a.example/"}) as found:
        assert found is None


def test_spans_are_exported_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "_tracer", None)
    exporter = InMemorySpanExporter()
    provider = start_tracing("worker-1", exporter)
    with pytest.raises(ValueError, match="no"), span("page", {"url.full": "http://me:hush@a.example/", "n": 1}):
        raise ValueError("no")
    provider.shutdown()
    monkeypatch.setattr(tracing, "_tracer", None)
    (page,) = exporter.get_finished_spans()
    assert page.name == "page"
    assert page.attributes == {"url.full": "http://***@a.example/", "n": 1}
    assert page.resource.attributes["service.instance.id"] == "worker-1"
    assert not page.status.is_ok
