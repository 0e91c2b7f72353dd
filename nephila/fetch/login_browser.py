"""Logging in with a real browser, for forms that only scripts can send; its cookies are what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nephila.fetch.browser import BrowserPool, Draw
from nephila.fetch.errors import FetchError
from nephila.fetch.login_form import login_links

if TYPE_CHECKING:
    from playwright.async_api import Page

_PATIENCE = 10_000
_FORM_PATIENCE = 5_000
"""Milliseconds that a script may take to make its form."""
_STEPS = 3
_LINKS = 3
_HIDING = "input[type=password]:visible"
_NAMES = "input[type=email], input[type=text], input:not([type]), input[type=tel]"


class BrowserLoginError(Exception):
    """One line that says what was missing."""


async def browser_login(
    pool: BrowserPool, url: str, home: str, user: str, password: str
) -> tuple[dict[str, str], bytes, bytes]:
    """The cookies of the session, and the start page as a guest and as a member see it."""

    async def act(page: Page) -> dict[str, Any]:
        return await _act(page, home, user, password)

    try:
        drawn = await pool.render(url, Draw(inspect=act))
    except FetchError as error:
        raise BrowserLoginError(f"the browser cannot open {url} ({error.cause})") from None
    value: dict[str, Any] = drawn.value
    if "error" in value:
        raise BrowserLoginError(value["error"])
    return value["cookies"], value["guest"].encode(), value["member"].encode()


async def _act(page: Page, home: str, user: str, password: str) -> dict[str, Any]:
    from playwright.async_api import Error

    form_url = page.url
    try:
        guest = page if form_url == home else await page.context.new_page()
        if guest is not page:
            await guest.goto(home, timeout=_PATIENCE)
        before = await guest.content()
        if not await _reach_form(page):
            return {"error": f"no login form at {form_url}"}
        for _ in range(_STEPS):
            if await _fill(page, user, password) is not False:
                break
        await page.goto(home, timeout=_PATIENCE)
        after = await page.content()
        cookies = {cookie["name"]: cookie["value"] for cookie in await page.context.cookies(home)}
        if guest is not page:
            await guest.close()
    except Error as error:
        return {"error": str(error).splitlines()[0][:200]}
    return {"cookies": cookies, "guest": before, "member": after}


async def _reach_form(page: Page) -> bool:
    """Whether there is a form now: on this page, or behind one of its login links, as soon as a script has made it."""
    if await page.locator(_HIDING).count() > 0:
        return True
    for link in login_links((await page.content()).encode(), page.url)[:_LINKS]:
        await page.goto(link, timeout=_PATIENCE)
        if await _appears(page, f"{_HIDING}, :is({_NAMES}):visible"):
            return True
    return await _appears(page, f":is({_NAMES}):visible")


async def _appears(page: Page, selector: str) -> bool:
    from playwright.async_api import TimeoutError as LateError

    try:
        await page.locator(selector).first.wait_for(timeout=_FORM_PATIENCE)
    except LateError:
        return False
    return True


async def _fill(page: Page, user: str, password: str) -> bool | None:
    """True: the password was sent; False: the name alone, the password comes next; None: there is nothing to fill."""
    from playwright.async_api import TimeoutError as LateError

    secret = page.locator(_HIDING).first
    has_secret = await secret.count() > 0
    form = page.locator("form", has=page.locator("input[type=password]")).first if has_secret else page
    name = form.locator(f":is({_NAMES}):visible").first
    if not has_secret and await name.count() == 0:
        return None
    if await name.count() > 0:
        await name.fill(user)
    field = secret if has_secret else name
    if has_secret:
        await secret.fill(password)
    await field.press("Enter")
    try:
        await page.wait_for_load_state("networkidle", timeout=_PATIENCE)
    except LateError:  # a page that never rests; whether it let us in is seen from what it shows then
        await page.wait_for_timeout(500)
    await page.wait_for_timeout(500)
    return has_secret
