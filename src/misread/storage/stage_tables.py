"""Tables exchanged by stages, from records to columns and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import chain, pairwise, repeat
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from misread.data.segment_table import Annotations, Capture, Doubt, Origin, SegmentKeys, TextPairs, take
from misread.engines.base import Reading, RecordedPart
from misread.engines.timing import Timings
from misread.errors import InputFileError
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.storage.parquet import note_origin, read_columns, read_origin, read_parquet, reads_stage, row_groups
from misread.storage.parquet_writer import table_writer, write_parquet_parts
from misread.tally.missing_texts import MissingOutputs
from misread.tally.scores import Counts, RunCounts, Scores
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column, to_flags, to_floats, to_numpy
from misread.text.lazy_texts import ClosedLines, ascending_rows, close_lines
from misread.types import FloatArray, IntArray

GROUP = "group."
ANNOTATION = "annotation."
_TEXT = pa.string()
_RAW = "raw"
_WORDS = "words"
_CONFIDENCE = "confidence"
_RUNS = "runs"
_MISSING_OUTPUTS = "missing_outputs"
_PAIRING = "pairing"
_SAME_TEXT = "same_text"
_KEYS = ("segment_id", "cluster")
# Ends of the names of columns: raw texts, normalized as a whole, normalized line by line.
_FORMS = ("", "_normalized", "_normalized_lines")
_MEASURED = {
    "segment_id": _TEXT,
    "run": pa.int32(),
    "attempts": pa.int32(),
    "latency_seconds": pa.float64(),
    "peak_memory_bytes": pa.int64(),
    "warm_up": pa.bool_(),
    "start_up_seconds": pa.float64(),
    "first_byte_seconds": pa.float64(),
    "input_tokens": pa.int64(),
    "output_tokens": pa.int64(),
    "usd": pa.float64(),
    "concurrency": pa.int32(),
    "batch_size": pa.int32(),
    "server_version": _TEXT,
    "served_model": _TEXT,
}
_measures = attrgetter(*_MEASURED)
_WORD = pa.struct([("text", _TEXT), ("confidence", pa.float64())])
# Answers of language models may be long: this many readings, and characters of them, are in memory at a time.
_PART = 1000
_CHARACTERS = 1_000_000


def write_capture(
    path: Path,
    origin: Origin,
    segments: SegmentKeys,
    references: Sequence[str],
    readings: Iterable[Reading],
    annotations: Annotations | None = None,
    *,
    timings: Path | None = None,
) -> None:
    """Write outputs, one row per segment and run; a failed one has a row with the reason and no hypothesis.

    `readings` are in the order of the segments, one run after the other. `raw` is what the engine answered where that
    is not the hypothesis itself; `words` are those of the engine, with confidences. `timings` is the file of
    `write_timings`, which may be written from the same readings at the same time, for they come from a journal.
    """

    def lay_out(first: int, part: Sequence[Reading]) -> dict[str, pa.Array]:
        return {
            **_lay_out_segments(_rows_of(first, len(part), len(segments)), segments, references, annotations),
            "run": to_column([reading.run for reading in part], pa.int32()),
            "hypothesis": to_column([reading.text for reading in part], _TEXT),
            "reason": to_column([reading.reason for reading in part], _TEXT),
            _CONFIDENCE: to_column([reading.confidence for reading in part], pa.float64()),
            _RAW: to_column([reading.raw for reading in part], _TEXT),
            _WORDS: _lay_out_words(part),
        }

    note = {"origin": note_origin(origin)}
    with ExitStack() as opened:
        writer = opened.enter_context(table_writer(path, kind="capture"))
        costs = opened.enter_context(table_writer(timings, kind="timings")) if timings else None
        writer.note = note
        if costs:
            costs.note = note
        # Parts of long answers have few rows, and what Arrow needs for a part is more than their measures.
        measured: list[tuple[Any, ...]] = []
        for first, part in _in_parts(readings):
            writer.write(lay_out(first, part))
            if costs:
                measured += map(_measures, part)
                if len(measured) >= _PART:
                    costs.write(_lay_out_timings(measured))
                    measured = []
        if costs:
            costs.write(_lay_out_timings(measured))


def write_recorded(
    path: Path,
    origin: Origin,
    segments: SegmentKeys,
    references: Sequence[str],
    outputs: Iterable[RecordedPart],
) -> None:
    """Write recorded outputs as `write_capture` writes those that were read, without an object for each."""

    def lay_out(part: RecordedPart) -> dict[str, pa.Array]:
        size = len(part.rows)
        return {
            **_lay_out_segments(part.rows, segments, references, None),
            **annotation_columns(part.annotations),
            "run": to_column([part.run] * size, pa.int32()),
            "hypothesis": to_column(part.texts, _TEXT),
            "reason": to_column(part.reasons, _TEXT) if part.reasons else pa.nulls(size, _TEXT),
            _CONFIDENCE: pa.nulls(size, pa.float64()),
            _RAW: pa.nulls(size, _TEXT),
            _WORDS: pa.nulls(size, pa.list_(_WORD)),
        }

    write_parquet_parts(path, map(lay_out, outputs), kind="capture", note={"origin": note_origin(origin)})


def _rows_of(first: int, size: int, segments: int) -> Sequence[int]:
    """Segment rows of `size` readings from reading `first`; they may wrap into the next run."""
    start = first % max(1, segments)
    return (
        range(start, start + size)
        if start + size <= segments
        else [row % segments for row in range(first, first + size)]
    )


def _lay_out_segments(
    rows: Sequence[int], segments: SegmentKeys, references: Sequence[str], annotations: Annotations | None
) -> dict[str, pa.Array]:
    return {
        **key_columns(segments.take(rows)),
        "reference": to_column(take(references, rows), _TEXT),
        **annotation_columns({name: take(values, rows) for name, values in (annotations or {}).items()}),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureRows:
    """Positions of a capture's rows in its file: those of a run together, in the order of the segments."""

    runs: Mapping[str, range]
    confident: frozenset[str]  # runs in which an engine said how sure it is
    groups: Sequence[range]  # row groups of the first run, as rows of the segments
    segments: int  # of the whole file

    def of(self, segments: range) -> CaptureRows:
        """Rows of some of the segments."""
        runs = {run: rows[segments.start : segments.stop] for run, rows in self.runs.items()}
        return replace(self, runs=runs, groups=[segments])


