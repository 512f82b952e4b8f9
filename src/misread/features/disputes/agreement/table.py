"""Tables of rates and differences from agreement, and those of the typed texts alone."""

from collections.abc import Iterator

from misread.evaluation.score_text import Output, print_table_as
from misread.features.disputes.agreement.estimator import FEWEST_TYPED, AgreedRate
from misread.features.disputes.agreement.order import describe_draw
from misread.features.disputes.agreement.records import AgreedDifference, AgreedRecord
from misread.tables import Cell, Column, ReportSettings, Table, in_files
from misread.tables.number_text import NO_INTERVAL, interval_ends, level_title, pvalue_text
from misread.tables.rates import VERDICT_WORDS
from misread.tables.rates_layout import metric_title
from misread.text.nouns import count_of, plural

_Row = tuple[str, str, AgreedRate | None, AgreedDifference | None]


def lay_out_predicted(result: AgreedRecord, settings: ReportSettings) -> Table:
    """One row per system, per system of a group, and per pair: typed alone, with agreement, and what that is worth."""
    rates, title = settings.rates, metric_title(result.metric)
    rows = list(_rows(result))
    level = next(filter(None, (level_title(row[2].interval) for row in rows if row[2])), "")

    def show(row: _Row, *, alone: bool) -> Cell:
        rate, signed = row[2], row[3] is not None
        if rate is None:
            return Cell("", NO_INTERVAL)
        value = rate.alone if alone else rate.rate
        interval = rate.alone_interval if alone else rate.interval
        text = rates.difference(value) if signed else rates.rate(value)
        return Cell(text, rates.interval_of(value, interval, signed=signed))

    def files_of(row: _Row) -> tuple[float | None, ...]:
        rate = row[2]
        if rate is None:
            return (None,) * 6
        return (rate.alone, *interval_ends(rate.alone_interval), rate.rate, *interval_ends(rate.interval))

    return Table(
        stem="predicted",
        caption=f"{title} of {count_of(result.units, result.unit)}, {result.typed:,} of them typed.",
        columns=[
            Column("system", lambda row: row[0], kind="name", name="system", keep=7),
            *([Column("group", lambda row: row[1], kind="name", name="group")] if result.groups else []),
            Column(f"typed alone {title}{rates.sign}", show=lambda row: show(row, alone=True), detail=level, keep=3),
            Column(
                f"with agreement {title}{rates.sign}", show=lambda row: show(row, alone=False), detail=level, keep=6
            ),
            in_files(("alone", "alone_low", "alone_high", "rate", "low", "high"), files_of),
            Column("weight", lambda row: row[2] and row[2].weight, digits=2, kind="decimal", name="weight", keep=1),
            Column(
                f"worth in {plural(result.unit)}", lambda row: row[2] and row[2].worth, digits=0, name="worth", keep=2
            ),
            Column("p", lambda row: row[3] and row[3].pvalue_adjusted, pvalue_text, name="pvalue_adjusted", keep=5),
            Column(
                "verdict", lambda row: row[3] and row[3].verdict, VERDICT_WORDS.__getitem__, kind="text", name="verdict"
            ),
        ],
        rows=rows,
        verdict=describe_shift(result),
        notes=[*describe_sample(result), *result.warnings],
        signature=str(result.signature),
    )


def _rows(result: AgreedRecord) -> Iterator[_Row]:
    for system, rate in result.rates.items():
        yield system, "", rate, None
    for group, by_system in result.groups.items():
        for system, of_group in by_system.items():
            yield system, group, of_group, None
    for pair in result.pairs:
        yield f"{pair.system} - {pair.baseline}", "", pair.difference, pair


def print_predicted(result: AgreedRecord, output: Output, *, width: int | None, raw_csv: bool) -> None:
    """Print in one of the forms of `misread score`."""
    table = lay_out_predicted(result, ReportSettings([result.metric]))
    print_table_as(output, table, result, width=width, raw_csv=raw_csv)


def describe_shift(result: AgreedRecord) -> str:
    """Whose rate agreement corrects most, and what that says of the typed units; empty without a correction."""
    shifts = {system: rate.rate - rate.alone for system, rate in result.rates.items()}
    system = max(shifts, key=lambda name: abs(shifts[name]), default="")
    if not system or not shifts[system]:
        return ""
    kind = "easier" if shifts[system] > 0 else "harder"
    return (
        f"By the systems' disagreement, the typed {plural(result.unit)}, weighted as they were drawn, are {kind} than "
        f"all: the rate of {system} is corrected by {100 * shifts[system]:+.2f} points."
    )


def describe_sample(result: AgreedRecord) -> list[str]:
    """Sentences on what was typed, how it was drawn, and what the numbers are about."""
    units, what = plural(result.unit), "rates" if result.rates else "differences"
    scope = f"all such {units}" if result.such else f"exactly these {count_of(result.units, result.unit)}"
    seen = [f"{system} {100 * rate.seen:.0f} %" for system, rate in result.rates.items() if rate.seen is not None]
    sentences = [f"{count_of(result.typed, result.unit)} typed, {describe_draw(result.drawn)}; {what} are of {scope}."]
    if any(None in rates.values() for rates in result.groups.values()):
        sentences.append(f"Groups without a rate have fewer than {FEWEST_TYPED} typed {units} that might not be drawn.")
    if seen:
        sentences.append(f"Share of the errors that disagreement shows: {', '.join(seen)}.")
    return [
        *sentences,
        f"All {units} are typed: the numbers are exact."
        if result.typed == result.units and not result.such
        else "Intervals and p: Student's t with the jackknife error; a sample that is weighted and corrected has "
        "nothing to exchange, so there is no randomisation test.",
    ]
