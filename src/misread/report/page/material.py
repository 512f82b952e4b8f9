"""What the page is made from: for every data set its results, texts, files and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from misread.records import ConfusionTable, NormalizedTexts, SegmentAlignments
from misread.report.write import Shown
from misread.stats import DatasetResult


@dataclass(frozen=True)
class DatasetMaterial:
    """One data set.

    Attributes
    ----------
    result : DatasetResult
        All systems on it.
    texts : mapping of system to NormalizedTexts
        References and hypotheses; without them there is no explorer.
    alignments : mapping of system to SegmentAlignments
        Of the systems in `texts`.
    confusions : mapping of system to ConfusionTable
        What was read for what.
    exact : mapping of metric to mapping of system to int
        Segments without a fault.
    media : mapping of segment id to Path
        Images or audio.
    shown : Shown
        Tables and figures that stand in files of their own.
    without_media : str
        Why there are no images or audio, where the data set should have some.
    """

    result: DatasetResult
    texts: Mapping[str, NormalizedTexts] = field(default_factory=dict)
    alignments: Mapping[str, SegmentAlignments] = field(default_factory=dict)
    confusions: Mapping[str, ConfusionTable] = field(default_factory=dict)
    exact: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    media: Mapping[str, Path] = field(default_factory=dict)
    shown: Shown = field(default_factory=Shown)
    without_media: str = ""


@dataclass(frozen=True)
class RunMaterial:
    """The whole run.

    Attributes
    ----------
    params : mapping
        Sections of params.yaml that results depend on, as they stand there.
    """

    datasets: Sequence[DatasetMaterial]
    params: Mapping[str, Any] = field(default_factory=dict)
