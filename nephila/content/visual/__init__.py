"""Rendered page -> main text, by what it looks like (system D): language-independent, without labels.

    browser ──blocks.js──▶ VisualPage ──features──▶ linear SVM ──▶ content blocks ──▶ text, Markdown
                               │                        ▲
                               └──clustering, relevance─┘  (labels that nobody wrote, over all pages of a site)

A site's own model is learned from its pages alone and told by exact styles; until there is one, the shipped model
judges by what transfers from site to site: sizes, places and densities relative to the page's own majority. The room
takes what the injected script saw; it knows neither browsers nor the crawl, and inference needs numpy only.
"""

from nephila.content.visual.extract import Seen, see
from nephila.content.visual.learning import SiteLesson, learn_site
from nephila.content.visual.model import GeneralModel, SiteModel, shipped
from nephila.content.visual.page import VisualBlock, VisualPage, blocks_script, overlay_script, read_visual
from nephila.content.visual.store import VisualStore

__all__ = [
    "GeneralModel",
    "Seen",
    "SiteLesson",
    "SiteModel",
    "VisualBlock",
    "VisualPage",
    "VisualStore",
    "blocks_script",
    "learn_site",
    "overlay_script",
    "read_visual",
    "see",
    "shipped",
]
