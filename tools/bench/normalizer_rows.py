"""Rows on normalizers: lines of speech under the profiles that do most."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from random import Random
from statistics import median

from misread.errors import InputTextError
from misread.normalize import STEPS, Normalizer, get_normalizer
from misread.normalize.step import Step
from tools.bench.hostile_texts import HOSTILE, SETTINGS
from tools.bench.measure import Figure, Row, interleave

_LINES = 200_000
_CHARACTERS = 100_000
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

    hostile = f"hostile texts of {_CHARACTERS:,} characters"
    yield Figure(hostile, "the slowest step", "–", _slowest_step, "1 s")
    yield Figure(f"{_LINES:,} lines against a tenth", "english, time over length", "–", partial(_growth, scale), "1.2x")


def _seconds(normalizer: Normalizer, lines: list[str], scale: float, rounds: int) -> str:
    [spent] = interleave([lambda: [normalizer(line) for line in lines]], rounds, time.process_time)
    return f"{median(spent) / scale:.3g} s"


def _slowest_step(rounds: int) -> str:  # noqa: ARG001 - the slowest of a thousand is not a median
    """Time of the slowest step on the text that takes it longest, with its name."""
    slowest = (0.0, "")
    for name, facts in STEPS.items():
        settings = SETTINGS.get(name, {})
        if settings is None:
            continue
        change = Step(name, facts, settings).change
        for part in HOSTILE:
            text = (part * _CHARACTERS)[:_CHARACTERS]
            start = time.process_time()
            # Whisper's rules refuse endless numbers.
            with suppress(InputTextError):
                change(text)
            slowest = max(slowest, (time.process_time() - start, name))
    return f"{slowest[0]:.2g} s ({slowest[1]})"


def _growth(scale: float, rounds: int) -> str:
    """Time of all lines as one text over that of a tenth of them, and over ten."""
    draw = Random(1)
    lines = draw.choices(_WORDS["english"].split(), k=int(10 * _LINES * scale))
    texts = [" ".join(lines[: len(lines) // 10]), " ".join(lines)]
    normalizer = get_normalizer("english")
    short, long = interleave([partial(normalizer, text) for text in texts], rounds, time.process_time)
    return f"{median(long) / median(short) / 10:.2f}x"
