import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.datasets.formats.ctm import read_ctm
from misread.datasets.formats.marked_text import find_words_in_parentheses
from misread.datasets.formats.stm import read_stm
from misread.datasets.formats.time_cuts import cut_words, find_overlaps, find_strays, place_words
from misread.datasets.formats.trn import read_trn
from misread.errors import InputFileError
from misread.text.alternatives import NO_WORD, Choice, Word, list_words


@pytest.fixture
def write(tmp_path):
    def write(text, name="file"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_trn_has_the_id_behind_the_text(write):
    (first, second) = read_trn(write("one (two) (spk_1)\n\n;; remark\n(spk_2) \t\n"))
    assert (first.utterance_id, first.text) == ("spk_1", (Word("one"), Word("(two)")))
    assert (second.utterance_id, second.text) == ("spk_2", "")


def test_words_in_parentheses_may_be_left_out_in_every_format_where_that_is_asked_for(write):
    optional = Word("two", optional=True)
    assert read_trn(write("(two) (id)\n"), optional_words=True)[0].text == (optional,)
    assert read_stm(write("f A ann 0 1 (two)\n"), optional_words=True)[0][0].text == (optional,)
    assert read_ctm(write("f A 0 1 (two)\n"), optional_words=True)[("f", "a")][0].item == optional


@pytest.mark.parametrize("read", [read_trn, read_ctm])
@pytest.mark.parametrize("text", ["", ";; of a system that recognized nothing\n", "\n \n"])
def test_a_file_of_hypotheses_may_hold_none(write, read, text):
    assert not read(write(text))


def test_fields_and_ids_end_at_blanks_and_tabs_only(write):
    (utterance,) = read_trn(write("one\t(spk\u00a01)\n"))
    assert utterance.utterance_id == "spk\u00a01"
    (segment,), _ = read_stm(write("f\u00a01\tA  ann\u20031 0 1 <O,\u00a0F> x\n"))
    assert (segment.file, segment.speaker, segment.labels) == ("f\u00a01", "ann\u20031", ("O", "\u00a0F"))
    (word,) = read_ctm(write("f\u00a01 A\t0 0.2 10\u00a0000 0.9\n"))[("f\u00a01", "a")]
    assert word.item == Word("10\u00a0000")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one (a)\ntwo\n", r"line 2: expected `TEXT \(ID\)`"),
        ("one (a)\ntwo (A)\n", r"line 2: id 'A' was taken by .*line 1"),
        ("one (a)\n{ b / c (b)\n", r"line 2: '{' is never closed"),
        ("one (a)\n" + "{ b / " * 900 + "c" + " }" * 900 + " (b)\n", "line 2: braces are nested more than 20 deep"),
    ],
)
def test_broken_trn_names_file_and_line(write, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_trn(write(text))


def test_tags_behind_words_are_no_part_of_them(write):
    (utterance,) = read_trn(write(r"i've;tag1 { um;tag1; / uh;;tag2 } a\;s;tag1 far (u)"))
    assert list_words(utterance.text) == ["i've", "um", "a;s", "far"]


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
def test_a_segment_that_is_to_be_ignored_says_so_in_either_spelling(write, mark):
    (segment,), _ = read_stm(write(f"f A ann 0 1 {mark}\n"))
    assert (segment.ignored, segment.text) == (True, "")


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
    assert segments[0].text == (Word("hello"), Choice(((Word("um"),), ())))
    assert segments[2].text == ""
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
        ("f A 0.0 -1 x\n", "line 1: duration is '-1', expected seconds from 0"),
        ("f A 0.0 1 x high\n", "line 1: confidence is 'high'"),
        ("f A 0.0 1 x nan\n", "line 1: confidence is 'nan'"),
        ("f A 0.0 1 two words here\n", "line 1: confidence is 'words'"),
        ("f A 2 1 x\nf A 1 1 y\n", "line 2: begins at 1, before the one above"),
        ("f A * * <ALT>\n", "line 1: <ALT> where"),
        ("f A * * <ALT_BEGIN>\nf A 1 1 x\n", "without <ALT_END>"),
        ("f A * * <ALT_BEGIN>\nf A 1 1 x\nf A * * <ALT_END>\n", "line 3: <ALT_END> after one alternative"),
    ],
)
def test_broken_ctm_names_file_and_line(write, text, expected):
    with pytest.raises(InputFileError, match=expected):
        read_ctm(write(text))


