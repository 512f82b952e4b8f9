import pytest

from misread.datasets.formats.nemo import read_nemo
from misread.errors import InputFileError

# NVIDIA NeMo documentation, manifests


def test_nemo_is_named_by_audio_and_offset(write_text, summary):
    text = (
        '{"audio_filepath": "a.wav", "duration": 2.5, "text": "one", "pred_text": "won"}\n'
        '{"audio_filepath": "b.wav", "offset": 1.5, "duration": 2, "text": "007", "speaker": "ann"}\n'
    )
    found = read_nemo(write_text(text))
    assert summary(found) == [("one", "", 0.0, 2.5), ("007", "ann", 1.5, 3.5)]
    assert [each.segment_id for each in found] == ["a.wav", "b.wav@1.5"]
    assert [each.text for each in read_nemo(write_text(text), predicted=True)] == ["won", "007"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"audio_filepath": "a", "text": "x"}\n{"text": "x"}\n', "line 2: no 'audio_filepath'"),
        ('{"audio_filepath": "a"}\n', "line 1: no text"),
        ('{"audio_filepath": "a", "text": 7}\n', "line 1: text is 7, expected str"),
        ('{"audio_filepath": "a", "text": "x", "duration": -1}\n', "line 1: the segment ends at -1"),
        ('{"audio_filepath": "a", "text": "x"\n', "line 1: not valid JSON"),
    ],
)
def test_broken_nemo_names_the_line(write_text, text, message):
    with pytest.raises(InputFileError, match=message):
        read_nemo(write_text(text))
