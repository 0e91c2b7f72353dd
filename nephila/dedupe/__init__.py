"""Duplicates: which texts were seen before, exactly or nearly. Knows text and URLs, nothing of pages or outputs.

    text ──sketch──▶ 80 bits and a few keys ──▶ store: who has nearly the same? ──▶ the URL that was first, or None

Two stores of the same layout: a file that the workers of one machine map (`FileDuplicates`), and a Redis for those of
many (`RedisDuplicates`). Both are asked in batches, and judge and add in one atomic step.
"""

from nephila.dedupe.base import Duplicates, Limits
from nephila.dedupe.file import FileDuplicates
from nephila.dedupe.sketches import Sketch, distance, exact, sketch

__all__ = ["Duplicates", "FileDuplicates", "Limits", "Sketch", "distance", "exact", "sketch"]
