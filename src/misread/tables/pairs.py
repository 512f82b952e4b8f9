"""Table of all pairs of systems, with further tests next to the one that the verdict follows."""

from collections.abc import Mapping, Sequence
from typing import Final

from misread.stats import DatasetResult, PairComparison
from misread.stats.compare.settings import BY_CLUSTER, PairedTest
from misread.tables.number_text import interval_ends, level_title, pvalue_text
from misread.tables.rates import TEST_NAMES, VERDICT_WORDS, RateTable
from misread.tables.rates_layout import metric_title, size_text
from misread.tables.settings import ReportSettings
from misread.tables.table import Cell, Column, Table, in_files
from misread.text.display import file_stem

NOT_USED: Final = "(not used for the verdict)"
"""Stands in the title of the column of every further test."""

_TITLES: Mapping[PairedTest, str] = {
    "bootstrap": "bootstrap p",
    "jackknife": "jackknife p",
    "mapsswe": "MAPSSWE p",
    "mcnemar": "McNemar p",
    "paired_t": "paired t p",
    "randomisation": "randomisation p",
    "sign": "sign test p",
    "wilcoxon": "Wilcoxon p",
}


def lay_out_tests(result: DatasetResult, table: RateTable, settings: ReportSettings) -> Table | None:
    """Lay out all pairs by one metric: p-values of the deciding test and of those that `settings.columns` names.

    Parameters
    ----------
    result : DatasetResult
        Comparison that the table of rates is made from.
    table : RateTable
        One metric of all systems.
    settings : ReportSettings
        Names of systems and of tests. A pair on which a test was not run has an empty cell.

    Returns
    -------
    Table or None
        One row per pair, with p-values adjusted over all pairs; files have the statistic and both p-values of each
        test. None if there are no pairs, or no further test is named.
    """
    pairs = result.pairs(table.metric)
    further = [test for test in settings.test_columns if pairs and test != pairs[0].decided_by]
    if not further:
        return None
    rates = table.format
    level = next(filter(None, (level_title(pair.interval) for pair in pairs)), "")

    def show_difference(pair: PairComparison) -> Cell:
        return Cell(rates.difference(pair.difference), rates.interval_of(pair.difference, pair.interval, signed=True))

    return Table(
        stem=file_stem(table.dataset, table.metric, "tests"),
        caption=(
            f"Tests of every pair by {metric_title(table.metric)} on {table.dataset_name} "
            f"({size_text(table.segments)})."
        ),
        columns=[
            in_files(("dataset", "metric"), (table.dataset, table.metric)),
            Column("system", lambda pair: pair.system, settings.name, kind="name", name="system", keep=7),
            Column("against", lambda pair: pair.baseline, settings.name, kind="name", name="baseline", keep=7),
            Column("Δ", show=show_difference, detail=level, keep=1),
            in_files(("difference", "low", "high"), lambda pair: (pair.difference, *interval_ends(pair.interval))),
            Column("p", lambda pair: pair.pvalue_adjusted, pvalue_text, name="pvalue_adjusted", keep=6),
            in_files("decided_by", lambda pair: pair.decided_by),
            Column(
                "verdict", lambda pair: pair.verdict, VERDICT_WORDS.__getitem__, kind="text", name="verdict", keep=3
            ),
            *(column for test in further for column in _test_columns(test)),
        ],
        rows=pairs,
        notes=[*table.method, *_about(further, result)],
        signature=str(table.signature),
    )


def _test_columns(test: PairedTest) -> list[Column]:
    def show(pair: PairComparison) -> Cell:
        return Cell(pvalue_text(pvalue)) if (pvalue := _numbers(pair, test)[2]) is not None else Cell()

    return [
        Column(_TITLES[test], show=show, detail=NOT_USED, keep=5),
        in_files((f"{test}_statistic", f"{test}_pvalue", f"{test}_pvalue_adjusted"), lambda pair: _numbers(pair, test)),
    ]


def _numbers(pair: PairComparison, test: PairedTest) -> tuple[float | None, float | None, float | None]:
    """Statistic, p-value and adjusted p-value of a test."""
    outcome = pair.tests.get(test)
    return (outcome.statistic, outcome.pvalue, outcome.pvalue_adjusted) if outcome else (None, None, None)


def _about(further: Sequence[PairedTest], result: DatasetResult) -> list[str]:
    """Note on further tests, which ignore clusters."""
    sentences = [f"Not used for the verdict: {', '.join(TEST_NAMES[test] for test in further)}; p adjusted as above."]
    if result.clusters is not None and (by_segment := [test for test in further if test not in BY_CLUSTER]):
        verb = "takes" if len(by_segment) == 1 else "take"
        names = " and ".join(_TITLES[test].removesuffix(" p") for test in by_segment)
        sentences.append(f"{names} {verb} segments of one {result.cluster_name} as independent: p may be too small.")
    return sentences
