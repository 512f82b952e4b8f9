"""Files in and out: validated, written atomically, with equal bytes for equal content.

Readers and writers of Parquet are imported on first use (PEP 562) because pyarrow takes long to load.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from misread.files.json_files import read_json, read_record, write_json, write_text

if TYPE_CHECKING:
    from misread.files.alignment_files import read_alignments, write_alignments
    from misread.files.confusion_files import read_confusions, write_confusions
    from misread.files.segment_files import read_segments, write_segments
    from misread.files.stage_tables import (
        read_capture,
        read_normalized,
        read_scores,
        read_timings,
        write_capture,
        write_normalized,
        write_scores,
        write_timings,
    )

_HOMES = {
    "read_alignments": "misread.files.alignment_files",
    "read_capture": "misread.files.stage_tables",
    "read_confusions": "misread.files.confusion_files",
    "read_normalized": "misread.files.stage_tables",
    "read_scores": "misread.files.stage_tables",
    "read_segments": "misread.files.segment_files",
    "read_timings": "misread.files.stage_tables",
    "write_alignments": "misread.files.alignment_files",
    "write_capture": "misread.files.stage_tables",
    "write_confusions": "misread.files.confusion_files",
    "write_normalized": "misread.files.stage_tables",
    "write_scores": "misread.files.stage_tables",
    "write_segments": "misread.files.segment_files",
    "write_timings": "misread.files.stage_tables",
}

__all__ = [
    "read_alignments",
    "read_capture",
    "read_confusions",
    "read_json",
    "read_normalized",
    "read_record",
    "read_scores",
    "read_segments",
    "read_timings",
    "write_alignments",
    "write_capture",
    "write_confusions",
    "write_json",
    "write_normalized",
    "write_scores",
    "write_segments",
    "write_text",
    "write_timings",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'misread.files' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
