"""Document -> main text and what is known of the page: `fill` is the door.

    Document ──features──▶ numbers of each block ──model──▶ probabilities ──choice──▶ blocks ──▶ text, Markdown
                                                     ▲
                           what the site's other pages told (site)

`fill` writes a page's content into its Record; `SiteMemory` is what the pages of a site have in common, `SiteStore`
shares it between workers. The room takes a Document and knows nothing of frontier or fetching.

`features` are the numbers of a page, `model` judges by them, with the `trees` behind it; `talk` and `teasers` tell what
is not the text but looks like it, `keeping` and `choice` decide; `markdown`, `metadata`, `kinds` and `asides` tell the
rest of the record. `lines` is system A, `visual` system D. `native` calls the C of all these. `gold` and `training` are
for learning and measuring.
"""

from nephila.content.extract import METHODS, Content, fill, main_content
from nephila.content.site.memory import SiteMemory
from nephila.content.site.store import SiteStore

__all__ = ["METHODS", "Content", "SiteMemory", "SiteStore", "fill", "main_content"]
