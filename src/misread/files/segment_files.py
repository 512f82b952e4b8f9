"""The file of a data set's segments: what the data set offers, read once for all systems."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

import pyarrow as pa

from misread.files.parquet import read_parquet, write_parquet
from misread.files.stage_tables import annotation_columns, key_columns, read_annotations, read_keys
from misread.records import Area, SegmentTable
from misread.text.arrow import ArrowTexts

_HYPOTHESIS = "hypothesis."
_ANNOTATION_OF = "annotation_of."
_TEXT = pa.string()


def write_segments(path: Path, table: SegmentTable, *, offers: frozenset[str], root: str, folder: Path) -> None:
    """Write the segments of a data set and the kinds of source that it offers.

    Images and audio are named by their paths from the data set's folder; `root` is what the configuration calls that
    folder, so that the file stays the same wherever the data lies.
    """
    columns: dict[str, pa.Array] = {**key_columns(table.keys), "reference": pa.array(table.references, _TEXT)}
    if table.media is not None:
        # Percent-encoded: file names may not be UTF-8.
        names = [quote(os.fsencode(os.path.relpath(each, folder))) for each in table.media]
        columns["media"] = pa.array(names, _TEXT)
    if table.areas is not None:
        columns["area"] = pa.array([" ".join(f"{x},{y}" for x, y in area) for area in table.areas], _TEXT)
    if table.times is not None:
        columns["begin"], columns["end"] = (pa.array(times, pa.float64()) for times in zip(*table.times, strict=True))
    for system, texts in table.hypotheses.items():
        columns[_HYPOTHESIS + system] = pa.array(texts, _TEXT)
    columns |= annotation_columns(table.annotations)
    for place, of_system in enumerate(table.annotations_of.values()):
        # Names of systems and of annotations may have any character.
        columns |= annotation_columns(of_system, f"{_ANNOTATION_OF}{place}.")
    note = {
        "name": table.name,
        "digest": table.digest,
        "cluster_name": table.cluster_name,
        "alternatives": table.alternatives,
        "notes": list(table.notes),
        "notes_on_hypotheses": {system: list(of) for system, of in table.notes_on_hypotheses.items()},
        "empty_cells": table.empty_cells,
        "resegmented": table.resegmented,
        "part": table.part,
        "annotated": list(table.annotations_of),
        "offers": sorted(offers),
        "root": root,
    }
    write_parquet(path, columns, kind="segments", note=note)


def read_segments(path: Path, *, data_root: str) -> tuple[SegmentTable, frozenset[str]]:
    """Read the segments of a data set, and the kinds of source that it offers.

    `data_root` is the value of the setting that may stand in the name of the data set's folder.
    """
    table, note = read_parquet(path, kind="segments", made_by="segments")
    keys = read_keys(table)
    root = Path(note["root"].replace("{data_root}", data_root))
    return (
        SegmentTable(
            name=note["name"],
            digest=note["digest"],
            segment_id=keys.segment_id,
            references=_list(table, "reference"),
            cluster=keys.cluster,
            cluster_name=note["cluster_name"],
            groups=keys.groups,
            media=_media(table, root),
            areas=_areas(table),
            times=_times(table),
            hypotheses={
                name.removeprefix(_HYPOTHESIS): _list(table, name)
                for name in table.column_names
                if name.startswith(_HYPOTHESIS)
            },
            alternatives=note["alternatives"],
            notes=tuple(note["notes"]),
            notes_on_hypotheses={system: tuple(of) for system, of in note["notes_on_hypotheses"].items()},
            empty_cells=note["empty_cells"],
            resegmented=note["resegmented"],
            part=note["part"],
            annotations=read_annotations(table),
            annotations_of={
                system: read_annotations(table, f"{_ANNOTATION_OF}{place}.")
                for place, system in enumerate(note.get("annotated", []))
            },
        ),
        frozenset(note["offers"]),
    )


def _media(table: pa.Table, root: Path) -> list[Path] | None:
    if "media" not in table.column_names:
        return None
    return [root / os.fsdecode(unquote_to_bytes(name)) for name in _list(table, "media")]


def _areas(table: pa.Table) -> Sequence[Area] | None:
    if "area" not in table.column_names:
        return None
    return [
        tuple((int(x), int(y)) for x, y in (point.split(",") for point in area.split()))
        for area in _list(table, "area")
    ]


def _times(table: pa.Table) -> Sequence[tuple[float, float]] | None:
    if "begin" not in table.column_names:
        return None
    return list(zip(_list(table, "begin"), _list(table, "end"), strict=True))


def _list(table: pa.Table, column: str) -> Sequence[Any]:
    """Entries of a column; texts stay in Arrow buffers where none is missing."""
    if table[column].type == _TEXT and not table[column].null_count:
        return ArrowTexts.of(table[column])
    values: list[Any] = table[column].to_pylist()
    return values
