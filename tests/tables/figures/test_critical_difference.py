import pytest

from misread import stats
from misread.stats import AverageRanks, NemenyiResult
from misread.tables import ReportSettings
from misread.tables.figures import draw_critical_difference
from misread.tables.figures.critical_difference import find_bars

SETTINGS = ReportSettings(["cer"], names={"pero": "PERO", "odd": "costs $5 to $6"}, figure_formats=[])


def ranks(average_ranks, critical_difference=1.1):
    nemenyi = NemenyiResult(
        average_ranks=average_ranks, critical_difference=critical_difference, alpha=0.05, blocks=9, pairs=()
    )
    friedman = stats.TestResult(
        name="friedman",
        statistic=9.0,
        pvalue=0.0004,
        effect_size=0.5,
        effect_size_name="kendalls_w",
        n=9,
        dropped=0,
        method="chi-square",
        unit="book",
    )
    return AverageRanks(friedman=friedman, nemenyi=nemenyi, dropped=0)


THREE = ranks({"pero": 1.2, "tesseract4": 1.9, "odd": 2.9})


def drawn(of, folder):
    return draw_critical_difference(of, SETTINGS, folder / "ranks")


def test_it_is_the_same_bytes_for_the_same_numbers(tmp_path):
    one, two = (drawn(THREE, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == ["ranks.svg"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_names_ranks_and_the_critical_difference_are_said(tmp_path):
    svg = drawn(THREE, tmp_path)[0].read_text()
    for text in ("PERO 1.20", "tesseract4 1.90", "costs $5 to $6 2.90", "CD = 1.10 at level 0.05", "over 9 books"):
        assert f"{text}" in svg
    assert "Friedman p &lt; 0.001" in svg or "Friedman p < 0.001" in svg


@pytest.mark.parametrize("number", [3, 12])
def test_any_number_of_systems_and_any_difference_is_drawn(tmp_path, number):
    of = {f"system_{place}": 1 + place * 0.9 for place in range(number)}
    assert drawn(ranks(of, number + 3.0), tmp_path)


@pytest.mark.parametrize(
    ("values", "critical_difference", "bars"),
    [
        ([1.0, 2.0, 3.0], 0.5, []),
        ([1.0, 2.0, 3.0], 1.0, [(0, 1), (1, 2)]),
        ([1.0, 1.5, 2.0, 4.0], 1.2, [(0, 2)]),
        ([2.0, 2.0, 2.0], 0.0, [(0, 2)]),
    ],
)
def test_bars_join_the_longest_runs_that_cannot_be_told_apart(values, critical_difference, bars):
    assert find_bars(values, critical_difference) == bars
