import statistics

import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import UnknownNameError
from misread.normalize import get_normalizer, normalize
from misread.sockets import get_metrics
from misread.stats import StatisticsSettings, compare_systems, make_group_rows, robustness_curve
from misread.tally import score

REFERENCES = ["abcd", "abcd", "abcd", "abcdefgh", ""]
LEVELS = ["clean", "clean", "light", "heavy", "empty"]
SYSTEMS = {"a": ["abcd", "abcx", "abxx", "abcd", "z"], "b": ["abcd", "abcd", "abcd", "abcdefgh", ""]}


@pytest.fixture(scope="module")
def result():
    keys = SegmentKeys([f"s{row}" for row in range(5)], None, {"level": LEVELS})
    scores = {}
    for name, hypotheses in SYSTEMS.items():
        capture = Capture(Origin("d", name), keys, TextPairs(REFERENCES, hypotheses), [None] * 5)
        scores[name] = score(normalize(capture, get_normalizer("none")), get_metrics(["cer", "wip"]))
    return compare_systems(
        scores, get_metrics(["cer", "wip"]), StatisticsSettings(seed=1, resamples=99), dataset="d", baseline="a"
    )


def test_every_group_of_every_system_has_its_rate_interval_and_number(result):
    rows = make_group_rows(result, "level", "cer")
    assert [(row.system, row.group, row.rate, row.segments) for row in rows] == [
        ("a", "clean", 1 / 8, 2),
        ("a", "empty", None, 1),
        ("a", "heavy", 4 / 8, 1),
        ("a", "light", 2 / 4, 1),
        ("b", "clean", 0.0, 2),
        ("b", "empty", None, 1),
        ("b", "heavy", 0.0, 1),
        ("b", "light", 0.0, 1),
    ]
    assert rows[0].interval is None
    assert [row.group for row in rows if row.is_worst] == ["heavy", "clean"]


def test_the_spread_weighs_every_group_with_a_rate_the_same(result):
    spread = result.fairness["level"]["cer"]["a"]
    rates = [1 / 8, 4 / 8, 2 / 4]
    assert (spread.groups, spread.range, spread.mean) == (3, 3 / 8, pytest.approx(statistics.mean(rates)))
    assert spread.standard_deviation == pytest.approx(statistics.pstdev(rates))
    assert (spread.worst_group, spread.best_group) == ("heavy", "clean")
    assert spread.band == "Significant disparity"


def test_where_higher_is_better_the_worst_group_is_the_lowest_and_no_band_is_named(result):
    spread = result.fairness["level"]["wip"]["a"]
    assert spread.best_group == "clean"
    assert spread.band is None


def test_a_robustness_curve_begins_at_the_clean_level(result):
    curve = robustness_curve(result, "level", "cer", clean="clean")
    assert [(row.level, row.difference) for row in curve if row.system == "a"] == [
        ("clean", 0.0),
        ("empty", None),
        ("heavy", 3 / 8),
        ("light", 3 / 8),
    ]


def test_levels_may_be_given_in_their_order(result):
    curve = robustness_curve(result, "level", "cer", clean="clean", levels=["clean", "light", "heavy"])
    assert [row.level for row in curve] == ["clean", "light", "heavy"] * 2


def test_unknown_names_list_the_choices(result):
    with pytest.raises(UnknownNameError, match=r"unknown group column 'script' in the result of 'd'"):
        make_group_rows(result, "script", "cer")
    with pytest.raises(UnknownNameError, match=r"There are: cer, wip\."):
        make_group_rows(result, "level", "wer")
    with pytest.raises(UnknownNameError, match=r"unknown level 'cleen' in group column 'level'\. Did you mean 'clean'"):
        robustness_curve(result, "level", "cer", clean="cleen")
