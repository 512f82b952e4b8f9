"""Numbers of segments without an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from misread.metrics import Metric
from misread.records import Scores


def count_exact(scores: Mapping[str, Scores], metrics: Sequence[Metric]) -> dict[str, dict[str, int]]:
    """Exact segments by metric and system, among those that all systems have.

    A system that cannot read the data set has no counts and is left out.
    """
    scored = {system: of for system, of in scores.items() if of.counts}
    shared = set.intersection(*(set(of.segments.segment_id) for of in scored.values())) if scored else set()
    kept = {system: np.array([key in shared for key in of.segments.segment_id]) for system, of in scored.items()}
    return {
        metric.id: {
            system: int((metric.is_exact(of.counts[metric.id].values) & kept[system]).sum())
            for system, of in scored.items()
        }
        for metric in metrics
    }
