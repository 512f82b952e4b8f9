"""Prediction of the rate of a system on what was not checked."""

from misread.errors import UndefinedResultError
from misread.features.prediction.prediction import FEWEST_CHECKED, Prediction, predict_rest
from misread.metrics import Metric
from misread.stats.compare.shared_segments import SharedSegments


def predict_of_shared(
    shared: SharedSegments,
    metric: Metric,
    system: str,
    *,
    rest: int | None = None,
    target_width: float | None = None,
    confidence: float = 0.95,
) -> Prediction:
    """Predict one metric of one system from its clusters, or segments where there are none; as `predict_rest`."""
    if shared.units < FEWEST_CHECKED:
        raise UndefinedResultError(
            f"a prediction needs at least 2 checked {shared.resampling_unit}s to see how they vary; there is only 1."
        )
    counts = shared.unit_counts(system, metric.id)
    sizes = counts[:, [metric.columns.index(name) for name in metric.size_columns]]
    return predict_rest(
        counts,
        metric.rate,
        rest=rest,
        target_width=target_width,
        confidence=confidence,
        bounds=metric.bounds,
        sizes=sizes.sum(axis=1),
        step=shared.scale / max(1, int(sizes.sum(axis=0).max())),
    )
