"""Captures of one system's output on one data set; every segment is kept, also one that failed."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from misread.data.segment_table import Origin, SegmentTable, Source
from misread.engines.base import OPERATING, Engine, Reading
from misread.engines.disk_indexes import Digests, Line, RequestLog
from misread.engines.journal import Journal
from misread.engines.reading import Failures, read_one
from misread.engines.settings import CaptureSettings
from misread.engines.source_readers import Processes
from misread.provenance.signature import Signature


def why_not_applicable(engine: Engine, offers: frozenset[str]) -> str:
    """Reason why an engine cannot read a data set at all; empty if it can."""
    if engine.reads & offers:
        return ""
    return f"the system reads {', '.join(sorted(engine.reads))}, the data set offers {', '.join(sorted(offers))}"


def describe_capture(origin: Origin, segments: SegmentTable) -> Origin:
    """Put facts and notes of the texts into the origin of their capture, after its own notes."""
    notes = chain(segments.facts.notes, *segments.notes_on_hypotheses.values())
    return replace(origin, facts=replace(segments.facts, notes=origin.facts.notes).with_notes(*notes))


def is_recorded(engine: Engine) -> bool:
    """Whether an engine only returns outputs recorded elsewhere, so that its timings mean nothing."""
    return all(kind.startswith("recorded:") for kind in engine.reads)


@dataclass(slots=True)
class _Asked:
    """A source that is being read: its index among all, and the key under which the journal keeps it, if any."""

    index: int
    key: bytes | None
    line: Line | None = None  # once the journal has it


@dataclass
class Readings:
    """Readings of all sources by an engine, in order, run after run; iterate after `read`.

    `read` reads what the journal lacks, and the journal keeps each reading at once; iterating looks the readings up
    there, so that they take no memory. A failed source is read again only if `retry_failed`, or if it has no readable
    file. Sources with the same content are read once per run. Recorded outputs cost nothing and have no journal.
    """

    sources: Sequence[Source]
    engine: Engine
    readers: Processes
    journal: Journal | None
    settings: CaptureSettings = field(default_factory=CaptureSettings)
    retry_failed: bool = False
    failures: Failures = field(init=False, repr=False)
    # By index of the source in the order of the readings.
    _lines: Digests = field(default_factory=Digests, init=False, repr=False)
    # Readings of sources without a readable file: they have no key in the journal.
    _unkept: dict[int, Reading] = field(default_factory=dict, init=False, repr=False)
    _requests: RequestLog = field(default_factory=RequestLog, init=False, repr=False)

    def __post_init__(self) -> None:
        self.failures = Failures(self.settings.max_failed)

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
        for index, source in enumerate(self._in_all_runs()):
            line = self._lines.get(_key_of(index))
            reading = self._unkept.get(index) if line is None else self.journal.read(Line.unpack(line), source)
            if reading is not None:
                yield reading

    def read(
        self, on_reading: Callable[[Reading], None] = lambda _: None, on_found: Callable[[Reading], None] | None = None
    ) -> None:
        """Read what the journal lacks and call `on_reading` with each reading, or `on_found` if it was in the journal.

        Raises CaptureFailedError as soon as more sources failed than allowed (the journal keeps them), or if a server
        gave one answer to two runs of a segment.
        """
        on_found = on_found or on_reading
        if self.journal is None:
            for index, reading in enumerate(self):
                self._note(index, reading, on_reading)
            return
        journal = self.journal
        begun: dict[tuple[int, str], _Asked] = {}
        being_read: set[bytes] = set()
        repeated: list[tuple[_Asked, Source]] = []

        def keep(reading: Reading) -> None:
            asked = begun[reading.run, reading.segment_id]
            if asked.key is None:
                self._unkept[asked.index] = reading
            else:
                asked.line = journal.keep(asked.key, reading)
                # Only after it is kept: a source is either being read or in the journal.
                being_read.discard(asked.key)

        def unread() -> Iterator[Source]:
            for asked, source in self._unread(journal, on_found):
                if asked.key in being_read:
                    repeated.append((asked, source))
                    continue
                begun[source.run, source.segment_id] = asked
                if asked.key is not None:
                    being_read.add(asked.key)
                yield source

        for reading in self.readers.run(self.engine, unread(), keep):
            asked = begun.pop((reading.run, reading.segment_id))
            if asked.line is not None:
                self._lines.put(_key_of(asked.index), asked.line.pack())
            self._note(asked.index, reading, on_reading)
        self._requests.refuse_repeats()
        for asked, source in repeated:
            self._take(journal, asked, source, on_found)

    def unread(self, on_found: Callable[[Reading], None] = lambda _: None) -> list[Source]:
        """Sources that `read` would read; `on_found` is called with each reading in the journal.

        A journal that was not opened is empty.
        """
        if self.journal is None:
            return list(self._in_all_runs())
        first: dict[bytes | int, Source] = {}
        for asked, source in self._unread(self.journal, on_found):
            # Sources with the same content are read once.
            first.setdefault(asked.index if asked.key is None else asked.key, source)
        return list(first.values())

    def _in_all_runs(self) -> Iterator[Source]:
        yield from self.sources
        for run in range(2, self.settings.runs + 1):
            for source in self.sources:
                yield replace(source, run=run)

    def _unread(self, journal: Journal, on_found: Callable[[Reading], None]) -> Iterator[tuple[_Asked, Source]]:
        """Sources that the journal lacks; readings of the others are taken from it."""
        for index, source in enumerate(self._in_all_runs()):
            asked = _Asked(index, journal.key(source))
            if asked.key is None or not self._take(journal, asked, source, on_found):
                yield asked, source

    def _take(self, journal: Journal, asked: _Asked, source: Source, on_found: Callable[[Reading], None]) -> bool:
        """Take the reading of a source from the journal; False if it has none, or a failed one to be read again."""
        line = None if asked.key is None else journal.line(asked.key)
        if line is None:
            return False
        known = journal.read(line, source)
        if known is None or (known.reason is not None and self.retry_failed and not journal.is_new(line)):
            return False
        self._lines.put(_key_of(asked.index), line.pack())
        self._note(asked.index, known, on_found)
        return True

    def _note(self, index: int, reading: Reading, on_reading: Callable[[Reading], None]) -> None:
        on_reading(reading)
        if self.settings.runs > 1:
            self._requests.add(reading)
        if reading.reason is not None:
            self.failures.add(index, reading)


def _key_of(index: int) -> bytes:
    """An index as a key, in the order of the indexes."""
    return index.to_bytes(8)


def sign_system(asked: Mapping[str, Any]) -> Signature:
    """Sign the settings of a system as `Journal` compares them, without those that change no answer.

    The version of misread is left out, since a new one does not ask again; `revision` is that of the adapter.
    """
    settings = {name: value for name, value in asked.items() if name not in OPERATING}
    versions = settings.pop("versions", {})
    target = settings.pop("_target_", "")
    facts = {**settings, **{f"version {name}": value for name, value in versions.items()}}
    return Signature(str(target), {name: _written(value) for name, value in facts.items()})


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
