"""A second opinion: a sample of segments scored again by jiwer, which shares no code with misread."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from misread.errors import ConfigurationError, CrossCheckError, needed_for
from misread.metrics.base import Metric
from misread.metrics.error_rate import ErrorRate
from misread.normalize.normalized_texts import NormalizedTexts
from misread.tally.scores import Scores

_LARGEST_SHARED_MATRIX = 1 << 20
"""Bytes of trace-back matrix up to which rapidfuzz, inside jiwer, follows the same rule among equal alignments."""


@dataclass(frozen=True)
class CrossCheckSettings:
    """Number of segments per file that are scored twice, spread evenly; 0 switches the check off."""

    segments: int = 50

    def __post_init__(self) -> None:
        if self.segments < 0:
            raise ConfigurationError(f"crosscheck.segments is {self.segments}, expected 0 or more.")


def cross_check(scores: Scores, texts: NormalizedTexts, metrics: Sequence[Metric], check: CrossCheckSettings) -> int:
    """Compare counts with those of jiwer on a sample of segments, and return how many were compared.

    Only error rates of characters and words with unit costs are checked; jiwer has no others. Raises CrossCheckError
    with segment, metric and both counts if they differ.
    """
    if texts.origin.facts.alternatives or texts.origin.not_applicable:
        # jiwer knows no alternatives, and of a system that was left out there is nothing to compare.
        return 0
    rows = sample_rows(len(scores.segments), check.segments)
    # Of a few rows alone, so that no other text becomes a Python string.
    segment_ids, positions = scores.segments.take(rows).segment_id, rows
    if len(scores.segments) < len(texts.segments):
        row_of = {segment_id: row for row, segment_id in enumerate(texts.segments.segment_id)}
        positions = [row_of[segment_id] for segment_id in segment_ids]
    for metric in metrics:
        if not isinstance(metric, ErrorRate) or metric.unit == "grapheme" or metric.alignment != "unit":
            continue
        pairs = (texts.raw if metric.text == "raw" else texts.normalized).take(positions)
        for row, segment_id, reference, hypothesis in zip(
            rows, segment_ids, pairs.references, pairs.hypotheses, strict=True
        ):
            theirs = _count_with_jiwer(metric, reference, hypothesis or "")
            _require_equal(segment_id, metric, scores.counts[metric.id].row(row), theirs)
    return len(rows)


def sample_rows(total: int, size: int) -> list[int]:
    """So many rows, spread evenly from the first to the last."""
    return sorted({int(row) for row in np.linspace(0, total - 1, min(size, total))})


def _count_with_jiwer(metric: ErrorRate, reference: str, hypothesis: str) -> dict[str, int]:
    with needed_for("the cross-check (crosscheck.segments above 0) needs", "jiwer", "pipeline"):
        import jiwer

    from misread.text.words import split_words

    if metric.unit == "char":
        units = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
        output = jiwer.process_characters(reference, hypothesis, units, units)
    else:
        # jiwer splits words at U+0020 only, so it is given ours, one space apart.
        units = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])
        joined = [" ".join(split_words(text)) for text in (reference, hypothesis)]
        output = jiwer.process_words(joined[0], joined[1], units, units)
    return {
        "hits": output.hits,
        "substitutions": output.substitutions,
        "deletions": output.deletions,
        "insertions": output.insertions,
    }


def _require_equal(segment_id: str, metric: ErrorRate, ours: dict[str, int], theirs: dict[str, int]) -> None:
    errors = theirs["substitutions"] + theirs["deletions"] + theirs["insertions"]
    hypothesis_length = ours["hits"] + ours["substitutions"] + ours["insertions"]
    if 2 * ours["length"] * hypothesis_length / 8 <= _LARGEST_SHARED_MATRIX:
        same = all(ours[name] == count for name, count in theirs.items())
    else:
        same = ours["errors"] == errors
    if not same:
        shown = {name: ours[name] for name in theirs}
        raise CrossCheckError(
            f"segment {segment_id!r}: {metric.id} counted {shown}, jiwer counts {theirs}. This is a fault of misread "
            "or of jiwer, not of your data: please report it with both texts; crosscheck.segments=0 skips this check."
        )
