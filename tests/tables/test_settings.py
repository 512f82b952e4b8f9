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


def test_a_level_that_no_segment_has_is_refused_with_those_that_there_are():
    settings = ReportSettings(["cer"], group_order={"decade": ["1880", "189O"]})
    with pytest.raises(UnknownNameError) as refusal:
        settings.check_group_order({"decade": ["1880", "1890"]})
    assert str(refusal.value) == (
        "unknown level '189O' in report.group_order.decade. Did you mean '1890'? There are: 1880, 1890."
    )


@pytest.mark.parametrize("levels", [{"decade": ["1880"]}, {"decade": ["1880", "1890"]}, {"writer": ["a"]}, {}])
def test_a_part_of_the_data_may_lack_levels_of_the_order(levels):
    ReportSettings(["cer"], group_order={"decade": ["1880", "1890"]}).check_group_order(levels)


def test_systems_of_one_name_have_their_ids_behind_it():
    settings = ReportSettings(["cer"], names={"a": "Tesseract", "b": "Tesseract", "c": "Kraken", "d": "e", "x": "Data"})
    names = {system: settings.with_systems("abcde").name(system) for system in "abcde"}
    assert names == {"a": "Tesseract (a)", "b": "Tesseract (b)", "c": "Kraken", "d": "e (d)", "e": "e (e)"}


def test_a_data_set_with_the_name_of_a_system_keeps_it():
    settings = ReportSettings(["cer"], names={"iam": "IAM", "htr": "IAM"}).with_systems(["htr"])
    assert (settings.name("iam"), settings.name("htr")) == ("IAM", "IAM")


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
        ({"group_order": {"year": ["1", "2", "1"]}}, "group_order.year names '1' twice; once is enough"),
        ({"figure_formats": ["png"] * 2}, "figure_formats names 'png' twice; once is enough"),
    ],
)
def test_what_cannot_be_shown_is_refused(settings, message):
    with pytest.raises(ConfigurationError, match=rf"report\.{message}"):
        ReportSettings(**{"metrics": ["cer"]} | settings)
