import pytest

from misread.alternatives import Choice, Word, list_words
from misread.datasets.transcripts import TimedItem, cut_words, read_ctm, read_stm, read_trn
from misread.errors import InputFileError


@pytest.fixture
def write(tmp_path):
    def write(text, name="file"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_trn_has_the_id_behind_the_text(write):
    (first, second) = read_trn(write("one (two) (spk_1)\n\n;; remark\n(spk_2)\n"))
    assert (first.utterance_id, first.items) == ("spk_1", (Word("one"), Word("two", optional=True)))
    assert (second.utterance_id, second.items) == ("spk_2", ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one (a)\ntwo\n", r"line 2: expected `TEXT \(ID\)`"),
        ("one (a)\ntwo (A)\n", r"line 2: id 'A' was taken by .*line 1"),
        ("one (a)\n{ b / c (b)\n", r"line 2: '{' is never closed"),
        (";; nothing\n", "has no utterance"),
    ],
)
def test_broken_trn_names_file_and_line(write, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_trn(write(text))


def test_tags_behind_words_are_no_part_of_them(write):
    (utterance,) = read_trn(write(r"i've;tag1 { um;tag1; / uh;;tag2 } a\;s;tag1 far (u)"))
    assert list_words(utterance.items) == ["i've", "um", "a;s", "far"]


STM = """;; CATEGORY "0" "" ""
;; CATEGORY "1" "Sex" "of the talker"
f A ann 0.0 1.5 <O,F> hello { um / @ }
f A bob 1.5 2.5 <O> IGNORE_TIME_SEGMENT_IN_SCORING
f A ann 3 4
f b cy 0 9 <O,M> x
"""


def test_stm_has_times_labels_and_alternatives(write):
    segments, names = read_stm(write(STM))
    assert names == ["label_0", "Sex"]
    assert [segment.labels for segment in segments] == [
        ("O", "F"),
        ("O", "unlabelled"),
        ("unlabelled", "unlabelled"),
        ("O", "M"),
    ]
    assert [segment.ignored for segment in segments] == [False, True, False, False]
    assert segments[0].items == (Word("hello"), Choice(((Word("um"),), ())))
    assert segments[2].items == ()
    assert segments[3].key == ("f", "b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f A ann 0.0\n", "line 1: 4 fields, expected FILE CHANNEL SPEAKER BEGIN END"),
        ("f A ann zero 1 x\n", "line 1: begin is 'zero', expected a number"),
        ("f A ann 0 nan x\n", "line 1: end is 'nan'"),
        ("f A ann 2 1 x\n", "line 1: the segment ends at 1, before it begins at 2"),
        ("f A ann 2 3 x\nf A ann 1 2 y\n", "line 2: begins at 1, before the one above"),
        ("f A ann 2 3 { x\n", "line 1: '{' is never closed"),
        (";; nothing\n", "has no segment"),
    ],
)
def test_broken_stm_names_file_and_line(write, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_stm(write(text))


CTM = r"""f A 0.0 0.2 hello;tag 0.9
f A * * <ALT_BEGIN>
f A 0.5 0.2 um
f A * * <ALT>
f A 2.0 0.2 a\;b
f A * * <ALT_END>
f A 2.4 0.2 three
F a 9 1 last NA
"""


def test_ctm_has_words_by_channel_and_alternatives_at_their_latest_middle(write):
    words = read_ctm(write(CTM))[("f", "a")]
    assert [word.item for word in words] == [
        Word("hello"),
        Choice(((Word("um"),), (Word("a;b"),))),
        Word("three"),
        Word("last"),
    ]
    assert [word.middle for word in words] == [0.1, 2.1, 2.5, 9.5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f A 0.0 0.2\n", "line 1: 4 fields, expected FILE CHANNEL BEGIN DURATION WORD"),
        ("f A 0.0 -1 x\n", "line 1: duration is '-1', expected a number from 0"),
        ("f A 0.0 1 x high\n", "line 1: confidence is 'high'"),
        ("f A 2 1 x\nf A 1 1 y\n", "line 2: begins at 1, before the one above"),
        ("f A * * <ALT>\n", "line 1: <ALT> where"),
        ("f A * * <ALT_BEGIN>\nf A 1 1 x\n", "without <ALT_END>"),
        ("f A * * <ALT_BEGIN>\nf A 1 1 x\nf A * * <ALT_END>\n", "line 3: <ALT_END> after one alternative"),
        ("", "has no word"),
    ],
)
def test_broken_ctm_names_file_and_line(write, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_ctm(write(text))


def test_words_belong_to_the_segment_with_their_middle_and_strays_to_the_next(write):
    segments = read_stm(write("f A s 1 2 x\nf A s 3 4 y\nf A s 4 5 z\n"))[0]
    words = [TimedItem(middle, Word(f"{middle}"), "") for middle in (0.5, 1.9, 2.0, 2.5, 3.9, 4.0, 9.0)]
    assert [list_words(items) for items in cut_words(segments, words)] == [
        ["0.5", "1.9"],
        ["2.0", "2.5", "3.9"],
        ["4.0", "9.0"],
    ]
