"""Words of a recording cut at the times of segments, as NIST's sclite cuts a CTM file."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from misread.data.formats.marked_text import MarkedText
from misread.data.formats.timed_words import TimedWords
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_scalar
from misread.types import FloatArray, IntArray

LEAST_GAP: Final = 1.0
"""Seconds without a word that are noted."""


def place_words(starts: FloatArray, ends: FloatArray, middles: FloatArray) -> IntArray:
    """Number of the segment that each word belongs to, by the middle of its time; all are in order of time.

    Words between two segments belong to the later one, those before the first or after the last to that one, as in
    SCTK's sclite (input file formats "stm" and "ctm").
    """
    last = len(starts) - 1
    if (np.diff(ends) >= 0).all():
        # Middles of words of very different lengths may go back, but no word belongs before the word above it.
        placed = np.maximum.accumulate(np.searchsorted(ends, middles, side="right"))
        return np.minimum(placed, last)
    numbers = np.empty(len(middles), np.int64)
    until, number = ends.tolist(), 0
    for word, middle in enumerate(middles.tolist()):
        while number < last and middle >= until[number]:
            number += 1
        numbers[word] = number
    return numbers


def cut_words(segments: int, placed: IntArray, words: TimedWords) -> Sequence[MarkedText]:
    """Texts of all segments of a channel from its words, placed by `place_words`."""
    bounds = np.searchsorted(placed, np.arange(segments + 1))
    joined = _join(words, bounds)
    if not words.marked:
        return joined
    texts: list[MarkedText] = list(joined)
    for number in dict.fromkeys(placed[row] for row in words.marked):
        texts[number] = tuple(words[row].item for row in range(bounds[number], bounds[number + 1]))
    return texts


def cut_confidences(segments: int, placed: IntArray, words: TimedWords) -> Sequence[list[Any] | None]:
    """Confidence of each word of every segment, or of the words of each alternative; None where no word has one."""
    if words.confidences is None and not words.choice_confidences:
        return [None] * segments
    bounds = np.searchsorted(placed, np.arange(segments + 1)).tolist()
    values = [None] * len(words) if words.confidences is None else words.confidences.tolist()
    known: list[Any] = [None if value != value else value for value in values]
    for row, confidences in words.choice_confidences.items():
        known[row] = confidences
    parts = (known[start:end] for start, end in pairwise(bounds))
    return [part if any(value is not None for value in part) else None for part in parts]


def find_gaps(starts: FloatArray, ends: FloatArray, placed: IntArray, words: TimedWords) -> list[Any]:
    """Times of every segment without a word for a second or more, and its own; None where there is none.

    A word covers time of whichever segment it is heard in.
    """
    gaps: list[Any] = [None] * len(starts)
    covered = np.concatenate([[-np.inf], np.maximum.accumulate(2 * words.middles - words.starts)])
    bounds = np.searchsorted(placed, np.arange(len(starts) + 1))
    # Before every word of a segment, and after the last one.
    segments = np.concatenate([placed, np.arange(len(starts))])
    begins = np.maximum(np.concatenate([covered[:-1], covered[bounds[1:]]]), starts[segments])
    following = np.append(words.starts, np.inf)[bounds[1:]]
    stops = np.minimum(np.concatenate([words.starts, following]), ends[segments])
    for row in np.flatnonzero(stops - begins >= LEAST_GAP).tolist():
        number = int(segments[row])
        if gaps[number] is None:
            gaps[number] = {"speech": _in_seconds(starts[number], ends[number]), "without_words": []}
        gaps[number]["without_words"].append(_in_seconds(begins[row], stops[row]))
    return gaps


def _in_seconds(start: float, end: float) -> list[float]:
    return [round(float(start), 3), round(float(end), 3)]


def find_strays(starts: FloatArray, ends: FloatArray, placed: IntArray, words: TimedWords) -> IntArray:
    """Rows of words whose middle lies in no segment; `place_words` assigns them to one all the same."""
    return np.flatnonzero((words.middles < starts[placed]) | (words.middles > ends[placed]))


def find_overlaps(starts: FloatArray, ends: FloatArray) -> IntArray:
    """Rows of segments of one channel, in order of time, that begin before an earlier one ends."""
    return 1 + np.flatnonzero(starts[1:] < np.maximum.accumulate(ends)[:-1])


def _join(words: TimedWords, bounds: IntArray) -> ArrowTexts:
    import pyarrow as pa
    import pyarrow.compute as pc

    lists = pa.LargeListArray.from_arrays(to_arrow(bounds), words.words)
    return ArrowTexts.of(pc.binary_join(lists, to_scalar(" ")))
