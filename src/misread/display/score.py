"""Output of `misread score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from misread.display.json_output import print_json
from misread.files.json_files import to_plain
from misread.pipeline.console import warn, write_out

if TYPE_CHECKING:
    from misread.records import ConfusionTable
    from misread.stats import DatasetResult, ScStats


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    HTML = "html"


def print_result(
    result: DatasetResult,
    metrics: Sequence[str],
    output: Output,
    *,
    groups: Sequence[str],
    clean_levels: Mapping[str, str],
    confused: Mapping[str, ConfusionTable],
    most_confusions: int,
    sc_stats: Sequence[ScStats],
    with_tests: bool,
    raw_csv: bool,
) -> None:
    """Print a comparison to standard output, one table per metric.

    `groups` are columns by which results are broken down, in tables of their own; `clean_levels` names the clean level
    of those that are levels of degradation. The `most_confusions` most frequent of each kind in `confused` are printed;
    `sc_stats` is for tables and JSON, `with_tests` for tables; `raw_csv` leaves names and texts in CSV as they are.
    """
    if output is Output.JSON:
        top = {system: _top(table, most_confusions) for system, table in confused.items()}
        _print_json(result, metrics, clean_levels, top, sc_stats)
        return
    from misread.report import (
        CONFUSED_KINDS,
        ReportSettings,
        lay_out_confusions,
        lay_out_fairness,
        lay_out_groups,
        lay_out_rates,
        make_rate_table,
        render_csv,
        render_html,
        render_latex,
        render_markdown,
    )
    from misread.report.tables.rates_layout import warnings_of

    settings = ReportSettings(
        metrics,
        group_order={column: [level] for column, level in clean_levels.items()},
        degradation=list(clean_levels),
        confusions=most_confusions,
    )
    rates = [make_rate_table(result, metric, settings) for metric in metrics]
    tables = [lay_out_rates(table, settings) for table in rates]
    by_group = [lay_out_groups(result, column, metric, settings) for metric in metrics for column in groups]
    laid_out = [lay_out_confusions(result.dataset, confused, kind, settings) for kind in CONFUSED_KINDS]
    confusion_tables = [table for table in laid_out if table]
    if output is Output.CSV:
        # One table has one header; groups and confusions have other columns.
        write_out(render_csv(confusion_tables or by_group or tables, raw=raw_csv), end="")
        # It cannot hold the notes below the other tables.
        for warning in dict.fromkeys(chain.from_iterable(map(warnings_of, rates))):
            warn(warning)
        return
    fairness = [
        lay_out_fairness(result, column, metric, settings)
        for metric in metrics
        for column in groups
        if column not in clean_levels
    ]
    tables += [*by_group, *fairness, *confusion_tables]
    if output is not Output.TABLE:
        render = {Output.LATEX: render_latex, Output.MARKDOWN: render_markdown, Output.HTML: render_html}[output]
        write_out("\n".join(render(each) for each in tables), end="")
        return
    from misread.display.lines import make_console
    from misread.display.sc_stats import render_sc_stats
    from misread.display.tests import print_tests
    from misread.report.render.terminal import print_table

    for each in tables:
        print_table(each, make_console())
    if with_tests:
        print_tests(result, make_console())
    for pair in sc_stats:
        write_out(f"\n{render_sc_stats(pair)}", end="")


def _print_json(
    result: DatasetResult,
    metrics: Sequence[str],
    clean_levels: Mapping[str, str],
    confusions: Mapping[str, object],
    sc_stats: Sequence[ScStats],
) -> None:
    from misread.stats import robustness_curve

    content = to_plain(result)
    if clean_levels:
        content["robustness"] = {
            column: {metric: robustness_curve(result, column, metric, clean=level) for metric in metrics}
            for column, level in clean_levels.items()
        }
    if confusions:
        content["confusions"] = confusions
    if sc_stats:
        content["sc_stats"] = sc_stats
    print_json(content)


def _top(table: ConfusionTable, number: int) -> dict[str, object]:
    most = {kind: list(cells[:number]) for kind, cells in table.confusions.items()}
    return {"facts": table.facts, **most}
