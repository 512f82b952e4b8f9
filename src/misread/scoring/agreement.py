"""Decisions of two judges on the same texts, counted by cluster."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from misread.errors import UndefinedResultError
from misread.files.decision_files import read_decisions
from misread.records import NormalizedTexts
from misread.types import IntArray


def count_agreement(texts: Mapping[str, NormalizedTexts], first: Path, second: Path) -> IntArray:
    """Segments that both judges accept, only the first, only the second, and neither, shape (clusters, 4).

    Segments of all systems count, where the texts differ and both judges have decided; clusters without any are left
    out. Raises UndefinedResultError if there is none.
    """
    judges = [read_decisions(path).by_texts for path in (first, second)]
    counts: dict[str, IntArray] = {}
    for of in texts.values():
        clusters = of.segments.cluster or of.segments.segment_id
        for cluster, *pair in zip(clusters, of.normalized.references, of.normalized.hypotheses, strict=True):
            decided = [judge.get((pair[0] or "", pair[1] or "")) for judge in judges]
            same = [each.same for each in decided if each is not None and each.same is not None]
            if len(same) == len(judges):
                place = 2 * (not same[0]) + (not same[1])
                counts.setdefault(cluster, np.zeros(4, dtype=np.int64))[place] += 1
    if not counts:
        raise UndefinedResultError(f"{first} and {second} have no decision on the same segment of these texts.")
    return np.stack([counts[cluster] for cluster in sorted(counts)])
