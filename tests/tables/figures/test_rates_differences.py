import pytest

from misread.tables import ReportSettings
from misread.tables.figures.rates import draw_differences

SETTINGS = ReportSettings(["cer"], names={"pero": "PERO"}, figure_formats=[])


@pytest.mark.slow
def test_it_is_the_same_bytes_for_the_same_numbers(tmp_path, three):
    one, two = (draw_differences(three, "cer", SETTINGS, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == ["books_cer_differences.svg"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_every_pair_is_named_by_both_systems(tmp_path, three):
    svg = draw_differences(three, "cer", SETTINGS, tmp_path)[0].read_text()
    assert {"PERO – tesseract4", "kraken – tesseract4", "kraken – PERO"} <= {
        line.strip()[5:-4] for line in svg.splitlines() if line.strip().startswith("<!-- ")
    }


@pytest.mark.slow
def test_pairs_that_are_not_significant_are_hollow(tmp_path, make_result):
    systems = {"a": 0.1, "b": 0.11}
    found = [
        draw_differences(make_result(systems, {("a", "b"): pvalue}), "cer", SETTINGS, tmp_path)[0].read_text()
        for pvalue in (0.0001, 0.5)
    ]
    assert ["fill: #ffffff; stroke: #0072b2" in svg for svg in found] == [False, True]


def test_without_intervals_or_pairs_there_is_no_figure(tmp_path, make_result):
    assert draw_differences(make_result({"a": 0.1, "b": 0.2}, with_interval=False), "cer", SETTINGS, tmp_path) == []
    assert draw_differences(make_result({"a": 0.1}), "cer", SETTINGS, tmp_path) == []
