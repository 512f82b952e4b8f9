"""Formats of one text per segment: each in its published layout, and what is broken in it."""

import json

import pytest

from misread.datasets.formats.docvqa import read_docvqa
from misread.datasets.formats.kaldi import read_kaldi
from misread.datasets.formats.nemo import read_nemo
from misread.datasets.formats.seglst import read_seglst
from misread.datasets.formats.subtitles import read_srt, read_webvtt
from misread.datasets.formats.textgrid import read_textgrid
from misread.datasets.formats.timed_text import read_seconds, take
from misread.datasets.formats.whisper import read_whisper
from misread.errors import InputFileError


@pytest.fixture
def write(tmp_path):
    def write(text, name="file", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def summary(segments):
    return [(each.text, each.speaker, each.begin, each.end) for each in segments]


# Kaldi documentation, "Data preparation": text, utt2spk, segments

TEXT = "sw02001-A_000098-001156 HI UM YEAH\nsw02001-A_001980-002131\nsw02001-B_000000-000100 A\tB\n"
UTT2SPK = "sw02001-A_000098-001156 2001-A\nsw02001-A_001980-002131 2001-A\nsw02001-B_000000-000100 2001-B\n"
SEGMENTS = (
    "sw02001-A_000098-001156 sw02001-A 0.98 11.56\nsw02001-A_001980-002131 sw02001-A 19.8 21.31\n"
    "sw02001-B_000000-000100 sw02001-B 0 1\n"
)


def test_kaldi_has_ids_texts_speakers_and_times(write, tmp_path):
    file = write(TEXT, "text")
    assert summary(read_kaldi(file)) == [("HI UM YEAH", "", None, None), ("", "", None, None), ("A B", "", None, None)]
    write(UTT2SPK, "utt2spk")
    write(SEGMENTS, "segments")
    found = read_kaldi(tmp_path)
    assert found == read_kaldi(file)
    assert summary(found)[:2] == [("HI UM YEAH", "2001-A", 0.98, 11.56), ("", "2001-A", 19.8, 21.31)]
    assert [each.document for each in found] == ["sw02001-A", "sw02001-A", "sw02001-B"]
    assert found[2].segment_id == "sw02001-B_000000-000100"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"text": "a x\nb y\na z\n"}, "text, line 3: id 'a' was taken by .*line 1"),
        ({"text": "a x\nb y\n", "utt2spk": "a s\n"}, "utt2spk has no line for id 'b'"),
        ({"text": "a x\n", "utt2spk": "a\n"}, "utt2spk, line 1: 1 fields, expected ID SPEAKER"),
        ({"text": "a x\n", "segments": "a rec 0\n"}, "segments, line 1: 3 fields, expected ID RECORDING BEGIN END"),
        ({"text": "a x\n", "segments": "a rec -1 2\n"}, "segments, line 1: begin is '-1', expected seconds from 0"),
        ({"text": "a x\n", "segments": "a rec 3 2\n"}, "segments, line 1: the segment ends at 2, before it begins"),
        ({"text": "a x\n", "segments": "a rec 1 2\na rec 1 2\n"}, "segments, line 2: id 'a' occurs twice"),
    ],
)
def test_broken_kaldi_names_file_and_line(write, tmp_path, files, message):
    for name, text in files.items():
        write(text, name)
    with pytest.raises(InputFileError, match=message):
        read_kaldi(tmp_path)


# SegLST as meeteval writes it


def test_real_seglst_has_sessions_speakers_and_times(shared_data):
    found = read_seglst(shared_data / "speakers" / "ref.seglst.json")
    assert {each.document for each in found} == {"recordingA", "recordingB"}
    assert (found[1].speaker, found[1].begin, found[1].end) == ("Bob", 1.0, 2.0)
    assert found[1].text == "Strategic staircase we need a paradigm shift"


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
        ([{"session_id": "s", "words": "a", "speaker": 1}], "entry 1: speaker is 1, expected str"),
    ],
)
def test_broken_seglst_names_the_entry(write, content, message):
    with pytest.raises(InputFileError, match=message):
        read_seglst(write(json.dumps(content)))


def test_what_seglst_calls_null_is_not_known(write):
    entry = {"session_id": "s", "words": "a", "speaker": None, "start_time": None, "end_time": None}
    assert summary(read_seglst(write(json.dumps([entry])))) == [("a", "", None, None)]


