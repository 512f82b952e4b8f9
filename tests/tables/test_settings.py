from dataclasses import replace

import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.metrics import Kind
from misread.tables import ReportSettings


def test_a_table_needs_a_metric():
    with pytest.raises(ConfigurationError, match=r"report\.metrics is empty"):
        ReportSettings([])


@pytest.mark.parametrize("digits", [-1, 7])
def test_digits_have_bounds(digits):
    with pytest.raises(ConfigurationError, match=rf"report\.digits is {digits}, expected 0 to 6"):
        ReportSettings(["cer"], digits=digits)


def test_an_id_without_a_name_stands_for_itself():
    assert ReportSettings(["cer"], names={"a": "A"}).name("b") == "b"


def test_groups_without_a_place_follow_by_name():
    settings = ReportSettings(["cer"], group_order={"year": ["1858", "1801"]})
    assert settings.sort_groups("year", ["1900", "1801", "1850", "1858"]) == ["1858", "1801", "1850", "1900"]


def test_groups_of_an_unordered_column_stand_by_name():
    assert ReportSettings(["cer"]).sort_groups("side", ["r", "l"]) == ["l", "r"]


def test_numbers_in_the_names_of_groups_stand_by_their_size():
    assert ReportSettings(["cer"]).sort_groups("length", ["11-40", "3-9", "p10", "p9"]) == ["3-9", "11-40", "p9", "p10"]


@pytest.mark.parametrize(("name", "value"), [("unit", "permille"), ("order", "random")])
def test_a_way_of_showing_that_does_not_exist_is_refused_with_the_choices(name, value):
    with pytest.raises(UnknownNameError, match=f"unknown {name} '{value}' in report.*There are: "):
        ReportSettings(["cer"], **{name: value})


def test_a_figure_format_that_does_not_exist_is_refused_with_the_choices():
    with pytest.raises(UnknownNameError, match=r"unknown figure format 'eps' in report.*There are: pdf, png"):
        ReportSettings(["cer"], figure_formats=["eps"])


def test_a_negative_number_of_confusions_is_an_error():
    with pytest.raises(ConfigurationError, match=r"report\.confusions is -1, expected 0 or more"):
        ReportSettings(["cer"], confusions=-1)


def test_scores_that_are_no_shares_are_never_in_per_cent(make_rate):
    settings = ReportSettings(["cer", "token_cost"])
    assert settings.rates_of(replace(make_rate(0.1), kind=Kind.OTHER)).rate(0.000408) == "0.00041"
    assert settings.rates_of(make_rate(0.1)).rate(0.0408) == "4.08"


@pytest.mark.parametrize(
    ("settings", "twice"),
    [
        ({"metrics": ["cer", "wer", "cer"]}, "metrics names 'cer'"),
        ({"columns": ["pvalue"] * 2}, "columns names 'pvalue'"),
        ({"figure_formats": ["png"] * 2}, "figure_formats names 'png'"),
    ],
)
def test_what_is_named_twice_is_refused(settings, twice):
    with pytest.raises(ConfigurationError, match=rf"report\.{twice} twice; once is enough"):
        ReportSettings(**{"metrics": ["cer"]} | settings)
