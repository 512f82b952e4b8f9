"""What files of any format of segments may have in them, and what must not change or must be named."""

import json

import pytest

from misread.data import TableColumns, read_files, read_table
from misread.data.formats import FORMATS
from misread.data.formats.ctm import read_ctm
from misread.data.formats.marked_text import write_text
from misread.data.formats.nlp import read_nlp
from misread.data.formats.tesseract_files import TSV_HEADER, read_tesseract_box, read_tesseract_tsv
from misread.data.formats.text_boxes import read_icdar_boxes
from misread.errors import InputFileError

# One segment with the text TEXT in every format.
CONTENTS = {
    "lines": "TEXT\n",
    "trn": "TEXT (a-1)\n",
    "kaldi": "a-1 TEXT\n",
    "stm": "f A ann 0 1 TEXT\n",
    "srt": "1\n00:00:00,000 --> 00:00:01,000\nTEXT\n",
    "webvtt": "WEBVTT\n\n00:00.000 --> 00:01.000\nTEXT\n",
    "textgrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n0 1 <exists> 1\n'
    '"IntervalTier" "a" 0 1 1\n0 1 "TEXT"\n',
    "nemo": '{"audio_filepath": "a", "text": "TEXT"}\n',
    "seglst": '[{"session_id": "s", "words": "TEXT"}]\n',
    "whisper": '{"segments": [{"start": 0, "end": 1, "text": "TEXT"}]}\n',
    "docvqa": '[{"questionId": 1,\n"answer": "TEXT"}]\n',
}
NOT_A_WORD = ["NA", "null", "007", "1e5", "None", "nan"]


@pytest.fixture
def read(tmp_path):
    def read(form, text, encoding="utf-8", end="\n"):
        path = tmp_path / "file"
        path.write_bytes(CONTENTS[form].replace("TEXT", text).replace("\n", end).encode(encoding))
        return [each.text for each in FORMATS[form].read(path)]

    return read


@pytest.mark.parametrize("form", CONTENTS)
def test_encodings_with_a_mark_and_line_ends_of_windows_change_nothing(read, form):
    expected = read(form, "Größe ein")
    assert len(expected) == 1
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert read(form, "Größe ein", encoding) == expected
    assert read(form, "Größe ein", end="\r\n") == expected


@pytest.mark.parametrize("form", CONTENTS)
def test_texts_that_look_like_values_stay_texts(read, form):
    for text in NOT_A_WORD:
        (found,) = read(form, text)
        assert (json.loads(found)["answer"] if form == "docvqa" else found) == text


@pytest.mark.parametrize("form", CONTENTS)
def test_another_encoding_names_file_and_line(read, form):
    line = CONTENTS[form].split("TEXT")[0].count("\n") + 1
    with pytest.raises(InputFileError, match=rf"file, line {line}: byte 0xfc is not valid UTF-8"):
        read(form, "Tür", "latin-1")


@pytest.mark.parametrize("form", ["lines", "trn", "kaldi", "stm", "textgrid", "srt", "webvtt", "nemo", "seglst"])
def test_separators_of_unicode_end_no_line(read, form):
    for separator in "\u2028\u0085\x0c":
        if separator == "\x0c" and form in ("nemo", "seglst"):
            continue  # JSON has no control character inside a text.
        (found,) = read(form, f"a{separator}b")
        assert found.split() == ["a", "b"]


@pytest.mark.parametrize("form", ["trn", "kaldi", "stm", "srt", "lines"])
def test_a_nul_is_a_character_of_a_word(read, form):
    assert read(form, "a\0b in a line of words") == ["a\0b in a line of words"]


@pytest.mark.slow
def test_ten_megabytes_in_one_line_are_one_text(read):
    text = "word " * 2_000_000 + "end"
    for form in ("trn", "kaldi", "stm", "srt", "lines"):
        assert read(form, text) == [text]


def test_words_of_ctm_stay_words_in_every_encoding(tmp_path):
    lines = "".join(f"f A {number} 1 {word}\n" for number, word in enumerate([*NOT_A_WORD, "a\0b", "Größe"]))
    for encoding, end in (("utf-8", "\n"), ("utf-8-sig", "\r\n"), ("utf-16", "\n")):
        path = tmp_path / "h.ctm"
        path.write_bytes(lines.replace("\n", end).encode(encoding))
        words = [word.item.text for word in read_ctm(path)["f", "a"]]
        assert words == [*NOT_A_WORD, "a\0b", "Größe"]


