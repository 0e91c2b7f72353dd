"""Links that do something, or that lead away from what is written: never followed on a forum.

Told by words in the address and on the link, in the main languages, and by tokens that only writing needs. Words may
only keep a link from being followed; nothing is followed because of a word. Knows text only.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

_HARD = (
    "logout log-out log_out signout sign-out sign_out logoff abmelden deconnexion desconectar "
    "delete remove destroy purge trash erase newreply new_reply new-reply multiquote newthread posting "
    "report warn ban vote upvote downvote rate like unlike thank thankyou react kudos bookmark unfollow "
    "subscribe unsubscribe unwatch markread mark-read mark_read markall readall markforumsread dismiss approve unaccept pollvote "
    "unfriend sendpage tellafriend"
).split()
_SOFT = (
    "reply quote newtopic new-topic new_topic post-new publish compose create add edit update write submit flag block ignore "
    "moderate move merge split lock unlock close reopen pin unpin sticky hide unhide rating love thanks reaction favorite "
    "favourite favorites follow subscription watch notify notifications mark read-all mark_all unread accept solve poll toggle "
    "switch invite friend poke send sendmessage pm email mail mailto attachment download upload collapse expand jump goto"
).split()
_ELSEWHERE = (
    "login signin sign-in sign_in log-in log_in register signup sign-up sign_up join lostpassword lost-password password reset-password "
    "recover activate resend account preferences settings usercp ucp controlpanel "
    "search find finduser advanced-search advanced_search "
    "rss atom feed feeds syndication xml json api "
    "print printthread printpage printable printview print-view print_view archive wap wap2 imode lofi lo-fi amp mobile pdf "
    "profile profiles user users member members memberlist memberslist u people staff team groups online whosonline who-is-online "
    "stats statistics leaderboard calendar help faq rules terms tos privacy imprint impressum contact cookies about legal "
    "lastpost last-post last_post getlastpost getnewpost newpost new-posts getnew latest last first firstunread first_unread "
    "nextoldest nextnewest prev_next next prev previous older newer random "
    "gallery shop store donate chat app apps admin modcp mcp acp cdn static media css js img images avatar"
).split()
_NEVER = frozenset(_HARD)
_CHANGE = frozenset(_HARD + _SOFT)
_OTHER = frozenset(_ELSEWHERE)
_TEXTS = re.compile(
    r"^\W*(?:log ?out|sign ?out|abmelden|ausloggen|se déconnecter|déconnexion|cerrar sesión|salir|esci|sair|uitloggen|выход|выйти|"
    r"wyloguj|退出|登出|注销|ログアウト|로그아웃|"
    r"reply|quote|report|edit|delete|like|thank|vote|mark .*read|subscribe|follow|watch|antworten|zitieren|melden|bearbeiten|"
    r"löschen|gefällt mir|abonnieren|répondre|citer|signaler|modifier|supprimer|responder|citar|reportar|editar|borrar|"
    r"rispondi|cita|segnala|ответить|цитировать|пожаловаться|удалить|回复|引用|举报|编辑|删除|返信|返信する|通報)\b.{0,20}$",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"^[0-9a-f]{16,}$|^[A-Za-z0-9_-]{32,}$")
_TOKEN_NAMES = re.compile(r"token|csrf|hash|sesc|nonce|authenticity|_k$|logoutkey|my_post_key|securitytoken|^key$", re.IGNORECASE)
_SPLIT = re.compile(r"[/?&;=]")


def surely_changes_state(url: str) -> bool:
    """The same for a link that stands where titles stand: only what no address of a thread would say."""
    return not _NEVER.isdisjoint(_tokens(url)) or _has_token(url)


def changes_state(url: str, text: str = "", attributes: dict[str, str] | None = None) -> bool:
    """Whether following the link may write something: post, vote, mark, log out."""
    tokens = _tokens(url)
    if not _CHANGE.isdisjoint(tokens):
        return True
    if text and len(text) < 40 and _TEXTS.match(text):
        return True
    if attributes and (attributes.get("data-method", "get").lower() != "get" or "hx-post" in attributes):
        return True
    return _has_token(url)


def leads_away(url: str) -> bool:
    """Whether the address names something other than boards and threads: people, searches, feeds, forms."""
    return not _OTHER.isdisjoint(_tokens(url))


def _tokens(url: str) -> set[str]:
    rest = unquote(url.partition("://")[2].partition("/")[2]).lower()
    parts = {part.partition(".")[0] for part in _SPLIT.split(rest)} | set(_SPLIT.split(rest))
    return {part for part in parts if part}


def _has_token(url: str) -> bool:
    query = url.partition("?")[2]
    for parameter in re.split(r"[&;]", query):
        name, _, value = parameter.partition("=")
        if value and (_TOKEN_NAMES.search(name) or _TOKEN.match(value)):
            return True
    return False
