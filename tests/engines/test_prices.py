import math

import pytest

from misread.engines.prices import ModelPrice
from misread.errors import ConfigurationError

OF = {"date": "2026-01-01", "source": "a contract"}


@pytest.mark.parametrize(
    ("price", "cost"),
    [
        ({}, 0.0),
        ({"usd_per_segment": 0.25}, 0.5),
        ({"usd_per_1000_tokens": 2.0, "usd_per_1000_output_tokens": 8.0}, 6.0 + 8.0),
        ({"usd_per_1000_tokens": 2.0, "usd_per_1000_output_tokens": 0.0}, 6.0),
        ({"usd_per_segment": 0.25, "usd_per_1000_tokens": 2.0, "usd_per_1000_output_tokens": 8.0}, 14.5),
    ],
)
def test_a_cost_is_the_sum_of_what_is_paid_for(price, cost):
    assert ModelPrice(**price, **OF).cost(segments=2, input_tokens=3000, output_tokens=1000) == cost


def test_tokens_of_an_answer_without_a_price_are_not_free():
    price = ModelPrice(usd_per_1000_tokens=2.0, **OF)
    assert math.isnan(price.cost(segments=1, input_tokens=1000, output_tokens=1))
    assert price.cost(segments=1, input_tokens=1000, output_tokens=0) == 2.0


@pytest.mark.parametrize(
    "name", ["usd_per_1000_tokens", "usd_per_1000_output_tokens", "usd_per_segment", "tokens_per_image"]
)
@pytest.mark.parametrize("value", [-1, math.nan, math.inf])
def test_a_price_is_zero_or_more(name, value):
    with pytest.raises(ConfigurationError, match=rf"^{name} is {value}, expected 0 or more\.$"):
        ModelPrice(**{name: value}, **OF)
