"""From captures to a result in one process: what the pipeline does in stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from misread.checks.choices import check_choice
from misread.normalize import normalize
from misread.scoring import ScoredSystem
from misread.stats import compare_systems

if TYPE_CHECKING:
    from misread.metrics import Metric
    from misread.normalize import Normalizer
    from misread.records import Capture, MissingPolicy, Scores
    from misread.stats import DatasetResult, StatisticsSettings


@dataclass(frozen=True, slots=True)
class ScoredTexts:
    """Every system with its counts per segment, and the result over all segments."""

    systems: Mapping[str, ScoredSystem]
    result: DatasetResult

    @property
    def scores(self) -> dict[str, Scores]:
        """Counts per segment, by system."""
        return {system: of.scores for system, of in self.systems.items()}


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
    if baseline is not None:
        check_choice("system", baseline, captures, where="--baseline")
    systems = score_captures(captures, normalizer, metrics, missing=missing)
    # Before the counts, which come from these alignments.
    wanted = "mapsswe" in settings.tests
    operations = {system: of.operations(metrics) for system, of in systems.items()} if wanted else None
    first = next(iter(captures))
    result = compare_systems(
        {system: of.scores for system, of in systems.items()},
        metrics,
        settings,
        dataset=captures[first].origin.dataset,
        baseline=baseline or first,
        operations=operations,
    )
    return ScoredTexts(systems, result)


def score_captures(
    captures: Mapping[str, Capture], normalizer: Normalizer, metrics: Sequence[Metric], *, missing: str = "error"
) -> dict[str, ScoredSystem]:
    """Normalize each capture once, to be scored by `metrics`."""
    return {
        system: ScoredSystem(normalize(capture, normalizer), metrics, cast("MissingPolicy", missing))
        for system, capture in captures.items()
    }