@pytest.mark.parametrize(
    "number", ["1_0", "٣", "nan", "inf", "1e400", "1e1", "0x10", "+1", "-0", "1,5", "1\u00a0", ".", "9" * 400]
)
def test_times_are_decimal_numbers_as_tools_of_nist_write_them(write, number):
    with pytest.raises(InputFileError, match="line 1: begin is"):
        read_ctm(write(f"f A {number} 1 x\n"))
    with pytest.raises(InputFileError, match="line 1: duration is"):
        read_ctm(write(f"f A 1 {number} x\n"))
    with pytest.raises(InputFileError, match="line 1: begin is"):
        read_stm(write(f"f A ann {number} 1 x\n"))
    with pytest.raises(InputFileError, match="line 1: end is"):
        read_stm(write(f"f A ann 1 {number} x\n"))


@pytest.mark.parametrize("confidence", ["0.9", "-12.384530", "1e-05", "NA", "1"])
def test_confidences_are_read_over(write, confidence):
    (word,) = read_ctm(write(f"f A .5 1. x {confidence}\n"))[("f", "a")]
    assert (word.item, word.middle) == (Word("x"), 1.0)


def test_an_at_sign_in_ctm_is_no_word(write):
    assert [word.item for word in read_ctm(write("f A 0 1 x\nf A 1 1 @\n"))[("f", "a")]] == [Word("x"), NO_WORD]


def words_at(write, *middles):
    """Words that are called after the middles of their times."""
    return read_ctm(write("".join(f"f A {middle} 0 {middle}\n" for middle in middles), "words"))["f", "a"]


def test_words_belong_to_the_segment_with_their_middle_and_strays_to_the_next(write):
    segments = read_stm(write("f A s 1 2 x\nf A s 3 4 y\nf A s 4 5 z\n"))[0]
    words = words_at(write, 0.5, 1.9, 2.0, 2.5, 3.9, 4.0, 9.0)
    placed = place_words(segments.begins, segments.ends, words.middles)
    assert cut_words(3, placed, words) == ["0.5 1.9", "2.0 2.5 3.9", "4.0 9.0"]


def test_marked_words_of_a_segment_keep_their_meaning(write):
    words = read_ctm(write("f A 0 1 a\nf A 1 1 @\nf A 2 1 b;t\nf A 3 1 c\n"))["f", "a"]
    segments = read_stm(write("f A s 0 1 x\nf A s 1 3 y\nf A s 3 4 z\n"))[0]
    placed = place_words(segments.begins, segments.ends, words.middles)
    assert cut_words(3, placed, words) == ["a", (NO_WORD, Word("b")), "c"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6), st.lists(st.integers(0, 12)))
def test_a_word_goes_to_the_first_segment_that_ends_behind_it_and_never_back(times, middles):
    begins, lengths = np.array(sorted(begin for begin, _ in times), float), [length for _, length in times]
    ends, number, expected = begins + lengths, 0, []
    for middle in middles:
        while number < len(ends) - 1 and middle >= ends[number]:
            number += 1
        expected.append(number)
    assert place_words(begins, ends, np.array(middles, float)).tolist() == expected


def test_a_word_is_a_stray_where_its_middle_lies_in_no_segment(write):
    segments = read_stm(write("f A s 1 2 x\nf A s 3 6 y\nf A s 4 5 z\n"))[0]
    words = words_at(write, 0.5, 1.0, 1.9, 2.0, 2.5, 3.0, 5.5, 6.0, 9.0)
    placed = place_words(segments.begins, segments.ends, words.middles)
    strays = find_strays(segments.begins, segments.ends, placed, words)
    assert words.middles[strays].tolist() == [0.5, 2.0, 2.5, 6.0, 9.0]


def test_segments_overlap_that_begin_before_one_above_them_has_ended(write):
    lines = [
        "0 9 around",
        "1 2 nested",
        "3 4 nested",
        "9 10 behind",
        "9.5 11 overlapping",
        "9.5 11 twice",
        "11 12 last",
    ]
    segments = read_stm(write("".join(f"f A s {line}\n" for line in lines)))[0]
    found = [segments[int(row)].text for row in find_overlaps(segments.begins, segments.ends)]
    assert found == ["nested", "nested", "overlapping", "twice"]


def test_words_in_parentheses_are_found_in_alternatives_too(write):
    for optional_words in (False, True):
        (utterance,) = read_trn(write("(a) { (b) / { c / (d) } } () e(f) (u)\n"), optional_words=optional_words)
        assert len(find_words_in_parentheses(utterance.text)) == 3
