"""Captures of one system's output on one data set; every segment is kept, whatever happens to it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from misread.engines.base import Engine
from misread.engines.executor import SourceReaders
from misread.engines.journal import Journal
from misread.engines.reading import read_one
from misread.engines.request_log import RequestLog
from misread.engines.settings import CaptureSettings
from misread.errors import CaptureFailedError
from misread.records import Origin, Reading, SegmentTable, Source

_NO_KEY: Final = -1
_MOST_NAMED: Final = 20
"""Failures that are kept to be named one by one."""


def why_not_applicable(engine: Engine, offers: frozenset[str]) -> str:
    """Reason why an engine cannot read a data set at all; empty if it can."""
    if engine.reads & offers:
        return ""
    return f"the system reads {', '.join(sorted(engine.reads))}, the data set offers {', '.join(sorted(offers))}"


def describe_capture(origin: Origin, segments: SegmentTable) -> Origin:
    """Put what is to be said of a capture into its origin: notation of alternatives, and notes, once each."""
    notes = list(chain(origin.notes, segments.notes, *segments.notes_on_hypotheses.values()))
    return replace(
        origin,
        alternatives=segments.alternatives,
        notes=tuple(dict.fromkeys(notes)),
        empty_cells=segments.empty_cells,
        resegmented=segments.resegmented,
        part=segments.part,
    )


def is_recorded(engine: Engine) -> bool:
    """Whether an engine only passes on outputs recorded elsewhere, so that its timings mean nothing."""
    return all(kind.startswith("recorded:") for kind in engine.reads)


@dataclass
class Readings:
    """Readings of all sources by an engine, in their order, one run after the other; iterate after `read`.

    What the journal does not know is read and kept there as it comes; iterating looks every reading up there, so that
    they need no memory. A failed one is read again only if `retry_failed`, except where there is no file that can be
    read. Sources of the same content are read once in a run. There is no journal for recorded outputs, which cost
    nothing.
    """

    sources: Sequence[Source]
    engine: Engine
    readers: SourceReaders
    journal: Journal | None
    settings: CaptureSettings = field(default_factory=CaptureSettings)
    retry_failed: bool = False
    failed: int = field(default=0, init=False)
    first_failed: list[Reading] = field(default_factory=list, init=False, repr=False)  # without what was answered
    # Keys in the journal, in the order of the sources: all that is in memory of each, with a mark while it is read.
    _keys: array[int] = field(default_factory=lambda: array("i"), init=False, repr=False)
    # Of sources without a file that can be read, in which no journal can find them again.
    _unkept: dict[tuple[int, str], Reading] = field(default_factory=dict, init=False, repr=False)
    _requests: RequestLog = field(default_factory=RequestLog, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.sources) * self.settings.runs

    def __iter__(self) -> Iterator[Reading]:
        if self.journal is None:
            reader = self.engine.open()
            # Recorded outputs need no image, and none is cut.
            for source in self._in_all_runs():
                whole = replace(source, area=None, span=None) if source.area or source.span else source
                yield read_one(reader, whole, measure_memory=False)
            return
        for source, key in zip(self._in_all_runs(), self._keys, strict=True):
            found = self._unkept[source.run, source.segment_id] if key == _NO_KEY else self.journal.find(key, source)
            if found is not None:
                yield found

    def read(
        self,
        on_reading: Callable[[Reading], None] = lambda _: None,
        on_found: Callable[[Reading], None] | None = None,
    ) -> None:
        """Read what is not in the journal; `on_reading` is called with every reading, or `on_found` with those in it.

        Raises CaptureFailedError as soon as more have failed than may, which stay in the journal, or where a server
        gave one answer to two runs of a segment.
        """
        on_found = on_found or on_reading
        if self.journal is None:
            for reading in self:
                self._note(reading, on_reading)
            return
        journal = self.journal
        begun: dict[tuple[int, str], int | None] = {}
        repeated: array[int] = array("q")

        def keep(reading: Reading) -> None:
            place = (reading.run, reading.segment_id)
            if (key := begun.pop(place)) is None:
                self._unkept[place] = reading
            else:
                journal.keep(key, reading)

        for reading in self.readers.run(self.engine, self._unread(journal, begun, repeated, on_found), keep):
            self._note(reading, on_reading)
        self._requests.refuse_repeats()
        for place in repeated:
            if found := journal.find(self._keys[place], self._source(place)):
                self._note(found, on_found)

    def unread(self, on_found: Callable[[Reading], None] = lambda _: None) -> list[Source]:
        """What `read` would have read, without reading anything; `on_found` is called with what the journal has.

        A journal that was not opened has nothing.
        """
        if self.journal is None:
            return list(self._in_all_runs())
        return list(self._unread(self.journal, {}, array("q"), on_found))

    def _in_all_runs(self) -> Iterator[Source]:
        return map(self._source, range(len(self)))

    def _source(self, place: int) -> Source:
        runs_before, row = divmod(place, len(self.sources))
        source = self.sources[row]
        return replace(source, run=runs_before + 1) if runs_before else source

    def _unread(
        self,
        journal: Journal,
        begun: dict[tuple[int, str], int | None],
        repeated: array[int],
        on_found: Callable[[Reading], None],
    ) -> Iterator[Source]:
        """Sources to read, whose keys are put into `begun`; `repeated` gets the places of those with equal content."""
        is_taken = bytearray()  # by key
        for place, source in enumerate(self._in_all_runs()):
            key = journal.key(source)
            self._keys.append(_NO_KEY if key is None else key)
            if key is not None:
                is_taken.extend(bytes(max(0, key + 1 - len(is_taken))))
                if is_taken[key]:
                    repeated.append(place)
                    continue
                known = journal.find(key, source)
                if known and (known.reason is None or not self.retry_failed):
                    self._note(known, on_found)
                    continue
                is_taken[key] = True
            begun[source.run, source.segment_id] = key
            yield source

    def _note(self, reading: Reading, on_reading: Callable[[Reading], None]) -> None:
        on_reading(reading)
        if self.settings.runs > 1:
            self._requests.add(reading)
        if reading.reason is None:
            return
        self.failed += 1
        if len(self.first_failed) < _MOST_NAMED:
            self.first_failed.append(replace(reading, raw=None))
        most = self.settings.max_failed
        if most is not None and self.failed > most:
            first = self.first_failed[0]
            raise CaptureFailedError(
                f"{self.failed:,} segments failed, and max_failed of the system is {most}: nothing more is read. "
                f"The first is segment {first.segment_id!r}: {first.reason}."
            )
