"""The layout that huggingface/datasets' `save_to_disk` writes, made by hand with Arrow alone."""

import json

import pyarrow as pa
import pytest

from misread.data import read_table
from misread.data.formats.tables import read_rows
from misread.errors import InputFileError, UnknownNameError


@pytest.fixture
def saved(tmp_path):
    """A saved data set of two files, with a column of bytes."""
    folder = tmp_path / "saved"
    folder.mkdir()
    names = [f"data-{number:05d}-of-00002.arrow" for number in range(2)]
    (folder / "state.json").write_text(json.dumps({"_data_files": [{"filename": name} for name in names]}))
    (folder / "dataset_info.json").write_text("{}")
    for name, texts in zip(names, (["one", "NA"], ["007"]), strict=True):
        pred = pa.array([*texts[:-1], None], pa.string())
        part = pa.table({"text": texts, "pred": pred, "image": [{"bytes": b"\xff"}] * len(texts)})
        with pa.OSFile(str(folder / name), "wb") as sink, pa.ipc.new_stream(sink, part.schema) as writer:
            writer.write_table(part)
    return folder


def test_files_are_one_table_in_their_order_and_texts_stay_texts(saved):
    table = read_table(saved, "text", {"a": "pred"}, missing="drop")
    assert (table.references, table.hypotheses["a"]) == (["one", "NA", "007"], ["one", None, None])
    assert (table.name, table.segment_id) == ("saved", ["1", "2", "3"])


def test_an_unknown_column_is_named(saved):
    with pytest.raises(UnknownNameError, match="unknown column 'txt'"):
        read_rows(saved).texts("txt")


def test_one_of_several_splits_has_to_be_named(tmp_path):
    (tmp_path / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    with pytest.raises(InputFileError, match=r"several splits; name the folder of one: .*train, .*test"):
        read_rows(tmp_path)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("{}", "expected .*_data_files"),
        ('{"_data_files": []}', "names no file"),
        ('{"_data_files": [{"filename": "gone.arrow"}]}', "there is no file .*gone.arrow"),
        ('{"_data_files": [{"filename": "state.json"}]}', "is not a stream of Arrow record batches"),
        (
            '{"_data_files": [{"filename": "a"}], "_indices_data_files": [{"filename": "indices.arrow"}]}',
            r"a choice among the rows, which is not read; save dataset\.flatten_indices\(\) instead",
        ),
    ],
)
def test_a_broken_folder_is_named(tmp_path, state, message):
    (tmp_path / "state.json").write_text(state)
    with pytest.raises(InputFileError, match=message):
        read_rows(tmp_path)


@pytest.mark.parametrize("name", ["../other.arrow", "/etc/passwd", 5, None])
def test_files_outside_of_the_folder_are_refused(saved, name):
    (saved.parent / "other.arrow").write_bytes((saved / "data-00000-of-00002.arrow").read_bytes())
    (saved / "state.json").write_text(json.dumps({"_data_files": [{"filename": name}]}))
    with pytest.raises(InputFileError, match=r"names a file that is not in the folder|expected \{\"_data_files\""):
        read_rows(saved)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\0\0\0\0\3\0\0\0\5\0\0\0", b"\0\0\0\0\3\0\0\0\0\0\0\x40"),
        (b"\0\0\0\0\3\0\0\0\5\0\0\0", b"\0\0\0\0\xff\xff\xff\xff\5\0\0\0"),
        (b"oneNA", b"\xffneNA"),
    ],
    ids=["a text that ends beyond the file", "a text that ends before it begins", "a text that is not UTF-8"],
)
def test_a_damaged_column_is_refused_before_it_is_read_and_no_other(saved, before, after):
    file = saved / "data-00000-of-00002.arrow"
    assert before in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(before, after, 1))
    rows = read_rows(saved)
    assert rows.texts("pred") == ["one", None, None]
    with pytest.raises(InputFileError, match=r"saved: column 'text' is damaged \(.*\); save the data set again"):
        rows.texts("text")
