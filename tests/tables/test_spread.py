from dataclasses import replace

import numpy as np
import pytest

from misread.metrics import Spread
from misread.tables import ReportSettings, lay_out_spread, make_rate_table, render_csv
from misread.tables.spread import spread_in_files

RATES = np.random.default_rng(1).beta(1, 9, 60)
PERCENTILES = (5, 25, 50, 75, 95)


def spread_of(rates):
    percentiles = {f"percentile_{percent}": float(np.percentile(rates, percent)) for percent in PERCENTILES}
    return Spread(standard_deviation=float(np.std(rates, ddof=1)), **percentiles)


@pytest.fixture
def rates(make_result, make_rate):
    known = replace(make_rate(0.03), spread=spread_of(RATES), macro=float(RATES.mean()), empty_references=3)
    result = make_result({"a": known, "b": make_rate(0.05)})
    return make_rate_table(result, "cer", ReportSettings(["cer"], names={"a": "A"}))


def test_a_row_has_mean_deviation_and_percentiles_of_a_system(rates):
    table = lay_out_spread(rates)
    titles = ["system", "n", "mean %", "SD %", *(f"p{percent} %" for percent in PERCENTILES)]
    assert [column.plain for column in table.headings] == titles
    numbers = [RATES.mean(), RATES.std(ddof=1), *np.percentile(RATES, PERCENTILES)]
    assert [cell.text for cell in table.cells[0]] == ["A", "57", *(f"{100 * number:.2f}" for number in numbers)]
    assert table.stem == "books_cer_spread"
    assert "over segments on books (60 segments)" in table.caption


def test_files_have_fractions_and_a_comparison_from_before_has_none(rates):
    first, second = lay_out_spread(rates).named_records
    assert first["standard_deviation"] == np.std(RATES, ddof=1)
    assert [first[f"percentile_{percent}"] for percent in PERCENTILES] == list(np.percentile(RATES, PERCENTILES))
    assert (second["standard_deviation"], second["percentile_50"]) == (None, None)


def test_files_of_rates_may_have_the_same_columns(rates):
    table = lay_out_spread(rates)
    joined = replace(table, columns=spread_in_files())
    assert joined.headings == []
    names = ["standard_deviation", *(f"percentile_{percent}" for percent in PERCENTILES)]
    assert list(joined.named_records[0]) == names
    assert render_csv([joined]).startswith(",".join(names))
