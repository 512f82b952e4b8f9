import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.data.formats.ctm import read_ctm
from misread.data.formats.stm import read_stm
from misread.data.formats.time_cuts import cut_words, find_overlaps, find_strays, place_words
from misread.text.alternatives import NO_WORD, Word


def words_at(write_text, *middles):
    """Words that are called after the middles of their times."""
    return read_ctm(write_text("".join(f"f A {middle} 0 {middle}\n" for middle in middles), "words"))["f", "a"]


def test_words_belong_to_the_segment_with_their_middle_and_strays_to_the_next(write_text):
    segments = read_stm(write_text("f A s 1 2 x\nf A s 3 4 y\nf A s 4 5 z\n"))[0]
    words = words_at(write_text, 0.5, 1.9, 2.0, 2.5, 3.9, 4.0, 9.0)
    placed = place_words(segments.start, segments.end, words.middles)
    assert cut_words(3, placed, words) == ["0.5 1.9", "2.0 2.5 3.9", "4.0 9.0"]


def test_marked_words_of_a_segment_keep_their_meaning(write_text):
    words = read_ctm(write_text("f A 0 1 a\nf A 1 1 @\nf A 2 1 b;t\nf A 3 1 c\n"))["f", "a"]
    segments = read_stm(write_text("f A s 0 1 x\nf A s 1 3 y\nf A s 3 4 z\n"))[0]
    placed = place_words(segments.start, segments.end, words.middles)
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


def test_a_word_is_a_stray_where_its_middle_lies_in_no_segment(write_text):
    segments = read_stm(write_text("f A s 1 2 x\nf A s 3 6 y\nf A s 4 5 z\n"))[0]
    words = words_at(write_text, 0.5, 1.0, 1.9, 2.0, 2.5, 3.0, 5.5, 6.0, 9.0)
    placed = place_words(segments.start, segments.end, words.middles)
    strays = find_strays(segments.start, segments.end, placed, words)
    assert words.middles[strays].tolist() == [0.5, 2.0, 2.5, 6.0, 9.0]


def test_segments_overlap_that_begin_before_one_above_them_has_ended(write_text):
    lines = [
        "0 9 around",
        "1 2 nested",
        "3 4 nested",
        "9 10 behind",
        "9.5 11 overlapping",
        "9.5 11 twice",
        "11 12 last",
    ]
    segments = read_stm(write_text("".join(f"f A s {line}\n" for line in lines)))[0]
    found = [segments[int(row)].text for row in find_overlaps(segments.start, segments.end)]
    assert found == ["nested", "nested", "overlapping", "twice"]
