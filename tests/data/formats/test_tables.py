import csv
import io
import json
import re
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.formats import tables
from misread.data.formats.account import collecting_accounts
from misread.data.formats.tables import read_rows, read_separated, read_table_segments, require_distinct_columns
from misread.errors import InputFileError, UnknownNameError


@pytest.fixture
def table(tmp_path):
    """Write bytes or text under a name, give the path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def parquet(tmp_path):
    """Write columns as Parquet, give the path."""

    def write(**columns):
        pq.write_table(pa.table(columns), tmp_path / "t.parquet")
        return tmp_path / "t.parquet"

    return write


# CSV


CELLS = st.text('ab,"\n\r \u00e9\U0001f600', max_size=6)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=9), st.integers(1, 4))
def test_cells_are_those_of_the_csv_module_however_many_rows_are_strings_at_a_time(rows, at_a_time):
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("id", "text", "other"), *rows])
    with pytest.MonkeyPatch.context() as patch:
        read = read_separated("t.csv", written.getvalue(), "CSV")
        patch.setattr(tables, "_AT_A_TIME", at_a_time)
        packed = read_separated("t.csv", written.getvalue(), "CSV")
    assert [*zip(*map(read.texts, ("id", "text", "other")), strict=True)] == rows
    assert [*zip(*map(packed.texts, ("id", "text", "other")), strict=True)] == rows
    assert read.lines == packed.lines


def test_half_of_a_surrogate_pair_is_named_where_cells_are_packed(table, monkeypatch):
    monkeypatch.setattr(tables, "_AT_A_TIME", 1)
    path = table("t.csv", b"id,text\n1,a\\ud800b\n")
    with pytest.raises(InputFileError, match=r"t\.csv holds U\+D800, half of a surrogate pair"):
        read_rows(path, encoding="raw_unicode_escape")


@pytest.mark.parametrize(
    ("name", "content", "texts", "lines"),
    [
        ("t.csv", "id,text\n1,one\n2,two\n", ["one", "two"], [2, 3]),
        # A line feed in quotes counts for later rows; a carriage return there is a character and ends no line.
        ("t.csv", 'id,text\n1,"one\ntwo\nthree"\n2,four\n', ["one\ntwo\nthree", "four"], [2, 5]),
        ("t.csv", 'text\r\n"one\r\ntwo"\r\n', ["one\r\ntwo"], [2]),
        *(
            ("t.csv", f'id,text{end}1,"one\rtwo"{end}2,three{end}', ["one\rtwo", "three"], [2, 3])
            for end in ("\n", "\r\n")
        ),
        # Carriage returns end lines where there is no line feed.
        ("t.csv", "id,text\r1,one\r2,two\r", ["one", "two"], [2, 3]),
        ("t.csv", 'text,n\n"a, ""b""",1\n', ['a, "b"'], [2]),
        ("t.csv", "id,text\n1,  one \n", ["  one "], [2]),
        ("t.csv", "id,text\n1,\n", [""], [2]),
        ("t.csv", "id,text\n\n1,one\n\n2,two\n", ["one", "two"], [3, 5]),
        ("t.tsv", 'id\ttext\n1\t"one\n2\tsaid ""\n', ['"one', 'said ""'], [2, 3]),
        ("t.tsv", "id\ttext\n1\ta, b\n", ["a, b"], [2]),
        ("t.jsonl", '{"text": null}\n{"text": ""}\n', [None, ""], [1, 2]),
        ("t.jsonl", '{"text": "a"}\r\n\r\n{"id": "b"}\r\n', ["a", None], [1, 3]),
        ("t.jsonl", '{"text": "one\u2028two"}\n{"text": "three"}\n', ["one\u2028two", "three"], [1, 2]),
    ],
)
def test_texts_are_read_as_the_format_writes_them(table, name, content, texts, lines):
    rows = read_rows(table(name, content))
    assert (rows.texts("text"), rows.lines) == (texts, lines)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", "id,text\n1,one\n2\n", ", line 3: 1 fields, the header has 2"),
        ("t.csv", "id,text\n1,one\n2,two,2\n", ", line 3: 3 fields, the header has 2"),
        ("t.csv", 'id,text\n1,one\n2,"two\n3,three\n', ", line 3: unexpected end of data"),
        ("t.csv", 'id,"text\n1,one\n', ", line 1: unexpected end of data"),
        ("t.csv", 'id,text\n1,"one"x\n', ", line 2: "),
        ("t.csv", "text\none\ntwo\rthree\n", ", line 3: a carriage return inside a row"),
        ("t.csv", 'id,text\n1,one\n2,"two"\r3,three\n', ", line 3: a carriage return inside a row"),
        ("t.tsv", "id\ttext\n1\tone\n2\ttwo\r3\tthree\n", ", line 3: a carriage return inside a row"),
        ("t.csv", "id,text\n", " has a header and no row"),
        ("t.csv", "id,text,text\n1,a,b\n", ", line 1: .*'text' occurs twice"),
        ("t.tsv", "id\ttext\ttext\n1\ta\tb\n", ", line 1: .*'text' occurs twice"),
        ("t.jsonl", '{"id": 1, "text": "a", "text": "b"}\n', ", line 1: .*'text' occurs twice"),
        ("t.parquet", "id,text\n1,one\n", " is not a readable Parquet file"),
        ("t.json", '[{"id": "1"}, 2]', ", entry 2: expected a JSON object, got int"),
    ],
)
def test_a_broken_table_names_the_line_where_it_is_broken(table, name, content, message):
    with pytest.raises(InputFileError, match=re.escape(name) + message):
        read_rows(table(name, content))


