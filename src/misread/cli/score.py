"""`misread score`: score files or a table without a pipeline."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.paired_tests import read_test_names
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from misread.stats import DatasetResult


class Format(StrEnum):
    """How a text file is cut into segments."""

    LINES = "lines"
    TEXT = "text"


class Report(StrEnum):
    """What is printed beside the rates."""

    SC_STATS = "sc_stats"


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"
    HTML = "html"


def score(
    ref: Annotated[str, typer.Option(help="File of references, or with --table its column.")],
    hyp: Annotated[list[str], typer.Option(help="NAME=FILE of a system, or with --table NAME=COLUMN; repeat.")],
    table: Annotated[
        Path | None, typer.Option(help="Table with a row a segment: .csv, .tsv, .jsonl or .parquet.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="With --table: columns of segment ids, joined by commas.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="With --table: column of clusters (page, speaker), resampled as a whole.")
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help="With --table: column by which results are broken down; repeat.")
    ] = None,
    text_format: Annotated[
        Format, typer.Option("--format", help="Of files: every line a segment, or the whole text one.")
    ] = Format.LINES,
    metrics: Annotated[str, typer.Option(help="Ids of metrics, joined by commas.")] = "cer,wer",
    normalizer: Annotated[str, typer.Option(help="Done to both sides first: none, whitespace, lower.")] = "none",
    missing: Annotated[str, typer.Option(help="Hypotheses that are missing: strict, present, all.")] = "strict",
    tests: Annotated[
        str | None, typer.Option(help="Paired tests to run and print beside the deciding one, joined by commas.")
    ] = None,
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of the bootstrap; part of the signature.")] = 1,
    report: Annotated[
        Report | None, typer.Option(help="sc_stats: the paired figures of NIST's tool, words aligned as by sclite.")
    ] = None,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
) -> None:
    r"""Score systems against references, and test every pair of them.

    For instance:

    \b
      misread score --ref gold.txt --hyp a=a.txt --hyp b=b.txt
      misread score --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
    """
    from misread.datasets.score_input import read_files, read_table
    from misread.metrics import ErrorRate, get_metrics
    from misread.normalize import get_normalizer
    from misread.report.sc_stats_text import render_sc_stats
    from misread.single_run import score_captures, score_texts
    from misread.stats import Statistics, compare_like_sc_stats

    systems, metric_ids = _named(hyp), _metric_ids(metrics)
    settings = Statistics(seed=seed, confidence=confidence, resamples=resamples)
    if (tests or report) and output not in (Output.TABLE, Output.JSON):
        option = "--tests" if tests else "--report"
        raise ConfigurationError(f"{option} is printed with --output table or json, not with {output}.")
    if tests is not None:
        # The test that decides is always made.
        names = dict.fromkeys([*read_test_names(tests), settings.decide_by])
        settings = replace(settings, tests=list(names))
    if table is not None:
        captures = read_table(
            table, ref, systems, segment_id=_list(id_column), cluster=cluster or "", groups=group or []
        )
    elif id_column or cluster or group:
        raise ConfigurationError("--id, --cluster and --group name columns: they need --table FILE.")
    else:
        captures = read_files(
            Path(ref), {name: Path(file) for name, file in systems.items()}, by_line=text_format is Format.LINES
        )
    result = score_texts(
        captures,
        get_normalizer(normalizer),
        get_metrics(metric_ids),
        settings,
        baseline=baseline,
        missing=missing,
    )
    nist = []
    if report is Report.SC_STATS:
        words = ErrorRate("wer", "word", alignment="sclite")
        aligned = score_captures(captures, get_normalizer(normalizer), [words], missing=missing, operations=True)
        nist = compare_like_sc_stats(aligned, words.id, baseline=baseline)
    if output is Output.JSON:
        content = {**result, **({"sc_stats": [pair.to_dict() for pair in nist]} if nist else {})}
        typer.echo(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False))
        return
    _print(result, metric_ids, output, with_tests=tests is not None)
    for pair in nist:
        typer.echo(f"\n{render_sc_stats(pair)}", nl=False)


def _named(entries: list[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise ConfigurationError(f"--hyp {entry!r}: expected NAME=FILE, or with --table NAME=COLUMN.")
        if name in named:
            raise ConfigurationError(f"--hyp names {name!r} twice; every system needs a name of its own.")
        named[name] = value
    return named


def _metric_ids(text: str) -> list[str]:
    ids = _list(text)
    if not ids:
        raise ConfigurationError("--metrics is empty; name at least one, such as cer.")
    for metric_id in ids:
        if ids.count(metric_id) > 1:
            raise ConfigurationError(f"--metrics names {metric_id!r} twice; once is enough.")
    return ids


def _list(text: str | None) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()] if text else []


def _print(result: DatasetResult, metrics: list[str], output: Output, *, with_tests: bool) -> None:
    from misread.report import (
        ReportSettings,
        lay_out_rates,
        make_rate_table,
        render_csv,
        render_html,
        render_latex,
        render_markdown,
    )

    settings = ReportSettings(metrics)
    tables = [lay_out_rates(make_rate_table(result, metric, settings), settings) for metric in metrics]
    if output is Output.CSV:
        typer.echo(render_csv(tables), nl=False)
    elif output is Output.TABLE:
        from rich.console import Console

        from misread.report.terminal import print_table

        for each in tables:
            print_table(each, Console(file=sys.stdout))
        if with_tests:
            from misread.report.tests_table import print_tests

            print_tests(result, Console(file=sys.stdout))
    else:
        render = {Output.LATEX: render_latex, Output.MARKDOWN: render_markdown, Output.HTML: render_html}[output]
        typer.echo("\n".join(render(each) for each in tables), nl=False)
