"""Confusions and their counts, in build/scores/DATASET/SYSTEM/confusions.parquet.

Columns: `kind` ("character", "word"; "block", "category": the errors of characters by Unicode block and by general
category); `reference`, what should have been read, or <INSERT>; `hypothesis`, what was read, or <DELETE>; `count`.
Within a kind the most frequent stand first. A character is a grapheme where the error rate's unit is that; two
characters that changed places stand together. The note says which error rates are explained, as in alignments, and
under `reference_units` how often each character, block and category occurs in the references.
"""

from dataclasses import asdict
from itertools import chain
from pathlib import Path

import pyarrow as pa

from misread.files.parquet import read_origin, read_parquet, write_parquet
from misread.files.stage_readers import reads_stage
from misread.records import Confusions, ConfusionTable


def write_confusions(path: Path, table: ConfusionTable) -> None:
    """Write a table of confusions."""
    tables = table.confusions.items()
    columns = {
        "kind": pa.array(chain.from_iterable([kind] * len(cells) for kind, cells in tables), pa.string()),
        "reference": pa.array(chain.from_iterable(cells.references for _, cells in tables), pa.string()),
        "hypothesis": pa.array(chain.from_iterable(cells.hypotheses for _, cells in tables), pa.string()),
        "count": pa.array(chain.from_iterable(cells.counts for _, cells in tables), pa.int64()),
    }
    note = {
        "origin": asdict(table.origin),
        "rows": [[kind, len(cells)] for kind, cells in tables],
        "facts": table.facts,
        "reference_units": table.reference_units,
    }
    write_parquet(path, columns, kind="confusions", note=note)


@reads_stage("score")
def read_confusions(path: Path) -> ConfusionTable:
    """Read a file of confusions."""
    table, note = read_parquet(path, kind="confusions", made_by="score")
    confusions: dict[str, Confusions] = {}
    start = 0
    for kind, rows in note["rows"]:
        confusions[kind] = Confusions(
            *(table[name].slice(start, rows).to_pylist() for name in ("reference", "hypothesis", "count"))
        )
        start += rows
    return ConfusionTable(read_origin(note), confusions, note["facts"], note["reference_units"])