@reads_stage("stages/captures/dvc.yaml")
def find_capture_rows(path: Path) -> CaptureRows:
    """Look up the rows of a capture; InputFileError if the runs have different numbers of them."""
    # A system that cannot read the data set has none.
    numbers: list[int] = []
    bounds: list[int] = []
    confident: set[int] = set()
    size = 0
    for batch in read_columns(path, ["run", _CONFIDENCE], kind="capture", made_by="stages/captures/dvc.yaml"):
        runs_of_rows = to_numpy(batch["run"])
        starts = np.flatnonzero(np.diff(runs_of_rows, prepend=numbers[-1] if numbers else 0))
        numbers += runs_of_rows[starts].tolist()
        bounds += (starts + size).tolist()
        confident.update(np.unique(runs_of_rows[to_flags(batch[_CONFIDENCE].is_valid())]).tolist())
        size += len(batch)
    runs = {str(run): range(start, end) for run, (start, end) in zip(numbers, pairwise([*bounds, size]), strict=True)}
    ordered = {str(run): runs[str(run)] for run in sorted(set(numbers))} or {"1": range(0)}
    first, *further = ordered
    for other in further:
        if len(ordered[other]) != len(ordered[first]):
            raise _other_segments(path, other, first, len(ordered[other]), len(ordered[first]))
    if len(numbers) > len(runs):
        raise InputFileError(
            f"{path}: the rows of a run are not next to each other; `misread capture` writes them again."
        )
    segments = ordered[first]
    groups = [
        range(max(group.start, segments.start) - segments.start, min(group.stop, segments.stop) - segments.start)
        for group in row_groups(path, kind="capture", made_by="stages/captures/dvc.yaml")
    ]
    return CaptureRows(
        runs=ordered,
        confident=frozenset(map(str, confident)),
        groups=[group for group in groups if group],
        segments=len(segments),
    )


@reads_stage("stages/captures/dvc.yaml")
def read_capture(path: Path, rows: CaptureRows | None = None) -> Capture:
    """Read all runs of a capture, or some of its rows; every run has to have the segments of the first."""
    rows = rows or find_capture_rows(path)
    made: list[Capture] = []
    for run, run_rows in rows.runs.items():
        table, note = read_parquet(
            path, kind="capture", made_by="stages/captures/dvc.yaml", without=[_RAW, _WORDS], rows=run_rows
        )
        texts = TextPairs(_texts(table, "reference", path), _texts(table, "hypothesis", path))
        annotations = read_annotations(table)
        if run in rows.confident:
            annotations.setdefault(_CONFIDENCE, table[_CONFIDENCE].to_pylist())
        reasons = _list(table, "reason", path)
        made.append(Capture(read_origin(note), read_keys(table), texts, reasons, run, annotations=annotations))
    first, *further = made
    for other in further:
        if other.segments.segment_id != first.segments.segment_id:
            raise _other_segments(path, other.run, first.run, rows.segments, rows.segments)
    return replace(first, further_runs=tuple(further))


