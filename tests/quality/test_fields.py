from __future__ import annotations

from typing import Any

import pytest

from nephila.errors import ConfigError
from nephila.quality import build_checkpoints, inspect
from nephila.record import Record

RECORD = Record(
    url="http://a.example/",
    title="A title",
    text="Some text of the page",
    language="en-GB",
    published="2031-05",
    tags=["x"],
    fields={"price": "12"},
    confidence=0.4,
    duplicate_of="http://b.example/",
)


@pytest.mark.parametrize(
    ("rule", "faults"),
    [
        ({"check": "required", "fields": ["title", "price"]}, []),
        ({"check": "required", "fields": ["author"]}, ["author is missing"]),
        ({"check": "length", "fields": ["text"], "min": 5, "max": 100}, []),
        ({"check": "length", "fields": ["text"], "min": 50}, ["text has a length of 21, at least 50 wanted"]),
        ({"check": "length", "fields": ["tags"], "max": 0}, ["tags has a length of 1, at most 0 wanted"]),
        ({"check": "language", "languages": ["en", "de"]}, []),
        ({"check": "language", "languages": ["e", "de"]}, ["language is en-gb, not e or de"]),
        ({"check": "date", "after": "2031-05-20"}, []),  # the page is not that exact
        ({"check": "date", "after": "2031-06-01"}, ["published is 2031-05, before 2031-06-01"]),
        ({"check": "date", "before": "2030"}, ["published is 2031-05, after 2030"]),
        ({"check": "date", "fields": ["modified"], "before": "2030"}, ["modified is missing"]),
        ({"check": "date", "fields": ["modified"], "before": "2030", "absent": True}, []),
        ({"check": "pattern", "fields": ["url"], "pattern": r"^http://a\."}, []),
        ({"check": "pattern", "fields": ["text"], "pattern": "(?i)PAGE", "absent": True}, ["text matches (?i)PAGE"]),
        ({"check": "type", "fields": ["price"], "type": "number"}, ["price is no number: '12'"]),
        ({"check": "confidence", "min": 0.5}, ["confidence is 0.40, at least 0.5 wanted"]),
        ({"check": "duplicate"}, ["the same text, or nearly, as http://b.example/"]),
    ],
)
def test_a_record_passes_or_is_told_why(rule: dict[str, Any], faults: list[str]) -> None:
    assert [fault.reason for fault in inspect(RECORD, build_checkpoints([rule]))] == faults


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"check": "required"}, r"checks, number 1 \(required\): needs fields"),
        ({"check": "length", "fields": ["text"]}, "needs min or max"),
        ({"check": "pattern", "fields": ["text"], "pattern": "("}, "pattern"),
        ({"check": "type", "fields": ["text"], "type": "sound"}, "there is no type 'sound'"),
        ({"check": "date"}, "needs after or before"),
    ],
)
def test_a_wrong_rule_names_what_to_change(rule: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build_checkpoints([rule])


def test_a_checkpoint_bears_the_name_that_the_job_gave_it() -> None:
    rules = [{"check": "required", "fields": ["author"], "name": "signed"}, {"check": "required", "fields": ["image"]}]
    assert [fault.checkpoint for fault in inspect(RECORD, build_checkpoints(rules))] == ["signed", "required image"]
