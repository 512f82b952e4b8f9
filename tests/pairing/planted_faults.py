"""Faults of pairing, planted in outputs that are rightly paired: an oracle that knows where each fault is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

SHORTEST = 8
"""Letters of an output that may tell which line it is of."""


@dataclass(frozen=True)
class Planted:
    """Outputs with a fault, and the row whose output stands in each that it concerns."""

    outputs: list[str]
    sources: dict[int, int]

    @property
    def rows(self) -> set[int]:
        """Rows that the fault concerns."""
        return set(self.sources)

    def undecidable(self, references: Sequence[str]) -> set[int]:
        """Rows whose output nobody could place: it is shorter than eight letters, or of one of several equal lines."""
        number = Counter(references)
        return {
            row
            for row, source in self.sources.items()
            if len(self.outputs[row].strip()) < SHORTEST or number[references[source]] > 1
        }


def damage(text: str, rate: float, rng: random.Random, alphabet: str) -> str:
    """A text with so many wrong characters: substitutions, deletions and insertions."""
    letters = []
    for letter in text:
        draw = rng.random()
        if draw < rate * 0.6:
            letters.append(rng.choice(alphabet))
        elif draw < rate * 0.8:
            continue
        else:
            letters.append(letter)
            if draw > 1 - rate * 0.2:
                letters.append(rng.choice(alphabet))
    return "".join(letters)


def shift(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """The outputs of a stretch one segment late, as when one line was lost and one was read twice."""
    number = _number(outputs, share, least=4)
    start = rng.randrange(len(outputs) - number + 1)
    last = start + number - 1
    moved = _move(outputs, {row: row + 1 for row in range(start, last)})
    moved.outputs[last] = ""
    return moved


def swap(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """Outputs of pairs of segments, each in the place of the other."""
    rows = rng.sample(range(len(outputs)), _number(outputs, share, least=2) // 2 * 2)
    pairs = [*zip(rows[::2], rows[1::2], strict=True)]
    return _move(outputs, {**dict(pairs), **{second: first for first, second in pairs}})


def permutation(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """Outputs of some segments in another order, in one circle."""
    rows = rng.sample(range(len(outputs)), _number(outputs, share, least=3))
    return _move(outputs, dict(zip(rows, rows[1:] + rows[:1], strict=True)))


def doubled(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """Outputs that stand for other segments, too."""
    number = min(_number(outputs, share, least=2), len(outputs) // 2)
    rows = rng.sample(range(len(outputs)), 2 * number)
    return _move(outputs, dict(zip(rows[:number], rows[number:], strict=True)))


FAULTS: dict[str, Callable[[Sequence[str], float, random.Random], Planted]] = {
    "shift": shift,
    "swap": swap,
    "permutation": permutation,
    "doubled": doubled,
}


def _number(outputs: Sequence[str], share: float, *, least: int) -> int:
    return max(least, round(share * len(outputs)))


def _move(outputs: Sequence[str], sources: Mapping[int, int]) -> Planted:
    changed = list(outputs)
    for row, source in sources.items():
        changed[row] = outputs[source]
    return Planted(changed, {row: source for row, source in sources.items() if changed[row] != outputs[row]})
