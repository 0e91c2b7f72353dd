"""Forums: boards, threads, their pages, posts; learned from a site's own pages, without rules for any program.

    Document ──reading──▶ what the page is, its posts and links ──learning──▶ SiteModel (roles of address patterns)
                                                                                 │
    links to follow, in order, each page under one identity ◀──────── Guide ◀────┘

`read_posts` reads the posts of a page alone; `Guide` steers a crawl; `Archive` knows the versions of posts. The room
takes documents and the memory and knows nothing of frontier or fetching.
"""

from nephila.forum.archive import Archive, Version
from nephila.forum.comments import Comments, comment_places, may_have_comments, read_comments
from nephila.forum.fields import Template
from nephila.forum.guide import Guide, boards_again
from nephila.forum.likeness import looks_like_posts
from nephila.forum.model import Role, SiteModel
from nephila.forum.output import comment_dict, describe, post_record
from nephila.forum.post import Post, PostPage
from nephila.forum.posts import read_posts
from nephila.forum.reading import Kind
from nephila.forum.way import META, Guided, Way

__all__ = [
    "META",
    "Archive",
    "Comments",
    "Guide",
    "Guided",
    "Kind",
    "Post",
    "PostPage",
    "Role",
    "SiteModel",
    "Template",
    "Version",
    "Way",
    "boards_again",
    "comment_dict",
    "comment_places",
    "describe",
    "looks_like_posts",
    "may_have_comments",
    "post_record",
    "read_comments",
    "read_posts",
]
