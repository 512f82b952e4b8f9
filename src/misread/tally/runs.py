"""Runs of one system put together: counts summed over them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from misread.records import Counts, NormalizedTexts, RunCounts, Scores


def sum_counts(runs: Sequence[Scores], texts: NormalizedTexts, rows: Sequence[int]) -> Scores:
    """Counts of several runs on the same segments, the `rows` of the texts: the mean of the runs once it is a rate."""
    first = runs[0]
    counts = {metric: np.stack([of.counts[metric].values for of in runs]) for metric in first.counts}
    hypotheses = [of.raw.hypotheses for of in (texts, *texts.further_runs)]
    same = [len({of[row] for of in hypotheses}) == 1 for row in rows]
    return replace(
        first,
        counts={metric: Counts(first.counts[metric].columns, of.sum(axis=0)) for metric, of in counts.items()},
        runs=RunCounts([of.run for of in (texts, *texts.further_runs)], counts, np.array(same, np.bool_)),
    )
