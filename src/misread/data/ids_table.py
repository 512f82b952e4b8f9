"""Clusters and groups of segments from a table with one row per segment, file or page."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from misread.data.formats.tables import Rows, read_rows
from misread.data.formats.text_folder import name_first
from misread.data.setting_names import SETTINGS, SettingNames
from misread.errors import ConfigurationError, InputFileError
from misread.io.text import UTF_8
from misread.records import SegmentTable


def with_labels(
    table: SegmentTable,
    path: Path,
    *,
    id_column: str = "id",
    cluster: str = "",
    groups: Sequence[str] = (),
    encoding: str = UTF_8,
    names: SettingNames = SETTINGS,
) -> SegmentTable:
    """A table of segments with the cluster and groups that columns of another table have for each.

    Parameters
    ----------
    table : SegmentTable
        Segments; ids that differ only in Unicode normal form are the same.
    path : Path
        CSV, TSV, JSON Lines or Parquet with one row per segment. A row for a file, by its name with or without the
        ending, is that of all its parts (`FILE#ID`) as well.
    id_column : str
        Column of ids in that file.
    cluster : str
        Column of clusters.
    groups : sequence of str
        Columns by which results are broken down.
    encoding : str
        Encoding of CSV, TSV and JSON Lines.
    names : SettingNames
        How messages call cluster and groups.

    Raises
    ------
    InputFileError
        If the file is broken, two rows share an id, or a segment has no row; names it.
    UnknownNameError
        If there is no such column; lists them.
    ConfigurationError
        If neither a cluster nor a group is named.
    """
    if not cluster and not groups:
        raise ConfigurationError(f"{path}: give {names.cluster} or {names.groups}, columns of this table.")
    rows = read_rows(path, encoding=encoding)
    by_id = {unicodedata.normalize("NFC", each): row for row, each in enumerate(rows.ids([id_column]))}
    by_name = {**_without_endings(by_id), **by_id}
    found = [_find(by_name, segment) for segment in table.segment_id]
    lacking = [segment for segment, row in zip(table.segment_id, found, strict=True) if row is None]
    if lacking:
        raise InputFileError(
            f"{path}: column {id_column!r} has no row for {len(lacking):,} of {len(table):,} segments "
            f"({name_first(lacking)}); it has {name_first(list(by_id))}."
        )
    kept = [row for row in found if row is not None]
    return replace(
        table,
        cluster=_take(rows, cluster, kept) if cluster else table.cluster,
        cluster_name=cluster or table.cluster_name,
        groups={**table.groups, **{name: _take(rows, name, kept) for name in groups}},
    )


def _without_endings(by_id: Mapping[str, int]) -> dict[str, int]:
    """Rows by the beginnings of their ids up to a dot of the last part, if no other has the same."""
    beginnings = Counter(each for name in by_id for each in _beginnings(name))
    return {each: row for name, row in by_id.items() for each in _beginnings(name) if beginnings[each] == 1}


def _find(by_name: Mapping[str, int], segment: str) -> int | None:
    """Row of a segment, else of the file that it is part of."""
    name = unicodedata.normalize("NFC", segment)
    file = name.rpartition("#")[0]
    ways = (name, *_beginnings(name), file, *_beginnings(file))
    return next((by_name[way] for way in ways if way in by_name), None)


def _beginnings(name: str) -> list[str]:
    """A name up to each dot of its last part, the longest first."""
    begin = name.rfind("/") + 2
    return [name[:place] for place in range(len(name) - 1, begin - 1, -1) if name[place] == "."]


def _take(rows: Rows, column: str, kept: Sequence[int]) -> list[str]:
    labels = rows.labels([column])
    return [labels[row] for row in kept]
