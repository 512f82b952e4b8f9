"""Journal of readings: an interrupted capture resumes, and a repeated one reads only what is new."""

from __future__ import annotations

import fcntl
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

from misread.engines.base import OPERATING
from misread.engines.digests import LENGTH, Digests
from misread.errors import InputFileError, OutputFileError
from misread.files.layouts import LAYOUTS, check_layout
from misread.records import Reading, Source, Word

_log = logging.getLogger(__name__)

# Measures that most readings do not have.
_SELDOM = ("warm_up", "start_up_seconds", "first_byte_seconds", "input_tokens", "output_tokens", "request")
_KEY_LENGTH = 2 * LENGTH  # in hexadecimal
_CHECKSUM_LENGTH = 8
_KEY = re.compile(b"[0-9a-f]{%d} " % _KEY_LENGTH)


@dataclass
class Journal:
    """A file of readings, failed ones too, found by the content that was read and the system that read it.

    `path` has a line per reading: checksum, key and JSON. It is appended to and never rewritten, and every line is
    handed to the operating system before the next reading is looked at. A line that does not have its checksum, such as
    one cut short when the process was killed, is skipped with a warning; of two lines with one key the later counts.
    Readings with other settings or versions than `system` are not found, but settings in `OPERATING` make no
    difference. Keys are numbers, given in the order in which they are asked for; digests and places of lines stand in a
    temporary file. One process at a time may have it open.
    """

    path: Path
    system: Mapping[str, Any]
    # By key, with begin and length of its line.
    _digests: Digests = field(default_factory=Digests, init=False, repr=False)
    _file: BinaryIO | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __enter__(self) -> Journal:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b", buffering=0)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise OutputFileError(
                f"{self.path} is in use: another process captures the same system; wait until it has ended."
            ) from None
        for digest, place, length in self._read_places():
            self._digests.put(self._digests.number(digest), place, length)
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
        self._digests.close()

    def key(self, source: Source) -> int | None:
        """Key of system, run and content; None if there is no file that can be read."""
        digest = self._digest(source)
        if digest is None:
            return None
        with self._lock:
            return self._digests.number(digest)

    def _digest(self, source: Source) -> bytes | None:
        settings = {name: value for name, value in self.system.items() if name not in OPERATING}
        described = [settings, source.run] if source.run > 1 else settings
        digest = hashlib.sha256(json.dumps(described, sort_keys=True, ensure_ascii=False, default=str).encode())
        if source.question is not None:
            digest.update(source.question.encode("utf-8", errors="surrogatepass"))
            return digest.digest()
        if part := source.area or source.span:
            digest.update(json.dumps(part).encode())
        try:
            if source.media is None:
                return None
            with source.media.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError:
            return None
        return digest.digest()

    def find(self, key: int, source: Source) -> Reading | None:
        """Look up an earlier reading of the same content by the same system, as one of this segment."""
        entry = self._entry(key)
        return None if entry is None else Reading(source.segment_id, run=source.run, **entry)

    def keep(self, key: int, reading: Reading) -> None:
        """Append a reading; threads may do so at the same time."""
        entry = {
            "format": LAYOUTS["journal"].version,
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
        said = json.dumps(entry).encode()
        with self._lock:
            content = self._digests[key].hex().encode() + b" " + said
            line = b"%08x %s\n" % (zlib.crc32(content), content)
            try:
                begin = self._opened.seek(0, os.SEEK_END)
                # End a line that was cut short when the process was killed or the disk was full.
                written = self._write(line if self._ends_whole(begin) else b"\n" + line)
            except OSError as error:
                raise self._unwritable(error, reading.segment_id) from None
            self._digests.put(key, begin + written - len(line), len(line))

    @property
    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise OutputFileError(f"{self.path} is not open; use it in a with statement.")
        return self._file

    def _write(self, content: bytes) -> int:
        written = 0
        while written < len(content):
            written += self._opened.write(content[written:])
        return written

    def _ends_whole(self, end: int) -> bool:
        if end == 0:
            return True
        return os.pread(self._opened.fileno(), 1, end - 1) == b"\n"

    def _entry(self, key: int) -> dict[str, Any] | None:
        with self._lock:
            known = self._digests.get(key)
        if known is None:
            return None
        place, length, _ = known
        content = _check(os.pread(self._opened.fileno(), length, place))
        if content is None:
            raise InputFileError(f"{self.path} was changed while it was in use; run the capture again.")
        entry: dict[str, Any] = json.loads(content[_KEY_LENGTH:])
        # A line from before there were versions has the first.
        check_layout(self.path, "journal", entry.pop("format", 1), command="misread capture")
        del entry["segment_id"]
        if "words" in entry:
            entry["words"] = tuple(Word(*word) for word in entry["words"])
        return entry

    def _read_places(self) -> Iterator[tuple[bytes, int, int]]:
        """Digest, place and length of every whole line."""
        place = 0
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
                    yield bytes.fromhex(content[:_KEY_LENGTH].decode()), place, len(line)
                place += len(line)

    def _unwritable(self, error: OSError, segment_id: str | None = None) -> OutputFileError:
        at = "" if segment_id is None else f" (at segment {segment_id!r})"
        return OutputFileError(
            f"{self.path} cannot be written: {error.strerror}{at}. Readings that are in it are kept; run the capture "
            "again."
        )


def _check(line: bytes) -> bytes | None:
    """Key and JSON of a line, or None if it does not have its checksum."""
    checksum, _, content = line.rstrip(b"\n").partition(b" ")
    if len(checksum) != _CHECKSUM_LENGTH or not _KEY.match(content):
        return None
    return content if checksum == b"%08x" % zlib.crc32(content) else None
