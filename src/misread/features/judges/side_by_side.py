"""Decisions of several judges on the same texts, side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from misread.features.judges.decision_files import read_decisions
from misread.records import NormalizedTexts
from misread.types import IntArray


def decisions_side_by_side(texts: Mapping[str, NormalizedTexts], files: Sequence[Path]) -> tuple[IntArray, IntArray]:
    """Decisions on segments of all systems whose texts differ, shape (segments, judges), and the cluster of each.

    1 where a judge accepts, 0 where not, -1 where that is open.
    """
    judges = [read_decisions(path).by_texts for path in files]
    decisions: list[list[int]] = []
    among: list[str] = []
    for of in texts.values():
        clusters = of.segments.cluster or of.segments.segment_id
        for cluster, *pair in zip(clusters, of.normalized.references, of.normalized.hypotheses, strict=True):
            found = [judge.get((pair[0] or "", pair[1] or "")) for judge in judges]
            decisions.append([-1 if each is None or each.same is None else int(each.same) for each in found])
            among.append(cluster)
    _, codes = np.unique(among, return_inverse=True)
    return np.array(decisions, np.int64).reshape(-1, len(files)), codes.astype(np.int64)
