"""Agreement of recorded judges about the outputs of the systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from misread.errors import UndefinedResultError
from misread.metrics import Metric
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.significance.agreement import OPEN, JudgesResult, compare_judges
from misread.types import IntArray


def describe_judges(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> tuple[JudgesResult | None, tuple[str, ...]]:
    """Agreement of the judges among the metrics, by cluster, and a warning if they have no kappa.

    It covers the readings of all systems and runs that differ from their references and that both judges decided.
    """
    judges = [metric for metric in metrics if metric.decides]
    if len(judges) < 2:
        return None, ()
    codes = np.arange(len(shared.keys)) if shared.cluster_codes is None else shared.cluster_codes
    decisions = np.concatenate(
        [np.stack([_decisions(shared, system, judge.id) for judge in judges], axis=-1) for system in shared.counts]
    )
    clusters = np.tile(codes, len(decisions) // len(codes))
    try:
        names = [judge.id for judge in judges]
        return compare_judges(decisions, clusters, names, confidence=settings.confidence), ()
    except UndefinedResultError as error:
        return None, (f"The agreement of judges is not shown: {error}",)


def _decisions(shared: SharedSegments, system: str, judge: str) -> IntArray:
    """Decisions on the readings of a system, run after run: 1, 0, or OPEN."""
    counts = shared.runs[system].counts[judge] if system in shared.runs else shared.own_counts(system, judge)
    wrong, _, decided = np.moveaxis(counts, -1, 0)
    return np.where(decided > 0, 1 - wrong, OPEN).ravel()
