import json

import pytest

from misread.data.formats.nlp import read_nlp
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


def test_tagged_tokens_may_read_as_their_candidates(write):
    items = read_nlp(write("a.nlp", TOKENS), write("a.norm.json", json.dumps(CANDIDATES)))
    assert render_alternatives(items) == "In { 2020 / twenty twenty / @ } New York { 10% / ten percent }"


def test_a_line_with_other_fields_than_the_header_is_named(write):
    with pytest.raises(InputFileError, match=r"a\.nlp, line 3: 2 fields, the header has 1"):
        read_nlp(write("a.nlp", "token\none\ntwo|2\n"))


def test_a_missing_column_names_those_there_are(write):
    with pytest.raises(UnknownNameError, match=r"column 'token' .*line 1.* There are: speaker, word"):
        read_nlp(write("a.nlp", "word|speaker\none|1\n"))


def test_a_column_that_occurs_twice_is_named(write):
    with pytest.raises(InputFileError, match=r"a\.nlp, line 1: column 'token' occurs twice"):
        read_nlp(write("a.nlp", "token|token\none|two\n"))


def test_a_tag_without_candidates_is_named(write):
    with pytest.raises(InputFileError, match=r"line 4: tag '0' has no candidates in .*a\.norm\.json"):
        read_nlp(write("a.nlp", TOKENS), write("a.norm.json", "{}"))


def test_tags_of_another_form_are_named(write):
    with pytest.raises(InputFileError, match=r"line 2: tags are 'YEAR', expected"):
        read_nlp(write("a.nlp", "token|tags\n2020|YEAR\n"), write("a.norm.json", "{}"))


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
