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

_NOTE: Final = b"misread"
_KINDS: Final = (pa.int64(), pa.float64(), pa.bool_(), pa.binary(), pa.large_string(), pa.list_(pa.string()))


def targets() -> Iterator[Target]:
    """Every file of a stage that another reads, of each kind the example."""
    with tempfile.TemporaryDirectory(prefix="misread-fuzz-") as folder:
        for kind in (*STAGE_KINDS, "journal"):
            example = EXAMPLES[kind]
            path = Path(folder) / example.name
            example.write(path)
            target = file_target(kind, example.read, path.suffix, [path.read_bytes()])
            yield replace(target, change=_change_table) if path.suffix == ".parquet" else target
            if kind == "comparison":
                yield file_target("json", read_json, ".json", target.samples)


def _change_table(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
    """A table with other columns, or another note; one in four with other bytes."""
    if rng.random() < 0.25:
        return mutate(rng, sample, others)
    table = pq.read_table(BytesIO(sample))
    note: Any = json.loads(table.schema.metadata[_NOTE])
    for _ in range(rng.choice((1, 1, 2, 3))):
        if rng.random() < 0.5 or not table.num_columns:
            note = change_value(rng, note)
        else:
            table = _change_columns(rng, table, rng.randrange(table.num_columns))
    content = BytesIO()
    encoded = json.dumps(note).encode() if rng.random() < 0.97 else mutate(rng, json.dumps(note).encode(), ())
    pq.write_table(table.replace_schema_metadata({_NOTE: encoded}), content)
    return content.getvalue()


def _change_columns(rng: random.Random, table: pa.Table, position: int) -> pa.Table:
    """A table of fewer or more columns or rows, with another name, with gaps, or with values of another type."""
    name, column = table.column_names[position], table.column(position)
    other = rng.choice(_KINDS)
    try:
        cast = column.cast(other)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        cast = pa.nulls(len(table), other)
    gaps = column.take(pa.array([row if rng.random() < 0.5 else None for row in range(len(table))], pa.int64()))
    return rng.choice(
        (
            table.remove_column(position),
            table.append_column(name, column),
            table.slice(rng.randrange(len(table) + 1)),
            table.set_column(position, f"{name}x", column),
            table.set_column(position, name, gaps),
            table.set_column(position, name, cast),
        )
    )
