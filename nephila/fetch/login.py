"""The session of a member: logs in through the site's own form, keeps the cookies, notices when they are lost.

Plain HTTP first; a browser where that does not work. The cookies are shared with the other workers through the memory,
encrypted with a key from the password; neither is ever logged. Success is what changed: a link to log out that was not
there, a form that is gone.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import orjson
from cryptography.fernet import Fernet, InvalidToken

from nephila.errors import ConfigError
from nephila.fetch.browser import BrowserPool
from nephila.fetch.client import Answer, Client
from nephila.fetch.errors import FetchError
from nephila.fetch.identity import client_options
from nephila.fetch.login_browser import BrowserLoginError, browser_login
from nephila.fetch.login_form import (
    complaint,
    find_form,
    has_captcha,
    has_password_field,
    login_links,
    marks,
)
from nephila.memory import Memory
from nephila.urls import host_key

if TYPE_CHECKING:
    from nephila.job import Job

logger = logging.getLogger(__name__)

SPACE = "session"
_STEPS = 3
_HOPS = 6
_THINK = 1.2
"""Seconds between a form and its answer: some sites take faster ones for programs."""
_LOCK_SECONDS = 90.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class LoginError(ConfigError):
    """The login failed; one line that says why."""

    final = False
    """Nothing that a browser could mend."""


@dataclass(slots=True)
class Session:
    cookies: dict[str, str]
    since: float
    guest: list[str] = field(default_factory=list)
    """Paths of links that only a guest is shown."""
    member: list[str] = field(default_factory=list)


class Member:
    def __init__(
        self, job: Job, client: Client, memory: Memory, browser: Callable[[], BrowserPool] | None = None
    ) -> None:
        if job.login is None:
            raise ValueError("the job has no login")
        self._rules = job.login
        self._browser = browser
        self._job = job
        self._client = client
        self._asker = client
        """Logs in: another client for as long as that takes, whose cookies no answer to the old session can spoil."""
        self._memory = memory
        self._start = job.login.url or job.seeds[0]
        self.host = host_key(self._start)
        self._turn = asyncio.Lock()
        self._session: Session | None = None
        self._refused: set[str] = set()
        self.logins = 0

    @property
    def _password(self) -> str:
        password = os.environ.get(self._rules.password_env)
        if not password:
            raise LoginError(f"login.password_env: the environment variable {self._rules.password_env} is not set")
        return password

    # -- the session -----------------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Takes the session that another worker began, or begins one. Raises LoginError where the job wants it."""
        try:
            await self._renew(newer_than=0.0)
        except LoginError as error:
            if self._rules.required:
                raise
            logger.warning("%s; going on as a guest", error)

    async def lost(self, url: str, answer: Answer) -> bool:
        """Whether an answer shows that the session is gone; if so, there is a new one when this returns."""
        session = self._session
        if session is None or host_key(url) != self.host or not self._looks_lost(session, answer):
            return False
        if url in self._refused:
            return False  # members do not get it either
        try:
            await self._renew(newer_than=answer.started_at)
        except LoginError as error:
            logger.warning("the session was lost and cannot be begun again: %s", error)
            self._session = None
            return False
        self._refused.add(url)
        return True

    def _looks_lost(self, session: Session, answer: Answer) -> bool:
        if answer.status in _REDIRECTS:
            target = urlsplit(urljoin(answer.url, answer.headers.get("location", ""))).path
            return (
                any(path.partition("?")[0] == target for path in session.guest) or target == urlsplit(self._start).path
            )
        if not 200 <= answer.status < 300 or b"<" not in answer.body[:2000]:
            return answer.status in (401, 403)
        shown = any(_names(answer.body, path) for path in session.guest)
        return shown and not any(_names(answer.body, path) for path in session.member)

    async def _renew(self, newer_than: float) -> None:
        async with self._turn:
            if self._session is not None and self._session.since > newer_than:
                self._take(self._session)  # an answer to the old session may have taken its cookies away
                return
            password = self._password
            while True:
                stored = await self._stored(password)
                if stored is not None and stored.since > newer_than:
                    self._take(stored)
                    return
                if await self._locked():
                    break
                await asyncio.sleep(0.5)
            try:
                session = await self._log_in(password)
                self.logins += 1
                await self._memory.put(SPACE, self.host, self._sealed(session, password))
                self._take(session)
            finally:
                await self._memory.update(SPACE, f"lock {self.host}", lambda _: None)

    def _take(self, session: Session) -> None:
        self._session = session
        self._client.clear_cookies(self._start)
        self._client.set_cookies(self._start, session.cookies)

    async def _locked(self) -> bool:
        """Only one worker logs in at a time."""
        now, taken = time.time(), [False]

        def change(data: bytes | None) -> bytes | None:
            free = data is None or now - float(data) > _LOCK_SECONDS
            taken[0] = free
            return str(now).encode() if free else data

        await self._memory.update(SPACE, f"lock {self.host}", change)
        return taken[0]

    async def _stored(self, password: str) -> Session | None:
        data = await self._memory.get(SPACE, self.host)
        if data is None:
            return None
        try:
            raw = orjson.loads(_fernet(password, self._rules.user).decrypt(data))
        except InvalidToken:
            return None  # of another password
        return Session(raw["cookies"], raw["since"], raw["guest"], raw["member"])

    def _sealed(self, session: Session, password: str) -> bytes:
        data = {name: getattr(session, name) for name in Session.__slots__}
        return _fernet(password, self._rules.user).encrypt(orjson.dumps(data))

    # -- logging in ------------------------------------------------------------------------------------------------

    async def _log_in(self, password: str) -> Session:
        plain: LoginError | None = None
        if self._rules.browser != "always":
            self._asker = Client(client_options(self._job))
            try:
                return await self._by_http(password)
            except LoginError as error:
                if self._rules.browser == "never" or self._browser is None or error.final:
                    raise
                logger.info("plain HTTP does not do, trying a browser: %s", error)
                plain = error
            finally:
                await self._asker.close()
        if self._browser is None:
            raise LoginError("login.browser needs a browser: pip install 'nephila[browser]'")
        try:
            async with self._browser() as pool:
                found = await browser_login(pool, self._start, self._job.seeds[0], self._rules.user, password)
        except (BrowserLoginError, ConfigError) as error:
            raise plain or LoginError(f"login: {error}") from None
        return self._judged(*found)

    async def _by_http(self, password: str) -> Session:
        home = self._job.seeds[0]
        guest = await self._get(home)
        page = await self._get(self._start) if self._start != home else guest
        form = find_form(page.body, page.url)
        for link in [] if form is not None else login_links(page.body, page.url):
            page = await self._get(link)
            if (form := find_form(page.body, page.url)) is not None:
                break
        if form is None:
            raise LoginError(f"login: no login form at {self._start}: name the page that has it as login.url")
        if has_captcha(page.body):
            raise _final(f"login: {page.url} asks for a captcha: log in by hand and give the cookies as http.cookies")
        for _ in range(_STEPS):
            await asyncio.sleep(_THINK)
            fields = form.filled(self._rules.user, password)
            page = await self._submit(form.action, form.method, fields, page.url)
            again = find_form(page.body, page.url)
            if form.password_field is not None or again is None or again.password_field is None:
                break
            form = again
        member = await self._get(home)
        refused = find_form(page.body, page.url)
        if refused is not None and refused.password_field is not None:
            said = complaint(page.body)
            raise _final(
                f"login: {host_key(self._start)} refused user {self._rules.user}"
                + (f" ({said})" if said else "")
                + f": check login.user and the password in {self._rules.password_env}"
            )
        return self._judged(self._asker.cookies(home), guest.body, member.body)

    def _judged(self, cookies: dict[str, str], guest: bytes, member: bytes) -> Session:
        """What changed on the page; nothing means that nobody was let in."""
        only_guest, only_member = marks(guest, member, self._job.seeds[0])
        named = (
            self._rules.user.encode().lower() in member.lower()
            and self._rules.user.encode().lower() not in guest.lower()
        )
        if not only_member and not named and not (only_guest and not has_password_field(member)):
            raise _final(
                f"login: {host_key(self._start)} did not let user {self._rules.user} in: check login.user and the"
                f" password in {self._rules.password_env}"
            )
        return Session(cookies, time.time(), only_guest, only_member)

    async def _get(self, url: str) -> Answer:
        try:
            return await self._followed(await self._asker.get(url))
        except FetchError as error:
            raise LoginError(f"login: {url} cannot be fetched ({error.cause})") from None

    async def _submit(self, url: str, method: str, fields: dict[str, str], referer: str) -> Answer:
        headers = {"Referer": referer, "Origin": "{0.scheme}://{0.netloc}".format(urlsplit(referer))}
        try:
            return await self._followed(await self._asker.submit(url, fields, method=method, headers=headers))
        except FetchError as error:
            raise LoginError(f"login: {url} does not answer ({error.cause})") from None

    async def _followed(self, answer: Answer) -> Answer:
        for _ in range(_HOPS):
            if answer.status not in _REDIRECTS or "location" not in answer.headers:
                break
            answer = await self._asker.get(urljoin(answer.url, answer.headers["location"]))
        return answer


def _final(message: str) -> LoginError:
    error = LoginError(message)
    error.final = True
    return error


def _names(body: bytes, path: str) -> bool:
    plain = path.encode()
    return plain in body or plain.replace(b"&", b"&amp;") in body


def _fernet(password: str, user: str) -> Fernet:
    key = hashlib.scrypt(password.encode(), salt=user.encode(), n=2**14, r=8, p=1, dklen=32)
    return Fernet(base64.urlsafe_b64encode(key))
