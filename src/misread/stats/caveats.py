"""What a reader must know before believing the numbers, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from misread.stats.replicates import Replicates
from misread.stats.shared_segments import SharedSegments

FEW_CLUSTERS = 10
"""Below this many clusters, intervals and tests that resample clusters are known to be too narrow."""

FEW_SEGMENTS = 30
"""Below this many segments, no method tells much."""


def warnings_about(shared: SharedSegments, replicates: Mapping[str, Replicates]) -> list[str]:
    """Say what is thin or assumed.

    Parameters
    ----------
    shared : SharedSegments
        The segments compared.
    replicates : mapping of metric id to Replicates
        What could be drawn.

    Returns
    -------
    list of str
        Whole sentences; empty when there is nothing to say.
    """
    warnings = []
    segments = len(shared.keys)
    if shared.excluded:
        warnings.append(f"{shared.excluded} segments are left out because at least one system has no hypothesis.")
    if segments < FEW_SEGMENTS:
        warnings.append(f"{segments} segments are too few for a verdict.")
    if shared.clusters is None:
        warnings.append("The data set names no clusters: segments are taken as independent.")
    elif shared.clusters < FEW_CLUSTERS:
        warnings.append(
            f"{segments} segments from {shared.clusters} clusters ({shared.cluster_name}): below {FEW_CLUSTERS} "
            "clusters, intervals are too narrow and p-values too small."
        )
    warnings.extend(f"{metric}: no interval. {of.reason}" for metric, of in replicates.items() if of.reason)
    return warnings
