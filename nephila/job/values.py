"""The values that a job's settings take, each with the words for what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

_SIZE_UNITS = {"": 1, "B": 1, "K": 2**10, "KB": 2**10, "M": 2**20, "MB": 2**20, "G": 2**30, "GB": 2**30}
_TIME_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("write a number")
    return value


def _scaled(value: Any, units: Mapping[str, float], what: str) -> Any:
    if not isinstance(value, str):
        return _number(value)
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", value)
    unit = match[2] if match else None
    known = {name.lower(): factor for name, factor in units.items()}
    if match is None or unit is None or unit.lower() not in known:
        raise ValueError(f"write {what} as a number with one of the units {', '.join(u for u in units if u)}")
    return float(match[1]) * known[unit.lower()]


def _bytes(value: Any) -> Any:
    number = _scaled(value, _SIZE_UNITS, "a size")
    return int(number) if isinstance(number, float) else number


def _host(name: str) -> str:
    if not name or set(name) & set("/?#@ \t") or name.startswith(":"):
        raise ValueError(f"{name!r} is not a host: write the name alone, such as example.org or example.org:8080")
    try:
        plain = name.lower() if name.isascii() else name.lower().encode("idna").decode()
    except UnicodeError:
        raise ValueError(f"{name!r} is not a host name") from None
    # As the crawl names hosts: http and https of one name are one host.
    return re.sub(r"\.?(?::(?:80|443))?$", "", plain)


def _selector(text: str) -> str:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError  # here alone: a job is read in a moment without it

    try:
        LexborHTMLParser("<p>").css(text)
    except (SelectolaxError, ValueError):
        raise ValueError(f"{text!r} is not a CSS selector") from None
    return text


def _different(outputs: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((each for number, each in enumerate(outputs) if each in outputs[:number]), None)
    if twice is not None:
        raise ValueError(f"{twice} is named twice")
    return outputs


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("line breaks and control characters cannot be sent in a header")
    return text


def _header_name(name: str) -> str:
    if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
        raise ValueError(f"{name!r} is not the name of a header")
    return name


def _cookie(value: str) -> str:
    if not re.fullmatch(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*", value):
        raise ValueError("blanks, quotes, commas, semicolons and backslashes cannot stand in a cookie; encode them")
    return value


def _proxy(url: str) -> str:
    if not re.fullmatch(r"https?://(?:[^\s/@]+@)?(?:\[[0-9A-Fa-f:.]+\]|[^\s/:@\[\]]+)(?::\d{1,5})?/?", url):
        # The value itself is not told: it may hold a password.
        raise ValueError("write a proxy as http://[user:password@]host:port")
    return url


def _pattern(text: str) -> str:
    if text.startswith("re:"):
        try:
            re.compile(text[3:])
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
    return text


Size = Annotated[int, BeforeValidator(_bytes), Field(gt=0)]
Seconds = Annotated[
    float, BeforeValidator(lambda v: _scaled(v, _TIME_UNITS, "a time")), Field(ge=0, allow_inf_nan=False)
]
Whole = Annotated[int, BeforeValidator(_number)]
OneLine = Annotated[str, AfterValidator(_one_line)]
Headers = dict[Annotated[str, AfterValidator(_header_name)], OneLine]
Cookies = dict[Annotated[str, AfterValidator(_header_name)], Annotated[str, AfterValidator(_cookie)]]
ProxyUrl = Annotated[str, AfterValidator(_proxy)]
Selector = Annotated[str, AfterValidator(_selector)]
Pattern = Annotated[str, AfterValidator(_pattern)]
Render = Literal["never", "auto", "always"]
Extract = Literal["auto", "plain"]
Assignment = Literal["shared", "dedicated"]
ScopeMode = Literal["site", "host", "prefix", "any"]
ForumMode = Literal["auto", "always", "never"]
Outputs = Annotated[tuple[str, ...], AfterValidator(_different)]
HostName = Annotated[str, AfterValidator(_host)]
