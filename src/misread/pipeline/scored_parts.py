"""Parts of a corpus, each scored by itself, and the files of the score stage that they make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

import pyarrow as pa

from misread.data.segment_table import MissingPolicy
from misread.metrics.base import Metric
from misread.pipeline.crosscheck import CrossCheckSettings, cross_check, sample_rows
from misread.storage import (
    alignment_columns,
    alignment_note,
    normalized_row_groups,
    read_normalized,
    score_columns,
    score_note,
    table_writer,
)
from misread.storage.explanation_files import write_confusions
from misread.storage.parquet_writer import GROUP_ROWS
from misread.storage.part_files import cut_groups, read_shares, take_part, write_part, write_shares
from misread.tally.confusion_sums import most_frequent, share_out
from misread.tally.scored_run import ScoredRun
from misread.tally.scored_system import ScoredSystem, count_part
from misread.tally.tally import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringTask:
    """Rows of a file of normalized texts, and how they are scored."""

    path: Path
    rows: range
    target: Path  # the files of a part are called so, with ends of their own
    metrics: Sequence[Metric]
    missing: MissingPolicy = "error"
    checked: int = 0  # segments of these rows that are scored twice


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPart:
    """What was counted in some of the segments, and the files with their rows and confusions."""

    tally: Tally
    target: Path | None = None  # None where there are no rows
    confusions: Mapping[str, int] = field(default_factory=dict)  # rows by kind


def plan_parts(
    path: Path,
    metrics: Sequence[Metric],
    folder: Path,
    *,
    missing: MissingPolicy = "error",
    checked: int = 0,
    most_rows: int = GROUP_ROWS,
) -> list[ScoringTask]:
    """Cut a file of normalized texts into parts, of a row group at most, whose files go into a folder.

    Results do not depend on how it is cut.

    So many segments, of all parts together, are scored again by `cross_check`.
    """
    parts = cut_groups(normalized_row_groups(path), most_rows)
    sample = sample_rows(parts[-1].stop, checked)
    return [
        ScoringTask(
            path=path,
            rows=rows,
            target=folder / str(number),
            metrics=metrics,
            missing=missing,
            checked=sum(row in rows for row in sample),
        )
        for number, rows in enumerate(parts)
    ]


def score_part(task: ScoringTask) -> ScoredPart:
    """Score some rows of a file; what there is for each of them goes into files of the part."""
    texts = read_normalized(task.path, task.rows)
    system = ScoredSystem(texts, task.metrics, task.missing)
    tally = count_part(system, explains=True, check=partial(_cross_check, CrossCheckSettings(task.checked)))
    if tally.failures or not tally.missing.scored:
        return ScoredPart(tally=tally)
    write_part(_file(task.target, "scores"), score_columns(system.counted))
    write_part(_file(task.target, "alignments"), alignment_columns(system.alignments))
    confusions = system.ordered_confusions
    for kind, cells in confusions.items():
        write_shares(_file(task.target, kind), share_out(cells))
    rows = {kind: len(cells) for kind, cells in confusions.items()}
    return ScoredPart(tally=tally, target=task.target, confusions=rows)


def write_parts(parts: Iterable[ScoredPart], *, scores: Path, alignments: Path, confusions: Path) -> None:
    """Write the files of the score stage from parts in their order, whose own files are taken away.

    Nothing is written if one of them failed: raises what scoring the whole at once raises.
    """
    files: dict[str, dict[Path, int]] = {}
    with table_writer(scores, kind="scores") as counts, table_writer(alignments, kind="alignments") as letters:

        def tallies() -> Iterator[Tally]:
            for part in parts:
                if part.target:
                    counts.write(take_part(_file(part.target, "scores")))
                    letters.write(take_part(_file(part.target, "alignments")))
                    for kind, rows in part.confusions.items():
                        files.setdefault(kind, {})[_file(part.target, kind)] = rows
                yield part.tally

        tally = sum(tallies(), Tally())
        whole, (letters_of_none, confusions_of_none) = tally.conclude(), tally.explain()
        # Without any rows the files have their columns all the same.
        counts.write(score_columns(whole))
        letters.write(alignment_columns(letters_of_none))
        counts.note, letters.note = score_note(whole), alignment_note(letters_of_none)
    sums = ((kind, most_frequent(sum(rows.values()), partial(_read_shares, [*rows]))) for kind, rows in files.items())
    write_confusions(confusions, confusions_of_none, sums)
    for path in chain.from_iterable(files.values()):
        path.unlink()


def _read_shares(paths: Sequence[Path], numbers: Sequence[int]) -> list[pa.Table]:
    return [read_shares(path, numbers) for path in paths]


def _file(target: Path, name: str) -> Path:
    return target.with_suffix(f".{name}")


def _cross_check(settings: CrossCheckSettings, run: ScoredRun) -> None:
    cross_check(run.counted, run.texts, run.metrics, settings)
