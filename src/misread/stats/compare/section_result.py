"""What a section finds beside the rates of a comparison."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from misread.metrics import Metric
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments


class SectionResult(NamedTuple):
    """A record, which JSON can hold, or None if there is nothing to say; and warnings in whole sentences."""

    record: Any = None
    warnings: Sequence[str] = ()


ComputeSection = Callable[[SharedSegments, Sequence[Metric], StatisticsSettings], SectionResult]
"""Function of the segments that all systems have, the metrics and the settings of the statistics."""