def test_a_line_without_an_end_and_a_very_long_word_are_read(tmp_path):
    path = tmp_path / "h.ctm"
    path.write_text(f"f A 0 1 a\nf A 1 1 {'x' * 1_000_000}", encoding="utf-8")
    assert [len(word.item.text) for word in read_ctm(path)["f", "a"]] == [1, 1_000_000]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_texts_of_tables_stay_texts(tmp_path, ending):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"ref": NOT_A_WORD, "hyp": NOT_A_WORD}), path)
    elif ending == "jsonl":
        path.write_text("".join(f"{json.dumps({'ref': text, 'hyp': text})}\n" for text in NOT_A_WORD))
    else:
        comma = "," if ending == "csv" else "\t"
        path.write_text("".join(f"{one}{comma}{two}\n" for one, two in [("ref", "hyp"), *((t, t) for t in NOT_A_WORD)]))
    table = read_table(path, TableColumns(reference="ref"), {"h": "hyp"})
    assert list(table.references) == list(table.hypotheses["h"]) == NOT_A_WORD


# Readers of lines that are not segments: a file whose one text is TEXT, and how that is read.
OF_LINES = {
    "p.txt": ("TEXT\n", lambda path: read_files(path, {}).references),
    "p.tsv": ("\t".join(TSV_HEADER) + "\n5" + "\t1" * 10 + "\tTEXT\n", lambda path: [read_tesseract_tsv(path).text]),
    "p.box": ("WordStr 1 2 3 4 0 #TEXT\n\t 5 2 6 4 0\n", lambda path: [read_tesseract_box(path).text]),
    "gt.txt": ("1,2,3,4,5,6,7,8,TEXT\n", lambda path: [read_icdar_boxes(path).text]),
    "t.nlp": ("token|speaker\nTEXT|1\n", lambda path: [write_text(read_nlp(path), in_notation=False)]),
    "t.csv": (
        "ref,hyp\nTEXT,x\n",
        lambda path: read_table(path, TableColumns(reference="ref"), {"h": "hyp"}).references,
    ),
    "t.jsonl": (
        '{"ref": "TEXT", "hyp": "x"}\n',
        lambda path: read_table(path, TableColumns(reference="ref"), {"h": "hyp"}).references,
    ),
    "h.ctm": ("f A 0 1 TEXT\n", lambda path: [each.item.text for each in read_ctm(path)["f", "a"]]),
}


@pytest.mark.parametrize("separator", ["\u2028", "\u0085"])
@pytest.mark.parametrize("name", OF_LINES)
def test_separators_of_unicode_end_no_line_of_other_files(tmp_path, name, separator):
    content, read = OF_LINES[name]
    path = tmp_path / name
    path.write_text(content.replace("TEXT", f"a{separator}b"), encoding="utf-8")
    assert [text.split() for text in read(path)] == [["a", "b"]]


@pytest.mark.parametrize(
    ("form", "content", "message"),
    [
        ("stm", "f A ann -1 1 x\n", "file, line 1: begin is '-1'"),
        ("srt", "1\n-00:00:01,000 --> 00:00:01,000\nx\n", "file, line 2"),
        ("webvtt", "WEBVTT\n\n-00:01.000 --> 00:01.000\nx\n", "file, line 3"),
        (
            "seglst",
            '[{"session_id": "s", "words": "x", "start_time": -1, "end_time": 1}]',
            "entry 1: times are -1 and 1",
        ),
        ("whisper", '{"segments": [{"start": -1, "end": 1, "text": "x"}]}', "entry 1: times are -1 and 1"),
        ("nemo", '{"audio_filepath": "a", "text": "x", "offset": -1, "duration": 1}', "line 1: times are -1 and 0"),
    ],
)
def test_times_before_the_recording_begins_are_refused(tmp_path, form, content, message):
    (tmp_path / "file").write_text(content)
    with pytest.raises(InputFileError, match=message):
        FORMATS[form].read(tmp_path / "file")
