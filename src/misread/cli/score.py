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
    from misread.records import ConfusionTable
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
        list[str] | None,
        typer.Option(
            help="With --table: column by which results are broken down, in CSV instead of the whole; repeat."
        ),
    ] = None,
    clean: Annotated[
        list[str] | None,
        typer.Option(help="COLUMN=LEVEL of a --group: shows how much each other level adds to that one; repeat."),
    ] = None,
    text_format: Annotated[
        Format, typer.Option("--format", help="Of files: every line a segment, or the whole text one.")
    ] = Format.LINES,
    metrics: Annotated[str, typer.Option(help="Ids of metrics, joined by commas.")] = "cer,wer",
    normalizer: Annotated[str, typer.Option(help="Done to both sides first: none, whitespace, lower.")] = "none",
    schema: Annotated[
        Path | None,
        typer.Option(help="JSON Schema (.json) or XML Schema (.xsd) that answers should fit."),
    ] = None,
    required: Annotated[
        str | None, typer.Option(help="Fields, joined by commas, that json_completeness or xml_completeness asks for.")
    ] = None,
    missing: Annotated[str, typer.Option(help="Hypotheses that are missing: strict, present, all.")] = "strict",
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of the bootstrap; part of the signature.")] = 1,
    run_dir: Annotated[
        Path | None,
        typer.Option(help="Folder to write config.json, results.json (every segment) and summary.json into."),
    ] = None,
    confusions: Annotated[
        int,
        typer.Option(min=0, help="Most frequent confusions of characters and of words to print; CSV then holds these."),
    ] = 0,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
) -> None:
    r"""Score systems against references, and test every pair of them.

    For instance:

    \b
      misread score --ref gold.txt --hyp a=a.txt --hyp b=b.txt
      misread score --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
    """
    from dataclasses import asdict

    from misread.datasets.score_input import read_files, read_table
    from misread.metrics import get_metrics, with_schema
    from misread.normalize import get_normalizer
    from misread.run_folder import write_run
    from misread.single_run import find_confusions, score_texts
    from misread.stats import Statistics

    systems = named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")
    metric_ids = _metric_ids(metrics)
    clean_levels = _clean_levels(clean or [], group or [])
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
    chosen = with_schema(get_metrics(metric_ids), schema, split_list(required))
    statistics = Statistics(seed=seed, confidence=confidence, resamples=resamples)
    steps = get_normalizer(normalizer)
    scored = score_texts(captures, steps, chosen, statistics, baseline=baseline, missing=missing)
    confused = find_confusions(captures, steps, chosen, missing=missing) if confusions else {}
    if run_dir is not None:
        config = {
            "references": {"table": str(table), "column": ref} if table else ref,
            "hypotheses": systems,
            "segment_id": split_list(id_column),
            "cluster": cluster,
            "groups": group or [],
            "format": None if table else text_format.value,
            "metrics": metric_ids,
            "normalizer": normalizer,
            "schema": str(schema) if schema else None,
            "required": split_list(required),
            "missing": missing,
            "baseline": scored.result["baseline"],
            "statistics": asdict(statistics),
        }
        write_run(run_dir, config=config, scores=scored.scores, metrics=chosen, summary=scored.result)
    _print(scored.result, metric_ids, output, group or [], clean_levels, confused, confusions)


def _clean_levels(entries: list[str], groups: list[str]) -> dict[str, str]:
    levels = {}
    for entry in entries:
        column, equals, level = entry.partition("=")
        if not (column and equals and level):
            raise ConfigurationError(f"--clean {entry!r}: expected COLUMN=LEVEL.")
        if column not in groups:
            raise ConfigurationError(f"--clean {entry!r}: {column!r} is no --group; add --group {column}.")
        levels[column] = level
    return levels


def _metric_ids(text: str) -> list[str]:
    ids = split_list(text)
    if not ids:
        raise ConfigurationError("--metrics is empty; name at least one, such as cer.")
    for metric_id in ids:
        if ids.count(metric_id) > 1:
            raise ConfigurationError(f"--metrics names {metric_id!r} twice; once is enough.")
    return ids


def _print(
    result: DatasetResult,
    metrics: list[str],
    output: Output,
    groups: list[str],
    clean_levels: dict[str, str],
    confused: dict[str, ConfusionTable],
    confusions: int,
) -> None:
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

    if output is Output.JSON:
        content: dict[str, object] = {**result}
        if clean_levels:
            content["robustness"] = _robustness(result, metrics, clean_levels)
        if confused:
            content["confusions"] = {system: _top(table, confusions) for system, table in confused.items()}
        typer.echo(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False))
        return
    settings = ReportSettings(
        metrics,
        group_order={column: [level] for column, level in clean_levels.items()},
        degradation=list(clean_levels),
        confusions=confusions,
    )
    tables = [lay_out_rates(make_rate_table(result, metric, settings), settings) for metric in metrics]
    by_group = [lay_out_groups(result, column, metric, settings) for metric in metrics for column in groups]
    confusion_tables = list(
        filter(None, (lay_out_confusions(result["dataset"], confused, kind, settings) for kind in CONFUSED_KINDS))
    )
    if output is Output.CSV:
        # One table has one header; groups and confusions have other columns.
        typer.echo(render_csv(confusion_tables or by_group or tables), nl=False)
        return
    by_group += [
        lay_out_fairness(result, column, metric, settings)
        for metric in metrics
        for column in groups
        if column not in clean_levels
    ]
    if output is Output.TABLE:
        from misread.report.terminal import make_console, print_table

        for each in (*tables, *by_group, *confusion_tables):
            print_table(each, make_console())
    else:
        render = {Output.LATEX: render_latex, Output.MARKDOWN: render_markdown, Output.HTML: render_html}[output]
        typer.echo("\n".join(render(each) for each in (*tables, *by_group, *confusion_tables)), nl=False)


def _top(table: ConfusionTable, number: int) -> dict[str, object]:
    from dataclasses import asdict

    most = {kind: [asdict(one) for one in cells[:number]] for kind, cells in table.confusions.items()}
    return {"facts": table.facts, **most}


def _robustness(
    result: DatasetResult, metrics: list[str], clean_levels: dict[str, str]
) -> dict[str, dict[str, list[dict[str, object]]]]:
    from dataclasses import asdict

    from misread.stats import robustness_curve

    return {
        column: {
            metric: [asdict(row) for row in robustness_curve(result, column, metric, clean=level)] for metric in metrics
        }
        for column, level in clean_levels.items()
    }