# W3C, WebVTT, sections 1.2 to 1.6; SRT as SubRip writes it

WEBVTT = """WEBVTT Kind: captions

NOTE a remark --
of two lines

STYLE
::cue { color: red }

intro
00:01.000 --> 00:04.000 align:start
<v Roger Bingham>We are in <i>New York</i> City
&amp; beyond

01:00:05.5 --> 01:00:09.000
- <c.loud>It will</c> perforate<00:06.000> your stomach.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_webvtt_has_cues_without_marks(write, end):
    found = read_webvtt(write(WEBVTT.replace("\n", end)))
    assert summary(found) == [
        ("We are in New York City\n& beyond", "Roger Bingham", 1.0, 4.0),
        ("- It will perforate your stomach.", "", 3605.5, 3609.0),
    ]


def test_srt_has_subtitles_without_style(write):
    first = "1\n00:00:01,600 --> 00:00:04,200\n<i>English</i> subtitles {\\an8}\na < b\n\n"
    text = f"{first}2\n00:00:05,900 --> 00:00:07,999\n"
    expected = [("English subtitles \na < b", "", 1.6, 4.2), ("", "", 5.9, 7.999)]
    assert summary(read_srt(write(text))) == expected
    assert summary(read_srt(write(text, encoding="utf-16"))) == expected
    assert summary(read_srt(write("\ufeff" + text.replace("\n", "\r\n")))) == expected


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_webvtt, "00:01.000 --> 00:04.000\na\n", "line 1: expected WEBVTT"),
        (read_webvtt, "WEBVTT\n\nid\nsecond line\n00:01.000 --> 00:04.000\n", "line 3: 'id', expected times"),
        (read_srt, "1\n00:00:01,600 -> 00:00:04,200\na\n", "line 1: '1', expected times"),
        (read_srt, "1\n00:00:01,600 --> 4,2\na\n", "line 2: '00:00:01,600 --> 4,2', expected times"),
        (read_srt, "1\n00:00:09,000 --> 00:00:04,200\na\n", "line 2: the segment ends at 4.2, before it begins at 9"),
    ],
)
def test_broken_subtitles_name_the_line(write, read, text, message):
    with pytest.raises(InputFileError, match=message):
        read(write(text))


# Praat manual, "TextGrid file formats": the same in the long and the short form

LONG = """File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 2.3
tiers? <exists>
size = 3
item []:
    item [1]:
        class = "IntervalTier"
        name = "Mary"
        xmin = 0
        xmax = 2.3
        intervals: size = 2
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = "say ""x2"" twice"
        intervals [2]:
            xmin = 1.5
            xmax = 2.3
            text = ""
    item [2]:
        class = "TextTier"
        name = "bell"
        xmin = 0
        xmax = 2.3
        points: size = 1
        points [1]:
            number = 1
            mark = "ding"
    item [3]:
        class = "IntervalTier"
        name = "John"
        xmin = 0
        xmax = 2.3
        intervals: size = 1
        intervals [1]:
            xmin = 0.25
            xmax = 2.3
            text = "two
lines"
"""
SHORT = """File type = "ooTextFile"
Object class = "TextGrid"

