import json

import pytest

from misread.data.formats.seglst import read_seglst
from misread.errors import InputFileError

# SegLST as meeteval writes it


def test_seglst_has_sessions_speakers_and_times(data_of_every_format):
    path = data_of_every_format / "speakers" / "ref.seglst.json"
    found = read_seglst(path)
    assert {each.document for each in found} == {"recordingA", "recordingB"}
    assert (found[1].speaker, found[1].start, found[1].end) == ("Bob", 1.0, 2.0)
    assert [turn.text for turn in found] == [turn["words"] for turn in json.loads(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "expected a JSON array of objects with session_id"),
        ([{"words": "a"}], "entry 1: no 'session_id'"),
        ([{"session_id": "s", "words": ["a"]}], "entry 1: words is \\['a'\\], expected str"),
        (["a"], "entry 1: expected an object"),
        ([{"session_id": "s", "words": "a", "start_time": "x", "end_time": 2}], "start_time is 'x', expected seconds"),
        ([{"session_id": "s", "words": "a", "start_time": -1, "end_time": 2}], "entry 1: times are -1 and 2"),
        ([{"session_id": "s", "words": "a", "start_time": 1}], "entry 1: end_time is None"),
        ([{"session_id": "s", "words": "a", "speaker": True}], "entry 1: speaker is True, expected a name"),
        ([{"session_id": [], "words": "a"}], "entry 1: session_id is \\[\\], expected a name"),
    ],
)
def test_broken_seglst_names_the_entry(write_text, content, message):
    with pytest.raises(InputFileError, match=message):
        read_seglst(write_text(json.dumps(content)))


def test_what_seglst_calls_null_is_not_known(write_text, summary):
    entry = {"session_id": "s", "words": "a", "speaker": None, "start_time": None, "end_time": None}
    assert summary(read_seglst(write_text(json.dumps([entry])))) == [("a", "", None, None)]


def test_a_name_that_is_a_number_is_the_same_name_as_a_text_of_it(write_text):
    entries = [{"session_id": name, "words": "a", "speaker": name} for name in (3, 3.0, "3")]
    segments = read_seglst(write_text(json.dumps(entries)))
    assert {(segment.document, segment.speaker) for segment in segments} == {("3", "3")}
