"""Faults of pairing, planted in outputs that are rightly paired: an oracle that knows where each fault is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """Outputs with a fault, and the rows that it concerns."""

    outputs: list[str]
    rows: set[int]


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
    changed = list(outputs)
    changed[start : start + number - 1] = outputs[start + 1 : start + number]
    changed[start + number - 1] = ""
    return Planted(changed, _moved(outputs, changed) - {start + number - 1})


def swap(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """Outputs of pairs of segments, each in the place of the other."""
    rows = rng.sample(range(len(outputs)), _number(outputs, share, least=2) // 2 * 2)
    changed = list(outputs)
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        changed[first], changed[second] = outputs[second], outputs[first]
    return Planted(changed, _moved(outputs, changed))


def permutation(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """Outputs of some segments in another order, in one circle."""
    rows = rng.sample(range(len(outputs)), _number(outputs, share, least=3))
    changed = list(outputs)
    for row, other in zip(rows, rows[1:] + rows[:1], strict=True):
        changed[row] = outputs[other]
    return Planted(changed, _moved(outputs, changed))


def doubled(outputs: Sequence[str], share: float, rng: random.Random) -> Planted:
    """Outputs that stand for other segments, too."""
    number = min(_number(outputs, share, least=2), len(outputs) // 2)
    rows = rng.sample(range(len(outputs)), 2 * number)
    changed = list(outputs)
    for row, other in zip(rows[:number], rows[number:], strict=True):
        changed[row] = outputs[other]
    return Planted(changed, _moved(outputs, changed))


def another_document(outputs: Sequence[str], share: float, rng: random.Random, foreign: Sequence[str]) -> Planted:
    """Outputs of another document of the same kind."""
    rows = rng.sample(range(len(outputs)), min(_number(outputs, share, least=2), len(foreign)))
    changed = list(outputs)
    for row, text in zip(rows, rng.sample(foreign, len(rows)), strict=True):
        changed[row] = text
    return Planted(changed, set(rows))


FAULTS: dict[str, Callable[..., Planted]] = {
    "shift": shift,
    "swap": swap,
    "permutation": permutation,
    "doubled": doubled,
    "another_document": another_document,
}


def _number(outputs: Sequence[str], share: float, *, least: int) -> int:
    return max(least, round(share * len(outputs)))


def _moved(outputs: Sequence[str], changed: Sequence[str]) -> set[int]:
    return {row for row, (text, other) in enumerate(zip(outputs, changed, strict=True)) if text != other}
