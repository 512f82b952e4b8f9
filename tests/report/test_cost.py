from dataclasses import replace

import numpy as np
import pytest
from tests.report.timings import make_timings

from misread.data.segment_table import Origin
from misread.engines.prices import ModelPrice
from misread.report.cost import draw_cost, find_expenses, lay_out_cost
from misread.tables import ReportSettings

SETTINGS = ReportSettings(["cer"], names={"a": "A"}, figure_formats=[])
BY_TOKEN = ModelPrice(usd_per_1000_tokens=0.5, usd_per_1000_output_tokens=2.0, date="2026-03-01", source="our contract")
BY_SEGMENT = ModelPrice(usd_per_segment=0.0015, date="2026-02-01", source="price list")


def timings(readings=2, **measured):
    return make_timings(Origin("books", "a", "0123456789"), *[0.5] * readings, **measured)


ASKED = timings(4, input_tokens=[100, 200, np.nan, 300], output_tokens=[10, 20, np.nan, 0], attempts=[1, 3, 5, 1])
FREE = timings(3, attempts=[1, 1, 1])


def test_cost_is_that_of_all_tokens_and_retries_are_the_further_attempts():
    table = lay_out_cost("books", {"a": ASKED, "b": FREE}, {"a": BY_TOKEN}, SETTINGS)
    titles = ["system", "n", "tokens in", "tokens out", "retries", "USD", "USD per 1,000"]
    assert [column.plain for column in table.headings] == titles
    # 600 tokens at 0.0005 and 30 at 0.002 dollars; four readings.
    assert [[cell.text for cell in row] for row in table.cells] == [
        ["A", "4", "600", "30", "6", "0.36", "90.00"],
        ["b", "3", "", "", "0", "", ""],
    ]
    first, second = table.named_records
    assert first["usd"] == pytest.approx(0.6 * 0.5 + 0.03 * 2.0)
    assert first["usd_per_1000_readings"] == pytest.approx(first["usd"] / 4 * 1000)
    assert second["usd"] is None
    assert "A: price of 2026-03-01 (our contract)." in table.notes
    assert "prices:a@2026-03-01|" in table.signature


@pytest.mark.parametrize(
    ("measured", "price", "usd"),
    [
        (timings(2), BY_SEGMENT, 0.003),
        (timings(2), BY_TOKEN, None),
        (timings(2), None, None),
        (ASKED, replace(BY_TOKEN, usd_per_1000_output_tokens=None), None),
        (ASKED, replace(BY_SEGMENT, usd_per_1000_tokens=0.5, usd_per_1000_output_tokens=0.0), 0.306),
    ],
    ids=["by segment", "tokens not counted", "no price", "no price of answers", "both"],
)
def test_a_cost_that_is_not_known_is_none(measured, price, usd):
    (expense,) = find_expenses({"a": measured, "b": timings(0)}, {"a": price} if price else {}) or [None]
    assert (expense.usd if expense else None) == (None if usd is None else pytest.approx(usd))


def test_what_was_recorded_and_what_was_read_have_a_note_each():
    written = timings(2, output_tokens=[5, 6])
    for measured, notes in (
        ({"a": written}, ["Tokens"]),
        ({"a": ASKED}, ["All"]),
        ({"a": written, "b": ASKED}, ["Tokens", "All"]),
    ):
        table = lay_out_cost("books", measured, {}, SETTINGS)
        assert [note.partition(" ")[0] for note in table.notes] == notes


def test_without_tokens_retries_and_prices_there_is_no_table_and_no_figure(tmp_path, three):
    measured = {"pero": FREE, "kraken": timings(0)}
    assert lay_out_cost("books", measured, {"kraken": BY_SEGMENT}, SETTINGS) is None
    assert draw_cost(three, "cer", measured, {}, SETTINGS, tmp_path) == []


def test_retries_alone_are_shown_without_columns_of_tokens_and_money():
    table = lay_out_cost("books", {"a": timings(2, attempts=[1, 2])}, {}, SETTINGS)
    assert [column.plain for column in table.headings] == ["system", "n", "retries"]
    assert table.named_records[0]["retries"] == 1


def test_small_sums_keep_two_digits():
    table = lay_out_cost("books", {"a": timings(2)}, {"a": BY_SEGMENT}, SETTINGS)
    assert [cell.text for cell in table.cells[0]] == ["A", "2", "0.003", "1.50"]


@pytest.mark.slow
def test_the_figure_has_the_systems_whose_cost_is_known(tmp_path, three):
    measured = {"pero": ASKED, "tesseract4": FREE, "kraken": FREE}
    prices = {"pero": BY_TOKEN, "kraken": BY_SEGMENT}
    (path,) = draw_cost(three, "cer", measured, prices, SETTINGS, tmp_path)
    assert path.name == "books_cer_by_cost.svg"
    drawn = path.read_text(encoding="utf-8")
    assert ("<!-- pero -->" in drawn, "<!-- kraken -->" in drawn, "<!-- tesseract4 -->" in drawn) == (True, True, False)
    assert draw_cost(three, "cer", measured, {"pero": BY_TOKEN}, SETTINGS, tmp_path) == []
