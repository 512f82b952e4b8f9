"""Files that stages hand on: of this version, of another, of somebody else, damaged."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from fuzzing.mutations import change_value, mutate
from fuzzing.targets import Target, file_target
from misread.files import (
    read_capture,
    read_normalized,
    read_scores,
    write_capture,
    write_json,
    write_normalized,
    write_scores,
)
from misread.files.alignment_files import read_alignments, write_alignments
from misread.files.confusion_files import read_confusions, write_confusions
from misread.files.json_files import read_json
from misread.files.segment_files import read_segments, write_segments
from misread.files.stage_tables import read_timings, write_timings
from misread.metrics import METRICS
from misread.normalize import get_normalizer, normalize
from misread.records import Capture, Origin, Reading, SegmentKeys, SegmentTable, TextPairs, Word
from misread.scoring import ScoredSystem, score
from misread.stats import StatisticsSettings, compare_systems
from misread.stats.compare.schema import read_comparison

GROUP: Final = "stage files"
_NOTE: Final = b"misread"
_KINDS: Final = (
    pa.string(),
    pa.int64(),
    pa.float64(),
    pa.bool_(),
    pa.binary(),
    pa.large_string(),
    pa.list_(pa.string()),
)


def targets() -> Iterator[Target]:
    """Every file of a stage that another reads."""
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as folder:
        files = _write_all(Path(folder))
    yield _table_target("capture", read_capture, files)
    yield _table_target("timings", read_timings, files)
    yield _table_target("normalized", read_normalized, files)
    yield _table_target("scores", read_scores, files)
    yield _table_target("segments", lambda path: read_segments(path, data_root="downloads"), files)
    yield _table_target("alignments", read_alignments, files)
    yield _table_target("confusions", read_confusions, files)
    yield file_target("comparison", GROUP, read_comparison, ending=".json", samples=[files["comparison"]])
    yield file_target("json", GROUP, read_json, ending=".json", samples=[files["comparison"]])


def _table_target(name: str, read: Callable[[Path], object], files: dict[str, bytes]) -> Target:
    plain = file_target(name, GROUP, read, ending=".parquet", samples=[files[name]])
    return replace(plain, change=_change_table)


def _change_table(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """A table with other columns, or another note; one in four with other bytes."""
    if rng.random() < 0.25:
        return mutate(rng, sample, others)
    table = pq.read_table(BytesIO(sample))
    note: Any = json.loads(table.schema.metadata[_NOTE])
    for _ in range(rng.choice((1, 1, 2, 3))):
        if rng.random() < 0.5:
            note = change_value(rng, note)
        else:
            table = _change_columns(rng, table)
    content = BytesIO()
    encoded = json.dumps(note).encode() if rng.random() < 0.97 else mutate(rng, json.dumps(note).encode(), ())
    pq.write_table(table.replace_schema_metadata({_NOTE: encoded}), content)
    return content.getvalue()


def _change_columns(rng: random.Random, table: pa.Table) -> pa.Table:
    if not table.num_columns:
        return table
    place = rng.randrange(table.num_columns)
    name, column = table.column_names[place], table.column(place)
    kind = rng.randrange(6)
    if kind == 0:
        return table.remove_column(place)
    if kind == 1:
        return table.rename_columns([*table.column_names[:place], f"{name}x", *table.column_names[place + 1 :]])
    if kind == 2:
        return table.slice(rng.randrange(len(table) + 1))
    if kind == 3:
        mask = pa.array([rng.random() < 0.5 for _ in range(len(table))])
        values = [None if hide else value for hide, value in zip(mask.to_pylist(), column.to_pylist(), strict=True)]
        return table.set_column(place, name, pa.array(values, column.type))
    if kind == 4:
        return table.append_column(name, column)
    other = rng.choice(_KINDS)
    try:
        return table.set_column(place, name, column.cast(other))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return table.set_column(place, name, pa.nulls(len(table), other))


def _write_all(folder: Path) -> dict[str, bytes]:
    """One file of each kind, of two runs of two systems."""
    origin = Origin("lines", "a", "0123456789", {"engine": "1.0"}, "page")
    keys = SegmentKeys(["l1", "l2", "l3"], ["p1", "p1", "p2"], {"writer": ["x", "y", "x"]})
    references = ["the quick brown fox", "jumps over", "the lazy dog"]
    read = {"a": ["the quich brown fox", "jumps ovr", "the lazy dog"], "b": ["the quick fox", "", "the dog"]}
    words = (Word("the", 0.9), Word("quick", 0.5))
    readings = [
        Reading(segment, text, None, 0.1, 1000, run=run, words=words if run == 1 else None, confidence=0.5)
        for run in (1, 2)
        for segment, text in zip(keys.segment_id, read["a"], strict=True)
    ]
    annotations = {"rare_words": [["fox"], None, ["dog"]]}
    write_capture(folder / "capture", origin, keys, references, readings, annotations)
    write_timings(folder / "timings", origin, readings)
    metrics = [METRICS[name] for name in ("cer", "wer")]
    scores = {}
    for system, hypotheses in read.items():
        capture = Capture(
            replace(origin, system=system), keys, TextPairs(references, list(hypotheses)), [None] * len(references)
        )
        texts = normalize(capture, get_normalizer("lower"))
        scores[system] = score(texts, metrics, missing="empty")
    write_normalized(folder / "normalized", normalize(read_capture(folder / "capture"), get_normalizer("lower")))
    write_scores(folder / "scores", scores["a"])
    system = ScoredSystem(texts, metrics, missing="empty")
    alignments, confusions = system.explanation
    write_alignments(folder / "alignments", alignments)
    write_confusions(folder / "confusions", confusions)
    table = SegmentTable(
        name="lines",
        digest="0123456789",
        segment_id=keys.segment_id,
        references=references,
        cluster=keys.cluster,
        cluster_name="page",
        groups=keys.groups,
        media=[folder / "images/1.png"] * 3,
        areas=[((0, 0), (9, 0), (9, 9))] * 3,
        times=[(0.0, 1.5)] * 3,
        hypotheses=read,
        annotations=annotations,
        annotations_of={"a": {"confidence": [[0.5], None, [0.25]]}},
    )
    write_segments(
        folder / "segments", table, offers=frozenset({"line_image"}), root="{data_root}/lines", folder=folder
    )
    settings = StatisticsSettings(seed=1, resamples=99, tests=("randomisation",), deciding_test="randomisation")
    write_json(folder / "comparison", compare_systems(scores, metrics, settings, dataset="lines", baseline="a"))
    return {path.name: path.read_bytes() for path in folder.iterdir()}
