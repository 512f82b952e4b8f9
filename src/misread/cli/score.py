"""`misread score`: score files or a table without a pipeline."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.options import named_values, split_list
from misread.errors import ConfigurationError

if TYPE_CHECKING:
    from misread.stats import DatasetResult


class Format(StrEnum):
    """How a text file is cut into segments."""

    LINES = "lines"
    TEXT = "text"


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
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of the bootstrap; part of the signature.")] = 1,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
) -> None:
    r"""Score systems against references, and test every pair of them.

    For instance:

    \b
      misread score --ref gold.txt --hyp a=a.txt --hyp b=b.txt
      misread score --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
    """
    from misread.datasets.score_input import read_files, read_table
    from misread.metrics import get_metrics
    from misread.normalize import get_normalizer
    from misread.single_run import score_texts
    from misread.stats import Statistics

    systems = named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")
    metric_ids = _metric_ids(metrics)
    if table is not None:
        captures = read_table(
            table, ref, systems, segment_id=split_list(id_column), cluster=cluster or "", groups=group or []
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
        Statistics(seed=seed, confidence=confidence, resamples=resamples),
        baseline=baseline,
        missing=missing,
    )
    _print(result, metric_ids, output)


def _metric_ids(text: str) -> list[str]:
    ids = split_list(text)
    if not ids:
        raise ConfigurationError("--metrics is empty; name at least one, such as cer.")
    for metric_id in ids:
        if ids.count(metric_id) > 1:
            raise ConfigurationError(f"--metrics names {metric_id!r} twice; once is enough.")
    return ids


def _print(result: DatasetResult, metrics: list[str], output: Output) -> None:
    from misread.report import (
        ReportSettings,
        lay_out_rates,
        make_rate_table,
        render_csv,
        render_html,
        render_latex,
        render_markdown,
    )

    if output is Output.JSON:
        typer.echo(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False))
        return
    settings = ReportSettings(metrics)
    tables = [lay_out_rates(make_rate_table(result, metric, settings), settings) for metric in metrics]
    if output is Output.CSV:
        typer.echo(render_csv(tables), nl=False)
    elif output is Output.TABLE:
        from misread.report.terminal import make_console, print_table

        for each in tables:
            print_table(each, make_console())
    else:
        render = {Output.LATEX: render_latex, Output.MARKDOWN: render_markdown, Output.HTML: render_html}[output]
        typer.echo("\n".join(render(each) for each in tables), nl=False)
