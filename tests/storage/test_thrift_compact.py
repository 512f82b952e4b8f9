"""Structures in Thrift's compact protocol, read and written again."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.storage.thrift_compact import Kind, Value, decode_struct, encode_struct

ELEMENTS = {
    Kind.TRUE: st.integers(1, 2),
    Kind.BYTE: st.integers(0, 255),
    Kind.I16: st.integers(-(2**15), 2**15 - 1),
    Kind.I32: st.integers(-(2**31), 2**31 - 1),
    Kind.I64: st.integers(-(2**63), 2**63 - 1),
    Kind.DOUBLE: st.binary(min_size=8, max_size=8),
    Kind.BINARY: st.binary(max_size=200),
}
FIELDS = {**ELEMENTS, Kind.TRUE: st.none(), Kind.FALSE: st.none()}


def structs(values):
    """Fields by their numbers, in order; they may be far from each other."""
    fields = st.dictionaries(st.integers(1, 40) | st.integers(1, 2**15 - 1), values, max_size=5)
    return fields.map(lambda of: dict(sorted(of.items())))


def items(kind, elements, most=20):
    return st.lists(elements, max_size=most).map(lambda of: Value(Kind.LIST, (kind, of)))


PLAIN = st.one_of(*[of.map(lambda content, kind=kind: Value(kind, content)) for kind, of in FIELDS.items()])
STRUCTS = structs(
    st.recursive(
        PLAIN | st.one_of(*[items(kind, of) for kind, of in ELEMENTS.items()]),
        lambda inner: structs(inner).map(lambda of: Value(Kind.STRUCT, of)) | items(Kind.STRUCT, structs(inner), 3),
        max_leaves=10,
    )
)


@given(STRUCTS, st.binary(max_size=3))
def test_what_was_written_is_read(struct, behind):
    assert decode_struct(encode_struct(struct) + behind) == struct


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (Value(Kind.I32, 0), "1500"),
        (Value(Kind.I32, -1), "1501"),
        (Value(Kind.I64, 1), "1602"),
        (Value(Kind.I64, 150), "16ac02"),
        (Value(Kind.BINARY, b"ab"), "18026162"),
        (Value(Kind.TRUE, None), "11"),
        (Value(Kind.LIST, (Kind.I32, [1, -1])), "19250201"),
        (Value(Kind.LIST, (Kind.BYTE, [7] * 15)), "19f30f" + "07" * 15),
        (Value(Kind.STRUCT, {2: Value(Kind.BYTE, 9)}), "1c230900"),
    ],
)
def test_bytes_are_those_of_the_protocol(value, encoded):
    assert encode_struct({1: value}).hex() == encoded + "00"


@pytest.mark.parametrize(("number", "head"), [(15, "f3"), (16, "0320")])
def test_a_field_that_is_far_from_the_last_has_its_number_behind_its_head(number, head):
    assert encode_struct({number: Value(Kind.BYTE, 1)}).hex() == f"{head}0100"


def test_a_structure_may_have_been_written_before():
    inner = {1: Value(Kind.I32, 5)}
    written = Value(Kind.LIST, (Kind.STRUCT, [encode_struct(inner), inner]))
    assert decode_struct(encode_struct({3: written})) == {3: Value(Kind.LIST, (Kind.STRUCT, [inner, inner]))}


def test_facts_of_a_file_of_parquet_are_written_as_arrow_writes_them():
    table = pa.table({"text": ["a", "b", None], "number": [1, 2, 3], "share": [0.5, None, 1.0], "there": [True] * 3})
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=2, compression="zstd", write_page_index=True, sorting_columns=[])
    content = file.getvalue()
    length = int.from_bytes(content[-8:-4], "little")
    assert encode_struct(decode_struct(content[-8 - length : -8])) == content[-8 - length : -8]


def test_a_type_that_parquet_does_not_have_is_refused():
    with pytest.raises(ValueError, match="11 is not a valid Kind"):
        decode_struct(bytes.fromhex("1b00"))
