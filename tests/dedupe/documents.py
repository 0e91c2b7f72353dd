"""Made-up documents with a natural distribution of words, and copies of them that were edited as pages are."""

from __future__ import annotations

import random


class Documents:
    def __init__(self, rng: random.Random, vocabulary: int = 30_000) -> None:
        self._rng = rng
        letters = "eeeetttaaaooiinnsshhrrddlcumwfgypbvk"
        self._words = ["".join(rng.choices(letters, k=rng.randint(2, 11))) for _ in range(vocabulary)]
        total, self._cumulative = 0.0, []
        for rank in range(vocabulary):
            total += 1 / (rank + 10)
            self._cumulative.append(total)

    def words(self, count: int) -> list[str]:
        return self._rng.choices(self._words, cum_weights=self._cumulative, k=count)

    def text(self, low: int = 150, high: int = 900) -> str:
        """Paragraphs of sentences."""
        words, lines = self.words(self._rng.randint(low, high)), []
        while words:
            size = self._rng.randint(20, 90)
            lines.append(" ".join(words[:size]).capitalize() + ".")
            words = words[size:]
        return "\n".join(lines)

    def edited(self, text: str, share: float) -> str:
        """A share of the words replaced, here and there."""
        lines = (line.split() for line in text.split("\n"))
        return "\n".join(" ".join(self._word(word, share) for word in line) for line in lines)

    def _word(self, word: str, share: float) -> str:
        return word if self._rng.random() >= share else self.words(1)[0]

    def near_copy(self, text: str) -> str:
        """As sites copy: a few words changed, a short paragraph left out, a line added before or after."""
        rng = self._rng
        kind = rng.randrange(4)
        if kind == 0:
            return self.edited(text, rng.uniform(0.002, 0.03))
        lines = text.split("\n")
        if kind == 1 and len(lines) > 3:
            shortest = min(range(len(lines)), key=lambda n: len(lines[n]))
            if len(lines[shortest]) < 0.1 * len(text):
                del lines[shortest]
        extra = " ".join(self.words(max(3, int(len(text) / 6 * rng.uniform(0.01, 0.06)))))
        lines.insert(0 if kind == 2 else len(lines), extra)
        return "\n".join(lines)

    def half_copy(self, text: str) -> str:
        """No near-copy: it shares a half at most, as a quotation or a template does."""
        lines = text.split("\n")
        kept = lines[: max(1, int(len(lines) * self._rng.uniform(0.2, 0.5)))]
        return "\n".join(kept) + "\n" + self.text(len(text) // 8, len(text) // 5)
