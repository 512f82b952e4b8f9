"""Seconds in which somebody speaks by the reference, and for which the hypothesis has no word."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from misread.features.flags.flag import Flag
from misread.metrics.base import ScoredText

_SIDES = ("reference_turns", "turns")

Spans = list[tuple[float, float]]
"""Start and end in seconds, apart from each other, in order of time."""


def find_silences(pairs: ScoredText, silence: float) -> Iterator[tuple[int, Flag]]:
    """Flags "silence" with their rows, of segments whose turns have times on both sides, or whose words have."""
    gaps_by_row = chain(
        ((row, speech, subtract(speech, words)) for row, speech, words in _spans_by_row(pairs)), _noted_gaps(pairs)
    )
    for row, speech, gaps in gaps_by_row:
        long_enough = [(start, end) for start, end in gaps if end - start >= silence]
        if long_enough:
            missed, total = (sum(end - start for start, end in spans) for spans in (gaps, speech))
            shown = ", ".join(f"{start:.1f} to {end:.1f} s" for start, end in long_enough[:3])
            more = f" and {len(long_enough) - 3} more" if len(long_enough) > 3 else ""
            reason = f"{missed:.1f} of {total:.1f} seconds of speech have no words: {shown}{more}"
            yield row, Flag("silence", 0, len(pairs.hypotheses[row]), reason)


def _noted_gaps(pairs: ScoredText) -> Iterator[tuple[int, Spans, Spans]]:
    """Rows, times of segments, and times in them without a word, as they were noted where words with times were read.

    A pause of the speaker looks the same; where words are missing, the output is shorter than the reference.
    """
    for row, heard in enumerate(pairs.annotations.get("heard", ())):
        if heard and len(pairs.hypotheses[row].split()) < len(pairs.references[row].split()):
            start, end = heard["speech"]
            yield row, [(start, end)], [(start, end) for start, end in heard["without_words"]]


def milliseconds_of_speech(pairs: ScoredText) -> dict[int, tuple[int, int]]:
    """Milliseconds of speech for which there are words, and of all speech, by row."""
    seconds = {}
    for row, speech, words in _spans_by_row(pairs):
        total = sum(end - start for start, end in speech)
        missed = sum(end - start for start, end in subtract(speech, words))
        seconds[row] = round(1000 * (total - missed)), round(1000 * total)
    return seconds


def _spans_by_row(pairs: ScoredText) -> Iterator[tuple[int, Spans, Spans]]:
    if not all(side in pairs.annotations for side in _SIDES):
        return
    columns = [pairs.annotations[side] for side in _SIDES]
    for row, turns in enumerate(zip(*columns, strict=True)):
        reference, hypothesis = map(_times, turns)
        if reference is not None and hypothesis is not None:
            yield row, unite(reference), unite(hypothesis)


def _times(turns: Any) -> Spans | None:
    """Times of all turns with words; None if there are none, or one of them has no times."""
    if not isinstance(turns, list):
        return None
    spans = []
    for turn in turns:
        if not isinstance(turn, dict) or not isinstance(turn.get("words"), str):
            return None
        if turn["words"].strip():
            times = turn.get("start_time"), turn.get("end_time")
            if not all(isinstance(time, int | float) for time in times):
                return None
            spans.append((float(turn["start_time"]), float(turn["end_time"])))
    return spans


def unite(spans: Sequence[tuple[float, float]]) -> Spans:
    """Union of spans, which may overlap or touch."""
    union: Spans = []
    for start, end in sorted(spans):
        if union and start <= union[-1][1]:
            union[-1] = union[-1][0], max(union[-1][1], end)
        elif end > start:
            union.append((start, end))
    return union


def subtract(spans: Spans, others: Spans) -> Spans:
    """Parts of spans that none of the others covers."""
    parts, index = [], 0
    for start, end in spans:
        while index < len(others) and others[index][1] <= start:
            index += 1
        position = index
        while position < len(others) and others[position][0] < end:
            if others[position][0] > start:
                parts.append((start, others[position][0]))
            start = max(start, others[position][1])
            position += 1
        if start < end:
            parts.append((start, end))
    return parts
