"""Confusions and their counts, in build/scores/DATASET/SYSTEM/confusions.parquet.

Columns: `kind` ("character", "word"; "block", "category": the errors of characters by Unicode block and by general
category); `reference`, what should have been read, or <INSERT>; `hypothesis`, what was read, or <DELETE>; `count`.
Within a kind the most frequent stand first. A character is a grapheme where the error rate's unit is that; two
characters that changed places stand together. The note says which error rates are explained, as in alignments, and
under `reference_units` how often each character, block and category occurs in the references.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from misread.files.column_values import ColumnValues
from misread.files.parquet import read_origin, read_parquet, table_writer
from misread.files.stage_readers import reads_stage
from misread.records import Confusions, ConfusionTable
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column

_TYPES: Final = {"reference": pa.string(), "hypothesis": pa.string(), "count": pa.int64()}


def write_confusions(path: Path, table: ConfusionTable) -> None:
    """Write a table of confusions."""
    kinds = [
        (kind, {"reference": cells.references, "hypothesis": cells.hypotheses, "count": cells.counts})
        for kind, cells in table.confusions.items()
    ]
    write_confusion_parts(path, table, kinds)


def write_confusion_parts(path: Path, facts: ConfusionTable, parts: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """Write confusions of which only some are in memory: columns of a kind in their order, one kind after the other.

    All else is taken from a table whose own confusions do not count.
    """
    rows: dict[str, int] = {}
    with table_writer(path, kind="confusions") as writer:
        for kind, cells in chain(parts, [("", {name: [] for name in _TYPES})]):
            columns = {name: to_column(_one(cells[name]), of) for name, of in _TYPES.items()}
            number = len(columns["count"])
            writer.write({"kind": pa.repeat(to_column([kind], pa.string())[0], number), **columns})
            if kind:
                rows[kind] = rows.get(kind, 0) + number
        writer.note = {
            "origin": asdict(facts.origin),
            "rows": [[kind, number] for kind, number in rows.items()],
            "facts": facts.facts,
            "reference_units": facts.reference_units,
        }


def _one(column: Any) -> Any:
    """A column of one chunk."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


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
