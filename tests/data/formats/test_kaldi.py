import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.formats.kaldi import read_kaldi
from misread.data.formats.timed_text import TimedText
from misread.errors import InputFileError
from misread.text.words import split_words

# Kaldi documentation, "Data preparation": text, utt2spk, segments

TEXT = "sw02001-A_000098-001156 HI UM YEAH\nsw02001-A_001980-002131\nsw02001-B_000000-000100 A\tB\n"
UTT2SPK = "sw02001-A_000098-001156 2001-A\nsw02001-A_001980-002131 2001-A\nsw02001-B_000000-000100 2001-B\n"
SEGMENTS = (
    "sw02001-A_000098-001156 sw02001-A 0.98 11.56\nsw02001-A_001980-002131 sw02001-A 19.8 21.31\n"
    "sw02001-B_000000-000100 sw02001-B 0 1\n"
)


def test_kaldi_has_ids_texts_speakers_and_times(write_text, tmp_path, summary):
    file = write_text(TEXT, "text")
    assert summary(read_kaldi(file)) == [("HI UM YEAH", "", None, None), ("", "", None, None), ("A B", "", None, None)]
    write_text(UTT2SPK, "utt2spk")
    write_text(SEGMENTS, "segments")
    found = read_kaldi(tmp_path)
    assert list(found) == list(read_kaldi(file))
    assert summary(found)[:2] == [("HI UM YEAH", "2001-A", 0.98, 11.56), ("", "2001-A", 19.8, 21.31)]
    assert [each.document for each in found] == ["sw02001-A", "sw02001-A", "sw02001-B"]
    assert found[2].segment_id == "sw02001-B_000000-000100"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"text": "a x\nb y\na z\n"}, "text, line 3: segment id 'a' was taken by .*line 1"),
        ({"text": "a x\nb y\n", "utt2spk": "a s\n"}, "utt2spk has no line for id 'b'"),
        ({"text": "a x\n", "utt2spk": "a\n"}, "utt2spk, line 1: 1 fields, expected ID SPEAKER"),
        ({"text": "a x\n", "segments": "a rec 0\n"}, "segments, line 1: 3 fields, expected ID RECORDING BEGIN END"),
        ({"text": "a x\n", "segments": "a rec -1 2\n"}, "segments, line 1: begin is '-1', expected seconds from 0"),
        ({"text": "a x\n", "segments": "a rec 3 2\n"}, "segments, line 1: the segment ends at 2, before it begins"),
        ({"text": "a x\n", "segments": "a rec 1 2\na rec 1 2\n"}, "segments, line 2: id 'a' occurs twice"),
    ],
)
def test_broken_kaldi_names_file_and_line(write_text, tmp_path, files, message):
    for name, text in files.items():
        write_text(text, name)
    with pytest.raises(InputFileError, match=message):
        read_kaldi(tmp_path)


def test_a_line_of_kaldi_is_never_a_comment(write_text):
    assert [each.segment_id for each in read_kaldi(write_text(";;a x\nb y\n", "text"))] == [";;a", "b"]


def test_a_folder_without_an_utterance_has_none_whatever_is_beside_it(write_text, tmp_path):
    for name, content in (("text", "\n"), ("utt2spk", UTT2SPK), ("segments", SEGMENTS)):
        write_text(content, name)
    assert list(read_kaldi(tmp_path)) == []


@given(st.lists(st.text("ab \t\x0c\x1c\x85\u00a0\u2028(;"), max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_columns_of_kaldi_are_its_lines_taken_apart_one_by_one(tmp_path_factory, texts, end):
    file = tmp_path_factory.getbasetemp() / "text"
    file.write_text("".join(f"u{row}\t{text}{end}" for row, text in enumerate(texts)), newline="")
    expected = [
        TimedText(" ".join(split_words(text)), f"{file}, line {row + 1}", f"u{row}") for row, text in enumerate(texts)
    ]
    assert list(read_kaldi(file)) == expected
