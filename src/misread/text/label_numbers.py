"""Numbers in the place of labels, such as names of clusters and groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from misread.text.arrow import ArrowTexts
from misread.types import IntArray


def number_labels(labels: Sequence[str]) -> tuple[list[str], IntArray]:
    """Different labels in ascending order, and for each entry the number of its label among them."""
    if isinstance(labels, ArrowTexts):
        return labels.numbered()
    names = sorted(set(labels))
    numbers = {name: number for number, name in enumerate(names)}
    return names, np.fromiter(map(numbers.__getitem__, labels), np.int64, len(labels))
