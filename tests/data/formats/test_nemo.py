import json

import pytest

from misread.data.formats.nemo import read_nemo, read_predictions
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


def write_manifest(write, name, *entries):
    lines = ({"audio_filepath": f"{row}.wav", **entry} for row, entry in enumerate(entries))
    return write(name, "".join(f"{json.dumps(line)}\n" for line in lines))


SAID = [{"text": "good morning all"}, {"text": "how are you"}]


def test_a_line_without_pred_text_is_missing(write):
    references = read_nemo(write_manifest(write, "ref.json", *SAID))
    system = write_manifest(write, "hyp.json", {**SAID[0], "pred_text": "god morning all"}, SAID[1])
    assert [each.text for each in read_predictions(system, references)] == ["god morning all", None]


def test_a_manifest_of_the_references_alone_is_no_output(write):
    path = write_manifest(write, "ref.json", *SAID)
    references = read_nemo(path)
    for given in (path, write_manifest(write, "part.json", SAID[0])):
        with pytest.raises(InputFileError, match=rf"{given.name}: no line has pred_text, and every text is that"):
            read_predictions(given, references)


@pytest.mark.parametrize(
    "entries", [(SAID[0], {"text": "how were you"}), [{**said, "pred_text": said["text"]} for said in SAID]]
)
def test_texts_of_another_system_and_right_predictions_are_outputs(write, entries):
    references = read_nemo(write_manifest(write, "ref.json", *SAID))
    found = read_predictions(write_manifest(write, "hyp.json", *entries), references)
    assert [each.text for each in found] == [entry["text"] for entry in entries]


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
