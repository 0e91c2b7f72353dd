"""What every sample site is made of: the server process, the request log, conditional answers, grown text.

Knows no site and no other room of Nephila.
"""

from nephila.demo.kit.log import RequestLog
from nephila.demo.kit.process import Request, Served, serve
from nephila.demo.kit.site import AppSite, Site

__all__ = ["AppSite", "Request", "RequestLog", "Served", "Site", "serve"]
