"""Output of `misread score`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from misread.errors import ConfigurationError, UndefinedResultError, setting
from misread.io.console import note, warn, write_out
from misread.io.json_files import to_plain
from misread.tables.terminal.output import make_console, print_json

if TYPE_CHECKING:
    from misread.metrics.confusion_table import ConfusionTable
    from misread.stats import DatasetResult
    from misread.stats.compare.settings import PairedTest
    from misread.tables import Table


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    HTML = "html"
    EVAL_RESULTS = "eval-results"


class ResultTables(NamedTuple):
    """Tables of a result by kind; those of rates, their spread, tests and groups are by metric."""

    rates: Sequence[Table]
    spread: Sequence[Table] = ()
    tests: Sequence[Table] = ()
    sections: Sequence[Table] = ()
    groups: Sequence[Table] = ()
    fairness: Sequence[Table] = ()
    confusions: Sequence[Table] = ()
    views: Sequence[Table] = ()
    warnings: Sequence[str] = ()  # whole sentences, which CSV cannot have

    @property
    def all(self) -> list[Table]:
        """In the order in which they are printed."""
        by_metric = [*self.rates, *self.spread, *self.tests]
        return [*by_metric, *self.sections, *self.groups, *self.fairness, *self.confusions, *self.views]

    def render(self, output: Output, *, raw_csv: bool = False) -> str:
        """All tables in a format other than JSON; ends with a newline."""
        from misread.tables import render_csv, render_html, render_latex, render_markdown

        if output is Output.CSV:
            # One table has one header; tests, groups and confusions have other columns.
            shown = self.views or self.confusions or self.groups or self.tests or self.rates
            return render_csv(shown, raw=raw_csv)
        if output is Output.TABLE:
            from misread.tables.render.terminal import render_text

            return render_text(self.all)
        render = {Output.LATEX: render_latex, Output.MARKDOWN: render_markdown, Output.HTML: render_html}[output]
        return "\n".join(render(table) for table in self.all)


def print_table_as(output: Output, table: Table, record: object, *, width: int | None, raw_csv: bool) -> None:
    """Print a table in one of the formats, or its record as JSON; raises ConfigurationError for raw CSV elsewhere."""
    from misread.tables.render.terminal import print_table

    if raw_csv and output is not Output.CSV:
        raise ConfigurationError(f"{setting('raw_csv')} is for {setting('output', 'csv')}, not for {output}.")
    if output is Output.EVAL_RESULTS:
        raise ConfigurationError(f"{setting('output', output)} is for rates, which `misread score` prints.")
    if output is Output.JSON:
        print_json(record)
    elif output is Output.TABLE:
        print_table(table, make_console(width))
    else:
        write_out(ResultTables([table]).render(output, raw_csv=raw_csv), end="")


@dataclass(frozen=True, kw_only=True)
class Printout:
    """Form of a printed result, and what is printed with its rates; empty names are those of the data."""

    metrics: Sequence[str] = ()
    output: Output = Output.TABLE
    groups: Sequence[str] = ()  # columns by which results are broken down
    clean_levels: Mapping[str, str] = field(default_factory=dict)
    group_order: Mapping[str, Sequence[str]] = field(default_factory=dict)
    confused: Mapping[str, ConfusionTable] = field(default_factory=dict)
    most_confusions: int = 0
    views: Mapping[str, Table | None] = field(default_factory=dict)  # by name; None for one with nothing to show
    normalizers: Mapping[str, DatasetResult] = field(default_factory=dict)  # by name, where several are compared
    reports: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    tests: Sequence[PairedTest] = ()  # that were asked for: they have all their numbers on a screen
    name: str = ""  # of the data set
    caption: str = ""  # of the table of rates
    label: str = ""  # of the table of rates, in LaTeX
    all_notes: bool = False
    said: Collection[str] = ()  # warnings that are on standard error already
    raw_csv: bool = False  # leaves names and texts in CSV as they are
    width: int | None = None  # of the screen, if it is not to be asked


def lay_out_result(result: DatasetResult, printout: Printout) -> ResultTables:
    """Tables of a comparison, one of rates per metric, or of its results under several `normalizers`.

    `groups` are columns by which results are broken down, in tables of their own; `clean_levels` names the clean level
    of those that are levels of degradation, which comes first in `group_order`. The `most_confusions` most frequent of
    each kind in `confused` are shown. `tests` add a table of all pairs, next to the test that the verdict follows.
    Tables of sections and of the spread over segments and groups are there with all notes alone.
    Notes that all tables of one kind share are below the last of them.
    """
    from misread.sockets import lay_out_sections
    from misread.tables import (
        CONFUSED_KINDS,
        ReportSettings,
        lay_out_confusions,
        lay_out_fairness,
        lay_out_groups,
        lay_out_rates,
        lay_out_spread,
        lay_out_tests,
        make_rate_table,
    )
    from misread.tables.normalizers import lay_out_normalizers
    from misread.tables.rates_layout import warnings_of
    from misread.tables.spread import spread_in_files
    from misread.tables.table import say_once

    metrics, groups, all_notes = printout.metrics, printout.groups, printout.all_notes
    settings = ReportSettings(
        metrics,
        names={result.dataset: printout.name} if printout.name else {},
        group_order=_put_clean_first(printout.clean_levels, printout.group_order),
        degradation=list(printout.clean_levels),
        confusions=printout.most_confusions,
        columns=(*ReportSettings.columns, *printout.tests),
    )
    rates = [make_rate_table(result, metric, settings) for metric in metrics]
    tables = [
        lay_out_normalizers(printout.normalizers, table.metric, settings, all_notes=all_notes)
        if printout.normalizers
        else lay_out_rates(table, settings, all_notes=all_notes)
        for table in rates
    ]
    if all_notes and not printout.normalizers:
        # In CSV, which has one header.
        tables = [replace(table, columns=[*table.columns, *spread_in_files()]) for table in tables]
    pairs = [lay_out_tests(result, table, settings) for table in rates]
    confusions = [lay_out_confusions(result.dataset, printout.confused, kind, settings) for kind in CONFUSED_KINDS]
    warnings = chain.from_iterable(warnings_of(table, all_notes=all_notes) for table in rates)
    return ResultTables(
        say_once([replace(table, caption=printout.caption or table.caption, label=printout.label) for table in tables]),
        say_once(list(map(lay_out_spread, rates))) if all_notes else [],
        say_once([table for table in pairs if table]),
        list(lay_out_sections(result, settings)) if all_notes else [],
        say_once([lay_out_groups(result, column, metric, settings) for metric in metrics for column in groups]),
        [
            lay_out_fairness(result, column, metric, settings)
            for metric in metrics
            for column in groups
            if column not in printout.clean_levels and all_notes
        ],
        [table for table in confusions if table],
        [view for view in printout.views.values() if view],
        list(dict.fromkeys(warnings)),
    )


def _put_clean_first(
    clean_levels: Mapping[str, str], group_order: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    first = {column: dict.fromkeys([level, *group_order.get(column, ())]) for column, level in clean_levels.items()}
    return {**group_order, **{column: list(levels) for column, levels in first.items()}}


def _order_groups(result: DatasetResult, group_order: Mapping[str, Sequence[str]]) -> DatasetResult:
    """The result with the levels of these columns in the order that tables have."""
    from misread.tables import ReportSettings

    settings = ReportSettings(list(result.first_system), group_order=group_order)
    ordered = {}
    for column in group_order:
        groups = result.groups[column]
        ordered[column] = {level: groups[level] for level in settings.sort_groups(column, list(groups))}
    return replace(result, groups={**result.groups, **ordered})


def _say_undefined(result: DatasetResult) -> str:
    """Reason why no rate is defined, with what may be wrong."""
    from misread.tables.rates import EVERY_EMPTY, explain_undefined

    reasons = [f"{metric}: {explain_undefined(rate)}" for metric, rate in result.first_system.items()]
    is_empty = all(reason.endswith(EVERY_EMPTY) for reason in reasons)
    reason = f"every reference of {result.dataset} is empty" if is_empty else "; ".join(reasons)
    message = f"{reason}, so that no rate is defined; references come first: check whether these are the right ones."
    return " ".join([message, *(caution.text for caution in result.cautions)])


def print_result(result: DatasetResult, printout: Printout) -> None:
    """Print a comparison, or those under several normalizers, to standard output as `lay_out_result` lays it out.

    Reports are for tables and JSON; a report that is a CSV of its own is printed in place of the
    rates. Raises UndefinedResultError if there is no rate of any system, and nothing else to print.
    """
    output, views, reports = printout.output, printout.views, printout.reports
    if printout.group_order:
        result = _order_groups(result, printout.group_order)
    compared = printout.normalizers or {"": result}
    rates = [rate for entry in compared.values() for results in entry.systems.values() for rate in results.values()]
    if not (views or reports) and all(rate.micro is None for rate in rates):
        raise UndefinedResultError(_say_undefined(result))
    if output is Output.JSON:
        plain = {name: _plain(entry, printout) for name, entry in compared.items()}
        print_json({"normalizers": plain} if printout.normalizers else plain[""])
        return
    if output is Output.EVAL_RESULTS:
        _print_eval_results(result, printout)
        return
    unsaid = tuple(warning for warning in result.warnings if warning not in printout.said)
    tables = lay_out_result(replace(result, warnings=unsaid), printout)
    for name, view in views.items():
        if view is None:
            warn(f"The view {name} has nothing to show.")
    if output is not Output.TABLE:
        whole = "".join(text for _, text in reports.values())
        write_out(whole or tables.render(output, raw_csv=printout.raw_csv), end="")
        if output is Output.CSV:
            for warning in tables.warnings:
                warn(warning)
        return
    from misread.tables.render.terminal import print_tables
    from misread.tables.terminal.pair_tests import print_tests

    console = make_console(printout.width)
    print_tables(tables.all, console)
    if printout.tests:
        print_tests(result, console)
    for _, text in reports.values():
        write_out(f"\n{text}", end="")


def _print_eval_results(result: DatasetResult, printout: Printout) -> None:
    from misread.tables import ReportSettings, make_rate_table
    from misread.tables.rates_layout import warnings_of
    from misread.tables.render.eval_results import render_eval_results

    name = printout.name or result.dataset
    settings = ReportSettings(printout.metrics, names={result.dataset: name})
    tables = [make_rate_table(result, metric, settings) for metric in printout.metrics]
    write_out(render_eval_results(tables), end="")
    for warning in dict.fromkeys(chain.from_iterable(warnings_of(table, all_notes=False) for table in tables)):
        warn(warning)
    if "/" not in name:
        warn(f"{name!r} is no data set of Hugging Face; --name OWNER/NAME gives the id of the benchmark.")
    if len(result.systems) > 1:
        note("note: each entry goes to the repository of its own model; its notes begin with the name of the system.")


def _plain(result: DatasetResult, printout: Printout) -> dict[str, Any]:
    """What JSON has of a comparison."""
    from misread.stats import robustness_curve
    from misread.tables import explain_verdict

    content: dict[str, Any] = to_plain(result)
    for pair, plain_pair in zip(result.comparisons, content["comparisons"], strict=True):
        plain_pair["verdict_reason"] = explain_verdict(pair)
    if printout.clean_levels:
        content["robustness"] = {
            column: {metric: robustness_curve(result, column, metric, clean=level) for metric in printout.metrics}
            for column, level in printout.clean_levels.items()
        }
    if printout.confused:
        content["confusions"] = {
            system: _top(table, printout.most_confusions) for system, table in printout.confused.items()
        }
    for name, view in printout.views.items():
        content.setdefault("views", {})[name] = list(view.named_records) if view else []
    return content | {name: report for name, (report, _) in printout.reports.items()}


def _top(table: ConfusionTable, number: int) -> dict[str, object]:
    most = {kind: list(cells[:number]) for kind, cells in table.confusions.items()}
    return {"facts": table.facts, **most}
