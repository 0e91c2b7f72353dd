"""Line drawings of the shop's goods: one shape a category, coloured by the SKU."""

from __future__ import annotations

import random

_SHAPES = {
    "kettle": "M60 150h90q14-60-20-78H80q-34 18-20 78zM80 72q25-46 50 0M150 100q26-2 34-28",
    "lamp": "M70 90h80l-14-50H84zM104 90h12v60h-12zM76 150h68v10H76z",
    "tool": "M50 130q60-60 120-70q-20 50-90 88zM50 130l-16 26q10 16 26 8l20-18z",
    "bag": "M56 80h108l10 84H46zM82 80q0-44 28-44t28 44",
    "book": "M58 50h96q10 0 10 10v104q0 8-8 8H58zM58 50v122M72 50v122M90 84h54M90 102h40",
}
_COLOURS = ("#c8553d", "#588b8b", "#8d6b94", "#b38a3e", "#41658a", "#6a8d5b")


def goods(shape: str, sku: str) -> str:
    """An SVG of 220 by 200."""
    rng = random.Random(sku)
    colour, ground = rng.choice(_COLOURS), rng.choice(("#f4efe6", "#eaf0f0", "#f2ecf1"))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 200" role="img">'
        f'<rect width="220" height="200" fill="{ground}"/><ellipse cx="110" cy="170" rx="80" ry="9" fill="#00000014"/>'
        f'<path d="{_SHAPES[shape]}" fill="{colour}" fill-opacity=".82" stroke="#2c3440" stroke-width="4" '
        'stroke-linejoin="round" stroke-linecap="round"/></svg>'
    )
