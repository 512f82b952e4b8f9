"""Classes of segments by length: short ones and long ones go wrong in different ways."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from misread.metrics import Metric
from misread.stats.compare.shared_segments import SharedSegments
from misread.types import IntArray

LENGTH_COLUMN = "length"
_FEWEST_SEGMENTS = 10


def with_length_groups(shared: SharedSegments, metrics: Sequence[Metric], classes: int) -> SharedSegments:
    """Add a group column `length`: the length of the reference, in classes of about equal size; 0 classes for none.

    The first error rate gives the unit; a segment that was read in several runs has the length of one. There are fewer
    classes where one would have less than 10 segments or lengths are equal; nothing is added if there is only one, or
    the data set has a column of that name.
    """
    measuring = next((metric for metric in metrics if {"errors", "length"} <= set(metric.columns)), None)
    if measuring is None or LENGTH_COLUMN in shared.keys.groups:
        return shared
    lengths = next(iter(shared.counts.values()))[measuring.id]["length"] // shared.scale
    names = name_lengths(lengths, min(classes, len(lengths) // _FEWEST_SEGMENTS))
    if len(set(names)) < 2:
        return shared
    return replace(shared, keys=replace(shared.keys, groups={**shared.keys.groups, LENGTH_COLUMN: names}))


def name_lengths(lengths: IntArray, classes: int) -> list[str]:
    """Name the class of each length by its smallest and largest member, such as "9-40"; classes are quantiles."""
    if classes < 1:
        return [""] * len(lengths)
    borders = np.quantile(lengths, np.arange(1, classes) / classes, method="inverted_cdf")
    codes = np.searchsorted(borders, lengths, side="left")
    names = {}
    for code in np.unique(codes):
        members = lengths[codes == code]
        low, high = int(members.min()), int(members.max())
        names[code] = str(low) if low == high else f"{low}-{high}"
    return [names[code] for code in codes]
