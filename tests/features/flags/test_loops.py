import pytest

from misread.errors import InputTypeError
from misread.features.flags import Loop
from misread.features.flags.loops import find_loops

RULE = "-" * 40


def spans(reference, hypothesis, **limits):
    return [(loop.start, loop.end) for loop in find_loops(reference, hypothesis, **limits)]


def test_a_loop_says_what_is_repeated_and_how_often():
    (loop,) = find_loops("see you", "see you so so so so so so")
    assert loop == Loop(7, 25, 3, 6.0, " so", 18 / 25)


@pytest.mark.parametrize("text", [RULE, "ha ha ha ha ha ha ha", "| - | - | - | - | - |"])
def test_what_the_reference_repeats_is_no_loop(text):
    assert spans(text, text) == []
    assert spans(f"before {text} after", f"Before {text} after.") == []
    assert spans("nothing of it", f"before {text} after") != []


def test_twice_as_often_as_in_the_reference_is_no_loop_and_more_is():
    assert spans("-" * 20, "-" * 40) == []
    assert spans("-" * 20, "-" * 41) == [(0, 41)]


def test_the_same_begun_elsewhere_is_the_same():
    assert spans("abcabcabcabcabcabc", "bcabcabcabcabcabcabca") == []


def test_overlapping_runs_are_one_loop_and_counted_once():
    text = "a" * 20 + "ab" * 10
    (loop,) = find_loops("x", text)
    assert (loop.start, loop.end, loop.share) == (0, 40, 1.0)


def test_runs_exactly_at_the_limits_are_loops():
    assert spans("", "abcd" * 4) == [(0, 16)]
    assert spans("", "abcd" * 3 + "abc") == []
    assert spans("", "abcdefgh" * 3 + "abcdefg") == []
    assert spans("", "abc" * 3, min_repeats=3, min_length=9) == [(0, 9)]


def test_all_loops_are_found_and_not_the_longest_alone():
    assert spans("x", "no no no no no no, and then " + "la la la la la la la") == [(0, 17), (27, 48)]


def test_positions_are_graphemes():
    assert spans("", "e\u0301" * 16 + "x") == [(0, 16)]


def test_two_texts_are_expected():
    with pytest.raises(InputTypeError, match="hypothesis is None, expected one text"):
        find_loops("a", None)
