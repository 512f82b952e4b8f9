"""Parts of a capture, each normalized by itself, and the file that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from misread.data.segment_table import Origin, SegmentKeys, TextPairs
from misread.normalize.captures import (
    StepChanges,
    add_notes,
    count_changes_by_label,
    is_linted,
    join_changes,
    lint_distance,
    normalize_rows,
)
from misread.normalize.normalized_texts import NormalizedTexts
from misread.normalize.normalizer import Normalizer, NormalizerByColumn
from misread.storage import normalized_columns, normalized_note, read_capture, table_writer
from misread.storage.parquet import read_note, read_origin
from misread.storage.parquet_writer import GROUP_ROWS
from misread.storage.part_files import move_part, write_part
from misread.storage.stage_tables import CaptureRows, find_capture_rows, read_labels


@dataclass(frozen=True, kw_only=True)
class NormalizingTask:
    """Rows of a capture, how they are normalized, and the file that takes them."""

    path: Path
    rows: CaptureRows
    normalizer: Normalizer
    linted: Mapping[str, Sequence[int]]  # rows of the part that the linter looks at, by label
    target: Path


@dataclass(frozen=True, kw_only=True)
class NormalizedPart:
    """What is said of a part, whose texts are in a file."""

    texts: NormalizedTexts  # without rows
    changes: Mapping[str, Sequence[StepChanges]]  # by label
    sample: Mapping[str, TextPairs]  # for the linter, by label
    path: Path


def plan_parts(
    path: Path, normalizer: Normalizer, folder: Path, *, most_rows: int = GROUP_ROWS
) -> list[NormalizingTask]:
    """Cut a capture into parts, of a row group at most, which go into a folder; results do not depend on them."""
    rows = find_capture_rows(path)
    linted = _rows_to_lint(path, normalizer, read_origin(read_note(path)), rows.segments)
    parts = [
        range(start, min(start + most_rows, group.stop))
        for group in rows.groups
        for start in range(group.start, group.stop, most_rows)
    ] or [range(0)]
    return [
        NormalizingTask(
            path=path,
            rows=rows.of(part),
            normalizer=normalizer,
            linted={
                label: here
                for label, of_label in linted.items()
                if (here := [row - part.start for row in of_label if row in part])
            },
            target=folder / f"{number}.arrow",
        )
        for number, part in enumerate(parts)
    ]


def normalize_part(task: NormalizingTask) -> NormalizedPart:
    """Normalize some rows of a capture, and write them to a file of their own."""
    capture = read_capture(task.path, task.rows)
    texts = normalize_rows(capture, task.normalizer)
    write_part(task.target, normalized_columns(texts), kind="normalized")
    return NormalizedPart(
        texts=_without_rows(texts),
        changes=count_changes_by_label(capture, task.normalizer),
        sample={label: capture.texts.take(rows) for label, rows in task.linted.items()},
        path=task.target,
    )


def write_parts(parts: Iterable[NormalizedPart], path: Path, normalizer: Normalizer) -> list[StepChanges]:
    """Write the file of the normalize stage from parts in their order, and return what each step changed in all."""
    changes: list[Mapping[str, Sequence[StepChanges]]] = []
    samples: dict[str, list[TextPairs]] = {}
    with table_writer(path, kind="normalized") as writer:
        for part in parts:
            move_part(part.path, writer)
            changes.append(part.changes)
            for label, sample in part.sample.items():
                samples.setdefault(label, []).append(sample)
            texts = part.texts
        joined = {label: _join(of_label) for label, of_label in samples.items()}
        writer.note = normalized_note(replace(texts, origin=add_notes(texts.origin, normalizer, joined)))
    return join_changes(changes)


def _rows_to_lint(path: Path, normalizer: Normalizer, origin: Origin, segments: int) -> dict[str, Sequence[int]]:
    """As `sample_to_lint` chooses them, by label."""
    if not isinstance(normalizer, NormalizerByColumn):
        return {"": range(0, segments, lint_distance(segments))} if is_linted(normalizer, origin) else {}
    numbers = Counter[str]()
    for labels in read_labels(path, normalizer.column, segments):
        numbers.update(labels)
    distances = {
        label: lint_distance(number)
        for label, number in numbers.items()
        if is_linted(normalizer.of_label(label), origin)
    }
    rows: dict[str, list[int]] = {label: [] for label in distances}
    seen = Counter[str]()
    row = 0
    for labels in read_labels(path, normalizer.column, segments):
        for label in labels:
            if label in distances and seen[label] % distances[label] == 0:
                rows[label].append(row)
            seen[label] += 1
            row += 1
    return {**rows}


def _without_rows(texts: NormalizedTexts) -> NormalizedTexts:
    none = TextPairs([], [])
    further = tuple(map(_without_rows, texts.further_runs))
    return replace(
        texts,
        segments=SegmentKeys([], None, {}),
        raw=none,
        normalized=none,
        normalized_lines=none,
        reasons=[],
        further_runs=further,
        annotations={},
    )


def _join(samples: Sequence[TextPairs]) -> TextPairs:
    return TextPairs(
        [text for sample in samples for text in sample.references],
        [text for sample in samples for text in sample.hypotheses],
    )
