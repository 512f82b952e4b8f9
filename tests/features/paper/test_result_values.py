from dataclasses import replace

import pytest

from misread.features.paper.result_values import ResultValue, read_result_values
from misread.tables.numbers import RateFormat


@pytest.fixture
def values(three, grouped):
    return read_result_values([replace(three, groups=grouped.groups)])


@pytest.mark.parametrize(
    ("key", "value", "kind"),
    [
        ("books.segments", 60, "count"),
        ("books.clusters", 12, "count"),
        ("books.pero.cer.micro", 0.0301, "rate"),
        ("books.pero.cer.low", 0.0201, "rate"),
        ("books.pero.cer.errors", 10, "count"),
        ("books.pero-vs-tesseract4.cer.difference", -0.008, "difference"),
        ("books.pero-vs-tesseract4.cer.high", 0.002, "difference"),
        ("books.pero-vs-tesseract4.cer.pvalue_adjusted", 0.31, "pvalue"),
        ("books.kraken-vs-pero.cer.better", 1, "count"),
        ("books.by.degradation.heavy.kraken.cer.micro", 0.1, "rate"),
        ("books.by.degradation.heavy.kraken.cer.segments", 20, "count"),
    ],
)
def test_every_number_has_a_key_and_a_kind(values, key, value, kind):
    assert values[key].value == pytest.approx(value)
    assert values[key].kind == kind


def test_what_is_no_number_has_no_key(values):
    of_results = [key for key in values if not key.startswith("books.statistics.")]
    assert not any(
        part in key for key in of_results for part in ("significant", "signature", "direction", "kind", "confidence")
    )


def test_undefined_rates_have_no_key(make_result):
    values = read_result_values([make_result({"a": 0.1, "b": None})])
    assert "books.a.cer.micro" in values
    assert "books.b.cer.micro" not in values


def test_names_of_groups_are_made_safe_and_stay_apart(make_result, make_group):
    of = {"a": {"cer": make_group(0.1)}}
    values = read_result_values([make_result({"a": 0.1}, groups={"era": {"18 %": of, "18-": of, "ä\\": of}})])
    assert [key for key in values if key.endswith("micro") and ".by." in key] == [
        "books.by.era.18-.a.cer.micro",
        "books.by.era.-.a.cer.micro",
    ]
    assert "books.by.era.18-.a.cer.micro-2" in values


def test_rates_follow_the_unit_of_the_report():
    assert ResultValue(0.0301, "rate").text(RateFormat(3, "fraction")) == "0.030"
    assert ResultValue(0.0301, "rate").text(RateFormat()) == "3.01"
    assert ResultValue(0.038, "difference").text(RateFormat()) == "+3.80"
    assert ResultValue(0.0001, "pvalue").text(RateFormat()) == "< 0.001"
    assert ResultValue(1234, "count").text(RateFormat()) == "1234"
    assert ResultValue(1.23456, "number").text(RateFormat()) == "1.235"
