"""Texts of one system in a file of the normalize stage, which are read when they are asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from misread.data.segment_table import SegmentKeys
from misread.normalize.normalized_texts import NormalizedTexts
from misread.storage.stage_tables import normalized_row_groups, read_normalized, read_normalized_keys
from misread.types import IntArray


@dataclass(frozen=True)
class StoredTexts:
    """Output of the normalize stage for one system; all is read each time that it is asked for, and not kept."""

    path: Path

    @property
    def segments(self) -> SegmentKeys:
        """Ids, clusters and groups of all segments."""
        return read_normalized_keys(self.path)

    def read(self) -> NormalizedTexts:
        """All texts."""
        return read_normalized(self.path)

    def take(self, rows: Sequence[int] | IntArray) -> NormalizedTexts:
        """Texts of these rows of all runs, which have to ascend."""
        return read_normalized(self.path, np.asarray(rows, np.int64))

    def parts(self) -> Iterator[NormalizedTexts]:
        """All texts, a row group at a time."""
        return (read_normalized(self.path, rows) for rows in normalized_row_groups(self.path))
