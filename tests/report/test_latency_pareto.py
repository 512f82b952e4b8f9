from hypothesis import given
from hypothesis import strategies as st
from tests.report.timings import make_timings

from misread.data.segment_table import Origin
from misread.report.latency import draw_pareto, pareto_front
from misread.tables import ReportSettings

SETTINGS = ReportSettings(["cer"], names={"pero": "costs $5"}, figure_formats=[])
COORDINATES = st.tuples(st.integers(0, 5), st.integers(0, 5))


def timings(seconds):
    return make_timings(Origin("books", "x"), seconds)


@given(st.dictionaries(st.text("abc", max_size=3), COORDINATES))
def test_the_front_is_what_nothing_beats(points):
    def beats(one, other):
        return all(a <= b for a, b in zip(one, other, strict=True)) and one != other

    unbeaten = {name for name in points if not any(beats(points[other], points[name]) for other in points)}
    front = pareto_front(points)
    assert set(front) <= unbeaten
    assert {points[name] for name in front} == {points[name] for name in unbeaten}


def test_it_is_the_same_bytes_for_the_same_numbers(tmp_path, three):
    measured = {"pero": timings(0.1), "kraken": timings(0.2), "tesseract4": timings(0.05)}
    one, two = (draw_pareto(three, "cer", measured, SETTINGS, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == ["books_cer_by_latency.svg"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_without_any_error_it_is_drawn_and_of_one_system_alone_it_is_not(tmp_path, three, make_result):
    measured = {"a": timings(0.1), "b": timings(0.2)}
    assert draw_pareto(make_result({"a": 0.0, "b": 0.0}), "cer", measured, SETTINGS, tmp_path)
    assert draw_pareto(three, "cer", {"pero": timings(0.1)}, SETTINGS, tmp_path) == []
