"""Outputs that a data set recorded of a system, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from misread.engines.failures import Failures
from misread.engines.recorded import Recorded, why_not_recorded
from misread.engines.settings import CaptureSettings
from misread.records import Reading, RecordedPart, SegmentTable, take
from misread.text.arrow_numpy import to_column

if TYPE_CHECKING:
    import pyarrow as pa

_PART: Final = 1 << 13  # segments


@dataclass
class RecordedOutputs:
    """Outputs of all runs, in the order of the segments; those that are missing count as failures."""

    segments: SegmentTable
    engine: Recorded
    settings: CaptureSettings = field(default_factory=CaptureSettings)
    failures: Failures = field(init=False)

    def __post_init__(self) -> None:
        self.failures = Failures(self.settings.max_failed)

    def __len__(self) -> int:
        return len(self.segments) * self.settings.runs

    def __iter__(self) -> Iterator[RecordedPart]:
        """Some segments of a run at a time, at least once; CaptureFailedError if more are missing than may."""
        import pyarrow as pa

        size = len(self.segments)
        for run in range(1, self.settings.runs + 1):
            name = self.engine.output(run)
            column = self.segments.hypotheses.get(name)
            for begin in range(0, max(1, size), _PART):
                rows = range(begin, min(begin + _PART, size))
                of_rows = [None] * len(rows) if column is None else take(column, rows)
                texts = to_column(of_rows, pa.string())
                reasons = self._reasons(run, rows, texts, why_not_recorded(name)) if texts.null_count else ()
                yield RecordedPart(run, rows, texts, reasons)

    def _reasons(self, run: int, rows: range, texts: pa.Array, reason: str) -> list[str | None]:
        for row, is_there in zip(rows, texts.is_valid().to_pylist(), strict=True):
            if not is_there:
                failed = Reading(self.segments.segment_id[row], None, reason, 0.0, None, run=run)
                self.failures.add((run - 1) * len(self.segments) + row, failed)
        return [None if is_there else reason for is_there in texts.is_valid().to_pylist()]
