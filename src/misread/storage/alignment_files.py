"""Alignments of segments, in build/scores/DATASET/SYSTEM/alignments.parquet.

Columns: `segment_id`; `characters` and `words`, strings with one letter per operation in reading order: C correct,
S substitution, D deletion, I insertion, T two neighbours that changed places. The note says for each of the two which
error rate they explain: its id, unit ("char" or "grapheme" for characters), form of the text and signature, and the
errors and the length of all segments together.
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa

from misread.records import SegmentAlignments
from misread.storage.parquet import read_origin, read_parquet
from misread.storage.stage_readers import reads_stage
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column


def alignment_columns(alignments: SegmentAlignments) -> dict[str, pa.Array]:
    """Columns of a file of alignments, of all rows or those of a part."""
    return {
        "segment_id": to_column(alignments.segment_id, pa.string()),
        "characters": to_column(alignments.characters, pa.string()),
        "words": to_column(alignments.words, pa.string()),
    }


def alignment_note(alignments: SegmentAlignments) -> dict[str, Any]:
    """What a file of alignments says of all its rows."""
    return {"origin": asdict(alignments.origin), "facts": alignments.facts}


@reads_stage("score")
def read_alignments(path: Path) -> SegmentAlignments:
    """Read a file of alignments."""
    table, note = read_parquet(path, kind="alignments", made_by="score")
    return SegmentAlignments(
        read_origin(note),
        ArrowTexts.of(table["segment_id"]),
        ArrowTexts.of(table["characters"]),
        ArrowTexts.of(table["words"]),
        note["facts"],
    )
