"""Search for texts that may repeat themselves among few: every period is tried in all texts at once."""

from typing import Final

import numpy as np

from misread.alignment.kernels.pairs import Codes
from misread.types import BoolArray, IntArray

_CELL_SECONDS: Final = 1e-8


def estimate_seconds(spans: IntArray, least: int) -> float:
    """Approximate seconds that `may_repeat` takes."""
    return _CELL_SECONDS * int(np.diff(spans).sum()) * _longest_period(spans, least)


def may_repeat(codes: Codes, spans: IntArray, least: int, shortest: int) -> BoolArray:
    """Whether each text has a run of at least `shortest` units that is at least `least` times as long as its period."""
    lengths = np.diff(spans)[:, 0]
    text_of = np.repeat(np.arange(len(spans)), lengths)
    # Without the codes between texts.
    units = codes[np.arange(lengths.sum()) + (spans[:, 0] - np.cumsum(lengths) + lengths)[text_of]]
    wanted = np.zeros(len(spans), np.bool_)
    for period in range(1, _longest_period(spans, least) + 1):
        differs = (units[period:] != units[:-period]) | (text_of[period:] != text_of[:-period])
        ends = np.concatenate([[-1], np.flatnonzero(differs), [differs.size]])
        is_long = np.diff(ends) > max(shortest, least * period) - period
        wanted[text_of[ends[:-1][is_long] + 1]] = True
    return wanted


def _longest_period(spans: IntArray, least: int) -> int:
    return int(np.diff(spans).max(initial=0)) // least
