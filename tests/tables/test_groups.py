from dataclasses import replace

import pytest

from misread.errors import UnknownNameError
from misread.stats import ConfidenceInterval, GroupResult
from misread.tables import ReportSettings, lay_out_fairness, lay_out_groups

SETTINGS = ReportSettings(["cer"], group_order={"level": ["clean", "light"]}, degradation=["level"])


INTERVAL = ConfidenceInterval(low=0.005, high=0.07, confidence=0.95, method="percentile")


@pytest.fixture
def levels(make_result):
    """One system that degrades, and one of which a group has no rate."""
    rates = {"a": {"clean": 0.01, "light": 0.02, "heavy": 0.08}, "b": {"clean": 0.03, "light": None, "heavy": 0.03}}
    groups = {
        level: {
            system: {"cer": GroupResult(micro=of[level], segments=20, confidence_interval=INTERVAL)}
            for system, of in rates.items()
        }
        for level in ("clean", "heavy", "light")
    }
    return make_result({"a": 0.03, "b": 0.03}, groups={"level": groups})


def texts(table):
    return [[cell.plain for cell in row] for row in table.cells]


def test_a_row_is_a_group_with_its_size_and_a_column_a_system(levels):
    table = lay_out_groups(levels, "level", "cer", ReportSettings(["cer"], names={"a": "A"}), linked=True)
    assert [column.plain for column in table.headings] == ["level", "n", "A % [95 %]", "b % [95 %]"]
    assert texts(table)[0] == ["clean", "20", "1.00 [0.50, 7.00]", "3.00 [0.50, 7.00]"]
    assert table.cells[0][0].link == "#dataset=books&filter=in%3Alevel%3Aclean"
    # Without an order the first level by name is the clean one.
    table = lay_out_groups(levels, "level", "cer", ReportSettings(["cer"], degradation=["level"]))
    assert table.headings[3].plain == "Δ to clean"


def test_each_level_of_degradation_says_how_far_it_lies_from_the_clean_one(levels):
    table = lay_out_groups(levels, "level", "cer", SETTINGS)
    assert [row[0] for row in texts(table)] == ["clean", "light", "heavy"]
    assert [row[3] for row in texts(table)] == ["", "+1.00", "+7.00"]
    assert [row[5] for row in texts(table)] == ["", "", "0.00"]
    assert [record[-1] for record in table.records if record[4] == "a"] == pytest.approx([0, 0.01, 0.07])


def test_without_a_segment_of_the_clean_level_no_other_takes_its_place(levels):
    settings = ReportSettings(["cer"], group_order={"level": ["pristine", "clean"]}, degradation=["level"])
    table = lay_out_groups(levels, "level", "cer", settings)
    assert [column.plain for column in table.headings] == ["level", "n", "a % [95 %]", "b % [95 %]"]
    assert {record[-1] for record in table.records} == {None}


def test_the_best_of_a_group_leads_if_there_is_another(levels):
    table = lay_out_groups(levels, "level", "cer", ReportSettings(["cer"]))
    assert [[cell.is_leading for cell in row[2:]] for row in table.cells] == [
        [True, False],
        [False, True],
        [True, False],
    ]
    alone = lay_out_groups(levels, "level", "cer", ReportSettings(["cer"]), systems=["a"])
    assert not any(cell.is_leading for row in alone.cells for cell in row)


def test_a_column_that_the_data_set_does_not_have_is_refused_with_those_it_has(levels):
    with pytest.raises(UnknownNameError, match=r"unknown group column 'writer' in the result of.*There are: level"):
        lay_out_groups(levels, "writer", "cer", SETTINGS)


def test_fairness_is_that_of_the_groups_with_a_rate(levels):
    table = lay_out_fairness(levels, "level", "cer", SETTINGS)
    assert texts(table) == [
        ["a", "3", "3.67", "7.00", "3.09", "clean 1.00", "heavy 8.00", "Moderate disparity"],
        ["b", "2", "3.00", "0.00", "0.00", "clean 3.00", "clean 3.00", "Excellent parity"],
    ]


def test_bands_are_words_for_character_error_rates_only(levels):
    without = {name: replace(spread, band=None) for name, spread in levels.fairness["level"]["cer"].items()}
    table = lay_out_fairness(replace(levels, fairness={"level": {"cer": without}}), "level", "cer", SETTINGS)
    assert [column.title for column in table.headings][-1] == "worst group"
    assert {len(row) for row in table.cells} == {len(table.headings)}
