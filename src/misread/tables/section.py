"""Sections: results that features add to a comparison, and their tables."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from misread.metrics import Metric
from misread.stats import DatasetResult, SectionResult, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.tables.settings import ReportSettings
from misread.tables.table import Table


@dataclass(frozen=True)
class Section(ABC):
    """A computation on all systems of a data set, shown below their rates.

    The list of `misread.sockets` has the name of its class. Further fields of the class are settings, which are in
    brackets after the name.

    Attributes
    ----------
    id : str
        Key of what it finds in a comparison.
    name : str
        Name with settings; empty where it is the id.
    """

    id: str
    name: str = field(default="", kw_only=True)

    record: ClassVar[Any]
    """Type of what it finds, as which JSON is read: a dataclass, or numbers and texts in lists and mappings."""

    @abstractmethod
    def compute(self, shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings) -> SectionResult:
        """Compute the section from the counts of the segments that all systems have."""

    @abstractmethod
    def tables(self, record: Any, result: DatasetResult, settings: ReportSettings) -> Iterable[Table]:
        """Tables of the section, shown below those of the rates."""