def test_names_of_many_columns_are_not_compared_pair_by_pair():
    compared = []

    class Name(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other):
            compared.append(other)
            return str.__eq__(self, other)

    require_distinct_columns([Name(number) for number in range(2000)], "t.csv")
    assert len(compared) < 2000


def test_a_text_may_be_as_long_as_a_book(table):
    text = "x" * 200_000
    assert read_rows(table("t.csv", f"id,text\n1,{text}\n")).texts("text") == [text]


# JSON Lines


def test_columns_are_those_of_all_objects_in_order_of_appearance(table):
    assert list(read_rows(table("t.jsonl", '{"b": 1}\n{"a": 2, "b": 3}\n')).columns) == ["b", "a"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": two}', r"not valid JSON \(.*, column 10\)"),
        ("[1]", "expected a JSON object, got list"),
        ('"text"', "expected a JSON object, got str"),
        ("3", "expected a JSON object, got int"),
        ("null", "expected a JSON object, got NoneType"),
        ('{"text": "two", "id": 2, "text": "three"}', "'text' occurs twice in one object"),
        ('{"text": "\\ud83d"}', "a text holds half of a surrogate pair"),
    ],
)
def test_a_broken_line_of_json_is_named(table, line, message):
    with pytest.raises(InputFileError, match=rf"t\.jsonl, line 2: {message}"):
        read_rows(table("t.jsonl", f'{{"text": "\\ud83d\\ude00"}}\n{line}\n')).texts("text")


# Parquet


def test_parquet_keeps_nulls_and_empty_texts_apart_in_rows_from_one(parquet):
    rows = read_rows(parquet(text=["a", None, "", "é"]))
    assert (rows.texts("text"), list(rows.lines)) == (["a", None, "", "é"], [1, 2, 3, 4])


def test_parquet_without_rows_is_no_table(parquet):
    with pytest.raises(InputFileError, match="has a header and no row"):
        read_rows(parquet(text=pa.array([], pa.string())))


def test_a_column_that_occurs_twice_in_parquet_is_named(tmp_path):
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"]), tmp_path / "t.parquet")
    with pytest.raises(InputFileError, match=r"t\.parquet: column 'text' occurs twice"):
        read_rows(tmp_path / "t.parquet")


