"""Journal of readings: an interrupted capture resumes, and a repeated one reads only what is new."""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from misread.errors import OutputFileError
from misread.records import Reading, Source

_log = logging.getLogger(__name__)

_ENTRY = {"key": (str,), "text": (str,), "latency_seconds": (float, int), "peak_memory_bytes": (int,)}


@dataclass
class Journal:
    """A file of successful readings, found by the content that was read and the system that read it.

    `path` is JSON Lines, appended to and never rewritten; a line that is not a valid reading, such as one cut short
    when the process was killed, is skipped with a warning. Readings with other settings or versions than `system` are
    not found.
    """

    path: Path
    system: Mapping[str, Any]
    _known: dict[str, dict[str, Any]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._known = {entry["key"]: entry for entry in self._entries()}

    def find(self, source: Source) -> Reading | None:
        """Look up an earlier reading of the same content by the same system."""
        entry = self._known.get(self._key(source)) if source.media else None
        if entry is None:
            return None
        return Reading(source.segment_id, entry["text"], None, entry["latency_seconds"], entry["peak_memory_bytes"])

    def keep(self, source: Source, reading: Reading) -> None:
        """Append a successful reading of an image or audio file; a failed one is not kept, so it is tried again."""
        if reading.text is None or source.media is None:
            return
        entry = {
            "key": self._key(source),
            "segment_id": source.segment_id,
            "text": reading.text,
            "latency_seconds": reading.latency_seconds,
            "peak_memory_bytes": reading.peak_memory_bytes,
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                # End a line that was cut short when the process was killed.
                file.write(("" if self._ends_whole() else "\n") + json.dumps(entry) + "\n")
        except OSError as error:
            raise OutputFileError(f"{self.path} cannot be written: {error.strerror}.") from None

    def _ends_whole(self) -> bool:
        if not self.path.exists() or self.path.stat().st_size == 0:
            return True
        with self.path.open("rb") as file:
            file.seek(-1, 2)
            return file.read() == b"\n"

    def _entries(self) -> list[dict[str, Any]]:
        if not self.path.is_file():
            return []
        entries = []
        for number, line in enumerate(self.path.read_bytes().splitlines(), start=1):
            entry = _parse(line)
            if entry is None:
                _log.warning(
                    "%s, line %d is not a valid reading (perhaps it was cut short); that segment is read again",
                    self.path,
                    number,
                )
            else:
                entries.append(entry)
        return entries

    def _key(self, source: Source) -> str:
        settings = json.dumps(self.system, sort_keys=True, ensure_ascii=False, default=str)
        digest = hashlib.sha256(settings.encode())
        if source.media and source.media.is_file():
            digest.update(source.media.read_bytes())
        return digest.hexdigest()


def _parse(line: bytes) -> dict[str, Any] | None:
    """Entry of a line, or None if the line is not a complete one."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or any(type(entry.get(name)) not in kinds for name, kinds in _ENTRY.items()):
        return None
    return entry
