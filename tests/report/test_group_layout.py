import pytest

from misread.errors import UnknownNameError
from misread.report import ReportSettings, lay_out_groups, render_csv


@pytest.fixture
def by_script(make_result):
    """Two systems on two scripts."""
    rates = {"latin": {"a": 0.01, "b": 0.02}, "arabic": {"a": 0.06, "b": 0.02}}
    groups = {
        group: {
            system: {"cer": {"micro": rate, "segments": 7, "confidence_interval": None}} for system, rate in of.items()
        }
        for group, of in rates.items()
    }
    return make_result({"a": 0.035, "b": 0.02}, groups={"script": groups})


def shown(table):
    return [[cell.plain for cell in row] for row in table.rows]


def test_every_group_and_system_has_a_row(by_script):
    table = lay_out_groups(by_script, "script", "cer", ReportSettings(["cer"], names={"a": "Anna"}))
    assert [column.title for column in table.columns] == ["script", "system", "CER %", "", "n"]
    assert shown(table) == [
        ["arabic", "Anna", "6.00", "", "7"],
        ["arabic", "b", "2.00", "", "7"],
        ["latin", "Anna", "1.00", "", "7"],
        ["latin", "b", "2.00", "", "7"],
    ]


def test_the_worst_group_of_each_system_is_bold(by_script):
    table = lay_out_groups(by_script, "script", "cer", ReportSettings(["cer"]))
    assert [row[2].is_bold for row in table.rows] == [True, False, False, True]


def test_the_spread_of_each_system_stands_below(by_script):
    notes = lay_out_groups(by_script, "script", "cer", ReportSettings(["cer"])).notes
    assert notes[0] == (
        "a: range 5.00, standard deviation 2.50 over 2 groups of equal weight; worst arabic, best latin. "
        "Moderate disparity."
    )
    assert len(notes) == 2


def test_levels_of_degradation_stand_beside_their_difference_to_the_clean_one(by_script):
    settings = ReportSettings(["cer"], group_order={"script": ["latin"]}, degradation=["script"])
    table = lay_out_groups(by_script, "script", "cer", settings)
    assert table.columns[-1].title == "Δ to latin"
    assert [row[-1].text for row in table.rows] == ["0.00", "0.00", "+5.00", "0.00"]
    assert table.notes == ["Segments of two levels are different ones: differences between levels are not paired."]


def test_records_hold_the_numbers_unrounded(by_script):
    rows = render_csv([lay_out_groups(by_script, "script", "cer", ReportSettings(["cer"]))]).splitlines()
    assert rows[0].startswith("dataset,metric,column,group,system,rate,low,high,segments,difference_to_clean,worst,")
    assert rows[1].startswith("books,cer,script,arabic,a,0.060000,,,7,,yes,")


def test_an_unknown_column_lists_the_choices(by_script):
    with pytest.raises(UnknownNameError, match="There are: script"):
        lay_out_groups(by_script, "language", "cer", ReportSettings(["cer"]))
