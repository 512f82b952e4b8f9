import json

import pytest

from misread.data.formats.whisper import read_whisper
from misread.errors import InputFileError

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
