"""The Four Winds: a newspaper in English, Russian, Chinese and Arabic, with all the furniture of a real one."""

from nephila.demo.kit.site import AppSite
from nephila.demo.news.app import build
from nephila.demo.news.content import LANGUAGES, Article, Comment, edition

__all__ = ["SITE", "Article", "Comment", "gold"]

SITE = AppSite("news", build)


def gold(base: str = "") -> dict[str, Article]:
    """Every article by its address below `base`, the site's root."""
    root = base.rstrip("/")
    return {root + article.path: article for code in LANGUAGES for article in edition(code).articles}
