"""Tokens of outputs for a language model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.features.token_costs import PRICES, ModelPrice, TokenScore, token_efficiency
from misread.metrics import Kind, summarize
from misread.metrics.base import ScoredText
from misread.sockets import METRICS

EXAMPLE = "INVOICE\nInvoice Number: INV-2024-001\nDate: 2024-03-15\nTotal Amount: $150.00"


@pytest.mark.slow
def test_another_model_counts_by_its_own_encoding_and_price() -> None:
    text = "Übergrößenträger 北京"
    small, large = token_efficiency(text, model="gpt-4o"), token_efficiency(text)
    assert small.total_tokens < large.total_tokens
    assert small.estimated_cost_usd == pytest.approx(small.total_tokens / 1000 * 0.0025)


def test_nothing_has_no_tokens_and_costs_nothing() -> None:
    nothing = token_efficiency("")
    assert (nothing.total_tokens, nothing.token_density, nothing.compression_ratio) == (0, 0.0, 1.0)
    assert (nothing.estimated_cost_usd, nothing.chars_per_token) == (0.0, 0.0)


def test_marks_of_special_tokens_are_text() -> None:
    assert token_efficiency("<|endoftext|>").total_tokens == 7


def test_a_model_without_a_price_lists_those_that_have_one() -> None:
    message = r"unknown model 'gpt-5' in the price table\. Did you mean 'gpt-4'\? There are: gpt-4, gpt-4o, gpt-4o-mini"
    with pytest.raises(UnknownNameError, match=message):
        token_efficiency("a", model="gpt-5")
    with pytest.raises(UnknownNameError, match=message):
        TokenScore("m", "cost", model="gpt-5")


DEAR = ModelPrice(encoding="o200k_base", usd_per_1000_tokens=1000.0, date="2026-01-01", source="a contract")


def test_prices_may_be_given() -> None:
    assert token_efficiency("one", model="mine", prices={"mine": DEAR}).estimated_cost_usd == 1.0
    with pytest.raises(ConfigurationError, match="expected 0 or more"):
        replace(DEAR, usd_per_1000_tokens=-1.0)


def test_a_metric_may_be_given_the_price_of_a_model_that_has_none_or_another_one() -> None:
    metrics = [TokenScore("m", "cost", model=model, price=DEAR) for model in ("mine", "gpt-4")]
    assert [summarize(metric, metric.count(ScoredText([""], ["one"]))).micro for metric in metrics] == [1.0, 1.0]
    assert "|unit:o200k_base|" in str(metrics[1].signature("none"))
    assert "|price:gpt-4=1000.0@2026-01-01|" in str(metrics[1].signature("none"))


def test_every_price_has_its_day_and_source() -> None:
    assert all(price.date and price.source for price in PRICES.values())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("token_density", 28 / 31),
        ("compression_ratio", 28 / 31),
        ("chars_per_token", 78 / 31),
        ("token_cost", 0.000155),
    ],
)
def test_tokens_are_summed_over_outputs(name: str, expected: float) -> None:
    counts = METRICS[name].count(ScoredText(["", ""], [EXAMPLE, "one"]))
    assert summarize(METRICS[name], counts).micro == pytest.approx(expected)


def test_outputs_without_tokens_have_no_density() -> None:
    metric = METRICS["token_density"]
    counts = metric.count(ScoredText(["a"], [""]))
    assert np.isnan(metric.rate(counts)).all()
    assert metric.is_exact(counts).tolist() == [True]


def test_the_signature_of_costs_tells_model_and_day() -> None:
    assert "|price:gpt-4=0.01@2025-11-30|" in str(METRICS["token_cost"].signature("none"))
    assert str(METRICS["token_density"].signature("ws")).startswith("token_density|unit:cl100k_base|norm:none|")


def test_costs_and_characters_are_no_shares() -> None:
    kinds = {name: METRICS[name].kind for name in ("token_density", "compression_ratio", "token_cost")}
    assert kinds == {"token_density": Kind.SHARE, "compression_ratio": Kind.SHARE, "token_cost": Kind.OTHER}
    assert METRICS["chars_per_token"].kind is Kind.OTHER
