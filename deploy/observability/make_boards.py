"""Writes the boards: grafana.json (Prometheus) and opensearch-dashboard.ndjson (logs)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PLACE = Path(__file__).parent


def slow(name: str) -> str:
    return f"histogram_quantile(0.95, sum by (le) (rate(nephila_{name}_bucket[5m])))"


PANELS: list[tuple[str, str, str, str]] = [
    ("Pages a second", "sum by (worker) (rate(nephila_pages_total[1m]))", "{{worker}}", "reqps"),
    ("Records a second", "sum(rate(nephila_records_total[1m]))", "records", "reqps"),
    ("Bytes a second", "sum(rate(nephila_bytes_total[1m]))", "bytes", "Bps"),
    ("Answers by status", "sum by (status) (rate(nephila_responses_total[1m]))", "{{status}}", "reqps"),
    ("Errors by cause", "sum by (cause) (rate(nephila_errors_total[5m]))", "{{cause}}", "reqps"),
    ("URLs that wait", "max(nephila_queued)", "queued", "short"),
    ("Hosts, dead letters", "max(nephila_hosts)", "hosts", "short"),
    (
        "Fetch time, 95 of 100",
        slow("fetch_seconds"),
        "p95",
        "s",
    ),
    (
        "Commit time, 95 of 100",
        slow("commit_seconds"),
        "p95",
        "s",
    ),
    ("Set aside, by check", "sum by (check) (rate(nephila_rejected_total[5m]))", "{{check}}", "reqps"),
    ("Copies found", "sum(rate(nephila_copies_total[5m]))", "copies", "reqps"),
    ("Memory of a process", "process_resident_memory_bytes", "{{instance}}", "bytes"),
]


def grafana() -> dict[str, Any]:
    source = {"type": "prometheus", "uid": "${source}"}
    panels = [
        {
            "id": number + 1,
            "type": "timeseries",
            "title": title,
            "datasource": source,
            "gridPos": {"x": 8 * (number % 3), "y": 8 * (number // 3), "w": 8, "h": 8},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": [{"refId": "A", "expr": query, "legendFormat": legend, "datasource": source}],
        }
        for number, (title, query, legend, unit) in enumerate(PANELS)
    ]
    return {
        "title": "Nephila",
        "uid": "nephila",
        "schemaVersion": 39,
        "version": 1,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "timezone": "browser",
        "templating": {"list": [{"name": "source", "type": "datasource", "query": "prometheus", "label": "Source"}]},
        "panels": panels,
    }


def opensearch() -> list[dict[str, Any]]:
    index = {
        "id": "nephila-logs",
        "type": "index-pattern",
        "attributes": {"title": "logs-nephila-*", "timeFieldName": "@timestamp"},
        "references": [],
    }
    reference = {"id": "nephila-logs", "name": "kibanaSavedObjectMeta.searchSourceJSON.index", "type": "index-pattern"}
    wanted = {"language": "kuery", "query": "log.level: (warning or error or critical)"}
    search_source = {"query": wanted, "filter": [], "indexRefName": reference["name"]}
    search = {
        "id": "nephila-warnings",
        "type": "search",
        "attributes": {
            "title": "Nephila: warnings and errors",
            "columns": ["log.level", "service.node.name", "url.full", "message"],
            "sort": [["@timestamp", "desc"]],
            "kibanaSavedObjectMeta": {
                "searchSourceJSON": json.dumps(
                    search_source
                    | {"query": {"language": "kuery", "query": "log.level: (warning or error or critical)"}}
                )
            },
        },
        "references": [reference],
    }
    grid = {"x": 0, "y": 0, "w": 48, "h": 30, "i": "1"}
    panel = {"panelIndex": "1", "gridData": grid, "panelRefName": "panel_0"}
    board = {
        "id": "nephila",
        "type": "dashboard",
        "attributes": {
            "title": "Nephila: logs",
            "panelsJSON": json.dumps([panel]),
            "optionsJSON": "{}",
            "kibanaSavedObjectMeta": {"searchSourceJSON": json.dumps({"query": {"language": "kuery", "query": ""}})},
        },
        "references": [{"id": "nephila-warnings", "name": "panel_0", "type": "search"}],
    }
    return [index, search, board]


if __name__ == "__main__":
    (PLACE / "grafana.json").write_text(json.dumps(grafana(), indent=1) + "\n")
    (PLACE / "opensearch-dashboard.ndjson").write_text("".join(json.dumps(each) + "\n" for each in opensearch()))