0
2.3
<exists>
3
"IntervalTier"
"Mary"
0
2.3
2
0
1.5
"say ""x2"" twice"
1.5
2.3
""
"TextTier" "bell" 0 2.3 1 1 "ding" ! a remark
"IntervalTier" "John" 0 2.3 1 0.25 2.3 "two
lines"
"""


@pytest.mark.parametrize("text", [LONG, SHORT])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_textgrid_has_intervals_with_a_text_by_tier(write, text, encoding):
    found = read_textgrid(write(text, encoding=encoding))
    assert summary(found) == [('say "x2" twice', "Mary", 0.0, 1.5), ("two\nlines", "John", 0.25, 2.3)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"TextGrid"', '"Pitch"'), 'expected "ooTextFile" and "TextGrid"'),
        (lambda text: text.replace("xmin = 0.25", 'xmin = "x"'), "line 39: '\"x\"', expected a number, the begin"),
        (lambda text: text.replace("xmin = 0.25", "xmin = -1"), "line 40: times are -1 and 2.3"),
        (lambda text: text.replace('"TextTier"', '"NoTier"'), "line 24: class of the tier is 'NoTier'"),
        (lambda text: text[: text.index("xmax = 1.5")], "line 17: the file ends where the end is expected"),
    ],
)
def test_broken_textgrid_names_the_line(write, change, message):
    with pytest.raises(InputFileError, match=message):
        read_textgrid(write(change(LONG)))


# openai/whisper, --output_format json


def test_whisper_has_segments_without_the_first_blank(write):
    content = {
        "text": " So. And",
        "segments": [
            {"id": 0, "seek": 0, "start": 0.0, "end": 1.5, "text": " So.", "tokens": [1], "avg_logprob": -0.2},
            {"id": 1, "start": 1.5, "end": 3, "text": " And", "speaker": "SPEAKER_00"},
        ],
        "language": "en",
    }
    found = read_whisper(write(json.dumps(content)))
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
def test_broken_whisper_names_the_entry(write, content, message):
    with pytest.raises(InputFileError, match=message):
        read_whisper(write(json.dumps(content)))


# NVIDIA NeMo documentation, manifests


def test_nemo_is_named_by_audio_and_offset(write):
    text = (
        '{"audio_filepath": "a.wav", "duration": 2.5, "text": "one", "pred_text": "won"}\n'
        '{"audio_filepath": "b.wav", "offset": 1.5, "duration": 2, "text": "007", "speaker": "ann"}\n'
    )
    found = read_nemo(write(text))
    assert summary(found) == [("one", "", 0.0, 2.5), ("007", "ann", 1.5, 3.5)]
    assert [each.segment_id for each in found] == ["a.wav", "b.wav@1.5"]
    assert [each.text for each in read_nemo(write(text), predicted=True)] == ["won", "007"]


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
def test_broken_nemo_names_the_line(write, text, message):
    with pytest.raises(InputFileError, match=message):
        read_nemo(write(text))


# Annotations and submissions of DocVQA


def test_docvqa_has_all_accepted_answers(write):
    questions = {
        "data": [{"questionId": 49153, "question": "?", "answers": ["12 May", "May 12", "12 May"], "docId": 7}]
    }
    (reference,) = read_docvqa(write(json.dumps(questions)))
    (hypothesis,) = read_docvqa(write(json.dumps([{"questionId": 49153, "answer": "May 12"}])))
    assert (reference.segment_id, hypothesis.segment_id, reference.document) == ("49153", "49153", "7")
    assert json.loads(reference.text) == {"answers": ["12 May", "May 12"]}
    assert json.loads(hypothesis.text) == {"answer": "May 12"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"questions": []}, 'expected {"data"'),
        ([{"answer": "x"}], "entry 1: no 'questionId'"),
        ([{"questionId": 1}], "entry 1: no 'answer'"),
        ([{"questionId": 1, "answers": []}], "entry 1: answers are \\[\\], expected a list of one text or more"),
        ([{"questionId": 1, "answers": "x"}], "entry 1: answers is 'x', expected list"),
        ([7], "entry 1: expected an object"),
    ],
)
def test_broken_docvqa_names_the_entry(write, content, message):
    with pytest.raises(InputFileError, match=message):
        read_docvqa(write(json.dumps(content)))


@pytest.mark.parametrize("number", ["1e400", "2.5", "-1"])
def test_a_count_of_textgrid_that_is_no_whole_number_is_refused(tmp_path, number):
    path = tmp_path / "a.TextGrid"
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 1\ntiers? <exists>\n'
    path.write_text(f"{head}size = {number}\n")
    with pytest.raises(InputFileError, match=r"a\.TextGrid, line 7"):
        read_textgrid(path)


def test_times_of_thousands_of_digits_are_refused(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text("1\n{0}:00:01,000 --> {0}:00:02,000\na\n".format("9" * 5000))
    with pytest.raises(InputFileError, match=r"a\.srt"):
        read_srt(path)


@pytest.mark.parametrize("value", [10**400, "1e", None, True, [1]])
def test_what_is_not_seconds_is_refused(value):
    with pytest.raises(InputFileError, match="expected seconds from 0"):
        read_seconds(value, "begin", "a.json, entry 1")


def test_a_value_of_another_type_names_all_that_may_stand_there():
    with pytest.raises(InputFileError, match="expected int or str"):
        take({"key": []}, "key", int | str, "a.json, entry 1", expected="key")
