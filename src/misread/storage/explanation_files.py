"""Files on error rates, in build/scores/DATASET/SYSTEM: alignments of segments, confusions and their counts."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from misread.io.stored_columns import ColumnValues
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.storage.parquet import StoredTable, note_origin, read_origin, read_parquet, reads_stage
from misread.storage.parquet_writer import table_writer
from misread.tally.alignments import SegmentAlignments
from misread.tally.confusion_sums import MostFrequent
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import as_array, to_column


def alignment_columns(alignments: SegmentAlignments) -> dict[str, pa.Array]:
    """Columns of a file of alignments, of all rows or those of a part."""
    return {
        "segment_id": to_column(alignments.segment_id, pa.string()),
        "characters": to_column(alignments.characters, pa.string()),
        "words": to_column(alignments.words, pa.string()),
    }


def alignment_note(alignments: SegmentAlignments) -> dict[str, Any]:
    """Note of a file of alignments on all its rows."""
    return {"origin": note_origin(alignments.origin), "facts": alignments.facts}


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


@reads_stage("score")
def open_alignments(path: Path) -> SegmentAlignments:
    """As `read_alignments`, with ids alone in memory: letters stay in the file, and are best asked for in order."""
    table = StoredTable(path, kind="alignments", made_by="score")
    return SegmentAlignments(
        read_origin(table.note),
        ArrowTexts.of(table.column("segment_id").slice()),
        ColumnValues(table.column("characters")),
        ColumnValues(table.column("words")),
        table.note["facts"],
    )


_TYPES: Final = {"reference": pa.string(), "hypothesis": pa.string(), "count": pa.int64()}


def write_confusions(path: Path, facts: ConfusionTable, confusions: Iterable[tuple[str, MostFrequent]]) -> None:
    """Write the confusions of each kind, and how many that occur once are left out.

    All else is taken from a table whose own confusions do not count.
    """
    rows: dict[str, int] = {}
    left_out: dict[str, int] = {}
    with table_writer(path, kind="confusions") as writer:
        for kind, (cells, number) in confusions:
            rows[kind], left_out[kind] = writer.write(_confusion_columns(kind, cells)), number
        writer.write(_confusion_columns("", {name: [] for name in _TYPES}))
        writer.note = {
            "origin": note_origin(facts.origin),
            "rows": [[kind, number] for kind, number in rows.items()],
            "left_out": left_out,
            "facts": facts.facts,
            "reference_units": facts.reference_units,
        }


def _confusion_columns(kind: str, cells: pa.Table | Mapping[str, Any]) -> dict[str, pa.Array]:
    columns = {name: to_column(as_array(cells[name]), column_type) for name, column_type in _TYPES.items()}
    return {"kind": pa.repeat(to_column([kind], pa.string())[0], len(columns["count"])), **columns}


@reads_stage("score")
def read_confusions(path: Path) -> ConfusionTable:
    """Read a file of confusions."""
    table, note = read_parquet(path, kind="confusions", made_by="score", without=["kind"])
    confusions: dict[str, Confusions] = {}
    start = 0
    for kind, rows in note["rows"]:
        confusions[kind] = Confusions(
            ArrowTexts.of(table["reference"].slice(start, rows)),
            ArrowTexts.of(table["hypothesis"].slice(start, rows)),
            ColumnValues(table["count"].slice(start, rows).combine_chunks()),
        )
        start += rows
    return ConfusionTable(read_origin(note), confusions, note["facts"], note["reference_units"])
