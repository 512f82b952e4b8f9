"""Input of the report, with all results of one run of the pipeline, and the files written from it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from misread.data.segment_table import SegmentKeys, Source
from misread.engines.prices import ModelPrice
from misread.engines.timing import Timings
from misread.metrics.confusion_table import ConfusionTable
from misread.normalize.normalized_texts import NormalizedTexts
from misread.report.source_units import SourceUnits
from misread.stats import DatasetResult
from misread.tables import ReportSettings, Table
from misread.tally import ScoredSystem
from misread.tally.alignments import SegmentAlignments
from misread.types import IntArray


class SegmentTexts(Protocol):
    """Texts of one system, in memory or in a file."""

    @property
    def segments(self) -> SegmentKeys:
        """Ids, clusters and groups of all segments."""

    def take(self, rows: Sequence[int] | IntArray) -> NormalizedTexts:
        """Texts of these rows, in ascending order."""


class StageResults(Protocol):
    """Results of a feature's stage on one data set, for the report."""

    def warnings(self, name: Callable[[str], str]) -> Sequence[str]:
        """Sentences for the head of the report; `name` gives the displayed name of an id."""

    def tables(self, settings: ReportSettings) -> Iterable[Table]:
        """Tables to show, possibly none."""

    def figures(self, settings: ReportSettings, folder: Path) -> list[Path]:
        """Draw figures into a folder; returns their files."""


@dataclass(frozen=True, kw_only=True)
class DatasetResults:
    """Results on one data set; all but the comparison may be empty."""

    comparison: DatasetResult
    # Results of features' own stages.
    further: Sequence[StageResults] = ()
    # By system.
    timings: Mapping[str, Timings] = field(default_factory=dict)
    # By system that has one.
    prices: Mapping[str, ModelPrice] = field(default_factory=dict)
    # What timings are of.
    units: SourceUnits = field(default_factory=SourceUnits)
    confusions: Mapping[str, ConfusionTable] = field(default_factory=dict)
    # By system; without texts, the page has no explorer.
    texts: Mapping[str, SegmentTexts] = field(default_factory=dict)
    # By system, for systems in `texts`.
    alignments: Mapping[str, SegmentAlignments] = field(default_factory=dict)
    # By system, for views of the segments; without it there are no views.
    scored: Mapping[str, ScoredSystem] = field(default_factory=dict)
    # Images or audio by segment id.
    media: Mapping[str, Path] = field(default_factory=dict)
    # Those that are parts of a file.
    parts: Mapping[str, Source] = field(default_factory=dict)
    # Reason why images or audio are missing, if the data set should have some.
    without_media: str = ""


@dataclass(frozen=True)
class ReportInput:
    """Results of a whole run: data sets in the order of the configuration."""

    datasets: Sequence[DatasetResults]
    # Sections of params.yaml that results depend on.
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RenderedFiles:
    """Tables and figures of one data set that have their own files and are equal in every run."""

    # Rates by metric come first.
    tables: Sequence[Table] = ()
    # SVG files.
    figures: Sequence[Path] = ()
