"""Table of one metric under several normalizers: rates, and who is ahead under each."""

from collections.abc import Iterator, Mapping
from itertools import chain
from operator import itemgetter

from misread.stats import DatasetResult
from misread.tables.rates import RateTable, make_rate_table
from misread.tables.rates_layout import file_columns, legend, metric_title, rank_cell, rate_cell, size_text, warnings_of
from misread.tables.settings import ReportSettings
from misread.tables.table import Column, Records, Table, in_files
from misread.tables.verdicts import verdict_of
from misread.text.display import file_stem
from misread.text.nouns import list_in_words

_NOT_ADJUSTED = "Tests are those of each normalizer; p is not adjusted for the number of normalizers."


def lay_out_normalizers(
    results: Mapping[str, DatasetResult], metric: str, settings: ReportSettings, *, all_notes: bool = False
) -> Table:
    """Lay out one metric of the same texts under each normalizer, whose names are the keys; files have a row for each.

    One row per system, best first under the first normalizer. Of three systems or more whose pairs were all tested,
    each rate has the ranks that the tests leave open.
    """
    tables = {name: make_rate_table(result, metric, settings) for name, result in results.items()}
    first, *others = tables.values()
    rows = {name: {row.system: row for row in table.rows} for name, table in tables.items()}
    direction, norms = first.direction.value.capitalize(), (table.signature.facts["norm"] for table in tables.values())

    def columns_of(name: str, table: RateTable) -> Iterator[Column]:
        title = f"{name}{table.format.sign}"
        yield Column(title, rows[name].get, lambda row: rate_cell(row, table), kind="decimal", keep=6)
        if table.has_groups:
            yield Column("rank", rows[name].get, lambda row: rank_cell(row.rank), keep=4)

    entries = [(name, row) for name, table in tables.items() for row in table.rows]
    notes = chain.from_iterable(warnings_of(table, all_notes=all_notes) for table in tables.values())
    return Table(
        stem=file_stem(first.dataset, metric, "normalizers"),
        caption=f"{metric_title(metric)} on {first.dataset_name} ({size_text(first.segments)}) under "
        f"{len(tables)} normalizers. {direction} is better.",
        columns=[
            Column("system", settings.name, kind="name"),
            *chain.from_iterable(columns_of(name, table) for name, table in tables.items()),
        ],
        rows=list(dict.fromkeys(row.system for _, row in entries)),
        verdict=_say_who_is_ahead(tables, metric_title(metric)),
        marks=list(dict.fromkeys(chain.from_iterable(legend(table, ["rank"]) for table in (first, *others)))),
        notes=[*first.method[1:], *([_NOT_ADJUSTED] if first.pairs else []), *dict.fromkeys(notes)],
        signature=str(first.signature.replace(norm="+".join(norms))),
        long=Records(
            entries,
            [in_files("normalizer", itemgetter(0)), *(column.after(itemgetter(1)) for column in file_columns(first))],
        ),
    )


def _say_who_is_ahead(tables: Mapping[str, RateTable], title: str) -> str:
    """One clause for all normalizers that have the same answer."""
    normalizers: dict[str, list[str]] = {}
    for name, table in tables.items():
        if table.has_comparisons:
            normalizers.setdefault(_answer(table, title), []).append(name)
    clauses = (f"under {list_in_words(names, 'and')}, {answer}" for answer, names in normalizers.items())
    sentence = "; ".join(clauses)
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _answer(table: RateTable, title: str) -> str:
    """The system that is ahead, or those that the best one cannot be told from."""
    if not table.is_compared_with_best:
        return verdict_of(table, title).removesuffix(".")
    best = next(row.name for row in table.rows if row.is_best)
    close = [row.name for row in table.rows if row.to_best and not row.is_significant]
    if close:
        return f"the data cannot tell {best} from {list_in_words(close, 'or')}"
    return f"{best} is significantly ahead"
