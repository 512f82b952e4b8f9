"""Input of the page: results, texts, media and figures of every data set."""

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
    """One data set."""

    result: DatasetResult
    # By system; without texts there is no explorer.
    texts: Mapping[str, NormalizedTexts] = field(default_factory=dict)
    # By system, of those in `texts`.
    alignments: Mapping[str, SegmentAlignments] = field(default_factory=dict)
    confusions: Mapping[str, ConfusionTable] = field(default_factory=dict)
    # Images or audio by segment id.
    media: Mapping[str, Path] = field(default_factory=dict)
    # Tables and figures that also have files of their own.
    shown: Shown = field(default_factory=Shown)
    # Reason why there are no images or audio, if the data set should have some.
    without_media: str = ""


@dataclass(frozen=True)
class RunMaterial:
    """The whole run."""

    datasets: Sequence[DatasetMaterial]
    # Sections of params.yaml that results depend on.
    params: Mapping[str, Any] = field(default_factory=dict)
