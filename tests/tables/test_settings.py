from dataclasses import replace

import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.metrics import Kind
from misread.tables import ReportSettings


def test_an_id_without_a_name_stands_for_itself():
    assert ReportSettings(["cer"], names={"a": "A"}).name("b") == "b"


@pytest.mark.parametrize(
    ("column", "groups", "expected"),
    [
        ("year", ["1900", "1801", "1850", "1858"], ["1858", "1801", "1850", "1900"]),
        ("side", ["r", "l"], ["l", "r"]),
        ("length", ["11-40", "3-9", "p10", "p9"], ["3-9", "11-40", "p9", "p10"]),
    ],
)
def test_groups_without_a_place_follow_by_name_and_numbers_in_names_by_their_size(column, groups, expected):
    assert ReportSettings(["cer"], group_order={"year": ["1858", "1801"]}).sort_groups(column, groups) == expected


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"unit": "permille"}, r"unit 'permille' in report.*There are: "),
        ({"order": "random"}, r"order 'random' in report.*There are: "),
        ({"figure_formats": ["eps"]}, r"figure format 'eps' in report.*There are: pdf, png"),
        ({"columns": ["pvalues"]}, r"column 'pvalues' in report\. Did you mean 'pvalue'"),
    ],
)
def test_a_way_of_showing_that_does_not_exist_is_refused_with_the_choices(settings, message):
    with pytest.raises(UnknownNameError, match=f"unknown {message}"):
        ReportSettings(["cer"], **settings)


def test_scores_that_are_no_shares_are_never_in_per_cent(make_rate):
    settings = ReportSettings(["cer", "token_cost"])
    assert settings.rates_of(replace(make_rate(0.1), kind=Kind.OTHER)).rate(0.000408) == "0.00041"
    assert settings.rates_of(make_rate(0.1)).rate(0.0408) == "4.08"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"metrics": []}, "metrics is empty"),
        ({"digits": -1}, "digits is -1, expected 0 to 6"),
        ({"digits": 7}, "digits is 7, expected 0 to 6"),
        ({"confusions": -1}, "confusions is -1, expected 0 or more"),
        ({"metrics": ["cer", "wer", "cer"]}, "metrics names 'cer' twice; once is enough"),
        ({"columns": ["pvalue"] * 2}, "columns names 'pvalue' twice; once is enough"),
        ({"figure_formats": ["png"] * 2}, "figure_formats names 'png' twice; once is enough"),
    ],
)
def test_what_cannot_be_shown_is_refused(settings, message):
    with pytest.raises(ConfigurationError, match=rf"report\.{message}"):
        ReportSettings(**{"metrics": ["cer"]} | settings)
