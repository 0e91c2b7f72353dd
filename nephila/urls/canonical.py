"""The canonical form of a URL: one spelling for what one server would answer alike.

Hosts and relative links are read as browsers read them (the WHATWG URL standard, by ada); on top of that, percent
escapes take one spelling, and what the server never sees or never answers by is dropped: fragment (hash routes such as
`#!/x` too: without a script the server's answer is the same), user name and password, tracking and session parameters.
The order of the query is kept, for a server may care; `fingerprint` is where the order stops to count.

Every link of every page passes here, so ordinary links take a path of one regular expression (about 1.5 us) and only
the others pay for a full parse (about 6 us): benchmarks/urls.py. Knows no other room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import ada_url

from nephila.urls.parameters import holds_pair, looks_like_session, names_visitor

MAX_LENGTH = 4096
"""Longest canonical URL. Sitemaps end at 2,048 characters, common servers at 8,192 bytes for the whole request line."""

_MAX_INPUT = 2 * MAX_LENGTH
_CACHED_LENGTH = 400
"""Longer links are not kept in the cache: they rarely repeat, and a hostile site could fill memory with them."""

_MAX_HOST = 253 + len(".:65535")

# A link that needs no parsing: no escapes, no dot segments (tested apart), no character that anybody would rewrite.
# Possessive: a hostile link fails in linear time.
_PLAIN = re.compile(
    r"(?:(https?)://([A-Za-z0-9.:-]++))?"  # 1 scheme, 2 host and port
    r"(/[A-Za-z0-9._~!$&'()*+,=:@/-]*+)?"  # 3 path from the root
    r"([A-Za-z0-9_~!$&()*+,=@-][A-Za-z0-9._~!$&'()*+,=@/-]*+)?"  # 4 path from the page; a colon could end a scheme
    r"(\?[A-Za-z0-9._~!$&()*+,=:@/?;-]*+)?"  # 5 query
    r"(?:#.*+)?",
    re.DOTALL,
).fullmatch
_PARSED = re.compile(r"(https?)://(?:[^/@]*@)?([^/]*)(/[^?#]*)(\?[^#]*)?", re.DOTALL).match
_OTHER_SCHEME = re.compile(r"[\x00- ]*(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE).match

# An escape right after a lone `%` stays as it is: decoding it could make a new escape, and the form would be unstable.
_ESCAPE = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%([0-9A-Fa-f]{2})")
_ESCAPED = {
    f"{byte:02X}": chr(byte) if re.match(r"[A-Za-z0-9._~-]", chr(byte)) else f"%{byte:02X}" for byte in range(256)
}
# Left bare by browsers, escaped by RFC 3986 and HTTP clients (Scrapy's too): escaped here, so that nobody changes it.
_BARE = re.compile(r"[\"<>\[\]\\^`{|}]")

_PATH_PARAMETER = re.compile(r";([A-Za-z]+)=([^/;]*)")
_SEPARATED = re.compile(r"(^|&amp;|[&;])([^&;]*)")


def canonicalize(url: str, base: str | None = None, *, encoding: str = "utf-8") -> str | None:
    """The canonical form of `url`, read against the page `base`; None when it is not a usable http or https URL.

    `encoding` is the page's: browsers write non-ASCII characters of a query in it, and of everything else in UTF-8.
    """
    if len(url) > _MAX_INPUT:
        url = url.partition("#")[0]
        if len(url) > _MAX_INPUT:
            return None
    page = _page(base) if base is not None else None
    if encoding != "utf-8" and not url.isascii():
        url = _encode_query(url, encoding)
    return _plain(url, page) or _parsed(url, page)


def resolve(base: str, hrefs: Iterable[str], *, encoding: str = "utf-8") -> list[str | None]:
    """The canonical forms of the links of one page, in their order.

    Links from the root, from the page's folder and absolute ones come from a cache that pages share: the navigation of
    a site repeats.
    """
    page = _page(base)
    if page is None:
        return [canonicalize(href, encoding=encoding) for href in hrefs]
    origin, whole = page[0], page[2]
    folder = _folder(page)
    found: list[str | None] = []
    for href in hrefs:
        if not href or href[0] == "#":
            found.append(whole)
        elif is_from_root(href) and (encoding == "utf-8" or href.isascii()):
            found.append(_from_root(origin, href))
        elif is_from_folder(href):
            found.append(_from_folder(origin, folder, href))
        else:
            found.append(canonicalize(href, base, encoding=encoding))
    return found


def place(base: str) -> tuple[str, str] | None:
    """The origin of a page and its folder, which the links of its neighbours are read against too."""
    page = _page(base)
    return None if page is None else (page[0], _folder(page))


def is_from_root(href: str) -> bool:
    """Whether a link, if it is not too long, means the same on all pages of an origin (that have one encoding)."""
    return (href[:1] == "/" or href.startswith(("http://", "https://"))) and len(href) <= _CACHED_LENGTH


def is_from_folder(href: str) -> bool:
    """Whether a link, if it is not too long, means the same on all pages of a folder."""
    return (
        (href[:1] == "." or href[:1].isalnum()) and ":" not in href and len(href) <= _CACHED_LENGTH and href.isascii()
    )


_Page = tuple[str, str, str]
"""Of a canonical URL: its origin, its path, itself."""


@lru_cache(maxsize=1024)
def _page(base: str) -> _Page | None:
    url = canonicalize(base)
    parts = _PARSED(url) if url is not None else None
    if url is None or parts is None:
        return None
    return f"{parts[1]}://{parts[2]}", parts[3], url


@lru_cache(maxsize=32768)
def _from_root(origin: str, href: str) -> str | None:
    page = (origin, "/", f"{origin}/")
    return _plain(href, page) or _parsed(href, page)


def _folder(page: _Page) -> str:
    return f"{page[0]}{page[1][: page[1].rindex('/') + 1]}"


def _from_folder(origin: str, folder: str, href: str) -> str | None:
    # `./` and `../` in front are common, and need no parser.
    above, rest = folder, href
    while rest.startswith(("./", "../")):
        if rest[1] == ".":
            parent = above.rindex("/", 0, -1) + 1
            above = above[:parent] if above[parent - 2] != "/" else above
        rest = rest[rest.index("/") + 1 :]
    plain = not rest or rest[0].isalnum() or rest[0] in "._-?#"  # else it would begin something else
    # Absolute, so that one entry of the cache serves all folders.
    return _from_root(origin, above + rest) if plain else canonicalize(href, folder)


def _plain(url: str, page: _Page | None) -> str | None:
    """The fast path: what needs no parsing; None means only that the slow path has to look."""
    parts = _PLAIN(url)
    if parts is None:
        return None
    scheme, place, path, relative, query = parts.groups()
    if scheme is not None:
        if relative is not None or len(place) > _MAX_HOST:  # relative: an odd character ended the host
            return None
        netloc = _netloc(scheme, place)
        if netloc is None:
            return None
        origin = f"{scheme}://{netloc}"
        path = path or "/"
    elif page is None or (path is not None and (relative is not None or path.startswith("//"))):
        return None
    else:
        origin = page[0]
        if relative is not None:
            path = page[1][: page[1].rindex("/") + 1] + relative
        elif path is None:
            if query is None:
                return page[2]
            path = page[1]
    if "/." in path:
        return None
    url = f"{origin}{path}{_without_visitor(query)}" if query else origin + path
    return url if len(url) <= MAX_LENGTH else None


def _parsed(url: str, page: _Page | None) -> str | None:
    """The slow path: whatever a browser would make of it."""
    if _OTHER_SCHEME(url):
        return None
    try:
        text = ada_url.join_url(page[2], url) if page is not None else ada_url.normalize_url(url)
    except ValueError:
        return None
    parts = _PARSED(text)
    if parts is None or len(parts[2]) > _MAX_HOST:
        return None
    netloc = _netloc(parts[1], parts[2])
    if netloc is None:
        return None
    path = _respell(parts[3])
    if ";" in path:
        bare = _PATH_PARAMETER.sub(_keep_path_parameter, path)
        if bare != path:  # again from the start: `/a/..;jsessionid=1/` has become a dot segment
            return _parsed(f"{parts[1]}://{netloc}{bare}{parts[4] or ''}", None)
    text = f"{parts[1]}://{netloc}{path}{_without_visitor(_respell(parts[4] or ''))}"
    return text if len(text) <= MAX_LENGTH else None


@lru_cache(maxsize=8192)
def _netloc(scheme: str, place: str) -> str | None:
    """Host and port as the standard spells them, without the final dot, if a name server could know such a name."""
    try:
        parts = _PARSED(ada_url.normalize_url(f"{scheme}://{place}/"))
    except ValueError:
        return None
    if parts is None:
        return None
    host, colon, port = parts[2].rpartition(":") if not parts[2].endswith("]") else (parts[2], "", "")
    if not colon:
        host, port = parts[2], ""
    if host.startswith("["):
        return parts[2]
    # `example.org.` is `example.org`; kept apart, it would be asked twice as fast as its operator allows.
    host = host.removesuffix(".")
    if len(host) > 253 or not all(0 < len(label) <= 63 for label in host.split(".")):
        return None
    return f"{host}{colon}{port}"


def _respell(text: str) -> str:
    """One spelling of percent escapes: upper-case digits, unreserved characters bare, unsafe ones escaped."""
    if "%" in text:
        text = _ESCAPE.sub(lambda match: _ESCAPED[match[1].upper()], text)
    return _BARE.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _without_visitor(query: str) -> str:
    """The query, `?` included, without the parameters that say who asks; empty when nothing is left."""
    text = query[1:]
    paired = holds_pair(text)
    if ";" not in text:
        parameters = text.split("&")
        kept = [parameter for parameter in parameters if not names_visitor(parameter, paired=paired)]
        joined = text if len(kept) == len(parameters) else "&".join(kept)
        return f"?{joined}" if joined else ""
    # `;` separates too (SMF, Perl, links escaped twice: `&amp;amp;`); what stays keeps its own separator.
    pieces = [(match[1], match[2]) for match in _SEPARATED.finditer(text)]
    left = [piece for piece in pieces if not names_visitor(piece[1], paired=paired)]
    if len(left) == len(pieces):
        return query
    joined = "".join(separator + parameter for separator, parameter in left)
    joined = joined.removeprefix(left[0][0]) if left else ""
    return f"?{joined}" if joined else ""


def _keep_path_parameter(match: re.Match[str]) -> str:
    """`;jsessionid=...` at the end of a path segment goes; `;v=1.1` stays."""
    name, value = match[1].lower(), match[2]
    session = name in ("jsessionid", "phpsessid") or (name in ("sid", "sessionid") and looks_like_session(value))
    return "" if session else match[0]


def _encode_query(url: str, encoding: str) -> str:
    """Escapes the non-ASCII characters of the query in the page's encoding, as browsers do when they follow a link."""
    head, mark, rest = url.partition("?")
    if not mark or "#" in head:
        return url
    query, hash_mark, fragment = rest.partition("#")
    if query.isascii() or encoding.lower().startswith(("utf-16", "utf-32", "utf_16", "utf_32")):
        return url
    try:
        encoded = query.encode(encoding, "xmlcharrefreplace")
    except LookupError:
        return url
    # Characters that the encoding lacks became `&#1234;`; browsers escape these, so that they end no parameter.
    text = re.sub(rb"&#(\d+);", rb"%26%23\1%3B", encoded) if b"&#" in encoded and "&#" not in query else encoded
    return head + mark + "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in text) + hash_mark + fragment
