"""Every figure that Nephila keeps, by name: the one list for progress, summary and metrics. Knows no room."""

from __future__ import annotations

from enum import Enum, StrEnum


class Kind(Enum):
    COUNTER = "counter"
    """Grows only; the workers' values are added up."""
    GAUGE = "gauge"
    """A state of now; those of living workers are added up."""
    TIMING = "histogram"
    """Durations in seconds, counted in buckets."""


class Metric(StrEnum):
    """The value is the stable name in snapshots and JSON; `exported` is the name in Prometheus."""

    kind: Kind
    help: str
    label: str | None

    def __new__(cls, name: str, kind: Kind, text: str, label: str | None = None) -> Metric:
        member = str.__new__(cls, name)
        member._value_ = name
        member.kind = kind
        member.help = text
        member.label = label
        return member

    PAGES = "pages", Kind.COUNTER, "Pages fetched and worked through to the end"
    BYTES = "bytes", Kind.COUNTER, "Bytes of bodies received, after decompression"
    RECORDS = "records", Kind.COUNTER, "Records committed to the outputs"
    UNCHANGED = "unchanged", Kind.COUNTER, "Visits that found a page as it was (304, or the same content)"
    STATUS = "responses", Kind.COUNTER, "Answers of servers, by status code", "status"
    ERRORS = "errors", Kind.COUNTER, "Fetches that failed, by cause", "cause"
    RETRIES = "retries", Kind.COUNTER, "Fetches that were set back to be tried again"
    REDIRECTS = "redirects", Kind.COUNTER, "Redirects followed"
    ROBOTS_DENIED = "robots_denied", Kind.COUNTER, "URLs left out because robots.txt says so"
    TRAPS = "traps", Kind.COUNTER, "URLs left out because they look like a crawler trap, by guard", "guard"
    OUT_OF_SCOPE = "out_of_scope", Kind.COUNTER, "Links left out because they leave the job's scope"
    SKIPPED = "skipped", Kind.COUNTER, "Pages not turned into records, by reason", "reason"
    REJECTED = "rejected", Kind.COUNTER, "Records set aside by a quality check, by check", "check"
    DUPLICATES = "duplicates", Kind.COUNTER, "Deliveries left out because the outputs had them already"
    COPIES = "copies", Kind.COUNTER, "Records whose text an earlier page had, exactly or nearly"
    RENDERED = "rendered", Kind.COUNTER, "Pages rendered in a browser"
    LINKS_FOUND = "links_found", Kind.COUNTER, "Links seen on pages, within the scope"
    LINKS_NEW = "links_new", Kind.COUNTER, "Links that were new to the frontier"
    LEASES_LOST = "leases_lost", Kind.COUNTER, "Leases that expired before their page was done"
    IN_FLIGHT = "in_flight", Kind.GAUGE, "Requests under way"
    QUEUED = "queued", Kind.GAUGE, "URLs that wait in the frontier"
    LEASED = "leased", Kind.GAUGE, "URLs that a worker holds"
    HOSTS = "hosts", Kind.GAUGE, "Hosts with URLs in the frontier"
    DEAD = "dead", Kind.GAUGE, "URLs given up (dead letters)"
    FETCH_SECONDS = "fetch_seconds", Kind.TIMING, "Time from request to the end of the answer"
    EXTRACT_SECONDS = "extract_seconds", Kind.TIMING, "Time from bytes to records"
    COMMIT_SECONDS = "commit_seconds", Kind.TIMING, "Time of one commit of a segment to an output"

    @property
    def exported(self) -> str:
        """Prometheus's habits: a prefix, the unit, and `_total` for what only grows."""
        return f"nephila_{self.value}" + ("_total" if self.kind is Kind.COUNTER else "")


BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of a timing's buckets, in seconds; one more holds what is slower."""
