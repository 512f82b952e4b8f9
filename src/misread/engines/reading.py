"""One measured reading of one source; any failure becomes its reason, and failures are summed up."""

import errno
import re
import signal
import tempfile
import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from misread.data.segment_table import Origin, Source
from misread.engines.base import (
    MAKE_ROOM,
    Answer,
    BatchEngine,
    BatchReader,
    Engine,
    Reader,
    Reading,
    UnreadableSourceError,
)
from misread.engines.cutting import cut_out
from misread.engines.timing import BlockPeak
from misread.errors import CaptureFailedError, MisreadError, OutputFileError, ServerError
from misread.io.console import note, warn
from misread.io.text import as_unicode
from misread.text.display import show_label

# Errors of the machine, not of a source: as the failure of a segment they would not be retried.
_OF_THE_MACHINE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE})
_LONGEST_NAME: Final = 100
_OTHER_DISK: Final = "Set TMPDIR to a folder on another disk, and run the capture again, which goes on from here."


@dataclass
class OpenedReader:
    """Opens an engine and reads with it; the first reading, of each thread, is a warm-up."""

    engine: Engine
    _reader: Any = field(init=False)
    _start_up_seconds: float | None = field(init=False)
    _threads: threading.local = field(default_factory=threading.local, init=False)
    # Sources that are read together; fewer, once more were too many.
    _batch: int | None = field(init=False)

    def __post_init__(self) -> None:
        start = time.perf_counter()
        self._reader = self.engine.open()
        self._start_up_seconds = time.perf_counter() - start
        self._batch = self.engine.batch if isinstance(self.engine, BatchEngine) else None

    def read(self, sources: Sequence[Source], *, measure_memory: bool) -> list[Reading]:
        """As `read_one`, in batches if the engine has them; the first reading includes the time to open the engine."""
        readings = self._read(sources, self._batch, measure_memory=measure_memory)
        if hasattr(self._threads, "is_warm"):
            return readings
        self._threads.is_warm = True
        seconds, self._start_up_seconds = self._start_up_seconds, None
        first, *others = (replace(reading, warm_up=True) for reading in readings)
        return [replace(first, start_up_seconds=seconds), *others]

    def _read(self, sources: Sequence[Source], batch: int | None, *, measure_memory: bool) -> list[Reading]:
        """Readings of sources; a batch that fails is read in halves, and if they do not, it was too large."""
        readings: list[Reading] = []
        if batch in (None, 1) or len(sources) == 1:
            readings = [read_one(self._reader, source, measure_memory=measure_memory) for source in sources]
        elif len(sources) > batch or not (
            readings := read_together(self._reader, sources, measure_memory=measure_memory)
        ):
            size = batch if len(sources) > batch else (len(sources) + 1) // 2
            for start in range(0, len(sources), size):
                most = min(size, self._batch or size)
                readings += self._read(sources[start : start + size], most, measure_memory=measure_memory)
            if size < batch and not any(reading.reason for reading in readings):
                self._batch = min(self._batch or size, size)
            return readings
        return [replace(reading, batch_size=reading.batch_size or batch) for reading in readings]

    def close(self) -> None:
        """Close the engine."""
        self._reader.close()


@dataclass
class _Cost:
    """What a reading takes, also one that fails."""

    seconds: float = 0.0
    memory: int | None = None

    @contextmanager
    def measuring(self, *, memory: bool) -> Iterator[None]:
        peak = BlockPeak() if memory else None
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds = time.perf_counter() - start
            self.memory = peak.close() if peak else None


def read_one(reader: Reader, source: Source, *, measure_memory: bool) -> Reading:
    """Read a source; however the engine fails, even by exiting, that becomes the reason.

    Memory is that of this process and its children; a part of an image or a recording is cut out before time and memory
    are measured. Errors of misread that are not about this source are raised, as are keyboard interrupts; a full disk
    for temporary files is raised as OutputFileError.
    """
    answer, reason, raw, attempts = Answer(""), None, None, 1
    cost = _Cost()
    try:
        with cut_out(source) as whole, cost.measuring(memory=measure_memory):
            output = reader.read(whole)
        answer = _check(output)
        raw, attempts = answer.raw, answer.attempts
    except UnreadableSourceError as error:
        reason, raw, attempts = str(error), error.raw, error.attempts
        answer = replace(answer, **error.facts)
    except ServerError as error:
        # The error keeps its class, which callers distinguish.
        error.args = (f"segment {source.segment_id!r}: {error}",)
        raise
    except MisreadError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
            # Only the main thread gets one from the keyboard.
            raise
        if isinstance(error, OSError) and _is_of_the_machine(error):
            where = f"{error.filename} cannot be written" if error.filename else "a temporary file cannot be written"
            cure = _OTHER_DISK if error.errno == errno.EIO else MAKE_ROOM
            raise OutputFileError(f"segment {source.segment_id!r}: {where}: {error.strerror}. {cure}") from None
        reason = str(error) or type(error).__name__
    if reason is not None:
        reason, raw = as_unicode(reason), None if raw is None else as_unicode(str(raw))
    return Reading(
        source.segment_id,
        answer.text if reason is None else None,
        reason,
        cost.seconds if answer.seconds is None else answer.seconds,
        cost.memory,
        run=source.run,
        attempts=attempts,
        raw=raw,
        confidence=answer.confidence,
        words=answer.words,
        first_byte_seconds=answer.first_byte_seconds,
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
        request=answer.request,
        batch_size=answer.batch_size,
        server_version=_shown_name(answer.server_version),
        served_model=_shown_name(answer.served_model),
        language=answer.language,
    )


