"""Outputs of a system that was run elsewhere, as recorded in a data set, column by column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from misread.data.segment_table import EFFORT, NOT_RECORDED, SegmentTable, Source, read_effort, take
from misread.engines.base import Reading, RecordedPart, UnreadableSourceError
from misread.engines.reading import Failures
from misread.engines.settings import CaptureSettings
from misread.errors import ConfigurationError
from misread.text.arrow_numpy import to_column

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Recorded:
    """Returns the outputs of a system that a data set recorded.

    Parameters
    ----------
    id : str
        Id of the system.
    engine : mapping of str to str
        Facts about the system that made them (engine, version), stored in the capture.
    revision : int
        Revision of these outputs.
    name : str, optional
        Name of the outputs in the data set, if it is not the id; `{run}` in it becomes the number of the run,
        from 1 to the setting `runs` of the system.
    """

    id: str
    engine: Mapping[str, str] = field(default_factory=dict)
    revision: int = 1
    name: str | None = None

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({f"recorded:{name_of_run(self._name, 1)}"})

    def versions(self) -> Mapping[str, str]:
        """Facts about the system, from the settings."""
        return dict(self.engine)

    def open(self) -> RecordedReader:
        """Make the reader."""
        return RecordedReader(self)

    def output(self, run: int) -> str:
        """Name of the outputs of a run in the data set."""
        name = name_of_run(self._name, run)
        if run > 1 and name == self._name:
            # Repeating the same text would look like a system that never varies.
            raise ConfigurationError(
                f"`runs` of the system asks for several runs, but {self._name!r} is a single recorded output: name "
                "the outputs of each run, as in name: run{run}."
            )
        return name

    @property
    def _name(self) -> str:
        return self.name or self.id


def name_of_run(name: str, run: int) -> str:
    """Name of the outputs of one run."""
    return name.replace("{run}", str(run))


def why_not_recorded(name: str) -> str:
    """Reason of a segment without an output."""
    return f"{NOT_RECORDED} of {name!r} for this segment"


@dataclass(frozen=True)
class RecordedReader:
    """Looks outputs up."""

    engine: Recorded

    def read(self, source: Source) -> str:
        """Output recorded for this segment; it may be empty."""
        name = self.engine.output(source.run)
        text = source.recorded.get(name)
        if text is None:
            raise UnreadableSourceError(why_not_recorded(name))
        return text

    def close(self) -> None:
        """Nothing was opened."""


_PART: Final = 1 << 13  # segments


@dataclass
class RecordedOutputs:
    """Outputs of all runs, in the order of the segments; missing outputs count as failures."""

    segments: SegmentTable
    engine: Recorded
    settings: CaptureSettings = field(default_factory=CaptureSettings)
    failures: Failures = field(init=False)

    def __post_init__(self) -> None:
        self.failures = Failures(self.settings.max_failed)

    def __len__(self) -> int:
        return len(self.segments) * self.settings.runs

    def __iter__(self) -> Iterator[RecordedPart]:
        """Parts of each run, at least one; CaptureFailedError if more outputs are missing than allowed."""
        import pyarrow as pa

        size = len(self.segments)
        runs = range(1, self.settings.runs + 1)
        annotated = dict.fromkeys(
            name for run in runs for name in self.segments.annotations_for(self.engine.output(run))
        )
        for run in runs:
            name = self.engine.output(run)
            column, known = self.segments.hypotheses.get(name), self.segments.annotations_for(name)
            for start in range(0, max(1, size), _PART):
                rows = range(start, min(start + _PART, size))
                outputs = [None] * len(rows) if column is None else take(column, rows)
                texts = to_column(outputs, pa.string())
                reasons = self._reasons(run, rows, texts, why_not_recorded(name)) if texts.null_count else ()
                annotations = {
                    name: take(known[name], rows) if name in known else [None] * len(rows) for name in annotated
                }
                yield RecordedPart(run, rows, texts, reasons, annotations)

    def timed(self) -> Iterator[Reading]:
        """A reading for each output with recorded seconds, tokens or costs."""
        nothing = [None] * len(self.segments)
        for run in range(1, self.settings.runs + 1):
            known = self.segments.annotations_of.get(self.engine.output(run), {})
            columns = [known.get(name, nothing) for name in EFFORT]
            for segment_id, *values in zip(self.segments.segment_id, *columns, strict=True):
                effort = {
                    name: read_effort(value, name, segment_id) for name, value in zip(EFFORT, values, strict=True)
                }
                seconds, sent, received, usd = effort.values()
                if not all(map(math.isnan, effort.values())):
                    yield Reading(
                        segment_id,
                        None,
                        None,
                        seconds,
                        None,
                        run=run,
                        attempts=None,
                        input_tokens=None if math.isnan(sent) else round(sent),
                        output_tokens=None if math.isnan(received) else round(received),
                        usd=None if math.isnan(usd) else usd,
                    )

    def _reasons(self, run: int, rows: range, texts: pa.Array, reason: str) -> list[str | None]:
        for row, is_there in zip(rows, texts.is_valid().to_pylist(), strict=True):
            if not is_there:
                failed = Reading(self.segments.segment_id[row], None, reason, 0.0, None, run=run)
                self.failures.add((run - 1) * len(self.segments) + row, failed)
        return [None if is_there else reason for is_there in texts.is_valid().to_pylist()]
