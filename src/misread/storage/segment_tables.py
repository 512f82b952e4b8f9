"""The file of a data set's segments: what the data set offers, read once for all systems."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pyarrow as pa

from misread.data.segment_table import Area, SegmentTable
from misread.io.stored_columns import ColumnValues, StoredColumn, read_pairs
from misread.storage.parquet import StoredTable, describe_facts, read_facts, reads_stage
from misread.storage.parquet_writer import write_parquet
from misread.storage.stage_tables import ANNOTATION, GROUP, annotation_columns, key_columns
from misread.text.arrow_numpy import to_column

_HYPOTHESIS = "hypothesis."
_ANNOTATION_OF = "annotation_of."
_TEXT = pa.string()


def write_segments(path: Path, table: SegmentTable, *, offers: frozenset[str], root: str, folder: Path) -> None:
    """Write the segments of a data set and the kinds of source that it offers.

    Images and audio are named by their paths from the data set's folder; `root` is what the configuration calls that
    folder, so that the file stays the same wherever the data lies.
    """
    columns: dict[str, pa.Array] = {**key_columns(table.keys), "reference": to_column(table.references, _TEXT)}
    if table.media is not None:
        # Percent-encoded: file names may not be UTF-8.
        names = [quote(os.fsencode(os.path.relpath(path, folder))) for path in table.media]
        columns["media"] = to_column(names, _TEXT)
    if table.areas is not None:
        columns["area"] = to_column([" ".join(f"{x},{y}" for x, y in area) for area in table.areas], _TEXT)
    if table.times is not None:
        columns["begin"], columns["end"] = (to_column(times, pa.float64()) for times in zip(*table.times, strict=True))
    for system, texts in table.hypotheses.items():
        columns[_HYPOTHESIS + system] = to_column(texts, _TEXT)
    columns |= annotation_columns(table.annotations)
    for number, annotations in enumerate(table.annotations_of.values()):
        # Names of systems and of annotations may have any character.
        columns |= annotation_columns(annotations, f"{_ANNOTATION_OF}{number}.")
    note = {
        **describe_facts(asdict(table.facts)),
        "name": table.name,
        "digest": table.digest,
        "cluster_name": table.cluster_name,
        "notes_on_hypotheses": {system: list(notes) for system, notes in table.notes_on_hypotheses.items()},
        "annotated": list(table.annotations_of),
        "offers": sorted(offers),
        "root": root,
    }
    write_parquet(path, columns, kind="segments", note=note)


@reads_stage("segments")
def read_segments(path: Path, *, data_root: str) -> tuple[SegmentTable, frozenset[str]]:
    """Read the segments of a data set, and the kinds of source that it offers; columns stay in the file.

    `data_root` is the value of the setting that may be part of the name of the data set's folder.
    """
    table = StoredTable(path, kind="segments", made_by="segments")
    note, columns = table.note, {name: table.column(name) for name in table.names}
    root = Path(note["root"].replace("{data_root}", data_root))

    def of_prefix(prefix: str) -> dict[str, StoredColumn]:
        return {name.removeprefix(prefix): column for name, column in columns.items() if name.startswith(prefix)}

    def annotations(prefix: str) -> dict[str, Sequence[Any]]:
        return {name: ColumnValues(column, _read_json) for name, column in of_prefix(prefix).items()}

    return (
        SegmentTable(
            name=note["name"],
            digest=note["digest"],
            segment_id=ColumnValues(columns["segment_id"]),
            references=ColumnValues(columns["reference"]),
            cluster=ColumnValues(columns["cluster"]) if "cluster" in columns else None,
            cluster_name=note["cluster_name"],
            groups={name: ColumnValues(column) for name, column in of_prefix(GROUP).items()},
            media=ColumnValues(columns["media"], partial(_media_below, root)) if "media" in columns else None,
            areas=ColumnValues(columns["area"], _read_area) if "area" in columns else None,
            times=read_pairs(table.column("begin", "end")) if "begin" in columns else None,
            hypotheses={name: ColumnValues(column) for name, column in of_prefix(_HYPOTHESIS).items()},
            facts=read_facts(note),
            notes_on_hypotheses={system: tuple(notes) for system, notes in note["notes_on_hypotheses"].items()},
            annotations=annotations(ANNOTATION),
            annotations_of={
                system: annotations(f"{_ANNOTATION_OF}{number}.")
                for number, system in enumerate(note.get("annotated", []))
            },
        ),
        frozenset(note["offers"]),
    )


def _media_below(root: Path, name: str) -> Path:
    return root / os.fsdecode(unquote_to_bytes(name))


def _read_area(points: str) -> Area:
    return tuple((int(x), int(y)) for x, y in (point.split(",") for point in points.split()))


def _read_json(text: str | None) -> Any:
    return None if text is None else json.loads(text)
