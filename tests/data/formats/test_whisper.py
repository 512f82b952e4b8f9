import json

import pytest

from misread.data.formats.content import Content
from misread.data.formats.whisper import is_whisper, read_whisper
from misread.data.segment_files import read_segment_files
from misread.errors import InputFileError

SEGMENTS = [
    {
        "start": 0.0,
        "end": 1.5,
        "text": " So.",
        "words": [{"word": " So.", "start": 0.1, "end": 1.4, "probability": 0.5}],
    },
    {"start": 1.5, "end": 3, "text": " And 7", "words": [{"word": "And", "start": 2.0, "end": 2.5}, {"word": "7"}]},
]
ROWS = [
    [0, 0, 0.0, 1.5, " So.", [1], 0.0, -0.2, 1.0, 0.1, [[0.1, 1.4, " So.", 0.5]]],
    [1, 0, 1.5, 3, " And 7", [1], 0.0, -0.2, 1.0, 0.1, [[2.0, 2.5, " And", 0.5], [2.5, 3, " 7", 0.5]]],
]
OFFSETS = [
    {"timestamps": {"from": "00:00:00,000"}, "offsets": {"from": 0, "to": 1500}, "text": " So."},
    {"timestamps": {"from": "00:00:01,500"}, "offsets": {"from": 1500, "to": 3000}, "text": " And 7"},
]
CHUNKS = [{"timestamp": [0.0, 1.5], "text": " So."}, {"timestamp": [1.5, 3.0], "text": " And 7"}]
FAMILY = {
    "openai-whisper": {"text": " So. And 7", "segments": SEGMENTS, "language": "en"},
    "WhisperX": {"segments": SEGMENTS, "word_segments": SEGMENTS[0]["words"], "language": "en"},
    "stable-ts": {"text": "So. And 7", "segments": SEGMENTS, "ori_dict": {"segments": SEGMENTS}, "regroup_history": ""},
    "faster-whisper": SEGMENTS,
    "faster-whisper before 1.1": ROWS,
    "faster-whisper before 0.3": [row[2:5] for row in ROWS],
    "whisper.cpp": {"systeminfo": "AVX", "result": {"language": "en"}, "transcription": OFFSETS},
    "transformers": {"text": " So. And 7", "chunks": CHUNKS},
}


@pytest.mark.parametrize("writer", FAMILY)
def test_the_whole_family_has_the_same_segments(write_text, summary, writer):
    text = json.dumps(FAMILY[writer])
    assert summary(read_whisper(write_text(text))) == [("So.", "", 0.0, 1.5), ("And 7", "", 1.5, 3.0)]
    assert is_whisper(Content(text))
    assert is_whisper(Content(text[:-20], is_whole=False))


def test_words_have_times_where_the_recognizer_found_them(write_text, summary):
    words = [("So.", "", 0.1, 1.4), ("And", "", 2.0, 2.5)]
    for writer, last in {"WhisperX": (None, None), "faster-whisper before 1.1": (2.5, 3.0)}.items():
        path = write_text(json.dumps(FAMILY[writer]))
        assert summary(read_whisper(path, words=True)) == [*words, ("7", "", *last)]
    with pytest.raises(
        InputFileError, match=r"entry 1: no words, which whisper\(words=true\) reads; leave the setting"
    ):
        read_whisper(write_text(json.dumps(FAMILY["transformers"])), words=True)


def test_a_text_before_its_segments_is_recognised_however_long_it_is():
    long = {"text": " word" * 50_000, "segments": SEGMENTS * 1_000}
    assert is_whisper(Content(json.dumps(long)[:-1_000], is_whole=False))


@pytest.mark.parametrize(
    "value",
    [{"segments": [{"text": "one"}]}, {"segments": []}, {"text": "one"}, [{"text": "one"}], [["one", "two"]], [[]]]
    + [[{"key": "a", "text": "one", "timestamp": stamp}] for stamp in ([[0, 100]], 17, "0:00", {"word": []}, [])],
)
def test_other_json_is_not_recognised(value):
    assert not is_whisper(Content(json.dumps(value)))


def test_the_last_chunk_of_transformers_may_have_no_end(write_text, summary):
    content = {"chunks": [{"timestamp": [0.0, 1.5], "text": " So"}, {"timestamp": [2.0, None], "text": " on"}]}
    path = write_text(json.dumps(content))
    assert summary(read_whisper(path)) == [("So", "", 0.0, 1.5), ("on", "", 2.0, None)]
    table = read_segment_files(path, {"a": path}, "whisper")
    assert (table.references, table.times) == (["So", "on"], None)


# openai/whisper, --output_format json


def test_whisper_has_segments_without_the_first_blank(write_text, summary):
    content = {
        "text": " So. And",
        "segments": [
            {"id": 0, "seek": 0, "start": 0.0, "end": 1.5, "text": " So.", "tokens": [1], "avg_logprob": -0.2},
            {"id": 1, "start": 1.5, "end": 3, "text": " And", "speaker": "SPEAKER_00"},
        ],
        "language": "en",
    }
    found = read_whisper(write_text(json.dumps(content)))
    assert summary(found) == [("So.", "", 0.0, 1.5), ("And", "SPEAKER_00", 1.5, 3.0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"text": "a"}, "no 'segments', expected segments, each with start, end and text"),
        ({"segments": [{"text": "a", "start": 2, "end": 1}]}, "entry 1: the segment ends at 1, before it begins at 2"),
        ({"segments": [{"text": "a", "start": None, "end": 1}]}, "entry 1: start is None, expected seconds"),
        ({"segments": [{"start": 0, "end": 1}]}, "entry 1: no 'text'"),
    ],
)
def test_broken_whisper_names_the_entry(write_text, content, message):
    with pytest.raises(InputFileError, match=message):
        read_whisper(write_text(json.dumps(content)))
