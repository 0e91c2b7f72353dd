"""Query parameters that name a visitor or a campaign, not a page: data, and the rule that reads it.

Removal has to be conservative: a parameter is dropped only where no server would choose its answer by it. Names that
are nothing but a session (`PHPSESSID`) go with any value; names that mean a session on one site and something else on
the next (`sid`, `s`) go only when the value has the look of a machine-made session id. Knows no other room.
"""

from __future__ import annotations

import re
from functools import lru_cache

TRACKING_PREFIXES = (
    "utm_",  # Google Analytics and everybody after it
    "mtm_",  # Matomo
    "matomo_",
    "piwik_",  # its old name
    "hsa_",  # HubSpot ads
    "at_custom",  # AT Internet
    "fb_action_",
    "guce_",  # Yahoo
    "elqtrack",  # Eloqua
)

# Click identifiers of advertising networks.
_CLICKS = """
gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid fbclid msclkid yclid ysclid twclid ttclid li_fat_id
epik igshid igsh irclickid irgwc sscid zanpid rb_clickid wickedid scclid s_kwcid ef_id mkwid pcrid
"""
# Analytics that follow a visitor from one domain to the next.
_LINKERS = """
_ga _gl _gac _openstat __hstc __hssc __hsfp _hsenc _hsmi hsctatracking _branch_match_id guccounter spm
"""
# E-mail campaigns: which mail, which reader.
_MAILS = """
mc_cid mc_eid mkt_tok vero_id vero_conv oly_anon_id oly_enc_id ml_subscriber ml_subscriber_hash ck_subscriber_id dm_i
_ke _kx __s elq elqat elqaid
"""
# Labels of campaigns and shares.
_LABELS = """
at_medium at_campaign wt_mc wt.mc_id xtor ga_source ga_medium ga_term ga_content ga_campaign fb_source fb_ref sc_cid
action_object_map action_type_map action_ref_map pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid
"""
TRACKING = frozenset(f"{_CLICKS} {_LINKERS} {_MAILS} {_LABELS}".split())

SESSION_PREFIXES = ("aspsessionid",)  # ASPSESSIONIDQQSBRACT: classic ASP adds eight letters

SESSION = frozenset({"phpsessid", "jsessionid", "oscsid", "xtcsid", "modsid", "zenid", "ci_session"})

_MAYBE_SESSION = "sid sessid sessionid session_id session sess ssid psid ses_id sess_id phpsession"
MAYBE_SESSION = frozenset(_MAYBE_SESSION.split())
"""Dropped only with a value that looks like a session id; `?sid=42` may be a story, a shop or a station."""

HEX_SESSION = frozenset(("s",))
"""vBulletin's session; everywhere else a search: dropped only with exactly 32 hexadecimal digits."""

PAIRED_SESSION = frozenset(("cfid", "cftoken"))
"""ColdFusion sends both; one of them alone is somebody else's parameter."""

_KEEP, _DROP, _LOOK, _HEX, _PAIR = range(5)

_HEX32 = re.compile(r"[0-9a-fA-F]{32}").fullmatch
# At least 16 characters, letters and no fewer than three digits among them, no words joined by hyphens.
_SESSION_VALUE = re.compile(
    r"(?=(?:\D*\d){3})(?=.*[A-Za-z])[0-9A-Za-z]{16,128}(?:[.!~-][0-9A-Za-z.!~-]{0,64})?"
).fullmatch
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch


@lru_cache(maxsize=4096)
def _kind(name: str) -> int:
    name = name.lower()
    if name in TRACKING or name in SESSION or name.startswith(TRACKING_PREFIXES) or name.startswith(SESSION_PREFIXES):
        return _DROP
    if name in MAYBE_SESSION:
        return _LOOK
    if name in HEX_SESSION:
        return _HEX
    return _PAIR if name in PAIRED_SESSION else _KEEP


def looks_like_session(value: str) -> bool:
    """Whether a value has the look of a machine-made session id: long, letters and digits, not words."""
    return _SESSION_VALUE(value) is not None or _HEX32(value) is not None or _UUID(value) is not None


def names_visitor(parameter: str, *, paired: bool = False) -> bool:
    """Whether `name=value` says who asks rather than what for. `paired`: the query holds a ColdFusion pair."""
    name, _, value = parameter.partition("=")
    # `?<a long token>` has a long name and no value: not worth a place in the cache.
    kind = _kind(name) if len(name) <= 32 else _KEEP
    if kind == _KEEP:
        return False
    if kind == _LOOK:
        return looks_like_session(value)
    if kind == _HEX:
        return _HEX32(value) is not None
    return kind == _DROP or paired


def holds_pair(query: str) -> bool:
    """Whether both names of `PAIRED_SESSION` are in the query (without its `?`)."""
    if "ftoken=" not in query.lower():
        return False
    names = {parameter.partition("=")[0] for parameter in query.lower().replace(";", "&").split("&")}
    return names >= PAIRED_SESSION
