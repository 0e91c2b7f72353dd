"""Document -> main text and what is known of the page: `fill` is the door.

    Document ──features──▶ numbers of each block ──model──▶ probabilities ──choice──▶ blocks ──▶ text, Markdown
                                                     ▲
                           what the site's other pages told (site)

`fill` writes a page's content into its Record; `SiteMemory` is what the pages of a site have in common, `SiteStore`
shares it between workers; `lines` is system A. The room takes a Document and knows nothing of frontier or fetching.
"""

from nephila.content.extract import METHODS, Content, fill, main_content
from nephila.content.site import SiteMemory
from nephila.content.site_store import SiteStore

__all__ = ["METHODS", "Content", "SiteMemory", "SiteStore", "fill", "main_content"]