def read_capture_parts(path: Path) -> Iterator[Capture]:
    """Read all runs of a capture, the segments of a row group at a time; there is one part at least."""
    rows = find_capture_rows(path)
    for group in rows.groups or [range(0)]:
        yield read_capture(path, rows.of(group))


def read_labels(path: Path, column: str, segments: int) -> Iterator[str]:
    """Labels of the first `segments` rows of a capture in a group column; none without that column."""
    left = segments
    for batch in read_columns(path, [GROUP + column], kind="capture", made_by="stages/captures/dvc.yaml"):
        if left and batch.schema.names:
            yield from batch[GROUP + column][:left].to_pylist()
            left -= min(left, len(batch))


def _other_segments(path: Path, other: str, first: str, other_number: int, first_number: int) -> InputFileError:
    return InputFileError(
        f"{path}: run {other} has other segments than run {first} ({other_number:,} and {first_number:,}); "
        "`misread capture` reads the missing ones."
    )


def _lay_out_words(part: Sequence[Reading]) -> pa.Array:
    """Words as `pyarrow.array` would lay them out, which would import pandas, and takes a dictionary for each."""
    lists, kind = [reading.words for reading in part], pa.list_(_WORD)
    if not any(words is not None for words in lists):
        return pa.nulls(len(lists), kind)
    flat = [word for words in lists for word in words or ()]
    bounds = np.cumsum([0, *(len(words or ()) for words in lists)], dtype=np.int32)
    is_valid = np.packbits([words is not None for words in lists], bitorder="little")
    texts = to_column([word.text for word in flat], _TEXT)
    confidences = to_column([word.confidence for word in flat], pa.float64())
    words = pa.StructArray.from_arrays([texts, confidences], fields=list(_WORD))
    return pa.ListArray.from_buffers(kind, len(lists), [pa.py_buffer(is_valid), pa.py_buffer(bounds)], children=[words])


def write_timings(path: Path, origin: Origin, readings: Iterable[Reading]) -> None:
    """Write the cost of reading; kept apart from the texts because it differs from run to run."""
    parts = (_lay_out_timings([*map(_measures, part)]) for _, part in _in_parts(readings))
    write_parquet_parts(path, parts, kind="timings", note={"origin": note_origin(origin)})


def _lay_out_timings(measured: Sequence[tuple[Any, ...]]) -> dict[str, pa.Array]:
    columns = zip(*measured, strict=True) if measured else repeat(())
    return {name: to_column(values, kind) for (name, kind), values in zip(_MEASURED.items(), columns, strict=False)}


@reads_stage("stages/captures/dvc.yaml")
def read_timings(path: Path) -> Timings:
    """Read the cost of reading."""
    table, note = read_parquet(path, kind="timings", made_by="stages/captures/dvc.yaml")

    def column(name: str) -> FloatArray:
        values: FloatArray = to_floats(table[name])
        return values

    usd = column("usd")
    return Timings(
        read_origin(note),
        column("latency_seconds"),
        column("peak_memory_bytes"),
        warm_up=column("warm_up") == 1,
        start_up_seconds=column("start_up_seconds"),
        first_byte_seconds=column("first_byte_seconds"),
        input_tokens=column("input_tokens"),
        output_tokens=column("output_tokens"),
        attempts=column("attempts"),
        segment_id=_texts(table, "segment_id", path),
        usd=usd[:0] if np.isnan(usd).all() else usd,
    )


def _in_parts(readings: Iterable[Reading]) -> Iterator[tuple[int, Sequence[Reading]]]:
    """So many readings at a time, at least once, with the number of those before."""
    first, part, characters = 0, [], 0
    for reading in readings:
        part.append(reading)
        characters += len(reading.text or "") + len(reading.raw or "")
        if len(part) == _PART or characters >= _CHARACTERS:
            yield first, part
            first, part, characters = first + len(part), [], 0
    if part or first == 0:
        yield first, part


