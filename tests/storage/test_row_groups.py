from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.storage import parquet_writer, table_writer
from misread.storage.parquet import read_parquet, row_groups
from misread.storage.parquet_writer import write_parquet, write_parquet_parts


@pytest.fixture
def small_groups(monkeypatch):
    """Row groups of 4 rows, or of 10 bytes of text."""
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 4)
    monkeypatch.setattr(parquet_writer, "_GROUP_BYTES", 10)


def columns(texts):
    return {"text": pa.array(texts, pa.string()), "length": pa.array([len(text or "") for text in texts], pa.int64())}


def groups_of(path):
    return [len(rows) for rows in row_groups(path, kind="scores", made_by="score")]


def test_a_row_group_is_full_with_its_rows_or_its_texts(small_groups, tmp_path):
    texts = ["a", None, "", "c", "d", "e" * 12, "f" * 5, "é" * 3, "g"]
    write_parquet(tmp_path / "x", columns(texts), kind="scores", note={})
    assert groups_of(tmp_path / "x") == [4, 2, 2, 1]


@given(
    texts=st.lists(st.none() | st.text("aé", max_size=12), max_size=20),
    cuts=st.lists(st.integers(0, 20) | st.sampled_from([4, 8, 12]), max_size=6),
)
def test_a_file_does_not_depend_on_the_parts_that_its_rows_came_in(tmp_path_factory, texts, cuts):
    folder = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_writer, "GROUP_ROWS", 4)
        patch.setattr(parquet_writer, "_GROUP_BYTES", 10)
        write_parquet(folder / "whole", columns(texts), kind="scores", note={"a": 1})
        with table_writer(folder / "parts", kind="scores") as writer:
            bounds = [0, *sorted(cuts), len(texts)]
            for start, end in pairwise(bounds):
                writer.write(columns(texts[start:end]))
            writer.note = {"a": 1}
    assert (folder / "parts").read_bytes() == (folder / "whole").read_bytes()


@pytest.mark.parametrize("rows", [range(3), range(3, 6), range(9), range(8, 9), range(4, 4), range(9, 9)])
def test_some_rows_are_those_of_the_whole(small_groups, tmp_path, rows):
    texts = list("abcdefghi")
    write_parquet(tmp_path / "x", columns(texts), kind="scores", note={})
    table, _ = read_parquet(tmp_path / "x", kind="scores", made_by="score", rows=rows)
    assert table["text"].to_pylist() == texts[rows.start : rows.stop]


def test_a_file_is_as_it_was_when_a_part_fails(tmp_path):
    write_parquet(tmp_path / "x", columns(["a"]), kind="scores", note={})
    before = (tmp_path / "x").read_bytes()
    parts = (columns([{"b": "b"}[name]]) for name in "bc")
    with pytest.raises(KeyError, match="c"):
        write_parquet_parts(tmp_path / "x", parts, kind="scores", note={})
    assert (tmp_path / "x").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
