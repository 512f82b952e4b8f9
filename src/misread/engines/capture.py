"""Captures of one system's output on one data set; every segment is kept, whatever happens to it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from misread.engines.base import Engine, Reader
from misread.engines.executor import Threads
from misread.engines.journal import Journal
from misread.records import Capture, Origin, Reading, SegmentTable, Source, TextPairs
from misread.timing.memory import peak_memory_bytes


def why_not_applicable(engine: Engine, offers: frozenset[str]) -> str:
    """Reason why an engine cannot read a data set at all; empty if it can."""
    if engine.reads & offers:
        return ""
    return f"the system reads {', '.join(sorted(engine.reads))}, the data set offers {', '.join(sorted(offers))}"


def is_recorded(engine: Engine) -> bool:
    """Whether an engine only passes on outputs recorded elsewhere, so that its timings mean nothing."""
    return all(kind.startswith("recorded:") for kind in engine.reads)


def read_all(
    sources: Sequence[Source],
    engine: Engine,
    *,
    executor: Threads,
    journal: Journal | None = None,
    on_reading: Callable[[Reading], None] = lambda _: None,
) -> list[Reading]:
    """Read every source, in their order; a reading that failed has a reason instead of a text.

    Earlier readings of the `journal` are reused, found by their media; recorded outputs, which cost nothing, are not
    kept in it. `on_reading` is called with each reading as it arrives (for a progress bar).
    """
    if is_recorded(engine):
        journal = None
    readings: dict[str, Reading] = {}
    unread: list[Source] = []
    for source in sources:
        known = journal.find(source) if journal else None
        if known is None:
            unread.append(source)
        else:
            readings[source.segment_id] = known
            on_reading(known)
    by_id = {source.segment_id: source for source in unread}
    if unread:
        for reading in executor.run(engine, unread, _read_one):
            readings[reading.segment_id] = reading
            if journal:
                journal.keep(by_id[reading.segment_id], reading)
            on_reading(reading)
    return [readings[source.segment_id] for source in sources]


def make_capture(origin: Origin, segments: SegmentTable, readings: Sequence[Reading]) -> Capture:
    """Put readings, one per segment, beside the references; the table's alternatives and notes go into the origin."""
    notes = chain(origin.notes, segments.notes, *segments.notes_on_hypotheses.values())
    origin = replace(
        origin,
        alternatives=segments.alternatives,
        notes=tuple(dict.fromkeys(notes)),
        empty_cells=segments.empty_cells,
    )
    texts = TextPairs(segments.references, [reading.text for reading in readings])
    return Capture(origin, segments.keys, texts, [reading.reason for reading in readings])


def _read_one(reader: Reader, source: Source) -> Reading:
    start = time.perf_counter()
    text: str | None = None
    reason: str | None = None
    try:
        text = reader.read(source)
    except BaseException as error:  # noqa: BLE001 - an engine may fail in any way, even exit; it becomes the reason
        reason = str(error) or type(error).__name__
    return Reading(source.segment_id, text, reason, time.perf_counter() - start, peak_memory_bytes())