def normalized_columns(texts: NormalizedTexts) -> dict[str, pa.Array]:
    """Columns of a file of the normalize stage, of all rows or those of a part: raw and normalized texts side by side.

    Hypotheses and annotations of further runs are in columns of their own. A normalized text is stored only where it
    differs from the raw one; one that was normalized line by line, only where it differs from the text that was
    normalized as a whole, with a line feed after it.
    """
    columns = {
        **key_columns(texts.segments),
        **_columns_of("reference", [form.references for form in _forms(texts)]),
        **_columns_of("hypothesis", [form.hypotheses for form in _forms(texts)]),
        "reason": to_column(texts.reasons, _TEXT),
        **annotation_columns(texts.annotations),
    }
    for further in texts.further_runs:
        hypotheses = _columns_of("hypothesis", [form.hypotheses for form in _forms(further)])
        columns |= {_of_run(name, further.run): column for name, column in hypotheses.items()}
        columns[_of_run("reason", further.run)] = to_column(further.reasons, _TEXT)
        columns |= annotation_columns(further.annotations, _annotations_of_run(further.run))
    return columns


def _forms(texts: NormalizedTexts) -> tuple[TextPairs, ...]:
    """In the order of `_FORMS`."""
    return texts.raw, texts.normalized, texts.normalized_lines


def _columns_of(side: str, forms: Sequence[Sequence[str | None]]) -> dict[str, pa.Array]:
    """Columns of one side in all forms, those that were normalized without what follows from the form before."""
    raw, normalized, lines = (to_column(texts, _TEXT) for texts in forms)
    columns = (raw, _where_differing(normalized, raw), _where_differing(lines, close_lines(normalized).cast(_TEXT)))
    return {side + form: column for form, column in zip(_FORMS, columns, strict=True)}


def _where_differing(column: pa.Array, expected: pa.Array) -> pa.Array:
    if column.equals(expected):
        return pa.nulls(len(column), _TEXT)
    is_same = pc.equal(column, expected)
    return pc.if_else(pc.and_kleene(is_same.is_valid(), is_same), pa.nulls(len(column), _TEXT), column)


def normalized_note(texts: NormalizedTexts) -> dict[str, Any]:
    """Note of a file of the normalize stage on all its rows."""
    runs = [run.run for run in (texts, *texts.further_runs)] if texts.further_runs else []
    return {"origin": note_origin(texts.origin), "normalizer": texts.normalizer, **({_RUNS: runs} if runs else {})}


def normalized_row_groups(path: Path) -> list[range]:
    """Rows of every row group of a file of the normalize stage."""
    return row_groups(path, kind="normalized", made_by="normalize")


@reads_stage("normalize")
def read_normalized_keys(path: Path) -> SegmentKeys:
    """Read ids, clusters and groups of a file of the normalize stage."""
    empty, _ = read_parquet(path, kind="normalized", made_by="normalize", rows=range(0))
    texts = [name for name in empty.column_names if name not in _KEYS and not name.startswith(GROUP)]
    return read_keys(read_parquet(path, kind="normalized", made_by="normalize", without=texts)[0])


@reads_stage("normalize")
def read_normalized(path: Path, rows: range | IntArray | None = None) -> NormalizedTexts:
    """Read a file of the normalize stage, or some of its rows."""
    table, note = read_parquet(path, kind="normalized", made_by="normalize", rows=rows)
    run, *further = note.get(_RUNS, ["1"])
    references = _texts_of(table, "reference", path)
    raw, normalized, normalized_lines = map(TextPairs, references, _texts_of(table, "hypothesis", path))
    first = NormalizedTexts(
        read_origin(note),
        read_keys(table),
        raw=raw,
        normalized=normalized,
        normalized_lines=normalized_lines,
        reasons=_reasons(table, "reason", path),
        normalizer=note["normalizer"],
        run=run,
        annotations=read_annotations(table),
    )

    def texts_of(run: str) -> NormalizedTexts:
        raw, normalized, normalized_lines = map(TextPairs, references, _texts_of(table, "hypothesis", path, run))
        return replace(
            first,
            raw=raw,
            normalized=normalized,
            normalized_lines=normalized_lines,
            reasons=_reasons(table, _of_run("reason", run), path),
            run=run,
            annotations=read_annotations(table, _annotations_of_run(run)),
        )

    return replace(first, further_runs=tuple(map(texts_of, further)))


