"""How evenly each system serves the groups of a column."""

from __future__ import annotations

from misread.metrics import fairness
from misread.report.group_table import EXPLORATORY
from misread.report.paper_table import Cell, Column, PaperTable
from misread.report.rate_layout import metric_title, size_text
from misread.report.settings import ReportSettings
from misread.stats import DatasetResult

_BANDS_ARE_FOR = "cer"
_EVERY_GROUP_WEIGHS_THE_SAME = "Spread over groups, each of which weighs the same however many segments it has."


def lay_out_fairness(result: DatasetResult, metric: str, column: str, settings: ReportSettings) -> PaperTable:
    """Lay out the spread of one error rate over the groups of one column.

    Parameters
    ----------
    result : DatasetResult
        All systems on one data set.
    metric : str
        Id of a metric of which lower is better.
    column : str
        Which groups.
    settings : ReportSettings
        Names and digits.

    Returns
    -------
    PaperTable
        A row a system: range and standard deviation of its rates, best and worst group, and for `cer` the band that
        the specification gives the range. Groups of undefined rate are left out and named.
    """
    groups, rates = result["groups"][column], settings.rates
    rows, records, undefined = [], [], set()
    has_bands = metric == _BANDS_ARE_FOR
    for system in result["systems"]:
        known = {}
        for name, of in groups.items():
            rate = of[system][metric]["micro"]
            if rate is None:
                undefined.add(name)
            else:
                known[name] = rate
        if not known:
            continue
        spread = fairness(known)
        rows.append(
            [
                Cell(settings.name(system)),
                *(Cell(rates.rate(value)) for value in (spread.mean, spread.range, spread.standard_deviation)),
                *(Cell(name, rates.rate(known[name])) for name in (spread.best_group, spread.worst_group)),
                *([Cell(spread.band)] if has_bands else []),
            ]
        )
        records.append(
            (
                *(result["dataset"], metric, column, system, len(known)),
                *(spread.mean, spread.range, spread.standard_deviation),
                *(spread.best_group, known[spread.best_group], spread.worst_group, known[spread.worst_group]),
                spread.band if has_bands else None,
            )
        )
    of_first = next(iter(result["systems"].values()))[metric]
    title = f"Evenness of {metric_title(metric)} over {column} on {settings.name(result['dataset'])}"
    return PaperTable(
        stem=f"{result['dataset']}_{metric}_fairness_{column}",
        caption=f"{title} ({len(groups)} groups, {size_text(result['segments'])}). Lower is more even.",
        columns=[
            Column("system", is_text=True),
            *(Column(f"{name}{rates.sign}", is_decimal=True) for name in ("mean", "range", "SD")),
            Column("best group", is_text=True),
            Column("worst group", is_text=True),
            *([Column("band of the range", is_text=True)] if has_bands else []),
        ],
        rows=rows,
        notes=[
            _EVERY_GROUP_WEIGHS_THE_SAME,
            EXPLORATORY,
            *(f"Left out: {name} (rate undefined)." for name in sorted(undefined)),
        ],
        signature=of_first["signature"],
        record_names=(
            *("dataset", "metric", "column", "system", "groups", "mean", "range", "standard_deviation"),
            *("best_group", "best_rate", "worst_group", "worst_rate", "band"),
        ),
        records=records,
    )
