"""The sample sites, for tests: `serve()` them in a real process, compare with their gold, read the request log."""

from nephila.demo import forum, lighthouses, news, shop
from nephila.demo.kit import Request, Served
from tests.sites import hostile
from tests.sites.server import serve

__all__ = ["Request", "Served", "forum", "hostile", "lighthouses", "news", "serve", "shop"]
