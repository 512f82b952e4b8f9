"""build/confusions/DATASET/SYSTEM.parquet: what was read for what, how often.

Columns: `kind` ("character", "word"; "block", "category": the errors of characters by Unicode block and by general
category); `reference`, what should have been read, or <INSERT>; `hypothesis`, what was read, or <DELETE>; `count`.
Within a kind the most frequent stand first. A character is a grapheme where the error rate's unit is that; two
characters that changed places stand together. The note says which error rates are explained, as in alignments, and
under `reference_units` how often each character, block and category occurs in the references.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pyarrow as pa

from misread.files.parquet import read_parquet, write_parquet
from misread.records import Confusion, ConfusionTable, Origin


def write_confusions(path: Path, table: ConfusionTable) -> None:
    """Write a table of confusions."""
    rows = [(kind, cell) for kind, cells in table.confusions.items() for cell in cells]
    columns = {
        "kind": pa.array([kind for kind, _ in rows], pa.string()),
        "reference": pa.array([cell.reference for _, cell in rows], pa.string()),
        "hypothesis": pa.array([cell.hypothesis for _, cell in rows], pa.string()),
        "count": pa.array([cell.count for _, cell in rows], pa.int64()),
    }
    note = {
        "origin": asdict(table.origin),
        "kinds": list(table.confusions),
        "facts": table.facts,
        "reference_units": table.reference_units,
    }
    write_parquet(path, columns, kind="confusions", note=note)


def read_confusions(path: Path) -> ConfusionTable:
    """Read a file of confusions."""
    table, note = read_parquet(path, kind="confusions", made_by="score")
    confusions: dict[str, list[Confusion]] = {kind: [] for kind in note["kinds"]}
    kinds, *cells = (table[name].to_pylist() for name in ("kind", "reference", "hypothesis", "count"))
    for kind, *cell in zip(kinds, *cells, strict=True):
        confusions[kind].append(Confusion(*cell))
    return ConfusionTable(Origin(**note["origin"]), confusions, note["facts"], note["reference_units"])
