"""Sample sites to crawl without a network: a newspaper in four scripts, a shop, a forum with a login, and a catalogue
of lighthouses that only JavaScript draws.

Everything is our own text, grown from fixed seeds, and each site has a `gold()` that tells what a crawler should find.
`python -m nephila.demo` serves them; `serve()` does so in a process of its own for the length of a `with` block.
The room knows the errors of Nephila and nothing else of it.
"""

from nephila.demo.kit.process import Request, Served, serve
from nephila.demo.server import SITES

__all__ = ["SITES", "Request", "Served", "serve"]
