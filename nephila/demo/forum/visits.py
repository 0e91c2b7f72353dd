"""Who is asking: sessions by cookie, or by `;sid=` in every address for a client that sent no cookie yet."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

from aiohttp import web

COOKIE = "lr_sid"
_SID = re.compile(r";sid=([0-9a-f]{16})")
_MOST_SESSIONS = 1000


@dataclass
class Visit:
    """One request: its address without the session id, and the member who makes it."""

    request: web.Request
    path: str
    sid: str
    by_url: bool
    """True while the client has shown no cookie: each link carries the session id then."""
    member: str | None
    csrf: str

    def link(self, path: str) -> str:
        """`path` as this visitor should see it."""
        if not self.by_url:
            return path
        address, question, query = path.partition("?")
        address, hash_, fragment = address.partition("#")
        return f"{address};sid={self.sid}{question}{query}{hash_}{fragment}"


class Sessions:
    """Only members' sessions are kept; a guest's token is computed from the session id, so guests cost nothing."""

    def __init__(self) -> None:
        self._members: dict[str, str] = {}
        self._secret = secrets.token_bytes(16)

    def visit(self, request: web.Request) -> Visit:
        raw = request.rel_url.raw_path
        in_url = _SID.search(raw)
        cookie = request.cookies.get(COOKIE)
        sid = cookie or (in_url.group(1) if in_url else secrets.token_hex(8))
        return Visit(
            request=request,
            path=_SID.sub("", raw),
            sid=sid,
            by_url=cookie is None,
            member=self._members.get(sid),
            csrf=self.token(sid),
        )

    def token(self, sid: str) -> str:
        return hmac.new(self._secret, sid.encode(), hashlib.sha256).hexdigest()[:24]

    def log_in(self, visit: Visit, member: str) -> None:
        """Under a new id, so that one given away beforehand is worth nothing."""
        self._members.pop(visit.sid, None)
        visit.sid, visit.member = secrets.token_hex(8), member
        self._members[visit.sid] = member
        if len(self._members) > _MOST_SESSIONS:
            del self._members[next(iter(self._members))]

    def log_out(self, visit: Visit) -> None:
        self._members.pop(visit.sid, None)
        visit.member = None
