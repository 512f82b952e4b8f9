import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.metrics import Direction
from misread.tables import ReportSettings
from misread.tables.figures.canvas import COLOURS
from misread.tables.figures.trade_off import Errors, draw_trade_off, pareto_front, trade_off_columns

SETTINGS = ReportSettings(["cer"], names={"pero": "costs $5"}, figure_formats=[])
COORDINATES = st.tuples(st.integers(0, 5), st.integers(0, 5))
LOWER = Direction.LOWER_IS_BETTER
POINTS = {"pero": (100.0, 3.0), "kraken": (200.0, 15.6), "tesseract4": (50.0, 3.8)}


def draw(points, folder, systems=None):
    rates = {
        system: {"cer": SimpleNamespace(micro=points[system][1] / 100 if system in points else None, direction=LOWER)}
        for system in systems or sorted(points)
    }
    result = SimpleNamespace(dataset="books", systems=rates, first_system=next(iter(rates.values())))
    taken = {system: effort for system, (effort, _) in points.items()}
    return draw_trade_off(result, "cer", taken, SETTINGS, title="hours", folder=folder, name="error")


@given(st.dictionaries(st.text("abc", max_size=3), COORDINATES))
def test_the_front_is_what_nothing_beats(points):
    def beats(one, other):
        return all(a <= b for a, b in zip(one, other, strict=True)) and one != other

    unbeaten = {name for name in points if not any(beats(points[other], points[name]) for other in points)}
    front = pareto_front(points)
    assert set(front) <= unbeaten
    assert {points[name] for name in front} == {points[name] for name in unbeaten}


@pytest.mark.slow
def test_it_is_the_same_bytes_for_the_same_numbers(tmp_path):
    one, two = (draw(POINTS, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == ["books_cer_error.svg"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


@pytest.mark.slow
def test_it_says_what_the_axes_and_marks_are(tmp_path):
    (path,) = draw(POINTS, tmp_path)
    # Matplotlib notes in comments the texts that it draws as paths.
    texts = set(re.findall("<!-- (.*?) -->", path.read_text(encoding="utf-8")))
    assert {"hours", "CER in %", "costs $5", "kraken", "tesseract4"} <= texts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("least", "most", "ticks"),
    [(0.04, 2.6, {"0.05", "0.1", "0.2", "0.5", "1", "2"}), (0.01, 200, {"0.01", "0.1", "1", "10", "100"})],
)
def test_a_wide_axis_has_few_numbers(tmp_path, least, most, ticks):
    (path,) = draw({"a": (least, 3.0), "b": (most, 2.0)}, tmp_path)
    axis = path.read_text(encoding="utf-8").partition('id="matplotlib.axis_2"')[0]
    numbers = set(re.findall(r"<!-- ([0-9.]+) -->", axis))
    assert ticks <= numbers
    assert len(numbers) <= len(ticks) + 2


def test_where_all_take_much_the_same_the_scale_is_linear(tmp_path):
    (path,) = draw({"a": (1.2, 3.0), "b": (1.6, 2.0)}, tmp_path)
    axis = path.read_text(encoding="utf-8").partition('id="matplotlib.axis_2"')[0]
    numbers = list(map(float, re.findall(r"<!-- ([0-9.]+) -->", axis)))
    assert len(numbers) > 2
    assert len({round(later - sooner, 9) for sooner, later in pairwise(numbers)}) == 1


@pytest.mark.parametrize("points", [{"a": (0.0, 1.0), "b": (2.0, 0.0)}, {"a": (1.0, 0.0), "b": (2.0, 0.0)}])
def test_what_takes_nothing_and_what_has_no_error_is_drawn(tmp_path, points):
    assert draw(points, tmp_path)


@pytest.mark.slow
def test_marks_are_those_of_the_place_among_all_systems(tmp_path):
    both = {"a": (1.0, 1.0), "c": (2.0, 2.0)}
    (alone,), (among,) = (draw(both, tmp_path / name, systems=systems) for name, systems in (("x", "ac"), ("y", "abc")))
    first, second, third = (colour.lower() for colour in COLOURS[:3])
    assert second in alone.read_text(encoding="utf-8")
    drawn = among.read_text(encoding="utf-8")
    assert (first in drawn, second in drawn, third in drawn) == (True, False, True)


def test_one_system_alone_is_not_drawn(tmp_path):
    assert draw({"pero": (0.1, 0.2)}, tmp_path) == []


@given(st.lists(COORDINATES, min_size=2, max_size=6))
def test_a_system_is_dominated_by_one_that_is_no_worse_in_both_and_better_in_one(points):
    by_name = {f"s{number}": point for number, point in enumerate(points)}
    taken, errors = ({name: point[side] for name, point in by_name.items()} for side in (0, 1))
    error, dominated = trade_off_columns({**taken, "free": None}, Errors("CER", errors), SETTINGS)
    for name, point in by_name.items():
        better = [other for other, own in by_name.items() if own[0] <= point[0] and own[1] <= point[1] and own != point]
        row = SimpleNamespace(system=name)
        assert error.value(row) == point[1]
        assert (dominated.value(row) in better) if better else dominated.value(row) is None
    assert dominated.value(SimpleNamespace(system="free")) is None
    assert trade_off_columns({"s0": 1.0}, Errors("CER", errors), SETTINGS) == []
