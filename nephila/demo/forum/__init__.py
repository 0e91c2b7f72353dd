"""Lantern Rock: a forum with a login, a members' room, and every kind of link that leads a crawler astray."""

from nephila.demo.forum.app import PASSWORD, USER, build
from nephila.demo.forum.content import Post, posts
from nephila.demo.kit.site import AppSite

__all__ = ["PASSWORD", "SITE", "USER", "Post", "gold"]

SITE = AppSite("forum", build)


def gold() -> list[Post]:
    """Every post, private ones too, in the order of board, thread and position."""
    return list(posts())
