"""Files that the command is given."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROWS = [
    {"id": "l1", "text": "the quick brown fox", "page": "p1", "side": "left", "a": "the quich brown fox", "b": "the"},
    {"id": "l2", "text": "jumps over the lazy dog", "page": "p1", "side": "right", "a": "jumps over", "b": "jump"},
    {"id": "l3", "text": "one two", "page": "p2", "side": "left", "a": "one two", "b": "one  two"},
    {"id": "l4", "text": "three", "page": "p3", "side": "right", "a": "thre", "b": "three"},
]


@pytest.fixture
def write_table(tmp_path):
    """Write rows as a table of the given ending; give its name."""

    def write(ending="csv", rows=ROWS):
        path = tmp_path / f"lines.{ending}"
        if ending == "parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
        elif ending == "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        else:
            separator = {"csv": ",", "tsv": "\t"}[ending]
            lines = [separator.join(rows[0]), *(separator.join(row.values()) for row in rows)]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path.name

    return write


@pytest.fixture
def write_lines(tmp_path):
    """Write a text file; give its name."""

    def write(name, text):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return write
