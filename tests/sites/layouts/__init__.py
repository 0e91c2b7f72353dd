"""Forums in the styles of big programs, for the guide to walk through: pages for addresses, without a server.

`tables` (rows of tables, sessions and sort orders in its addresses), `semicolons` (everything in one parameter),
`tree` (answers nested in what they answer), `scroll` (pages that a script joins while one scrolls; no page numbers).
"""

from tests.sites.layouts.content import Board, Content, Post, Thread
from tests.sites.layouts.scroll import Scroll
from tests.sites.layouts.semicolons import Semicolons
from tests.sites.layouts.tables import Tables
from tests.sites.layouts.tree import Tree

__all__ = ["Board", "Content", "Post", "Scroll", "Semicolons", "Tables", "Thread", "Tree"]
