from dataclasses import replace

import pytest

from misread.report import ReportSettings
from misread.report.figures import draw_rates

SETTINGS = ReportSettings(["cer"], group_order={"degradation": ["clean", "light", "heavy"]})


def drawn(result, folder, settings=SETTINGS):
    return {path.name: path.read_bytes() for path in draw_rates(result, "cer", settings, folder)}


def svg(result, folder, settings=SETTINGS):
    (content,) = (content for name, content in drawn(result, folder, settings).items() if name.endswith(".svg"))
    return content.decode()


def comments(text):
    """Matplotlib draws letters as outlines and keeps each text in a comment."""
    return [line.strip()[5:-4] for line in text.splitlines() if line.strip().startswith("<!-- ")]


def test_without_groups_there_is_one_figure_as_pdf_png_and_svg(tmp_path, three):
    assert sorted(drawn(three, tmp_path)) == ["books_cer.pdf", "books_cer.png", "books_cer.svg"]


def test_every_group_column_has_a_figure(tmp_path, grouped):
    stem = "books_cer_by_degradation"
    assert sorted(drawn(grouped, tmp_path)) == [f"{stem}.pdf", f"{stem}.png", f"{stem}.svg"]


def test_the_same_numbers_give_the_same_bytes(tmp_path, three):
    assert drawn(three, tmp_path / "one") == drawn(three, tmp_path / "two")


def test_groups_of_the_same_numbers_give_the_same_bytes(tmp_path, grouped):
    assert drawn(grouped, tmp_path / "one") == drawn(grouped, tmp_path / "two")


def test_groups_stand_in_their_order(tmp_path, grouped):
    texts = [text for text in comments(svg(grouped, tmp_path)) if text in {"clean", "light", "heavy"}]
    assert texts == ["clean", "light", "heavy"]


def test_every_system_is_named(tmp_path, three):
    names = {"pero": "PERO", "kraken": "_kraken_", "tesseract4": "costs $5 to $6"}
    shown = comments(svg(three, tmp_path, ReportSettings(["cer"], names=names)))
    assert {"PERO", "_kraken_", "costs $5 to $6"} <= set(shown)


@pytest.mark.parametrize("name", [r"$\nonsense$", "$", "$x", "a_b^c", r"\frac"])
def test_no_name_is_read_as_a_formula(tmp_path, make_result, name):
    assert drawn(make_result({"a": 0.1}), tmp_path, ReportSettings(["cer"], names={"a": name, "books": name}))


def test_a_system_without_interval_is_drawn(tmp_path, make_result):
    assert drawn(make_result({"a": 0.1, "b": 0.2}, with_interval=False), tmp_path)


def test_a_rate_beside_its_interval_is_drawn(tmp_path, make_result, make_rate):
    beside = replace(make_rate(0.1), confidence_interval=make_rate(0.25).confidence_interval)
    assert drawn(make_result({"a": beside}), tmp_path)


def test_where_no_rate_is_defined_the_figure_is_empty(tmp_path, make_result):
    assert drawn(make_result({"a": None, "b": None}), tmp_path)


def test_a_file_says_nothing_of_the_day_it_was_made(tmp_path, three):
    written = drawn(three, tmp_path)
    assert b"CreationDate" not in written["books_cer.pdf"]
    assert b"dc:date" not in written["books_cer.svg"]
    assert b"Software" not in written["books_cer.png"]
