import pytest

from misread.data.formats.stm import read_stm
from misread.errors import InputFileError
from misread.text.alternatives import Choice, Word

STM = """;; CATEGORY "0" "" ""
;; CATEGORY "1" "Sex" "of the talker"
f A ann 0.0 1.5 <O,F> hello { um / @ }
f A bob 1.5 2.5 <O> IGNORE_TIME_SEGMENT_IN_SCORING
f A ann 3 4
f b cy 0 9 <O,M> x
"""


@pytest.mark.parametrize(
    "mark", ["IGNORETIMESEGMENTINSCORING", "ignore_time_segment_in_scoring", "x IGNORE_TIME_SEGMENT_IN_SCORING"]
)
def test_a_segment_that_is_to_be_ignored_says_so_in_either_spelling(write_text, mark):
    (segment,), _ = read_stm(write_text(f"f A ann 0 1 {mark}\n"))
    assert (segment.ignored, segment.text) == (True, "")


def test_stm_has_times_labels_and_alternatives(write_text):
    segments, names = read_stm(write_text(STM))
    assert names == ["label_0", "Sex"]
    assert [segment.labels for segment in segments] == [
        ("O", "F"),
        ("O", "unlabelled"),
        ("unlabelled", "unlabelled"),
        ("O", "M"),
    ]
    assert [segment.ignored for segment in segments] == [False, True, False, False]
    assert segments.text[0] == (Word("hello"), Choice(((Word("um"),), ())))
    assert segments.text[2] == ""
    assert list(segments.rows_of)[-1] == ("f", "b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f A ann 0.0\n", "line 1: 4 fields, expected FILE CHANNEL SPEAKER BEGIN END"),
        ("f A ann zero 1 x\n", "line 1: begin is 'zero', expected seconds from 0 as a decimal number"),
        ("f A ann 0 nan x\n", "line 1: end is 'nan'"),
        ("f A ann 2 1 x\n", "line 1: the segment ends at 1, before it begins at 2"),
        ("f A ann 2 3 x\nf A ann 1 2 y\n", "line 2: begins at 1, before the one above"),
        ("f A ann 2 3 { x\n", "line 1: '{' is never closed"),
        (";; nothing\n", "has no segment"),
    ],
)
def test_broken_stm_names_file_and_line(write_text, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_stm(write_text(text))
