"""`misread decide`: a verdict from spans that were filled with the truth."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from misread.cli.help_pages import Panel
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import Margin, ProjectDataset, ProjectSystems, Width
from misread.cli.texts_to_compare import print_listings
from misread.errors import ConfigurationError, UndefinedResultError, setting
from misread.tables.terminal.output import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from misread.features.disputes.checked_clusters import PairSoFar
    from misread.features.disputes.disputes import Disputes
    from misread.features.disputes.tables import Filled
    from misread.stats import RatersResult
    from misread.tables import Table

Output = Literal["table", "json", "csv"]


@takes_records(without=("groups", "annotations"))
def decide(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILLED", help="Tables, or saved files of the page, with the truth: one of each person."
        ),
    ],
    inputs: Inputs,
    dataset: ProjectDataset = None,
    systems: ProjectSystems = None,
    metrics: Annotated[str, typer.Option(help="Error rates, joined by commas.")] = "cer",
    margin: Margin = None,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.", rich_help_panel=Panel.STATISTICS)] = 0.95,
    so_far: Annotated[
        bool,
        typer.Option("--so-far", help="Judge by the clusters checked so far; valid however often you look."),
    ] = False,
    total: Annotated[
        int | None,
        typer.Option(
            help="With --so-far: all clusters, checked or not, if the verdict is about these alone: narrower.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None,
    order: Annotated[Path | None, typer.Option(metavar="FILE", help="Order that spans were drawn by.")] = None,
    output: Annotated[Output, typer.Option(help="How to print; CSV has the pairs alone.")] = "table",
    width: Width = None,
) -> None:
    r"""Compare systems by the truth of disputed spans.

    For instance:

    \b
      misread decide spans.csv --hyp a=tesseract/ --hyp b=kraken/ --cluster '^([^/]+)/'
      misread decide anna.jsonl ben.jsonl --table lines.csv --hyp a=a --hyp b=b --segment-id line --cluster page

    Give the texts as for `misread dispute`. A truth that equals a reading is that reading; else `[?]` is what cannot
    be read, `[]` no text. Of several people every verdict is printed, and how far they agree. With --so-far you may
    look after every cluster, and stop when it is decided.
    """
    from misread.features.disputes.agreement.order import read_order
    from misread.features.disputes.agreement.table import lay_out_predicted
    from misread.features.disputes.checked_clusters import decide_so_far
    from misread.features.disputes.drawn_units import decide_drawn, draw_first
    from misread.features.disputes.given_texts import name_systems, read_disputes
    from misread.features.disputes.tables import read_draw, read_filled
    from misread.features.disputes.verdict import reach_verdict
    from misread.features.disputes.verdict_table import lay_out_people, lay_out_verdict
    from misread.io.names import split_names
    from misread.stats import StatisticsSettings
    from misread.tables import ReportSettings

    if total is not None and not so_far:
        raise ConfigurationError(f"{setting('total')} is for {setting('so_far', True)} alone; give both, or neither.")
    if dataset is None:
        inputs = name_systems(inputs)
    listed = None if order is None else read_order(order)
    draws = [draw_first(read_draw(path), listed) for path in files]
    first = read_disputes(inputs, dataset, systems, draws[0])
    disputes = [replace(first, draw=draw) for draw in draws]
    filled = [read_filled(path, spans) for path, spans in zip(files, disputes, strict=True)]
    if listed is not None and (so_far or margin is not None):
        raise ConfigurationError(f"{setting('order')} goes without {setting('so_far')} and {setting('margin')}.")
    names = split_names(metrics)
    pairs = zip(disputes, filled, strict=True)
    if listed is not None:
        drawn = [decide_drawn(*pair, listed, metrics=names, confidence=confidence) for pair in pairs]
        made = [([lay_out_predicted(result, ReportSettings(names))], vars(result)) for result in drawn]
        _print_each(filled, made, output, width)
        return
    if so_far:
        decide_each = partial(decide_so_far, metrics=names, total=total, margin=margin, level=1 - confidence)
        looks = [(spans, decide_each(spans, truths)) for spans, truths in pairs]
        _print_each(filled, [(_lay_out_so_far(*look), {"pairs": look[1]}) for look in looks], output, width)
        return
    settings = StatisticsSettings(
        seed=draws[0].seed, confidence=confidence, margin=margin, tests=[StatisticsSettings.deciding_test]
    )
    verdicts = [
        reach_verdict(spans, truths, metrics=names, statistics=settings)
        for spans, truths in zip(disputes, filled, strict=True)
    ]
    people = _compare_people(disputes, filled, confidence) if len(filled) > 1 else None
    if output == "json":
        records = [
            {"file": truths.name, **verdict.to_record()} for truths, verdict in zip(filled, verdicts, strict=True)
        ]
        print_json({"verdicts": records, "agreement": people} if people else records[0])
        return
    # Results from another way of reading the same counts follow the verdict of each person.
    tables = [table for verdict in verdicts for table in lay_out_verdict(verdict)]
    if people:
        tables.append(lay_out_people(people, len(first)))
    print_listings(tables, as_csv=output == "csv", width=width)


def _print_each(
    filled: Sequence[Filled], made: Sequence[tuple[list[Table], Mapping[str, Any]]], output: Output, width: int | None
) -> None:
    """Print what each person's truths say; of several, each with the name of the file."""
    if output == "json":
        records = [{"file": truths.name, **record} for truths, (_, record) in zip(filled, made, strict=True)]
        print_json({"verdicts": records} if len(filled) > 1 else records[0])
        return
    names = [f"{truths.name}: " if len(filled) > 1 else "" for truths in filled]
    tables = [
        replace(table, caption=name + table.caption)
        for name, (of_person, _) in zip(names, made, strict=True)
        for table in of_person
    ]
    print_listings(tables, as_csv=output == "csv", width=width)


def _lay_out_so_far(spans: Disputes, pairs: Sequence[PairSoFar]) -> list[Table]:
    """The verdict on every pair after the clusters checked so far."""
    from misread.tables import lay_out_sequential
    from misread.tables.rates_layout import metric_title

    return [
        lay_out_sequential(
            pair.result, baseline=pair.baseline, system=pair.system, unit=spans.unit, metric=metric_title(pair.metric)
        )
        for pair in pairs
    ]


def _compare_people(disputes: Sequence[Disputes], filled: Sequence[Filled], confidence: float) -> RatersResult | None:
    """How far people agree; None where all decide alike in everything. Raises ConfigurationError for other spans."""
    from misread.features.disputes.verdict import compare_people

    if any(spans.draw != disputes[0].draw for spans in disputes):
        raise ConfigurationError(
            f"{filled[0].name} and the others have other spans; give files of people who filled the same ones."
        )
    try:
        return compare_people(disputes[0], filled, confidence)
    except UndefinedResultError:
        return None
