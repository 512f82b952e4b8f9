from dataclasses import replace

import pytest

from misread.stats import results
from misread.tables import ReportSettings, lay_out_tests, make_rate_table

SETTINGS = ReportSettings(
    ["cer"], columns=["interval", "wilcoxon", "mcnemar", "bootstrap"], names={"pero": "PERO", "kraken": "Kraken"}
)


def made_test(pvalue, adjusted, statistic=7.0):
    return results.TestResult(
        name="wilcoxon_signed_rank",
        statistic=statistic,
        pvalue=pvalue,
        effect_size=0.1,
        effect_size_name="rank biserial",
        n=60,
        dropped=0,
        method="exact",
        unit="segment",
        pvalue_adjusted=adjusted,
    )


@pytest.fixture
def compared(three):
    """All pairs have a signed-rank test, and the first has McNemar's."""
    pairs = [
        replace(pair, tests={**pair.tests, "wilcoxon": made_test(0.01 * number, 0.02 * number)})
        for number, pair in enumerate(three.comparisons, start=1)
    ]
    first = replace(pairs[0], tests={**pairs[0].tests, "mcnemar": made_test(0.0001, 0.0003)})
    return replace(three, comparisons=(first, *pairs[1:]))


def lay_out(result, settings=SETTINGS):
    return lay_out_tests(result, make_rate_table(result, "cer", settings), settings)


def test_every_pair_has_a_row_with_the_deciding_test_and_the_others(compared):
    table = lay_out(compared)
    assert [column.plain for column in table.headings] == [
        "system",
        "against",
        "Δ [95 %]",
        "p",
        "verdict",
        "Wilcoxon p (not used for the verdict)",
        "McNemar p (not used for the verdict)",
    ]
    assert [[cell.plain for cell in row] for row in table.cells] == [
        ["PERO", "tesseract4", "-0.80 [-1.30, +0.20]", "0.310", "not significant", "0.020", "< 0.001"],
        ["Kraken", "tesseract4", "+11.76 [+11.26, +12.76]", "< 0.001", "worse", "0.040", ""],
        ["Kraken", "PERO", "+12.56 [+12.06, +13.56]", "0.012", "worse", "0.060", ""],
    ]


def test_files_have_statistics_and_both_p_values(compared):
    first, second, _ = lay_out(compared).named_records
    assert (first["system"], first["baseline"], first["decided_by"]) == ("pero", "tesseract4", "bootstrap")
    assert [first[f"mcnemar_{name}"] for name in ("statistic", "pvalue", "pvalue_adjusted")] == [7.0, 0.0001, 0.0003]
    assert second["wilcoxon_pvalue"] == 0.02
    assert second["mcnemar_pvalue"] is None


def test_below_it_stands_what_the_tests_are_and_that_they_know_no_clusters(compared):
    notes = lay_out(compared).notes
    assert "Wilcoxon signed-rank test of segment rates, McNemar's test; p adjusted" in notes[-2]
    assert notes[-1] == "Wilcoxon and McNemar take segments of one page as independent: p may be too small."
    assert "independent: p" not in " ".join(lay_out(replace(compared, clusters=None, cluster_name="")).notes)


@pytest.mark.parametrize("columns", [["interval"], ["interval", "bootstrap"]])
def test_without_a_test_beside_the_deciding_one_there_is_no_table(compared, columns):
    assert lay_out(compared, replace(SETTINGS, columns=columns)) is None


def test_a_single_system_has_no_pairs(make_result):
    assert lay_out(make_result({"a": 0.1})) is None
