"""Numbers as people read them, and strangers' text made safe for a terminal."""

from __future__ import annotations


def count(number: int) -> str:
    return f"{number:,}"


def size(number: float) -> str:
    """Decimal units, three digits: 999 B, 1.02 kB, 45.3 MB."""
    value = float(number)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 999.5 or unit == "TB":
            break
        value /= 1000
    if unit == "B":
        return f"{value:.0f} B"
    return f"{value:.2f} {unit}" if value < 9.995 else f"{value:.1f} {unit}" if value < 99.95 else f"{value:.0f} {unit}"


def speed(per_second: float) -> str:
    return f"{per_second:.1f}/s" if per_second < 99.95 else f"{per_second:,.0f}/s"


def duration(seconds: float) -> str:
    """0:42, 12:05, 3:04:05, 2 d 03:04:05."""
    whole = max(0, round(seconds))
    days, rest = divmod(whole, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, secs = divmod(rest, 60)
    if days:
        return f"{days} d {hours:02}:{minutes:02}:{secs:02}"
    return f"{hours}:{minutes:02}:{secs:02}" if hours else f"{minutes}:{secs:02}"


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def printable(text: str) -> str:
    """Without control characters: a URL or error message may carry escape codes for the reader's terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
