"""Words that the made-up forums are written with."""

from __future__ import annotations

THINGS = [
    "kettle",
    "bicycle",
    "lantern",
    "compass",
    "harbour",
    "garden",
    "violin",
    "teapot",
    "ladder",
    "window",
    "mirror",
    "barometer",
]
VERBS = ["rattles", "leaks", "creaks", "glows", "sinks", "hums", "bends", "freezes", "fades", "spins"]
SHORT = ["+1", "Thanks!", "Same here.", "谢谢", "Спасибо", "bump"]
"""Posts that many people write alike."""
