from dataclasses import replace
from itertools import pairwise

import pytest
from matplotlib.figure import Figure

from misread.tables import ReportSettings
from misread.tables.figures.canvas import mark_of
from misread.tables.figures.rates import draw_rates, draw_robustness

SETTINGS = ReportSettings(["cer"], group_order={"degradation": ["clean", "light", "heavy"]})


def drawn(result, folder, settings=SETTINGS):
    return {path.name: path.read_bytes() for path in draw_rates(result, "cer", settings, folder)}


def svg(result, folder, settings=SETTINGS):
    (content,) = drawn(result, folder, replace(settings, figure_formats=[])).values()
    return content.decode()


def comments(text):
    """Matplotlib draws letters as outlines and keeps each text in a comment."""
    return [line.strip()[5:-4] for line in text.splitlines() if line.strip().startswith("<!-- ")]


@pytest.mark.slow
def test_there_is_one_figure_as_pdf_png_and_svg_whose_bytes_are_always_the_same(tmp_path, three):
    files = drawn(three, tmp_path / "one")
    assert sorted(files) == ["books_cer.pdf", "books_cer.png", "books_cer.svg"]
    assert files == drawn(three, tmp_path / "two")
    # Nothing is said of the day.
    assert b"CreationDate" not in files["books_cer.pdf"]
    assert b"dc:date" not in files["books_cer.svg"]
    assert b"Software" not in files["books_cer.png"]


def test_groups_stand_in_their_order(tmp_path, grouped):
    texts = [text for text in comments(svg(grouped, tmp_path)) if text in {"clean", "light", "heavy"}]
    assert [path.name for path in tmp_path.iterdir()] == ["books_cer_by_degradation.svg"]
    assert texts == ["clean", "light", "heavy"]


def test_every_system_is_named(tmp_path, three):
    names = {"pero": "PERO", "kraken": "_kraken_", "tesseract4": "costs $5 to $6"}
    shown = comments(svg(three, tmp_path, ReportSettings(["cer"], names=names)))
    assert {"PERO", "_kraken_", "costs $5 to $6"} <= set(shown)


@pytest.mark.parametrize("name", [r"$\nonsense$", "$", "$x", "a_b^c", r"\frac"])
def test_no_name_is_read_as_a_formula(tmp_path, make_result, name):
    assert svg(make_result({"a": 0.1}), tmp_path, ReportSettings(["cer"], names={"a": name, "books": name}))


@pytest.mark.slow
def test_rates_without_interval_beside_it_or_undefined_are_drawn(tmp_path, make_result, make_rate):
    assert svg(make_result({"a": 0.1, "b": 0.2}, with_interval=False), tmp_path)
    beside = replace(make_rate(0.1), confidence_interval=make_rate(0.25).confidence_interval)
    assert svg(make_result({"a": beside}), tmp_path)
    assert svg(make_result({"a": None, "b": None}), tmp_path)


LONG = [f"{number} Registres paroissiaux de Saint-Étienne, volume {number}" for number in range(30)]


def by_archive(make_result, make_group, names, systems=3):
    rates = {f"system {place} with a long name of a model": 0.02 * (place + 1) for place in range(systems)}
    groups = {name: {system: {"cer": make_group(rate)} for system, rate in rates.items()} for name in names}
    return make_result(rates, groups={"archive": groups})


@pytest.mark.slow
@pytest.mark.parametrize("draw", [draw_rates, lambda *given: draw_robustness(*given[:2], "archive", *given[2:])])
@pytest.mark.parametrize("systems", [1, 12])
def test_thirty_long_names_stand_whole_below_each_other(tmp_path, make_result, make_group, draw, systems, monkeypatch):
    figures = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: figures.append(figure))
    draw(by_archive(make_result, make_group, LONG, systems), "cer", SETTINGS, tmp_path)
    figure = figures[-1]
    figure.draw_without_rendering()
    (axes,) = figure.axes
    labels = axes.get_yticklabels()
    assert sorted(label.get_text().replace("\n", " ") for label in labels) == sorted(LONG)
    boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.y0)
    assert all(one.y1 <= other.y0 for one, other in pairwise(boxes))
    assert all(figure.bbox.x0 <= box.x0 <= box.x1 <= axes.bbox.x0 for box in boxes)
    assert axes.bbox.width > figure.bbox.width / 4


def test_few_short_names_stand_side_by_side(tmp_path, make_result, make_group):
    few = svg(by_archive(make_result, make_group, ["clean", "light"]), tmp_path)
    assert 'width="244.8pt"' in few


def test_sixty_systems_have_marks_of_their_own():
    marks = [tuple(mark_of(place).values()) for place in range(60)]
    assert len(set(marks)) == 60
