"""The method in prose, as a paper would say it."""

from __future__ import annotations

from misread.report.page.results import ResultTable
from misread.stats import DatasetResult


def describe_method(result: DatasetResult, first: ResultTable) -> str:
    """Say what was compared on what, how rates came about, and by which tests.

    Parameters
    ----------
    result : DatasetResult
        All systems on one data set.
    first : ResultTable
        Its first metric.

    Returns
    -------
    str
        Whole sentences.
    """
    systems, segments = len(result["systems"]), result["segments"]
    read = f"{systems} system{'' if systems == 1 else 's'} read {segments:,} segment{'' if segments == 1 else 's'}"
    if result["clusters"]:
        read += (
            f" from {result['clusters']:,} cluster{'' if result['clusters'] == 1 else 's'} ({result['cluster_name']})"
        )
    sentences = [f"{read} of {first.table.dataset_name}."]
    if result["excluded"]:
        more = "segment is" if result["excluded"] == 1 else "segments are"
        sentences.append(f"{result['excluded']:,} more {more} left out because a system has no hypothesis.")
    if first.table.has_error_counts:
        sentences.append(
            "A rate is the sum of errors over all segments divided by the sum of reference units (micro average), "
            "each segment aligned at least cost."
        )
    return " ".join([*sentences, first.table.method])
