"""Random texts of a script, and the same texts with errors at a given rate."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

LETTERS = {
    "ASCII": "etaoinshrdlucmfwypvbgkjqxz",
    "Latin": "etaoinshrdlucmfwypvbgkjqxzéü",
    "Chinese": "".join(map(chr, range(0x4E00, 0x4E00 + 3000))),
    "Arabic": "".join(map(chr, range(0x0627, 0x064B))),
    "Turkish": "abcçdefgğhıijklmnoöprsştuüvyz",
    "Devanagari": "".join(map(chr, [*range(0x0915, 0x0938), *range(0x093E, 0x0948), 0x094D, 0x0902])),
    "astral": "".join(map(chr, range(0x10400, 0x10450))),
}


@dataclass(frozen=True, slots=True)
class Pairs:
    """References and hypotheses of one workload."""

    references: list[str]
    hypotheses: list[str]

    def __len__(self) -> int:
        return len(self.references)

    @property
    def sides(self) -> tuple[list[str], list[str]]:
        """References and hypotheses."""
        return self.references, self.hypotheses

    def head(self, number: int) -> Pairs:
        """First pairs, for a peer that would take too long with all."""
        return Pairs(self.references[:number], self.hypotheses[:number])


def make_pairs(script: str, pairs: int, words: int, rate: float, *, seed: int = 1) -> Pairs:
    """Texts of about `words` words of 2 to 9 letters, and the same with errors at `rate`."""
    rng = random.Random(seed)
    letters = LETTERS[script]
    references = [_draw_text(rng, letters, rng.randint(words * 7 // 8, words * 9 // 8)) for _ in range(pairs)]
    return Pairs(references, [corrupt(rng, reference, letters + " ", rate) for reference in references])


def _draw_text(rng: random.Random, letters: str, words: int) -> str:
    return " ".join("".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(words))


def corrupt(rng: random.Random, text: str, letters: Sequence[str], rate: float) -> str:
    """Text with errors: half substitutions, a quarter insertions, a quarter deletions."""
    made = []
    for letter in text:
        die = rng.random() / rate
        if die >= 1:
            made.append(letter)
        elif die < 0.5:
            made.append(rng.choice(letters))
        elif die < 0.75:
            made.append(letter + rng.choice(letters))
    return "".join(made)