def test_a_folder_of_parquet_files_is_one_table_and_an_empty_one_is_refused(tmp_path):
    folder = tmp_path / "t.parquet"
    folder.mkdir()
    with pytest.raises(InputFileError, match=r"t\.parquet is a folder without a Parquet file in it"):
        read_rows(folder)
    for number in range(2):
        pq.write_table(pa.table({"text": [f"text {number}"]}), folder / f"part-{number}.parquet")
    assert read_rows(folder).texts("text") == ["text 0", "text 1"]


def test_parquet_whose_text_is_not_utf8_is_refused(parquet):
    offsets, data = pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")
    with pytest.raises(InputFileError, match=r"t\.parquet is not a readable Parquet file"):
        read_rows(parquet(text=pa.Array.from_buffers(pa.string(), 1, [None, offsets, data])))


# Every format


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet"])
def test_a_missing_file_is_named(tmp_path, name):
    with pytest.raises(InputFileError, match=f"there is no file .*{name}"):
        read_rows(tmp_path / name)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl"])
@pytest.mark.parametrize("content", ["", "\n", " \n\r\n", "\ufeff"])
def test_an_empty_file_is_no_table(table, name, content):
    with pytest.raises(InputFileError, match=f"{name} is empty, expected a table"):
        read_rows(table(name, content))


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_another_encoding_names_file_and_line(table, name):
    with pytest.raises(InputFileError, match=rf"{name}, line 3: byte 0xe9 is not valid UTF-8"):
        read_rows(table(name, "text\none\ncafé\n".encode("latin-1")))


def test_a_named_encoding_is_used(table):
    path = table("t.csv", "text\ncafé\n".encode("cp1252"))
    assert read_rows(path, encoding="cp1252").texts("text") == ["café"]


@pytest.mark.parametrize(
    ("name", "content"), [("t.csv", "text\none\n"), ("t.tsv", "text\none\n"), ("t.jsonl", '{"text": "one"}\n')]
)
def test_a_byte_order_mark_belongs_to_no_column(table, name, content):
    assert read_rows(table(name, "\ufeff" + content)).texts("text") == ["one"]


def test_an_unknown_format_lists_those_there_are(table):
    with pytest.raises(UnknownNameError, match=r"There are: \.csv, \.json, \.jsonl, \.parquet, \.tsv"):
        read_rows(table("t.xlsx", "one\ntwo\n"))


@pytest.mark.parametrize(
    "content",
    [
        "id,text\n1,one\n",
        "id\ttext\n1\tone\n",
        "id|text\n1|one\n",
        '[{"id": "1", "text": "one"}]',
        '{"id": "1", "text": "one"}\n{"id": "2"}\n',
    ],
)
def test_a_table_of_another_name_is_read_as_its_content_says(table, content):
    for name in ("t.txt", "t.data"):
        assert read_rows(table(name, content)).texts("text")[0] == "one"
    if content.startswith(("[", "{")):
        assert read_rows(table("t.json", content)).texts("text")[0] == "one"


def test_an_unknown_column_lists_the_choices_with_a_suggestion(table):
    rows = read_rows(table("t.csv", "id,text,image\n1,one,1.png\n"))
    with pytest.raises(
        UnknownNameError, match=r"unknown column 'txt' in .*t\.csv\. Did you mean 'text'\? There are: id, image, text\."
    ):
        rows.texts("txt")


@pytest.mark.parametrize("value", ["3", "2.5", "true", "[]"])
def test_a_value_that_is_no_text_names_its_line(table, value):
    rows = read_rows(table("t.jsonl", f'{{"text": "one"}}\n{{"text": {value}}}\n'))
    with pytest.raises(InputFileError, match=r"t\.jsonl, line 2: column 'text' holds .* expected text"):
        rows.texts("text")


def test_a_missing_value_where_one_is_needed_names_its_line(table):
    rows = read_rows(table("t.jsonl", '{"text": "one"}\n\n{"text": null}\n'))
    with pytest.raises(InputFileError, match=r"t\.jsonl, line 3: column 'text' has no value"):
        rows.present_texts("text")


