"""System A (`--method lines`): main text from a statistical classification of the page's lines.

The way of a page: `preprocess` cuts it into lines, `features` measures six numbers of each, `discretise` makes them
Low, Middle or High, `classify` calls each line topical or not, `segment` joins topical lines to blocks with a sliding
window and keeps the blocks that score high. Each step is the paper's; where the paper leaves a choice open, the comment
beside it says what was chosen. Knows HTML and lines, neither the crawl nor the other methods.
"""

from nephila.content.lines.extract import LineExtractor, Steps, extract_lines

__all__ = ["LineExtractor", "Steps", "extract_lines"]
