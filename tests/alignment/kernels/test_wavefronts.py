import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread import distances, error_counts
from misread.alignment import find_operations
from misread.alignment.kernels import wavefronts

WIDTHS = (np.uint8, np.uint16, np.uint32)
MOST = 600
# Units of texts for which there is room for so many errors.
ROOM = 24_000
# One character and several, of every width that Python holds; few symbols make many alignments of equal cost.
ALPHABETS = ("a", "ab", "\0\xff", "etaoinshrd ", "aş漢", "a😀\U0010ffff")


def measure(reference, hypothesis, most, width=np.uint32):
    """Code texts and measure them with room for `MOST` errors, whatever `find_most_errors` says."""
    alphabet = {symbol: code for code, symbol in enumerate(sorted({*reference, *hypothesis}))}
    sides = [np.array([alphabet[symbol] for symbol in text], width) for text in (reference, hypothesis)]
    scratch = wavefronts.make_wave_scratch(sides[0], ROOM, ROOM)
    return wavefronts.measure_few_errors(*sides, most, scratch)


def corrupt(text, alphabet, rate, rng):
    return "".join(
        rng.choice(("", rng.choice(alphabet), letter + rng.choice(alphabet))) if rng.random() < rate else letter
        for letter in text
    )


def draw_book(alphabet, rate, *, length=12_000, seed=1):
    rng = random.Random(seed)  # noqa: S311 - a book is no secret
    reference = "".join(rng.choices(alphabet, k=length))
    return reference, corrupt(reference, alphabet, rate, rng)


@given(st.text("ab", max_size=40), st.text("abc", max_size=40), st.sampled_from(WIDTHS))
def test_distance_of_unrelated_texts_equals_that_of_rapidfuzz(reference, hypothesis, width):
    # No more errors than the longer text has units, and nothing is given up before the first look.
    assert measure(reference, hypothesis, 40, width) == Levenshtein.distance(reference, hypothesis)


@given(
    st.sampled_from(ALPHABETS),
    st.integers(0, 800),
    st.sampled_from((0.0, 0.01, 0.1, 0.5)),
    st.randoms(use_true_random=True),
    st.booleans(),
)
def test_distance_of_related_texts_equals_that_of_rapidfuzz(alphabet, length, rate, rng, swap):
    reference = "".join(rng.choices(alphabet, k=length))
    sides = reference, corrupt(reference, alphabet, rate, rng)
    if swap:
        sides = sides[::-1]
    expected = Levenshtein.distance(*sides)
    distance = measure(*sides, MOST)
    assert distance == expected or (distance == wavefronts.GIVEN_UP and expected > wavefronts._FIRST_LOOK)


@pytest.mark.parametrize("most", [0, 1, 9, 10, 11])
def test_a_distance_above_the_most_is_given_up(most):
    reference = "abcdefghij" * 30
    hypothesis = reference.replace("j", "x", 10)
    assert measure(reference, hypothesis, most) == (10 if most >= 10 else wavefronts.GIVEN_UP)


@pytest.mark.parametrize("reference", ["", "a", "abc"])
@pytest.mark.parametrize("hypothesis", ["", "abc", "de"])
def test_texts_may_be_empty_equal_or_disjoint(reference, hypothesis):
    assert measure(reference, hypothesis, 3) == Levenshtein.distance(reference, hypothesis)


def test_texts_with_nothing_in_common_are_given_up_at_the_first_look():
    assert measure("a" * 5000, "b" * 5000, MOST) == wavefronts.GIVEN_UP


def test_more_errors_of_a_unit_are_few_in_a_short_text_and_fewer_where_operations_are_wanted():
    long, short = (wavefronts.find_most_errors(units, units, False) / units for units in (140_000, 1000))
    assert 0.02 < long < 0.03 < short < 0.2
    assert wavefronts.find_most_errors(1000, 1000, True) < 0.02 * 1000
    assert wavefronts.find_most_errors(140_000, 100_000, False) == 0


@pytest.mark.parametrize("rate", [0.002, 0.01, 0.018, 0.03, 0.15])
@pytest.mark.parametrize("alphabet", ALPHABETS[1:])
def test_distances_of_books_are_those_of_rapidfuzz_with_any_hint(alphabet, rate):
    reference, hypothesis = draw_book(alphabet, rate)
    expected = Levenshtein.distance(reference, hypothesis)
    for hint in (None, 0, expected, 10 * expected):
        assert distances(reference, hypothesis, score_hint=hint).tolist() == [expected]
    assert error_counts(reference, hypothesis).errors.tolist() == [expected]


@pytest.mark.parametrize("rate", [0.002, 0.015])
@pytest.mark.parametrize("alphabet", ALPHABETS[1:4])
def test_the_operations_of_a_book_are_the_same_with_its_distance_and_without(alphabet, rate):
    book = draw_book(alphabet, rate)
    # After a pair with nothing in common no small distance is expected, and the band is tried at once.
    other = "#" * 20_000, "%" * 20_000
    alone = find_operations([book[0]], [book[1]]).codes
    after = find_operations([other[0], book[0]], [other[1], book[1]]).codes
    assert after[20_000:].tolist() == alone.tolist()


def test_a_pair_has_the_same_distance_whatever_pairs_came_before():
    books = [draw_book("etaoinshrd ", rate, seed=seed) for seed, rate in enumerate((0.1, 0.01, 0.0, 0.003, 0.3, 0.01))]
    together = distances([book[0] for book in books], [book[1] for book in books]).tolist()
    assert together == [int(distances(*book)[0]) for book in books]
    assert together == [Levenshtein.distance(*book) for book in books]