def test_labels_that_different_values_make_alike_name_both_lines(table):
    rows = read_rows(table("t.csv", "a,b\nx,y-z\nx,y-z\nx-y,z\n"))
    with pytest.raises(
        InputFileError, match=r"line 4: 'x-y' and 'z' of columns a, b make .* 'x' and 'y-z' do on line 2"
    ):
        rows.labels(["a", "b"])


def test_labels_join_their_columns(table):
    rows = read_rows(table("t.jsonl", '{"book": "b1", "page": 7}\n{"book": "b2", "page": 12}\n'))
    assert rows.labels(["book", "page"]) == ["b1-7", "b2-12"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        *((value, "has no value") for value in ("null", '""', '" \\t"', '"\u00a0"')),
        *((value, "holds .*, expected text or a whole number") for value in ("1.5", "true", '["a"]')),
    ],
)
def test_a_row_without_a_label_of_text_or_a_whole_number_names_its_line(table, value, message):
    rows = read_rows(table("t.jsonl", f'{{"id": "a"}}\n{{"id": {value}}}\n'))
    with pytest.raises(InputFileError, match=rf"t\.jsonl, line 2: column 'id' {message}"):
        rows.labels(["id"])


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 3), min_size=1), min_size=1, max_size=8))
def test_columns_of_json_lines_have_what_each_line_has(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        table = read_rows(path)
    assert list(table.columns) == list(dict.fromkeys(name for row in rows for name in row))
    for name in table.columns:
        expected = [str(row[name]) if name in row else None for row in rows]
        assert table.words(name) == expected
        assert table.take([len(rows) - 1, 0]).words(name) == [expected[-1], expected[0]]


def test_lines_with_keys_of_their_own_take_time_by_their_length(tmp_path):
    rows = ({"id": str(row), **{f"{row}_{number}": number for number in range(50)}} for row in range(3_000))
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    start = time.process_time()
    table = read_rows(path)
    assert (len(table.columns), table.ids(["id"])[-1], table.words("5_3")[4:7]) == (150_001, "2999", [None, "3", None])
    # Every key in every line took more than a minute.
    assert time.process_time() - start < 20


@given(
    st.lists(st.tuples(*[st.text('ab"\t;,\n', max_size=5).map(lambda text: f"x{text}")] * 2), min_size=1, max_size=4),
    st.sampled_from(["\t", ";", ","]),
)
def test_cells_are_those_that_csv_writes_with_any_separator(rows, delimiter):
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=delimiter, lineterminator="\n")
    writer.writerows([("ref", "hyp"), *rows])
    name = "t.tsv" if delimiter == "\t" else "t.csv"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(written.getvalue().encode())
        read = read_rows(path, encoding="utf-8")
        assert [*zip(read.texts("ref"), read.texts("hyp"), strict=True)] == rows


def test_separators_are_those_of_the_header_that_all_rows_fit(table):
    for content in ("id;ref\n1;a, b\n2;c, d\n", "sep=;\nid;ref\n1;a, b\n2;c, d\n", '"id";"ref"\n1;"a, b"\n2;"c, d"\n'):
        assert [*read_rows(table("t.csv", content), encoding="utf-8").texts("ref")] == ["a, b", "c, d"]


def test_quotes_of_tsv_are_text_unless_a_program_wrote_them(table):
    unquoted = read_rows(table("a.tsv", 'id\tref\n1\the said "stop" twice\n2\t"open\n'), encoding="utf-8")
    assert [*unquoted.texts("ref")] == ['he said "stop" twice', '"open']
    quoted = read_rows(table("b.tsv", 'id\tref\n1\t"he said ""stop"" twice"\n2\tno\n'), encoding="utf-8")
    assert [*quoted.texts("ref")] == ['he said "stop" twice', "no"]


def test_names_in_json_may_be_numbers_and_an_end_without_a_begin_is_left_out(table):
    path = table("t.jsonl", '{"text": "one", "recording": 7, "channel": 0, "speaker": 3.0, "end": 2500, "start": 0}\n')
    with collecting_accounts() as accounts:
        (segment,) = read_table_segments(path)
    assert segment[3:8] == ("7", "3", None, None, "0")
    assert accounts["the table"].left_out["columns that are not read"].number == 2
