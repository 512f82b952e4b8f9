"""Rows on normalizers: lines of speech under the profiles that do most."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import median

from benchmarks.measure import Figure, Row, interleave
from misread.normalize import Normalizer, get_normalizer

_LINES = 200_000
_WORDS = {
    "turkish": "Bu bir test cümlesidir ve İstanbul'da 42 kişi yaşıyor, saat 14:30'da toplantı başladı; yüzde onu "
    "geldi. Kâğıt üzerinde her şey güzeldi ama XX. yüzyılda",
    "english": "the quick brown fox jumped over the lazy dog and i can't believe it's been twenty five years since mr. "
    "smith said uh the colour was grey in 1999 well",
}


def normalizer_rows(scale: float) -> Iterator[Row]:
    """CPU seconds of 200,000 lines of ten words; of fewer lines, in proportion."""
    for profile, words in _WORDS.items():
        draw = Random(1)
        lines = [" ".join(draw.choices(words.split(), k=10)) for _ in range(int(_LINES * scale))]
        figure = partial(_seconds, get_normalizer(profile), lines, scale)
        yield Figure(f"{_LINES:,} lines of speech", f"normalizer {profile}", "–", figure, "12 s")


def _seconds(normalizer: Normalizer, lines: list[str], scale: float, rounds: int) -> str:
    [spent] = interleave([lambda: [normalizer(line) for line in lines]], rounds, time.process_time)
    return f"{median(spent) / scale:.3g} s"
