"""The order in which units are typed: nested samples with known probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.features.disputes.agreement.test_estimator import corpus

from misread.errors import ConfigurationError, InputFileError
from misread.features.disputes.agreement.order import draw_units, inclusion_probabilities, order_units, read_order

SIZES = st.lists(st.floats(0.01, 1000), min_size=1, max_size=12).map(np.array)


@given(SIZES, st.data())
def test_probabilities_are_proportional_to_size_and_add_up(size, data):
    number = data.draw(st.integers(1, len(size)))
    probability = inclusion_probabilities(size, number)
    assert probability.sum() == pytest.approx(number)
    assert probability.max() <= 1 + 1e-12
    free = probability < 1 - 1e-9
    if free.any():
        assert probability[free] / size[free] == pytest.approx(probability[free][0] / size[free][0])
        # No certain unit would have been less than certain.
        assert (size[~free] * probability[free][0] / size[free][0] >= 1 - 1e-9).all()


@given(SIZES, st.integers(0, 10**6))
def test_the_first_of_the_order_are_the_sample_of_their_number(size, seed):
    number = np.random.default_rng(seed).random(len(size))
    order = order_units(size, number)
    assert sorted(order) == list(range(len(size)))
    certain_before = 0
    for units in range(1, len(size) + 1):
        certain = np.flatnonzero(inclusion_probabilities(size, units) >= 1 - 1e-12)
        grows_by_more = len(certain) > certain_before + 1
        certain_before = len(certain)
        if grows_by_more:
            break
        rest = [unit for unit in np.argsort(number / size) if unit not in certain]
        assert {*order[:units]} == {*certain, *rest[: units - len(certain)]}


@pytest.mark.parametrize(
    ("size", "typed", "most"),
    [
        (np.append(np.linspace(1, 4, 39), 20), 12, 0.035),
        (np.exp(np.random.default_rng(3).normal(0, 1.5, 40)), 10, 0.05),
    ],
    ids=["one large", "heavy tails"],
)
def test_units_are_drawn_with_their_probabilities_also_where_the_sample_was_prolonged(size, typed, most):
    drawn, direct = np.zeros(40), np.zeros(40)
    probability = inclusion_probabilities(size, typed)
    certain = probability >= 1 - 1e-12
    for seed in range(3000):
        number = np.random.default_rng(seed).random(40)
        drawn[order_units(size, number)[:typed]] += 1
        direct[np.argsort(np.where(certain, -1, number / size))[:typed]] += 1
    assert (drawn[certain] == 3000).all()
    assert drawn / 3000 == pytest.approx(direct / 3000, abs=0.03)
    # Those of sequential Poisson sampling are proportional to size in the limit alone.
    assert drawn / 3000 == pytest.approx(probability, abs=most)


def test_many_units_are_ordered_at_once():
    size = np.random.default_rng(1).pareto(1, 20_000)
    assert sorted(order_units(size, np.random.default_rng(2).random(20_000))) == [*range(20_000)]


def test_an_order_is_read_as_it_was_written(tmp_path):
    made = corpus(1)
    units = [f"=page {unit}" for unit in range(12)]
    order = draw_units(made, units, draw="disagreement", seed=3, texts="ab")
    order.save(tmp_path / "order.csv")
    read = read_order(tmp_path / "order.csv")
    assert (read.units, read.drawn, read.texts) == (order.units, "disagreement(0.5,seed=3)", "ab")
    assert read.probabilities(5).tolist() == order.probabilities(5).tolist()
    # Long and disputed units have more; none has more than twice what it has by its length.
    by_length = made.sum_by_unit(made.lengths.mean(axis=1)) / made.lengths.mean(axis=1).sum()
    sizes = dict(zip(order.units, order.size, strict=True))
    assert all(sizes[unit] >= share / 2 for unit, share in zip(units, by_length, strict=True))
    alike = draw_units(made, units, draw="random", seed=3, texts="ab")
    assert alike.probabilities(6).tolist() == [0.5] * 12
    for text in ("", "place,unit\n1,a\n", (tmp_path / "order.csv").read_text().replace("\n2,", "\n7,")):
        (tmp_path / "other.csv").write_text(text or "a,b\n1,2\n")
        with pytest.raises(InputFileError):
            read_order(tmp_path / "other.csv")


def test_a_share_of_the_length_is_above_0_and_of_a_draw_by_disagreement():
    for draw, share in (("disagreement", 0.0), ("disagreement", 1.5), ("random", 0.5)):
        with pytest.raises(ConfigurationError, match="expected a share above 0"):
            draw_units(corpus(1), list("abcdefghijkl"), draw=draw, seed=1, texts="", by_length=share)
