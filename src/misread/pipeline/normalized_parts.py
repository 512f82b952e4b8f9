"""Parts of a capture, each normalized by itself, and the file that they make."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from misread.data.segment_table import Origin, TextPairs
from misread.normalize.answer_lint import fit
from misread.normalize.captures import add_notes, normalize_rows, rows_to_lint, take_sample
from misread.normalize.normalizer import Normalizer
from misread.storage import normalized_columns, normalized_note, read_capture, table_writer
from misread.storage.parquet import note_origin, read_note, read_origin
from misread.storage.parquet_writer import GROUP_ROWS
from misread.storage.part_files import cut_groups, take_part, write_part
from misread.storage.stage_tables import CaptureRows, find_capture_rows, read_labels
from misread.tally.step_changes import count_changes
from misread.tally.tally import Tally


@dataclass(frozen=True, kw_only=True)
class NormalizingTask:
    """Rows of a capture, how they are normalized, and the file that takes them."""

    path: Path
    rows: CaptureRows
    normalizer: Normalizer
    fitted: Normalizer  # to all outputs of the system
    target: Path


@dataclass(frozen=True, kw_only=True)
class NormalizedPart:
    """What is said of a part, whose texts are in a file."""

    origin: Origin
    note: Mapping[str, Any]  # of the file of all parts, but for what the linter finds
    tally: Tally
    fitted: Normalizer
    path: Path


def plan_parts(
    path: Path, normalizer: Normalizer, folder: Path, *, most_rows: int = GROUP_ROWS
) -> list[NormalizingTask]:
    """Cut a capture into parts, of a row group at most, which go into a folder; results do not depend on them."""
    rows, fitted = find_capture_rows(path), fit_to_file(normalizer, path)
    return [
        NormalizingTask(
            path=path, rows=rows.of(part), normalizer=normalizer, fitted=fitted, target=folder / f"{number}.arrow"
        )
        for number, part in enumerate(cut_groups(rows.groups, most_rows))
    ]


def fit_to_file(normalizer: Normalizer, path: Path) -> Normalizer:
    """The normalizer for all outputs of a capture, if it has a step that needs them."""
    is_fitted = any(step.facts.is_fitted for step in normalizer.bound)
    return fit(normalizer, read_samples(path, normalizer).get("", TextPairs([], []))) if is_fitted else normalizer


def read_samples(path: Path, normalizer: Normalizer) -> dict[str, TextPairs]:
    """Texts of a capture that are looked at, by label, a row group at a time."""
    rows = find_capture_rows(path)
    samples: dict[str, TextPairs] = {}
    origin, column = read_origin(read_note(path)), getattr(normalizer, "column", "")
    drawn = rows_to_lint(normalizer, origin, rows.segments, partial(read_labels, path, column, rows.segments))
    for group in rows.groups:
        capture = read_capture(path, rows.of(group))
        for label, numbers in drawn.items():
            part = take_sample(capture, [row - group.start for row in numbers if row in group])
            whole = samples.setdefault(label, TextPairs([], []))
            samples[label] = TextPairs([*whole.references, *part.references], [*whole.hypotheses, *part.hypotheses])
    return samples


def normalize_part(task: NormalizingTask) -> NormalizedPart:
    """Normalize some rows of a capture, and write them to a file of their own."""
    capture = read_capture(task.path, task.rows)
    texts = normalize_rows(capture, task.normalizer, task.fitted)
    write_part(task.target, normalized_columns(texts))
    return NormalizedPart(
        origin=texts.origin,
        note=normalized_note(texts),
        fitted=task.fitted,
        tally=Tally(changes=count_changes(capture, task.fitted)),
        path=task.target,
    )


def write_parts(parts: Iterable[NormalizedPart], path: Path, normalizer: Normalizer, source: Path) -> Tally:
    """Write the file of the normalize stage from parts of a capture in their order, and return the counts of all."""
    tally = Tally()
    with table_writer(path, kind="normalized") as writer:
        for part in parts:
            writer.write(take_part(part.path))
            tally += part.tally
            normalizer = part.fitted
        noted = add_notes(part.origin, normalizer, read_samples(source, normalizer))
        writer.note = {**part.note, "origin": note_origin(noted)}
    return tally
