"""Journal of readings: an interrupted capture resumes, and a repeated one reads only new segments."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from filelock import BaseFileLock, FileLock, Timeout

from misread.data.segment_table import Source, Word
from misread.engines.base import OPERATING, Reading, UnreadableSourceError, storable
from misread.engines.disk_indexes import LENGTH, Digests, Line
from misread.errors import InputFileError, OutputFileError
from misread.io.layouts import LAYOUTS, check_layout

_log = logging.getLogger(__name__)

# Fields that most readings lack.
_SELDOM = (
    *("warm_up", "start_up_seconds", "first_byte_seconds", "input_tokens", "output_tokens", "request"),
    *("concurrency", "batch_size", "server_version", "served_model", "language"),
)
_KEY_LENGTH = 2 * LENGTH  # in hexadecimal
_CHECKSUM_LENGTH = 8
_KEY = re.compile(b"[0-9a-f]{%d} " % _KEY_LENGTH)


@dataclass
class Journal:
    """A file of readings, including failed ones, looked up by the content read and the system that read it.

    `path` has a line per reading: checksum, key and JSON. It is appended to and never rewritten, and each line is
    passed to the operating system before the next reading is handled. A line whose checksum does not match, such as one
    cut short when the process was killed, is skipped with a warning; of two lines with one key the later counts.
    Readings with other settings or versions than `system` do not match, except for settings in `OPERATING`. Keys are
    digests, whose lines are looked up in a temporary file. Only one process at a time may open the journal.
    """

    path: Path
    system: Mapping[str, Any]
    # Lines by key.
    _lines: Digests = field(default_factory=Digests, init=False, repr=False)
    _claim: BaseFileLock = field(init=False, repr=False)
    _file: BinaryIO | None = field(default=None, init=False, repr=False)
    _end: int = field(default=0, init=False, repr=False)
    _ends_whole: bool = field(default=True, init=False, repr=False)  # the last line is complete
    _start_of_new: int = field(default=0, init=False, repr=False)
    # Hash of the system, by run.
    _systems: dict[int, hashlib._Hash] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)

    def __post_init__(self) -> None:
        self._claim = FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=0, thread_local=False)

    def __enter__(self) -> Journal:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._claim.acquire()
            self._file = self.path.open("a+b", buffering=0)
        except Timeout:
            raise OutputFileError(
                f"{self.path} is in use: another process is capturing the same system; wait until it ends."
            ) from None
        except OSError as error:
            raise self._unwritable(error) from None
        self._lines.put_all((key, line.pack()) for key, line in self._read_lines())
        self._find_end()
        self._start_of_new = self._end
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
        self._claim.release()
        self._lines.close()

    def key(self, source: Source) -> bytes | None:
        """Digest of system, run and content; None if there is no readable file."""
        digest = self._system(source.run).copy()
        if source.question is not None:
            digest.update(source.question.encode("utf-8", errors="surrogatepass"))
            return digest.digest()
        if part := source.area or source.span:
            digest.update(json.dumps(part).encode())
        try:
            if source.media is None:
                return None
            digest.update(_digest_file(source.media))
        except OSError:
            return None
        return digest.digest()

    def _system(self, run: int) -> hashlib._Hash:
        if run not in self._systems:
            settings = {name: value for name, value in self.system.items() if name not in OPERATING}
            described = [settings, run] if run > 1 else settings
            content = json.dumps(described, sort_keys=True, ensure_ascii=False, default=str)
            self._systems[run] = hashlib.sha256(content.encode())
        return self._systems[run]

    def line(self, key: bytes) -> Line | None:
        """The latest line of a key."""
        with self._lock:
            known = self._lines.get(key)
        return None if known is None else Line.unpack(known)

    def is_new(self, line: Line) -> bool:
        """Whether a line was written after the journal was opened."""
        return line.start >= self._start_of_new

    def read(self, line: Line, source: Source) -> Reading | None:
        """The reading of a line, as one of this segment; None, with a warning, if there is none to be made of it."""
        content = _check(self._read(line.start, line.length))
        if content is None:
            raise InputFileError(f"{self.path} was changed while it was in use; run the capture again.")
        try:
            entry = _decode(content[_KEY_LENGTH + 1 :])
            check_layout(self.path, "journal", entry.pop("format"), command="misread capture")
            del entry["segment_id"]
            if entry.get("words") is not None:
                entry["words"] = [Word(*word) for word in entry["words"]]
            return Reading(source.segment_id, run=source.run, **storable(entry))
        except InputFileError:
            # Of a layout that this version does not read.
            raise
        except (UnreadableSourceError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            _log.warning(
                "%s: the reading of segment %s cannot be taken from it (%s); it is read again",
                self.path,
                ascii(source.segment_id),
                error,
            )
            return None

    def find(self, key: bytes, source: Source) -> Reading | None:
        """Look up an earlier reading of the same content by the same system, as one of this segment."""
        line = self.line(key)
        return None if line is None else self.read(line, source)

    def keep(self, key: bytes, reading: Reading) -> Line:
        """Append a reading; thread-safe."""
        entry = {
            "format": LAYOUTS["journal"],
            "segment_id": reading.segment_id,
            "text": reading.text,
            "reason": reading.reason,
            "latency_seconds": reading.latency_seconds,
            "peak_memory_bytes": reading.peak_memory_bytes,
            "attempts": reading.attempts,
            "raw": reading.raw,
            "confidence": reading.confidence,
            **{name: value for name in _SELDOM if (value := getattr(reading, name)) is not None and value is not False},
        }
        if reading.words is not None:
            entry["words"] = [[word.text, word.confidence] for word in reading.words]
        content = b"%s %s" % (key.hex().encode(), _encode(entry))
        content = b"%08x %s\n" % (zlib.crc32(content), content)
        with self._lock:
            try:
                # End a line that was cut short when the process was killed or the disk was full.
                self._write(content if self._ends_whole else b"\n" + content)
            except OSError as error:
                self._find_end()
                raise self._unwritable(error, reading.segment_id) from None
            line = Line(self._end - len(content), len(content))
            self._lines.put(key, line.pack())
        return line

    @property
    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise OutputFileError(f"{self.path} is not open; use it in a with statement.")
        return self._file

    def _read(self, start: int, length: int) -> bytes:
        """Read a part of the file; later entries are still appended at its end."""
        with self._lock:
            self._opened.seek(start)
            return self._opened.read(length)

    def _write(self, content: bytes) -> None:
        written = 0
        while written < len(content):
            written += self._opened.write(content[written:])
        self._end += written
        self._ends_whole = True

    def _find_end(self) -> None:
        """Find the end of the file; nobody else appends to it while it is locked."""
        self._end = self._opened.seek(0, os.SEEK_END)
        self._ends_whole = self._end == 0 or self._read(self._end - 1, 1) == b"\n"

    def _read_lines(self) -> Iterator[tuple[bytes, Line]]:
        """Key and position of every complete line."""
        start = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                content = _check(line)
                if content is None:
                    _log.warning(
                        "%s, line %d does not have its checksum (perhaps it was cut short); that segment is read again",
                        self.path,
                        number,
                    )
                else:
                    yield bytes.fromhex(content[:_KEY_LENGTH].decode()), Line(start, len(line))
                start += len(line)

    def _unwritable(self, error: OSError, segment_id: str | None = None) -> OutputFileError:
        at = "" if segment_id is None else f" (at segment {segment_id!r})"
        return OutputFileError(
            f"{self.path} cannot be written: {error.strerror}{at}. Readings that are in it are kept; run the capture "
            "again."
        )


def _check(line: bytes) -> bytes | None:
    """Key and JSON of a line, or None if its checksum does not match."""
    checksum, _, content = line.rstrip(b"\n").partition(b" ")
    if len(checksum) != _CHECKSUM_LENGTH or not _KEY.match(content):
        return None
    return content if checksum == b"%08x" % zlib.crc32(content) else None


def _encode(entry: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8, or with escapes if a lone surrogate cannot be encoded."""
    try:
        return msgspec.json.encode(entry)
    except (TypeError, ValueError):
        # A text may be an instance of a subclass of str.
        return json.dumps(entry).encode()


def _decode(content: bytes) -> dict[str, Any]:
    try:
        entry: dict[str, Any] = msgspec.json.decode(content)
    except msgspec.DecodeError:
        # A lone surrogate, or NaN, which JSON does not have.
        entry = json.loads(content)
    return entry


def _digest_file(path: Path) -> bytes:
    """SHA-256 of a file."""
    with path.open("rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").digest()
