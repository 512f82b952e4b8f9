"""Tables exchanged by stages, from records to columns and back."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from misread.errors import InputFileError
from misread.files.parquet import read_origin, read_parquet, write_parquet, write_parquet_parts
from misread.provenance.signature import Signature
from misread.records import (
    Annotations,
    Capture,
    Counts,
    NormalizedTexts,
    Origin,
    Reading,
    Scores,
    SegmentKeys,
    TextPairs,
    Timings,
)
from misread.text.arrow import ArrowTexts

_GROUP = "group."
_ANNOTATION = "annotation."
_TEXT = pa.string()
_RAW = "raw"
# Answers of language models may be long: this many readings are in memory at a time.
_PART = 1000


def write_capture(
    path: Path,
    origin: Origin,
    segments: SegmentKeys,
    references: Sequence[str],
    readings: Iterable[Reading],
    annotations: Annotations | None = None,
) -> None:
    """Write outputs, one row per segment and run; a failed one has a row with the reason and no hypothesis.

    `readings` are in the order of the segments, one run after the other. `raw` is what the engine answered where that
    is not the hypothesis itself.
    """
    keys = pa.table(
        {
            **key_columns(segments),
            "reference": pa.array(references, _TEXT),
            **annotation_columns(annotations or {}),
        }
    )

    def lay_out(first: int, part: Sequence[Reading]) -> dict[str, pa.Array]:
        known = keys.take(pa.array([row % len(keys) for row in range(first, first + len(part))], pa.int64()))
        return {
            **{name: known[name].combine_chunks() for name in known.column_names},
            "run": pa.array([reading.run for reading in part], pa.int32()),
            "hypothesis": pa.array([reading.text for reading in part], _TEXT),
            "reason": pa.array([reading.reason for reading in part], _TEXT),
            "confidence": pa.array([reading.confidence for reading in part], pa.float64()),
            _RAW: pa.array([reading.raw for reading in part], _TEXT),
        }

    write_parquet_parts(path, _in_parts(readings, lay_out), kind="capture", note={"origin": asdict(origin)})


def read_capture(path: Path) -> Capture:
    """Read the first run from a file of the capture stage."""
    table, note = read_parquet(path, kind="capture", made_by="captures/dvc.yaml", without=[_RAW])
    # A revision from before there were runs has one.
    if "run" in table.column_names:
        table = table.filter(pc.equal(table["run"], 1))
    return Capture(
        read_origin(note),
        read_keys(table),
        TextPairs(_list(table, "reference", path), _list(table, "hypothesis", path)),
        _list(table, "reason", path),
        _annotations_of_capture(table),
    )


def _annotations_of_capture(table: pa.Table) -> dict[str, list[Any]]:
    """Those of the data set, and how sure the engine was where it says so."""
    annotations = read_annotations(table)
    if "confidence" in table.column_names and table["confidence"].null_count < len(table):
        annotations.setdefault("confidence", table["confidence"].to_pylist())
    return annotations


def write_timings(path: Path, origin: Origin, readings: Iterable[Reading]) -> None:
    """Write the cost of reading; kept apart from the texts because it differs from run to run."""

    def lay_out(_: int, part: Sequence[Reading]) -> dict[str, pa.Array]:
        return {
            "segment_id": pa.array([reading.segment_id for reading in part], _TEXT),
            "run": pa.array([reading.run for reading in part], pa.int32()),
            "attempts": pa.array([reading.attempts for reading in part], pa.int32()),
            "latency_seconds": pa.array([reading.latency_seconds for reading in part], pa.float64()),
            "peak_memory_bytes": pa.array([reading.peak_memory_bytes for reading in part], pa.int64()),
        }

    write_parquet_parts(path, _in_parts(readings, lay_out), kind="timings", note={"origin": asdict(origin)})


def read_timings(path: Path) -> Timings:
    """Read the cost of reading."""
    table, note = read_parquet(path, kind="timings", made_by="captures/dvc.yaml")
    memory = table["peak_memory_bytes"].to_numpy().astype(np.float64)
    return Timings(read_origin(note), table["latency_seconds"].to_numpy(), memory)


def _in_parts(
    readings: Iterable[Reading], lay_out: Callable[[int, Sequence[Reading]], dict[str, pa.Array]]
) -> Iterator[dict[str, pa.Array]]:
    """Columns of so many readings at a time, at least once; `lay_out` is given the number of those before."""
    waiting = iter(readings)
    first = 0
    while (part := list(islice(waiting, _PART))) or first == 0:
        yield lay_out(first, part)
        first += max(len(part), 1)


def write_normalized(path: Path, texts: NormalizedTexts) -> None:
    """Write raw and normalized texts side by side."""
    columns = {
        **key_columns(texts.segments),
        "reference": pa.array(texts.raw.references, _TEXT),
        "hypothesis": pa.array(texts.raw.hypotheses, _TEXT),
        "reference_normalized": pa.array(texts.normalized.references, _TEXT),
        "hypothesis_normalized": pa.array(texts.normalized.hypotheses, _TEXT),
        "reference_normalized_lines": pa.array(texts.normalized_lines.references, _TEXT),
        "hypothesis_normalized_lines": pa.array(texts.normalized_lines.hypotheses, _TEXT),
        "reason": pa.array(texts.reasons, _TEXT),
        **annotation_columns(texts.annotations),
    }
    note = {"origin": asdict(texts.origin), "normalizer": texts.normalizer}
    write_parquet(path, columns, kind="normalized", note=note)


def read_normalized(path: Path) -> NormalizedTexts:
    """Read a file of the normalize stage."""
    table, note = read_parquet(path, kind="normalized", made_by="normalize")
    raw = TextPairs(_texts(table, "reference", path), _texts(table, "hypothesis", path))
    return NormalizedTexts(
        read_origin(note),
        read_keys(table),
        raw=raw,
        normalized=TextPairs(
            _texts(table, "reference_normalized", path, alike=("reference", raw.references)),
            _texts(table, "hypothesis_normalized", path, alike=("hypothesis", raw.hypotheses)),
        ),
        normalized_lines=TextPairs(
            _texts(table, "reference_normalized_lines", path), _texts(table, "hypothesis_normalized_lines", path)
        ),
        reasons=_list(table, "reason", path),
        normalizer=note["normalizer"],
        annotations=read_annotations(table),
    )


def write_scores(path: Path, scores: Scores) -> None:
    """Write counts, one column `METRIC.COUNT` each."""
    columns = {**key_columns(scores.segments), "reference_digest": pa.array(scores.reference_digest, _TEXT)}
    for metric, counts in scores.counts.items():
        columns |= {f"{metric}.{name}": pa.array(np.ascontiguousarray(counts[name])) for name in counts.columns}
    note = {
        "origin": asdict(scores.origin),
        "columns": {metric: list(counts.columns) for metric, counts in scores.counts.items()},
        "signatures": {metric: str(signature) for metric, signature in scores.signatures.items()},
        "normalizer": scores.normalizer,
        "missing": scores.missing,
        "excluded": scores.excluded,
        "invisible": dict(scores.invisible),
        "problems": {metric: dict(of) for metric, of in scores.problems.items()},
    }
    write_parquet(path, columns, kind="scores", note=note)


def read_scores(path: Path) -> Scores:
    """Read a file of the score stage."""
    table, note = read_parquet(path, kind="scores", made_by="score")
    return Scores(
        read_origin(note),
        read_keys(table),
        counts={
            metric: Counts(tuple(names), np.stack([table[f"{metric}.{name}"].to_numpy() for name in names], axis=-1))
            for metric, names in note["columns"].items()
        },
        signatures={metric: Signature.parse(line) for metric, line in note["signatures"].items()},
        normalizer=note["normalizer"],
        reference_digest=_list(table, "reference_digest", path),
        missing=note["missing"],
        excluded=note["excluded"],
        invisible=note["invisible"],
        problems=note["problems"],
    )


def key_columns(keys: SegmentKeys) -> dict[str, pa.Array]:
    """Columns of ids, clusters and groups."""
    columns = {"segment_id": pa.array(keys.segment_id, _TEXT)}
    if keys.cluster is not None:
        columns["cluster"] = pa.array(keys.cluster, _TEXT)
    for name, values in keys.groups.items():
        columns[_GROUP + name] = pa.array(values, _TEXT)
    return columns


def read_keys(table: pa.Table) -> SegmentKeys:
    """Ids, clusters and groups of the rows of a table."""
    names = table.column_names
    return SegmentKeys(
        table["segment_id"].to_pylist(),
        table["cluster"].to_pylist() if "cluster" in names else None,
        {name.removeprefix(_GROUP): table[name].to_pylist() for name in names if name.startswith(_GROUP)},
    )


def annotation_columns(annotations: Annotations, prefix: str = _ANNOTATION) -> dict[str, pa.Array]:
    """Columns of annotations, each value as JSON."""
    return {
        prefix + name: pa.array(
            [None if value is None else json.dumps(value, ensure_ascii=False) for value in values], _TEXT
        )
        for name, values in annotations.items()
    }


def read_annotations(table: pa.Table, prefix: str = _ANNOTATION) -> dict[str, list[Any]]:
    """Annotations of a table by name."""
    return {
        name.removeprefix(prefix): [None if text is None else json.loads(text) for text in table[name].to_pylist()]
        for name in table.column_names
        if name.startswith(prefix)
    }


def _texts(
    table: pa.Table, column: str, path: Path, *, alike: tuple[str, Sequence[Any]] | None = None
) -> Sequence[Any]:
    """Texts of a column, without a Python string for each if none is missing.

    `alike` is another column and its texts, which are shared where both are the same.
    """
    if column not in table.column_names or table[column].null_count:
        return _list(table, column, path)
    if alike is not None and table[column].equals(table[alike[0]]):
        return alike[1]
    return ArrowTexts.of(table[column])


def _list(table: pa.Table, column: str, path: Path) -> list[Any]:
    if column not in table.column_names:
        raise InputFileError(f"{path} has no column {column!r}; it has: {', '.join(table.column_names)}.")
    values: list[Any] = table[column].to_pylist()
    return values
