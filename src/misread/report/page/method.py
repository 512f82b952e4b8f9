"""The method in prose, as in a paper."""

from __future__ import annotations

from misread.stats import DatasetResult
from misread.tables import RateTable


def describe_method(result: DatasetResult, first: RateTable) -> str:
    """Sentences on data, rates, intervals and tests; `first` is the table of the first metric."""
    systems, segments = len(result.systems), result.segments
    read = f"{systems} system{'' if systems == 1 else 's'} read {segments:,} segment{'' if segments == 1 else 's'}"
    if result.clusters:
        read += f" from {result.clusters:,} cluster{'' if result.clusters == 1 else 's'} ({result.cluster_name})"
    sentences = [f"{read} of {first.dataset_name}."]
    if result.excluded:
        more = "segment is" if result.excluded == 1 else "segments are"
        sentences.append(f"{result.excluded:,} more {more} left out because a system has no hypothesis.")
    if first.has_error_counts:
        sentences.append(
            "A rate is the sum of errors over all segments divided by the sum of reference units (micro average), "
            "each segment aligned at minimum cost."
        )
    return " ".join([*sentences, first.method])
