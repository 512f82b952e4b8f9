"""Files in and out: checked, atomic, and the same bytes for the same content."""

from misread.files.alignment_files import read_alignments, write_alignments
from misread.files.confusion_files import read_confusions, write_confusions
from misread.files.json_files import read_json, write_json, write_text
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

__all__ = [
    "read_alignments",
    "read_capture",
    "read_confusions",
    "read_json",
    "read_normalized",
    "read_scores",
    "read_timings",
    "write_alignments",
    "write_capture",
    "write_confusions",
    "write_json",
    "write_normalized",
    "write_scores",
    "write_text",
    "write_timings",
]
