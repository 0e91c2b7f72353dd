"""URLs: canonical form, scope, trap guards, 64-bit identities. Text in, text out: this room opens no connection.

The way of a link: `References` tells which were on a page before, as they are written; `resolve` gives the others their
canonical form, `fingerprint` tells which are new, `Scope.allows` which belong to the job, `trap` which are not worth a
request; `host_key`, `family` and `url_date` are what the frontier orders and bounds them by. All functions but
`canonicalize` and `resolve` expect canonical URLs.
"""

from nephila.urls.canonical import MAX_LENGTH, canonicalize, resolve
from nephila.urls.dates import url_date
from nephila.urls.fingerprint import delivery_key, family, fingerprint
from nephila.urls.host import host_key, host_name, origin, registered_domain
from nephila.urls.references import References
from nephila.urls.scope import Mode, Scope
from nephila.urls.shape import shape
from nephila.urls.traps import trap

__all__ = [
    "MAX_LENGTH",
    "Mode",
    "References",
    "Scope",
    "canonicalize",
    "delivery_key",
    "family",
    "fingerprint",
    "host_key",
    "host_name",
    "origin",
    "registered_domain",
    "resolve",
    "shape",
    "trap",
    "url_date",
]
