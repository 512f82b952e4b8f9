"""Files that stages hand on: of this version, of another, of somebody else, damaged."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from tests.golden.examples import EXAMPLES, STAGE_KINDS

from misread.io.json_files import read_json
from tools.fuzz.mutations import change_value, mutate
from tools.fuzz.targets import Target, file_target

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
    """Every file of a stage that another reads, of each kind the example."""
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as folder:
        for kind in STAGE_KINDS:
            example = EXAMPLES[kind]
            path = Path(folder) / example.name
            example.write(path)
            target = file_target(kind, GROUP, example.read, ending=path.suffix, samples=[path.read_bytes()])
            yield replace(target, change=_change_table) if path.suffix == ".parquet" else target
            if kind == "comparison":
                yield file_target("json", GROUP, read_json, ending=".json", samples=target.samples)


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
