"""From captures to a result in one process: what the pipeline does in stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from misread.errors import UnknownNameError
from misread.normalize import normalize
from misread.scoring import explain, score
from misread.stats import compare_systems

if TYPE_CHECKING:
    from misread.metrics import Metric
    from misread.normalize import Normalizer
    from misread.records import Capture, ConfusionTable, MissingPolicy, Scores
    from misread.stats import DatasetResult, StatisticsSettings


@dataclass(frozen=True, slots=True)
class ScoredTexts:
    """Counts per segment of every system, and the result over all segments."""

    scores: Mapping[str, Scores]
    result: DatasetResult


def score_texts(
    captures: Mapping[str, Capture],
    normalizer: Normalizer,
    metrics: Sequence[Metric],
    settings: StatisticsSettings,
    *,
    baseline: str | None = None,
    missing: str = "error",
) -> ScoredTexts:
    """Normalize, score and compare the captures of one data set, by system.

    `baseline` is the system that the others are compared with, else the first; `missing` is one of "error", "drop",
    "empty". Raises UnknownNameError if one of them is unknown, and UndefinedResultError if hypotheses are missing under
    "error".
    """
    if baseline is not None and baseline not in captures:
        raise UnknownNameError("system", baseline, captures, where="--baseline")
    scores = score_captures(captures, normalizer, metrics, missing=missing, operations="mapsswe" in settings.tests)
    first = next(iter(captures))
    result = compare_systems(
        scores, metrics, settings, dataset=captures[first].origin.dataset, baseline=baseline or first
    )
    return ScoredTexts(scores, result)


def score_captures(
    captures: Mapping[str, Capture],
    normalizer: Normalizer,
    metrics: Sequence[Metric],
    *,
    missing: str = "error",
    operations: bool = False,
) -> dict[str, Scores]:
    """Normalize and score, as `score_texts`; `operations` keeps the alignments."""
    return {
        system: score(
            normalize(capture, normalizer), metrics, missing=cast("MissingPolicy", missing), operations=operations
        )
        for system, capture in captures.items()
    }


def find_confusions(
    captures: Mapping[str, Capture], normalizer: Normalizer, metrics: Sequence[Metric], *, missing: str = "error"
) -> dict[str, ConfusionTable]:
    """Normalize, and count what every system reads for what; raises as `score_texts`."""
    return {
        system: explain(normalize(capture, normalizer), metrics, missing=cast("MissingPolicy", missing))[1]
        for system, capture in captures.items()
    }
