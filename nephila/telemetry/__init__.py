"""Telemetry: what a crawl counts, shows and logs. Knows no other room but the memory's contract.

`names` lists every figure; `counters` counts in a worker; `publish` carries counts through the memory; `progress` adds
them up; `screen` and `summary` show them; `logs` writes lines without secrets.
"""

from nephila.telemetry.counters import Counters, Snapshot, Timing
from nephila.telemetry.logs import configure_logging
from nephila.telemetry.names import Kind, Metric
from nephila.telemetry.progress import ErrorCause, Progress, WorkerView
from nephila.telemetry.publish import collect, publish, publishing
from nephila.telemetry.redact import redact
from nephila.telemetry.screen import Screen, print_summary
from nephila.telemetry.summary import Output, Stopped, Summary, summarise, summary_json, write_summary

__all__ = [
    "Counters",
    "ErrorCause",
    "Kind",
    "Metric",
    "Output",
    "Progress",
    "Screen",
    "Snapshot",
    "Stopped",
    "Summary",
    "Timing",
    "WorkerView",
    "collect",
    "configure_logging",
    "print_summary",
    "publish",
    "publishing",
    "redact",
    "summarise",
    "summary_json",
    "write_summary",
]
