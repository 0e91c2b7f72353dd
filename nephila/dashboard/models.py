"""The shapes of the REST interface; its description (OpenAPI) is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nephila.frontier import Stats
from nephila.telemetry import ErrorCause, WorkerView

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Fingerprint = Annotated[str, Field(pattern=r"^-?[0-9]{1,19}$")]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewCrawl(_Shape):
    job: dict[str, Any] = Field(description="The job, as in a job file: seeds, limits, scope, ...")
    name: Name | None = None


class Change(_Shape):
    """Takes effect at once; a crawl that runs drains and goes on."""

    limits: dict[str, Any] | None = None
    politeness: dict[str, Any] | None = None
    workers: int | None = Field(default=None, ge=1, le=256, strict=True)


class Replay(_Shape):
    fingerprints: list[Fingerprint] | None = Field(default=None, description="Of dead letters; null: all of them.")


class Replayed(BaseModel):
    queued: int


class Crawl(BaseModel):
    name: str
    state: Literal["running", "paused", "done", "cancelled", "failed"]
    steerable: bool = Field(description="Whether it was started here.")
    seeds: list[str]
    max_pages: int | None
    error: str | None
    frontier: Stats
    pages: int
    records: int
    bytes: int
    rate: float = Field(description="Pages a second, over the last 20 seconds.")
    bytes_rate: float
    latency: float | None = Field(description="Median seconds of a fetch.")
    errors: list[ErrorCause]
    statuses: dict[str, int]
    set_aside: dict[str, int] = Field(description="Records that failed a check, by check.")
    copies: int = Field(description="Records whose text an earlier page had, exactly or nearly.")
    workers: list[WorkerView]


class Letter(BaseModel):
    url: str
    fingerprint: str
    host: str
    reason: str
    attempts: int
    died_at: float


class Fact(BaseModel):
    """Something that the crawl has learned of a site."""

    site: str
    what: str
    words: str
    bytes: int


class Rule(BaseModel):
    xpath: str
    weight: float


class TemplateField(BaseModel):
    name: str
    type: str
    many: bool
    confidence: float = Field(description="How sure its name is.")
    coverage: float = Field(description="Share of the sample pages that have it.")
    agreement: float = Field(description="How far its rules agree.")
    origin: str = Field(description="learned, healed, or edited by a person.")
    rules: list[Rule]


class Template(BaseModel):
    """The rules of one kind of pages of a site."""

    site: str
    group: str
    kind: str | None
    version: int
    pages: int
    learned_at: str | None
    origin: str
    fields: list[TemplateField]


FieldName = Annotated[str, Field(min_length=1, max_length=100)]


class RuleEdits(_Shape):
    """By the names that the fields have now; without any, the rules are accepted as they are."""

    rename: dict[FieldName, FieldName] = Field(default_factory=dict)
    types: dict[FieldName, FieldName] = Field(default_factory=dict)
    many: dict[FieldName, bool] = Field(default_factory=dict)
    drop: list[FieldName] = Field(default_factory=list)


class Correction(_Shape):
    """What a field has to be on the stored page of a record, exactly as the page shows it."""

    record: int = Field(ge=1, le=2**62, strict=True)
    field: FieldName
    value: str = Field(min_length=1, max_length=10_000)


class Tried(BaseModel):
    record: int
    url: str
    values: dict[str, Any]
    agreement: dict[str, float]


class Problem(BaseModel):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
