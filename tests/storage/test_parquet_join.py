"""Row groups that were encoded one by one make the file that Arrow writes of them all."""

import io
from itertools import pairwise

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.storage.parquet_join import JoinedParquet

SCHEMA = pa.schema([("text", pa.string()), ("label", pa.string()), ("number", pa.int64()), ("share", pa.float64())])
FACTS = {b"note": "é".encode() * 200, b"sum": b"0"}

ROWS = st.tuples(st.text("aé", max_size=9), st.none() | st.sampled_from("xy"), st.integers(-9, 2**40), st.none())
GROUPS = st.lists(st.lists(ROWS, max_size=30), min_size=1, max_size=20)


def writer(file, **options):
    # As tables of stages have it, and what the facts say of more than one kind of page.
    return pq.ParquetWriter(
        file,
        SCHEMA,
        compression="zstd",
        use_dictionary=["label"],
        column_encoding={"number": "DELTA_BINARY_PACKED"},
        store_schema=False,
        write_page_checksum=True,
        **options,
    )


def table_of(rows):
    columns = zip(*rows, strict=True) if rows else [[]] * len(SCHEMA)
    return pa.table([pa.array(column, kind) for column, kind in zip(columns, SCHEMA.types, strict=True)], schema=SCHEMA)


def by_arrow(tables, facts=FACTS):
    file = io.BytesIO()
    with writer(file) as of_all:
        for table in tables:
            if len(table):
                of_all.write_table(table)
        of_all.add_key_value_metadata(facts)
    return file.getvalue()


def encoded(*tables):
    return memoryview(by_arrow(tables, {}))


def joined(parts, facts=FACTS):
    file = io.BytesIO()
    whole = JoinedParquet(file)
    rows = [whole.append(part) for part in parts]
    return file.getvalue() + whole.end(facts), rows


@given(GROUPS, st.data())
def test_the_file_is_that_of_one_writer(groups, data):
    tables = [table_of(rows) for rows in groups]
    cuts = sorted(data.draw(st.sets(st.integers(1, len(tables)))) | {0, len(tables)})
    parts = [tables[begin:end] for begin, end in pairwise(cuts)]
    content, rows = joined(encoded(*part) for part in parts)
    assert content == by_arrow(tables)
    assert rows == [sum(map(len, part)) for part in parts]
    assert pq.read_table(io.BytesIO(content)).replace_schema_metadata() == pa.concat_tables(tables)


def test_a_file_without_rows_has_its_columns():
    content, rows = joined([encoded(table_of([]))])
    assert rows == [0]
    assert content == by_arrow([])
    assert pq.read_schema(io.BytesIO(content)).names == SCHEMA.names


def test_a_file_is_not_mixed_of_other_columns():
    other = io.BytesIO()
    pq.write_table(pa.table({"text": ["a"]}), other, store_schema=False)
    with pytest.raises(ValueError, match="has other columns than those before it"):
        joined([encoded(table_of([("a", "x", 1, None)])), memoryview(other.getvalue())])
