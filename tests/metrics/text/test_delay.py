import numpy as np
import pytest

from misread.errors import InputValueError
from misread.metrics import METRICS, ScoredText


def count(spoken, final, reference="a b c", hypothesis="a x c"):
    texts = ScoredText([reference], [hypothesis], annotations={"spoken_times": [spoken], "final_times": [final]})
    return METRICS["final_word_delay"].count(texts)


def test_the_delay_is_the_mean_over_right_words():
    counts = count([1.0, 2.0, 3.0], [1.5, 9.0, 4.0])
    assert counts.tolist() == [[1_500_000, 2]]
    assert METRICS["final_word_delay"].rate(counts).tolist() == [0.75]


def test_words_left_out_or_added_have_no_delay():
    assert count([1.0, 2.0], [1.25, 1.5, 2.5], "a b", "a x b").tolist() == [[750_000, 2]]
    assert np.isnan(METRICS["final_word_delay"].rate(count([], [1.0], "", "a"))[0])


def test_a_word_that_is_final_before_its_end_is_early():
    assert METRICS["final_word_delay"].rate(count([2.0], [1.5], "a", "a")).tolist() == [-0.5]


@pytest.mark.parametrize(
    ("spoken", "final", "message"),
    [
        ([1.0], [1.0, 2.0, 3.0], "1 spoken_times, expected seconds for each of its 3 words"),
        ([1.0, 2.0, 3.0], None, "no final_times"),
        ([1.0, 2.0, 3.0], [1.0, None, 3.0], "3 final_times"),
        ([1.0, 2.0, float("inf")], [1.0, 2.0, 3.0], "3 spoken_times"),
    ],
)
def test_times_that_do_not_fit_the_words_are_refused(spoken, final, message):
    with pytest.raises(InputValueError, match=f"segment 1 has {message}"):
        count(spoken, final)
