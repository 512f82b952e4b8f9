import json

import pytest

from misread.data.formats import FORMATS
from misread.data.formats.account import collecting_accounts
from misread.data.formats.nlp import read_nlp
from misread.data.segment_files import read_segment_files
from misread.errors import InputFileError, UnknownNameError
from misread.text.alternatives import render_alternatives

TOKENS = """token|speaker|punctuation|tags
In|1||[]
<laugh>|1||[]
2020|1|.|['0:YEAR']
New|1||['1:NAME']
York|1||['1:NAME']
10%|1||['2:PERCENT']
"""
CANDIDATES = {
    "0": {"candidates": [{"verbalization": ["twenty", "twenty"]}, {"verbalization": []}], "class": "YEAR"},
    "1": {"candidates": [{"verbalization": ["New", "York"]}], "class": "NAME"},
    "2": {"candidates": [{"verbalization": ["ten", "percent"]}], "class": "PERCENT"},
}


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_tokens_without_punctuation_and_events(write):
    assert render_alternatives(read_nlp(write("a.nlp", TOKENS))) == "In 2020 New York 10%"


def test_a_file_is_one_segment_of_its_recording_and_its_punctuation_is_named(write, tmp_path):
    path = write("a.nlp", TOKENS)
    write("a.norm.json", json.dumps(CANDIDATES))
    with collecting_accounts() as accounts:
        (segment,) = FORMATS["nlp"].read_segments(path, encoding="utf-8")
    assert (segment.text, segment.segment_id, segment.document, segment.items) == ("In 2020 New York 10%", "a", "a", ())
    named = {reason: share.number for reason, share in accounts["NLP"].left_out.items()}
    assert named == {"events": 1, "marks in the column of punctuation": 1}
    (segment,) = FORMATS["nlp"].given(alternatives=str(tmp_path)).read_segments(path, encoding="utf-8")
    assert render_alternatives(segment.items) == "In { 2020 / twenty twenty / @ } New York { 10% / ten percent }"


def test_tokens_are_compared_with_captions_by_their_words(write):
    cue = write("b.srt", "1\n00:00:01,600 --> 00:00:04,200\nIn 2020 York 10%\n")
    table = read_segment_files(write("a.nlp", TOKENS), {"b": cue}, "nlp", "srt", cut_again=True)
    assert (table.references, table.hypotheses) == (["In 2020 New York 10%"], {"b": ["In 2020 York 10%"]})


def test_tagged_tokens_may_read_as_their_candidates(write):
    items = read_nlp(write("a.nlp", TOKENS), write("a.norm.json", json.dumps(CANDIDATES)))
    assert render_alternatives(items) == "In { 2020 / twenty twenty / @ } New York { 10% / ten percent }"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("token|tags\none|[]\ntwo|2|3\n", r"a\.nlp, line 3: 3 fields, the header has 2"),
        ("word|speaker\none|1\n", r"column 'token' .*line 1.* There are: speaker, word"),
        ("token|token\none|two\n", r"a\.nlp, line 1: column 'token' occurs twice"),
        (TOKENS, r"line 4: tag '0' has no candidates in .*a\.norm\.json"),
        ("token|tags\n2020|YEAR\n", r"line 2: tags are 'YEAR', expected"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(write, text, said):
    with pytest.raises((InputFileError, UnknownNameError), match=said):
        read_nlp(write("a.nlp", text), write("a.norm.json", "{}"))


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        '{"0": {}}',
        '{"0": {"candidates": [1]}}',
        '{"0": {"candidates": [{"verbalization": "one"}]}}',
        '{"0": {"candidates": [{"verbalization": [1]}]}}',
        '{"0": {"candidates": []}, "0": {"candidates": []}}',
        "[" * 100_000,
        "{",
    ],
)
def test_candidates_of_another_form_are_refused(write, content):
    with pytest.raises(InputFileError, match=r"a\.norm\.json"):
        read_nlp(write("a.nlp", TOKENS), write("a.norm.json", content))
