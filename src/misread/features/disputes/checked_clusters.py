"""A verdict from the clusters checked so far, valid after each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile

import numpy as np

from misread.features.disputes.spans import DisputedSpans
from misread.features.disputes.tables import Filled
from misread.features.disputes.verdict import choose_metrics, score_texts, write_texts
from misread.stats import SequentialVerdict, decide_sequentially
from misread.types import IntArray


@dataclass(frozen=True, kw_only=True)
class PairSoFar:
    """The sequential verdict on one pair of systems by one metric."""

    baseline: str
    system: str
    metric: str
    result: SequentialVerdict


def decide_so_far(
    disputes: DisputedSpans,
    filled: Filled,
    *,
    metrics: Sequence[str],
    total: int | None = None,
    margin: float | None = None,
    level: float = 0.05,
) -> list[PairSoFar]:
    """Compare all pairs after each checked cluster; as `Disputes.so_far`, with its errors."""
    chosen = choose_metrics(metrics)
    checked = _checked_clusters(disputes, filled)
    scores = score_texts(disputes, write_texts(disputes, filled.truths), chosen)
    numbers = {label: number for number, label in enumerate(checked)}
    # Segments of clusters that are not checked come behind all others, and are left out.
    codes = np.array([numbers.get(disputes.labels[row], len(checked)) for row in disputes.rows], np.int64)

    def by_cluster(values: IntArray) -> IntArray:
        return np.bincount(codes, values, len(checked) + 1).astype(np.int64)[: len(checked)]

    def decide() -> Iterator[PairSoFar]:
        for metric in chosen:
            counts = {name: system_scores.counts[metric.id] for name, system_scores in scores.items()}
            for baseline, system in combinations(disputes.systems, 2):
                errors = [by_cluster(counts[name]["errors"]) for name in (baseline, system)]
                result = decide_sequentially(
                    np.stack(errors, axis=-1),
                    by_cluster(counts[baseline]["length"]),
                    total=total,
                    margin=margin,
                    level=level,
                    clusters=checked,
                )
                yield PairSoFar(baseline=baseline, system=system, metric=metric.id, result=result)

    return list(decide())


def _checked_clusters(disputes: DisputedSpans, filled: Filled) -> list[str]:
    """Clusters before the first one with an unanswered span; later ones would bias the sample."""
    is_open = {disputes.labels[stretch.row] for key, stretch in disputes.drawn.items() if key not in filled.truths}
    order: Mapping[str, None] = dict.fromkeys(disputes.labels[row] for row in disputes.rows)
    return [*takewhile(lambda label: label not in is_open, order)]