def _texts_of(table: pa.Table, side: str, path: Path, run: str = "") -> list[Sequence[Any]]:
    """Texts of one side in all forms, which share what follows from the form before."""
    raw, normalized, lines = (
        _column(table, _of_run(side + form, run) if run else side + form, path) for form in _FORMS
    )
    forms = [_as_texts(raw)]
    if _follows(normalized) or normalized.equals(raw):
        normalized = raw
        forms.append(forms[0])
    else:
        normalized = pc.coalesce(normalized, raw)
        forms.append(_as_texts(normalized))
    whole = forms[1]
    if _follows(lines) and isinstance(whole, ArrowTexts):
        return [*forms, ClosedLines(whole)]
    closed = close_lines(normalized).cast(_TEXT) if lines.null_count else lines
    return [*forms, _as_texts(pc.coalesce(lines, closed))]


def _follows(column: pa.ChunkedArray) -> bool:
    """Whether all texts of a column follow from another."""
    return bool(column.null_count == len(column))


def _of_run(column: str, run: str) -> str:
    """Name of a column of a further run."""
    return f"{column}@{run}"


def _annotations_of_run(run: str) -> str:
    """Prefix of the columns of annotations of a further run."""
    return f"{_of_run(ANNOTATION.removesuffix('.'), run)}."


def score_columns(scores: Scores) -> dict[str, pa.Array]:
    """Columns of a file of the score stage, of all rows or those of a part.

    One column `METRIC.COUNT` each, and `METRIC.COUNT@RUN` of each run where there are several.
    """
    columns = {**key_columns(scores.segments), "reference_digest": to_column(scores.reference_digest, _TEXT)}
    for metric, counts in scores.counts.items():
        columns |= {f"{metric}.{name}": to_arrow(counts[name]) for name in counts.columns}
        if scores.runs:
            columns |= {
                _of_run(f"{metric}.{name}", run): to_arrow(run_counts[:, column])
                for run, run_counts in zip(scores.runs.runs, scores.runs.counts[metric], strict=True)
                for column, name in enumerate(counts.columns)
            }
    if scores.runs:
        columns[_SAME_TEXT] = to_arrow(scores.runs.same_text)
    return columns


def score_note(scores: Scores) -> dict[str, Any]:
    """Note of a file of the score stage on all its rows."""
    return {
        "origin": note_origin(scores.origin),
        "columns": {metric: list(counts.columns) for metric, counts in scores.counts.items()},
        "signatures": {metric: str(signature) for metric, signature in scores.signatures.items()},
        "normalizer": scores.normalizer,
        "missing": scores.missing,
        "excluded": scores.excluded,
        "invisible": dict(scores.invisible),
        "problems": {metric: dict(problems) for metric, problems in scores.problems.items()},
        **({_PAIRING: list(scores.pairing)} if scores.pairing else {}),
        **({_RUNS: list(scores.runs.runs)} if scores.runs else {}),
        **({_MISSING_OUTPUTS: asdict(scores.missing_outputs)} if scores.missing_outputs else {}),
    }


@reads_stage("score")
def read_scores(path: Path, *, columns: Mapping[str, Sequence[str]] | None = None, ascending: bool = False) -> Scores:
    """Read a file of the score stage; with `ascending` in the order of ids, in which systems are compared.

    If `columns` are given by metric, these counts alone, without ids and digests.
    """
    nothing, note = read_parquet(path, kind="scores", made_by="score", rows=range(0))
    runs = note.get(_RUNS, [])
    chosen = note["columns"] if columns is None else columns
    names = {metric: [f"{metric}.{name}" for name in names] for metric, names in chosen.items()}
    names_of_runs = {
        metric: [_of_run(name, run) for run in runs for name in columns] for metric, columns in names.items()
    }
    counted = [name for columns in (*names.values(), *names_of_runs.values()) for name in columns]
    table = nothing
    if columns is None:
        table, _ = read_parquet(path, kind="scores", made_by="score", without=counted)
    keys, digests = read_keys(table), _texts(table, "reference_digest", path)
    same_text = to_flags(table[_SAME_TEXT]) if runs else None
    places = np.arange(sum(map(len, row_groups(path, kind="scores", made_by="score"))))
    if ascending:
        order = ascending_rows(keys.segment_id)
        places[order] = np.arange(len(order))
        keys, digests = keys.take(order), take(digests, order)
        same_text = None if same_text is None else same_text[order]
    counts, counts_of_runs = (_read_counts(path, listed, places) for listed in (names, names_of_runs))
    return Scores(
        read_origin(note),
        keys,
        counts={metric: Counts(tuple(listed), counts[metric].T) for metric, listed in chosen.items()},
        signatures={metric: Signature.parse(line) for metric, line in note["signatures"].items()},
        normalizer=note["normalizer"],
        reference_digest=digests,
        missing=note["missing"],
        excluded=note["excluded"],
        invisible=note["invisible"],
        problems=note["problems"],
        missing_outputs=MissingOutputs(**note[_MISSING_OUTPUTS]) if note.get(_MISSING_OUTPUTS) else None,
        pairing=note.get(_PAIRING, ()),
        runs=RunCounts(
            runs,
            {
                metric: values.reshape(len(runs), len(names[metric]), values.shape[1]).swapaxes(1, 2)
                for metric, values in counts_of_runs.items()
            },
            same_text,
        )
        if same_text is not None
        else None,
    )


