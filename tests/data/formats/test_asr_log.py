import json

import pytest

from misread.data.formats.asr_log import HYPOTHESIS, REFERENCE, read_log_rows
from misread.errors import InputFileError

PAIRS = [("Bu 42 sayısı; önemlidir", "bu kırk iki"), ('"İzmir"', "")]
ENTRIES = [{REFERENCE: reference, HYPOTHESIS: hypothesis} for reference, hypothesis in PAIRS]
ARRAY = json.dumps(ENTRIES, indent=1)
LINES = "\n\n".join(map(json.dumps, ENTRIES))
SEPARATED = 'reference_text;asr_output\n"Bu 42 sayısı; önemlidir";bu kırk iki\n"""İzmir""";\n'


@pytest.mark.parametrize("text", [ARRAY, LINES, SEPARATED], ids=["array", "lines", "separated"])
@pytest.mark.parametrize("name", ["log.json", "log.txt", "log"])
def test_every_form_gives_the_same_rows_under_any_name(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8-sig")
    rows = read_log_rows(path)
    assert list(zip(rows.texts(REFERENCE), rows.texts(HYPOTHESIS), strict=True)) == PAIRS


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_other_systems_are_read(tmp_path, end):
    path = tmp_path / "log"
    path.write_bytes(SEPARATED.replace("\n", end).encode())
    assert read_log_rows(path).texts(REFERENCE) == [reference for reference, _ in PAIRS]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty, expected a log"),
        ("[]", "has no entry"),
        ('[{"a": 1}, 5]', r"entry 2: expected a JSON object with reference_text and asr_output, got int"),
        ('{"a": 1}\n[2]', r"line 2: expected a JSON object"),
        ('{"a": 1}\n{"a": ', r"line 2"),
        ('[{"a": 1}', r"log"),
        ("a,b\nc,d", r"line 1: expected a JSON array, JSON Lines, or a header with columns separated by ';'"),
        ("a;b\nc;d;e", r"line 2: 3 fields, the header has 2; put a text with ';' in quotes"),
        ("a;b\n", "has a header and no row"),
        ("a;a\nb;c", "line 1: column 'a' occurs twice"),
        ('a;b\n"c;d', "line 2"),
        ("a;b\nc\rd;e\n", "line 2: a carriage return inside a row"),
    ],
)
def test_a_broken_log_is_named_with_its_line_or_entry(tmp_path, text, message):
    path = tmp_path / "log"
    path.write_text(text)
    with pytest.raises(InputFileError, match=message):
        read_log_rows(path)


def test_a_value_that_is_not_text_is_named_with_its_entry(tmp_path):
    path = tmp_path / "log"
    path.write_text('[{"reference_text": "a", "asr_output": "b"}, {"reference_text": 5, "asr_output": "b"}]')
    with pytest.raises(InputFileError, match=r"log, entry 2: column 'reference_text' holds 5 \(int\), expected text"):
        read_log_rows(path).texts(REFERENCE)
