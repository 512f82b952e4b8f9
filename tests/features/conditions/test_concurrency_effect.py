"""The test of an effect of concurrency, beside an enumeration of all exchanges."""

import random
from itertools import permutations, product

import pytest

from misread.features.conditions.concurrency_effect import test_exchangeability as exchangeability

SAME = [["a", "a"], ["a", "a"], ["a", "a"]]
ODD_PAIR = [["a", "a"], ["a", "a"], ["b", "b"]]
ODD_ONE = [["a", "a"], ["a", "a"], ["a", "b"]]
ALL_OTHERS = [["a", "a"], ["b", "b"], ["c", "c"]]


def enumerated(texts):
    """Twice the smaller share of all exchanges that are at least as extreme, by definitions written anew."""

    def statistics(segments):
        piles = [0, 0, 0]
        agreements = 0
        for segment in segments:
            flat = [text for repeats in segment for text in repeats]
            for number, repeats in enumerate(segment):
                piles[number] += sum(sum(text != other for other in flat) for text in repeats)
                agreements += repeats[0] == repeats[1]
        return sum(pile**2 for pile in piles), agreements

    observed = statistics(texts)
    exchanges = []
    for segment in texts:
        # Each distinct order is equally likely.
        orders = set(permutations([text for repeats in segment for text in repeats]))
        exchanges.append([[list(order[0:2]), list(order[2:4]), list(order[4:6])] for order in orders])
    counts, total = [0, 0], 0
    for chosen in product(*exchanges):
        total += 1
        for number, value in enumerate(statistics(chosen)):
            counts[number] += value >= observed[number]
    return min(1.0, 2 * min(counts) / total)


@pytest.mark.parametrize(
    "texts",
    [[ODD_PAIR], [ODD_ONE, ODD_ONE], [ODD_PAIR, ODD_PAIR], [ODD_PAIR, ODD_ONE], [ALL_OTHERS, SAME], [ALL_OTHERS] * 2],
    ids=["pair", "ones", "pairs", "pair and one", "all others", "all others twice"],
)
def test_p_is_that_of_all_exchanges(texts):
    assert exchangeability(texts, permutations=19_999, seed=1) == pytest.approx(enumerated(texts), abs=0.012)


def test_p_is_one_where_nothing_changes():
    assert exchangeability([SAME] * 5, permutations=99, seed=1) == 1.0


def test_segments_whose_texts_do_not_change_say_nothing():
    alone = exchangeability([ODD_PAIR] * 3, permutations=999, seed=1)
    assert exchangeability([*[SAME] * 50, *[ODD_PAIR] * 3], permutations=999, seed=1) == alone


def test_p_is_never_zero():
    assert exchangeability([ALL_OTHERS] * 40, permutations=99, seed=1) == 2 / 100


def noisy(rng, share, segments):
    """Readings that change at random, whatever the concurrency."""
    return [
        [[rng.choice("bcd") if rng.random() < share else "a" for _ in "12"] for _ in "123"] for _ in range(segments)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("share", "segments"), [(0.02, 60), (0.3, 15)])
def test_noise_is_taken_for_an_effect_no_more_often_than_the_level_says(share, segments):
    rng = random.Random(5)
    pvalues = [exchangeability(noisy(rng, share, segments), permutations=199, seed=number) for number in range(400)]
    # 400 tests at .05: more than 37 come once in 1,000 times.
    assert sum(pvalue < 0.05 for pvalue in pvalues) <= 37


def test_more_noise_at_one_concurrency_is_an_effect():
    rng = random.Random(5)
    texts = [[["a", "a"], ["a", "a"], [rng.choice("ab"), rng.choice("ab")]] for _ in range(20)]
    assert exchangeability(texts, permutations=999, seed=1) < 0.01