def add_faults(path: Path, doubts: Sequence[Doubt], pairing: Sequence[Mapping[str, Any]]) -> None:
    """Add faults in the pairing to what a file of the score stage says; its rows stay as they are."""
    nothing, note = read_parquet(path, kind="scores", made_by="score", rows=range(0))
    origin = read_origin(note)
    origin = replace(origin, facts=origin.facts.with_doubts(*doubts))
    with table_writer(path, kind="scores") as writer:
        writer.note = {**note, "origin": note_origin(origin), _PAIRING: list(pairing)}
        for batch in read_columns(path, nothing.column_names, kind="scores", made_by="score"):
            writer.write(dict(zip(batch.schema.names, batch.columns, strict=True)))


def _read_counts(path: Path, names: Mapping[str, Sequence[str]], places: IntArray) -> dict[str, IntArray]:
    """Columns of counts by metric, shape (columns, rows), with row i of the file at places[i].

    Besides them one row group is in memory at a time.
    """
    counts = {metric: np.empty((len(columns), len(places)), np.int64) for metric, columns in names.items()}
    start = 0
    for batch in read_columns(path, list(chain.from_iterable(names.values())), kind="scores", made_by="score"):
        for metric, columns in names.items():
            for column, name in enumerate(columns):
                counts[metric][column, places[start : start + len(batch)]] = to_numpy(batch[name])
        start += len(batch)
    return counts


def key_columns(keys: SegmentKeys) -> dict[str, pa.Array]:
    """Columns of ids, clusters and groups."""
    columns = {"segment_id": to_column(keys.segment_id, _TEXT)}
    if keys.cluster is not None:
        columns["cluster"] = to_column(keys.cluster, _TEXT)
    for name, values in keys.groups.items():
        columns[GROUP + name] = to_column(values, _TEXT)
    return columns


def read_keys(table: pa.Table) -> SegmentKeys:
    """Ids, clusters and groups of the rows of a table."""
    names = table.column_names
    return SegmentKeys(
        ArrowTexts.of(table["segment_id"]),
        ArrowTexts.of(table["cluster"]) if "cluster" in names else None,
        {name.removeprefix(GROUP): ArrowTexts.of(table[name]) for name in names if name.startswith(GROUP)},
    )


def annotation_columns(annotations: Annotations, prefix: str = ANNOTATION) -> dict[str, pa.Array]:
    """Columns of annotations, each value as JSON."""
    return {
        prefix + name: to_column(
            [None if value is None else json.dumps(value, ensure_ascii=False) for value in values], _TEXT
        )
        for name, values in annotations.items()
    }


def read_annotations(table: pa.Table, prefix: str = ANNOTATION) -> dict[str, list[Any]]:
    """Annotations of a table by name."""
    return {
        name.removeprefix(prefix): [None if text is None else json.loads(text) for text in table[name].to_pylist()]
        for name in table.column_names
        if name.startswith(prefix)
    }


def _texts(table: pa.Table, name: str, path: Path) -> Sequence[Any]:
    """Texts of a column, without a Python string for each if none is missing."""
    return _as_texts(_column(table, name, path))


def _as_texts(column: pa.ChunkedArray) -> Sequence[Any]:
    return column.to_pylist() if column.null_count else ArrowTexts.of(column)


def _reasons(table: pa.Table, name: str, path: Path) -> Sequence[str | None]:
    """Why hypotheses are missing; few are."""
    column = _column(table, name, path)
    return [None] * len(column) if column.null_count == len(column) else column.to_pylist()


def _list(table: pa.Table, column: str, path: Path) -> list[Any]:
    values: list[Any] = _column(table, column, path).to_pylist()
    return values


def _column(table: pa.Table, name: str, path: Path) -> pa.ChunkedArray:
    if name not in table.column_names:
        raise InputFileError(f"{path} has no column {name!r}; it has: {', '.join(table.column_names)}.")
    return table[name]
