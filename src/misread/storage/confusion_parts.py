"""Confusions of the parts of a corpus, put together; by workers where there are many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from misread.execution.executor import MapTasks, plain_results
from misread.storage.explanation_files import confusion_columns
from misread.storage.parquet_writer import GROUP_ROWS
from misread.storage.part_files import drawers, take_part, write_part, writing_drawers
from misread.tally.confusion_sums import Places, add_equal, by_count, places_of
from misread.text.arrow_numpy import to_arrow

# Confusions of a task, about: 30 ms of work.
_ROWS_OF_A_RUN: Final = 1 << 17
# Confusions of a part that are read together, of which the process that plans the tasks knows the first place.
_BLOCK: Final = 1 << 10
# Row groups that a task encodes: as much work.
_GROUPS_OF_A_TASK: Final = 8
# How often confusions occur that have a drawer of their own, after one of all that occur more often.
_SELDOM: Final = range(8, 0, -1)


@dataclass(frozen=True, slots=True)
class OrderedCells:
    """A file with the confusions of a part, in the order of their texts, a block in each drawer."""

    path: Path
    rows: int
    places: Places  # of the first confusion of each block


@dataclass(frozen=True, slots=True)
class Piece:
    """Blocks of a file, in which are all its confusions of some places."""

    path: Path
    blocks: range


@dataclass(frozen=True, slots=True)
class RunTask:
    """Confusions whose places are above one and not above another, and where these are."""

    pieces: Sequence[Piece]
    above: Places  # one, or none for the first confusions
    to: Places  # one, or none for the last
    target: Path


@dataclass(frozen=True, slots=True)
class MergedRun:
    """A file with the confusions of a run, in drawers by how often they occur."""

    path: Path
    sizes: Sequence[int]  # of each drawer


@dataclass(frozen=True, slots=True)
class Drawer:
    """Confusions of a run that occur equally often."""

    path: Path
    number: int
    rows: int


@dataclass(frozen=True, slots=True)
class EncodingTask:
    """Confusions that are side by side in their table, and where they are."""

    drawers: Sequence[Drawer]
    rows: range  # of all in these drawers
    kind: str
    target: Path


def write_ordered(path: Path, cells: pa.Table) -> OrderedCells:
    """Write confusions that are in the order of their texts."""
    begins = np.arange(0, len(cells), _BLOCK)
    first = cells.take(to_arrow(begins))
    with writing_drawers(path, cells.schema) as put:
        for begin in begins.tolist():
            put(cells[begin : begin + _BLOCK])
    return OrderedCells(path, len(cells), places_of(first["reference"], first["hypothesis"]))


def plan_runs(files: Sequence[OrderedCells], folder: Path, name: str) -> list[RunTask]:
    """Cut the confusions of all files into runs of about equal size.

    Where they are cut follows from the confusions, and makes no difference to what comes of them.
    """
    places = np.sort(np.concatenate([of.places for of in files]))
    runs = -(-sum(of.rows for of in files) // _ROWS_OF_A_RUN)
    cuts = np.unique(places[np.arange(1, runs) * len(places) // runs])
    cuts = cuts[cuts != places[-1]]
    pieces: list[list[Piece]] = [[] for _ in range(len(cuts) + 1)]
    for of in files:
        ends = np.searchsorted(of.places, cuts, side="right")
        # The block before that of the first place above a cut may have others above it.
        begins = [0, *np.maximum(ends - 1, 0).tolist()]
        for run, begin, end in zip(pieces, begins, [*ends.tolist(), len(of.places)], strict=True):
            if begin < end:
                run.append(Piece(of.path, range(begin, end)))
    bounds = [cuts[:0], *cuts.reshape(-1, 1), cuts[:0]]
    return [
        RunTask(pieces=of_run, above=above, to=to, target=folder / f"{name}-{number}")
        for number, (of_run, (above, to)) in enumerate(zip(pieces, pairwise(bounds), strict=True))
    ]


def merge_run(task: RunTask) -> MergedRun:
    """Put equal confusions of a run together, into a file of drawers by how often they occur."""
    sums = add_equal([*_confusions_of(task)])
    drawer = np.maximum(_SELDOM.start + 1 - sums.counts, 0).astype(np.uint8)
    in_order = sums.take(np.argsort(drawer, kind="stable"))
    sizes = np.bincount(drawer, minlength=_SELDOM.start + 1).tolist()
    with writing_drawers(task.target, in_order.schema) as put:
        for begin, end in pairwise(accumulate(sizes, initial=0)):
            put(in_order[begin:end])
    return MergedRun(task.target, sizes)


def write_runs(
    runs: Sequence[MergedRun], folder: Path, kind: str, *, before: int, map_tasks: MapTasks
) -> Iterator[pa.Table | Path]:
    """Confusions of all runs, in their order, most frequent first: some at a time, or in files of parts.

    Tasks encode them by row groups of the table in which are so many rows before them; the files of the runs are
    removed.
    """
    often = by_count(pa.concat_tables([_read(run.path, [0]) for run in runs]))
    yield often
    tasks = plan_encoding(runs, folder, kind, before=before + len(often))
    yield from map_tasks(encode_rows, tasks)
    for run in runs:
        run.path.unlink()


def plan_encoding(runs: Sequence[MergedRun], folder: Path, kind: str, *, before: int) -> list[EncodingTask]:
    """Cut confusions that occur seldom, in their order, where row groups of their table end."""
    # The references of a run come before those of the next, and so do those that occur as often.
    drawers_in_order = [
        Drawer(run.path, number, run.sizes[number]) for number in range(1, len(_SELDOM) + 1) for run in runs
    ]
    rows = sum(of.rows for of in drawers_in_order)
    first = min(rows, -before % GROUP_ROWS)
    most = _GROUPS_OF_A_TASK * GROUP_ROWS
    last = first + (rows - first) // GROUP_ROWS * GROUP_ROWS
    cuts = np.unique([0, *range(first, last, most), last, rows])
    ends = np.cumsum([of.rows for of in drawers_in_order])
    tasks = []
    for number, (begin, end) in enumerate(pairwise(cuts.tolist())):
        among = range(int(np.searchsorted(ends, begin, side="right")), int(np.searchsorted(ends, end)) + 1)
        here = [drawers_in_order[place] for place in among]
        skipped = begin - int(ends[among.start]) + here[0].rows
        tasks.append(EncodingTask(here, range(skipped, skipped + end - begin), kind, folder / f"{kind}-part-{number}"))
    return tasks


def encode_rows(task: EncodingTask) -> Path:
    """Write some confusions as a part of their table."""
    cells = pa.concat_tables([_read(of.path, [of.number]) for of in task.drawers])
    here = cells[task.rows.start : task.rows.stop]
    columns = confusion_columns(task.kind, {name: here[name] for name in here.column_names})
    write_part(task.target, columns, kind="confusions")
    return task.target


def _confusions_of(task: RunTask) -> Iterator[pa.Table]:
    """Those of each piece."""
    tables = [_read(piece.path, piece.blocks) for piece in task.pieces]
    # Of all at once: for a few hundred rows nearly all of the time goes into calls.
    of_all = pa.concat_tables(tables)
    places = places_of(of_all["reference"], of_all["hypothesis"])
    start = 0
    for cells in tables:
        of_piece = places[start : start + len(cells)]
        begin = np.searchsorted(of_piece, task.above, side="right") if len(task.above) else [0]
        end = np.searchsorted(of_piece, task.to, side="right") if len(task.to) else [len(cells)]
        yield cells[begin[0] : end[0]]
        start += len(cells)


def _read(path: Path, numbers: Sequence[int]) -> pa.Table:
    """Some drawers of a file."""
    with drawers(path) as of:
        # `pa.table` of a batch would import pandas, which takes as long as half of all runs.
        return pa.Table.from_batches([of.get_batch(number) for number in numbers])


MOST_IN_MEMORY: Final = 400_000
"""Confusions of a kind, in all parts, above which tasks put equal ones together, a run of references each."""


def merge_confusions(
    files_by_kind: Mapping[str, Sequence[OrderedCells]], folder: Path, map_tasks: MapTasks = plain_results
) -> Iterator[tuple[str, pa.Table | Path]]:
    """Kinds with the confusions of all parts, most frequent first: some at a time, or in files of parts of their table.

    There is at least one table of each kind; files are removed. Of a kind of which there are too many, those that occur
    often are in memory, and a run of the others. Their order is that of `count_confusions`, and where counts are equal
    that of the code points of reference and hypothesis, insertions and deletions last.
    """
    rows = 0
    for kind, files in files_by_kind.items():
        if sum(file.rows for file in files) <= MOST_IN_MEMORY:
            cells = _take_equal(files)
            rows += len(cells)
            yield kind, cells
            continue
        runs = [*map_tasks(merge_run, plan_runs(files, folder, kind))]
        for file in files:
            file.path.unlink()
        for part in write_runs(runs, folder, kind, before=rows, map_tasks=map_tasks):
            yield kind, part
        rows += sum(sum(run.sizes) for run in runs)


def _take_equal(files: Sequence[OrderedCells]) -> pa.Table:
    """Confusions of all files by their counts; the files are removed."""
    return add_equal([pa.table(take_part(of.path)) for of in files]).by_count()