@dataclass(frozen=True)
class _Finished:
    """A reader of what has been read."""

    output: object

    def read(self, _: Source) -> Any:
        if isinstance(self.output, UnreadableSourceError):
            raise self.output
        return self.output

    def close(self) -> None:
        """Nothing is open."""


def read_together(reader: BatchReader, sources: Sequence[Source], *, measure_memory: bool) -> list[Reading]:
    """As `read_one`, for a batch: each reading has an even share of the time. Empty if the engine fails as a whole."""
    cost = _Cost()
    with ExitStack() as files:
        try:
            whole = [files.enter_context(cut_out(source)) for source in sources]
            with cost.measuring(memory=measure_memory):
                outputs = reader.read_many(whole)
            if len(outputs) != len(sources):
                return []
        except UnreadableSourceError:
            return []
        except (MisreadError, KeyboardInterrupt):
            raise
        except BaseException:  # noqa: BLE001 - as in `read_one`, which each source comes to in the end
            return []
        finished = zip(whole, outputs, strict=True)
        readings = [read_one(_Finished(output), source, measure_memory=False) for source, output in finished]
    share = cost.seconds / len(sources)
    return [replace(reading, latency_seconds=share, peak_memory_bytes=cost.memory) for reading in readings]


def _shown_name(name: str | None) -> str | None:
    """What a server calls itself or its model as one short text: it may send anything."""
    return show_label(name)[:_LONGEST_NAME] if name else None


def _is_of_the_machine(error: OSError) -> bool:
    """Whether an error is not one of the source, whose disk may be damaged, too."""
    is_temporary = isinstance(error.filename, str) and Path(error.filename).is_relative_to(tempfile.gettempdir())
    return error.errno in _OF_THE_MACHINE or (error.errno == errno.EIO and is_temporary)


def _check(output: object) -> Answer:
    """The output as an answer; a plug-in may return anything."""
    answer = Answer(output) if isinstance(output, str) else output
    if not isinstance(answer, Answer):
        raise UnreadableSourceError(f"the engine gave {type(output).__name__} in place of a text")
    return answer


_MOST_NAMED: Final = 20
_MOST_REASONS: Final = 5
_MOST_KINDS: Final = 1000
_DETAILS: Final = re.compile(r": | \(")  # what follows differs between segments
_FILE: Final = re.compile(r"\S*[^\s.]\.[A-Za-z]\w{1,4}(?=[\s,;]|$)")


@dataclass
class Failures:
    """Counts failed readings, which come in any order, and names those with the lowest index, so that runs agree."""

    most: int | None  # allowed failures
    number: int = field(default=0, init=False)
    reasons: Counter[str] = field(default_factory=Counter, init=False, repr=False)  # without their details
    _first: list[tuple[int, Reading]] = field(default_factory=list, init=False, repr=False)

    def add(self, index: int, reading: Reading) -> None:
        """Count a failed reading; CaptureFailedError if more have failed than allowed."""
        self.number += 1
        kind = _FILE.sub("a file", _DETAILS.split(reading.reason or "", maxsplit=1)[0])[:_LONGEST_NAME]
        self.reasons[kind if kind in self.reasons or len(self.reasons) < _MOST_KINDS else "another reason"] += 1
        if len(self._first) < _MOST_NAMED or index < self._first[-1][0]:
            # Without the raw answer, which may be long.
            insort(self._first, (index, replace(reading, raw=None)), key=itemgetter(0))
            del self._first[_MOST_NAMED:]
        if self.most is not None and self.number > self.most:
            first = self.first[0]
            raise CaptureFailedError(
                f"{self.number:,} segments failed, and max_failed of the system is {self.most}: nothing more is read. "
                f"The first is segment {first.segment_id!r}: {first.reason}."
            )

    def counted(self, system: str, readings: int) -> str:
        """A sentence with the commonest reasons and their numbers; empty if none failed."""
        common = sorted(self.reasons.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_REASONS]
        listed = ", ".join(f"{reason} ({number:,})" for reason, number in common)
        more = f" and {len(self.reasons) - len(common):,} more reasons" if len(self.reasons) > len(common) else ""
        return f"{self.number:,} of {readings:,} readings of {system} failed: {listed}{more}." if listed else ""

    @property
    def first(self) -> list[Reading]:
        """The first twenty by index, without their raw answers."""
        return [reading for _, reading in self._first]


def signal_name(number: int) -> str:
    """Name of a signal, such as SIGKILL; signals without a name are written as SIGRTMIN+6."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIGRTMIN{number - signal.SIGRTMIN:+}" if hasattr(signal, "SIGRTMIN") else f"signal {number}"


def warn_of_failures(
    origin: Origin, first_failed: Sequence[Reading], failed: int, readings: int, cure: str = ""
) -> None:
    """Warn of failed segments: name the first with their reasons, and say how many of all readings failed.

    `cure` is a sentence that says how to read them again, by default in the pipeline.
    """
    if origin.not_applicable:
        note(show_label(f"note: {origin.system} is left out of {origin.dataset}: {origin.not_applicable}"))
    for reading in first_failed:
        warn(f"segment {reading.segment_id!r} of {origin.dataset!r}: {reading.reason}")
    if failed:
        cure = cure or (
            "Changed files are read again by `dvc repro`, the same ones by "
            f"`misread capture {origin.dataset} {origin.system} --retry-failed`."
        )
        remark = f" (named above are the first {len(first_failed)})" if failed > len(first_failed) else ""
        warn(
            f"{failed:,} of {readings:,} readings failed{remark} and are kept with their reason; the others were "
            f"captured. {cure}"
        )
