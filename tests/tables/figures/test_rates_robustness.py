from dataclasses import replace

import pytest

from misread.tables import ReportSettings
from misread.tables.figures.rates import draw_robustness

SETTINGS = ReportSettings(["cer"], group_order={"degradation": ["clean", "light", "heavy"]}, figure_formats=[])


@pytest.mark.slow
def test_it_is_the_same_bytes_for_the_same_numbers(tmp_path, grouped):
    one, two = (draw_robustness(grouped, "cer", "degradation", SETTINGS, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == ["books_cer_robustness_degradation.svg"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


@pytest.mark.slow
def test_levels_stand_in_their_order(tmp_path, grouped):
    svg = draw_robustness(grouped, "cer", "degradation", SETTINGS, tmp_path)[0].read_text()
    places = [svg.index(f"<!-- {level} -->") for level in ("clean", "light", "heavy")]
    assert places == sorted(places)


def test_a_level_without_a_rate_is_a_gap(tmp_path, grouped, make_group):
    levels = grouped.groups["degradation"]
    light = {**levels["light"], "pero": {"cer": make_group(None)}}
    grouped = replace(grouped, groups={"degradation": {**levels, "light": light}})
    assert draw_robustness(grouped, "cer", "degradation", SETTINGS, tmp_path)
