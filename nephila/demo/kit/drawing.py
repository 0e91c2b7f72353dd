"""Pictures for the sample sites, drawn from a seed: a sky, hills, the sea and what floats on it."""

from __future__ import annotations

import random

_PALETTES = (
    ("#f6d9b8", "#e8a36b", "#8c5a6b", "#4b3f5c", "#2b3a55"),
    ("#dceaf2", "#9cc3d8", "#5d93ad", "#35647d", "#1d3f54"),
    ("#f3ead7", "#d9c79b", "#9aa06e", "#5f7750", "#31503f"),
    ("#f2dde0", "#d99aa5", "#9b6a8e", "#5e4a7a", "#33305a"),
    ("#e3efe6", "#a8cfb8", "#67a38f", "#3c7570", "#204a50"),
)


def landscape(seed: str, width: int = 720, height: int = 360) -> str:
    """An SVG of hills above the sea."""
    rng = random.Random(seed)
    sky, glow, far, near, sea = rng.choice(_PALETTES)
    sun_x, sun_y, sun_r = rng.randint(90, width - 90), rng.randint(60, 150), rng.randint(24, 46)
    horizon = height * 2 // 3
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f'<rect width="{width}" height="{height}" fill="{sky}"/>',
        f'<circle cx="{sun_x}" cy="{sun_y}" r="{sun_r}" fill="{glow}"/>',
        _hills(rng, width, horizon, 120, far),
        _hills(rng, width, horizon, 60, near),
        f'<rect y="{horizon}" width="{width}" height="{height - horizon}" fill="{sea}"/>',
    ]
    for _ in range(9):
        x, y, length = rng.randint(0, width), rng.randint(horizon + 12, height - 8), rng.randint(30, 120)
        parts.append(f'<path d="M{x} {y}h{length}" stroke="{sky}" stroke-width="2" opacity=".35"/>')
    boat_x, boat_y = rng.randint(80, width - 120), horizon + rng.randint(10, 40)
    parts.append(
        f'<path d="M{boat_x} {boat_y}h60l-10 14h-40z" fill="{near}"/>'
        f'<path d="M{boat_x + 28} {boat_y - 4}v-50l28 46z" fill="{sky}"/>'
    )
    return "".join(parts) + "</svg>"


def _hills(rng: random.Random, width: int, base: int, rise: int, colour: str) -> str:
    points = [f"{x},{base - rng.randint(rise // 3, rise)}" for x in range(0, width + 1, width // 8)]
    return f'<polygon points="0,{base} {" ".join(points)} {width},{base}" fill="{colour}"/>'
