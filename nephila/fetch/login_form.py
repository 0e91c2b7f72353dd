"""Login forms: found on a page by their fields, filled without knowing the site. Knows HTML only.

A login form has one password field; the text field before it takes the name. All other fields go back as they came:
hidden tokens, boxes that are ticked. A box that asks to be remembered is ticked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

_TEXT_TYPES = frozenset({"", "text", "email", "tel", "url"})
_SENT_TYPES = frozenset({"hidden", "text", "email", "tel", "url", "number", "search", "password", ""})
_REMEMBER = re.compile(r"remember|keep|persist|stay|autologin|auto_login|eternal|angemeldet|cookie", re.IGNORECASE)
_NAME = re.compile(r"user|login|name|mail|ident|account|nick|member", re.IGNORECASE)
_REGISTER = re.compile(r"regist|sign-?up|create|forgot|lost|reset|recover", re.IGNORECASE)
_CAPTCHA = re.compile(rb"captcha|cf-turnstile|g-recaptcha|h-captcha", re.IGNORECASE)
_LOGIN_PATH = re.compile(r"log-?_?in|sign-?_?in|anmeld|einlog|connexion|acceso|entrar|accedi|вход|войти", re.IGNORECASE)
_LOGIN_TEXT = re.compile(
    r"^\W*(?:log ?in|sign ?in|anmelden|einloggen|login|connexion|se connecter|iniciar sesión|acceder|entrar|accedi|"
    r"inloggen|zaloguj|войти|вход|登录|登入|登錄|ログイン|로그인)\b",
    re.IGNORECASE,
)
_LOGOUT = re.compile(
    r"log-?_?out|sign-?_?out|logoff|abmelden|ausloggen|deconn|déconn|cerrar|выйти|выход|登出|退出|ログアウト",
    re.IGNORECASE,
)
_LONG_VALUE = re.compile(r"[&;]?[^=&;]*=[^&;]{12,}")
"""Tokens, sessions, the way back: different on every page."""
_COMPLAINT = re.compile(r"error|alert|warning|invalid|danger|fail|message|notice|flash", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Form:
    action: str
    method: str
    fields: dict[str, str]
    user_field: str | None
    password_field: str | None

    def filled(self, user: str, password: str) -> dict[str, str]:
        fields = dict(self.fields)
        if self.user_field is not None:
            fields[self.user_field] = user
        if self.password_field is not None:
            fields[self.password_field] = password
        return fields


def find_form(body: bytes, url: str) -> Form | None:
    """The login form of a page, or the first step of one that asks for the name alone; None when there is none."""
    tree = LexborHTMLParser(body)
    forms = [(worth, node) for node in tree.css("form") if (worth := _worth(node)) > 0]
    if not forms:
        return None
    return _read(max(forms, key=lambda pair: pair[0])[1], url)


def _worth(form: LexborNode) -> float:
    inputs = form.css("input")
    kinds = [(node.attributes.get("type") or "").lower() for node in inputs]
    passwords = kinds.count("password")
    texts = sum(kind in _TEXT_TYPES for kind in kinds)
    about = " ".join(str(form.attributes.get(name) or "") for name in ("action", "id", "class", "name"))
    if passwords == 1:
        return 10.0 - 0.5 * abs(texts - 1) - 4.0 * bool(_REGISTER.search(about)) + 2.0 * bool(_LOGIN_PATH.search(about))
    if passwords > 1:
        return 2.0 - bool(_REGISTER.search(about))
    named = any(_NAME.search(str(node.attributes.get("name") or "")) for node in inputs)
    asks = texts == 1 and named and bool(_LOGIN_PATH.search(about))
    return 1.0 if asks else 0.0


def _read(form: LexborNode, url: str) -> Form:
    fields: dict[str, str] = {}
    user = password = None
    button: tuple[str, str] | None = None
    for node in form.css("input, select, textarea, button"):
        name = node.attributes.get("name")
        kind = (node.attributes.get("type") or ("submit" if node.tag == "button" else "")).lower()
        value = node.attributes.get("value") or ""
        if not name or "disabled" in node.attributes:
            continue
        if kind in ("submit", "image"):
            button = button or (name, value)
        elif kind in ("checkbox", "radio"):
            if "checked" in node.attributes or (kind == "checkbox" and _REMEMBER.search(name)):
                fields[name] = value or "on"
        elif node.tag == "select":
            chosen = node.css_first("option[selected]") or node.css_first("option")
            fields[name] = (chosen.attributes.get("value") or "") if chosen is not None else ""
        elif node.tag == "textarea" or kind in _SENT_TYPES:
            fields[name] = value
            if kind == "password" and password is None:
                password = name
            elif kind in _TEXT_TYPES and password is None and node.tag == "input":
                user = name if user is None or _NAME.search(name) else user
    if button is not None:
        fields.setdefault(*button)
    action = urljoin(url, str(form.attributes.get("action") or "") or url)
    return Form(action, (form.attributes.get("method") or "get").lower(), fields, user, password)


def login_links(body: bytes, url: str) -> list[str]:
    """Links of a page that lead to a login form, the likeliest first."""
    found: dict[str, int] = {}
    for node in LexborHTMLParser(body).css("a[href]"):
        target = urljoin(url, str(node.attributes.get("href") or ""))
        if urlsplit(target).netloc != urlsplit(url).netloc:
            continue
        said = bool(_LOGIN_TEXT.match(node.text() or ""))
        written = bool(_LOGIN_PATH.search(urlsplit(target).path + urlsplit(target).query))
        if (said or written) and not _REGISTER.search(target) and not _LOGOUT.search(target):
            found[target.partition("#")[0]] = said + written
    return sorted(found, key=lambda link: -found[link])[:3]


def has_password_field(body: bytes) -> bool:
    return re.search(rb"<input[^>]*type=[\"']?password", body, re.IGNORECASE) is not None


def has_captcha(body: bytes) -> bool:
    return _CAPTCHA.search(body) is not None


def complaint(body: bytes) -> str | None:
    """What the page says about why the login failed."""
    for node in LexborHTMLParser(body).css("[class], [role=alert]"):
        named = f"{node.attributes.get('class') or ''} {node.attributes.get('role') or ''}"
        text = " ".join((node.text() or "").split())
        if _COMPLAINT.search(named) and 8 <= len(text) <= 200:
            return text
    return None


def marks(guest: bytes, member: bytes, url: str) -> tuple[list[str], list[str]]:
    """Paths of links that only a guest is shown, and that only a member is: how a lost session is noticed."""
    before, after = _paths(guest, url), _paths(member, url)
    only_guest = [path for path in before - after if _LOGIN_PATH.search(path)]
    only_member = [path for path in after - before if _LOGOUT.search(path)]
    if not only_guest:
        only_guest = sorted(before - after)[:5]
    return sorted(only_guest), sorted(only_member or (after - before))[:20]


def _paths(body: bytes, url: str) -> set[str]:
    found = set()
    for node in LexborHTMLParser(body).css("a[href], form[action]"):
        href = str(node.attributes.get("href") or node.attributes.get("action") or "")
        parts = urlsplit(urljoin(url, href))
        if parts.netloc == urlsplit(url).netloc:
            selecting = re.sub(
                r"[?&;]?(?:next|redirect\w*|return\w*|sid|s|hash|token|\w*key|sesc|\w{1,8})=[^&;]{12,}", "", parts.query
            )
            found.add(f"{parts.path}?{selecting}" if selecting and len(selecting) < 40 else parts.path)
    return found
