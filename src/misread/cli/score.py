"""`misread score`: score files or a table without a pipeline."""

from __future__ import annotations

from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from misread.cli.options import named_values, split_list
from misread.cli.paired_tests import read_test_names
from misread.cli.score_output import Output, print_result
from misread.errors import ConfigurationError


class Format(StrEnum):
    """How a text file is cut into segments."""

    LINES = "lines"
    TEXT = "text"


class Report(StrEnum):
    """What is printed beside the rates."""

    SC_STATS = "sc_stats"


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
    normalizer: Annotated[
        str, typer.Option(help="Done to both sides first: none, whitespace, lower, unfenced.")
    ] = "none",
    schema: Annotated[
        Path | None,
        typer.Option(help="JSON Schema (.json) or XML Schema (.xsd) that answers should fit."),
    ] = None,
    required: Annotated[
        str | None, typer.Option(help="Fields, joined by commas, that json_completeness or xml_completeness asks for.")
    ] = None,
    missing: Annotated[str, typer.Option(help="Hypotheses that are missing: strict, present, all.")] = "strict",
    tests: Annotated[
        str | None, typer.Option(help="Paired tests to run and print beside the deciding one, joined by commas.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Largest difference of rates that does not matter (0.005: half a point).")
    ] = None,
    nemenyi: Annotated[
        bool,
        typer.Option("--nemenyi", help="Compare ranks of three systems over clusters (Friedman, Nemenyi)."),
    ] = False,
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of the bootstrap; part of the signature.")] = 1,
    report: Annotated[
        Report | None, typer.Option(help="sc_stats: the paired figures of NIST's tool, words aligned as by sclite.")
    ] = None,
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
    from misread.datasets.score_input import read_files, read_table
    from misread.metrics import ErrorRate, get_metrics, with_schema
    from misread.normalize import get_normalizer
    from misread.run_folder import write_run
    from misread.single_run import find_confusions, score_captures, score_texts
    from misread.stats import Statistics, compare_like_sc_stats

    systems = named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")
    metric_ids = _metric_ids(metrics)
    clean_levels = _clean_levels(clean or [], group or [])
    settings = Statistics(seed=seed, confidence=confidence, resamples=resamples, margin=margin, nemenyi=nemenyi)
    if (tests or report) and output not in (Output.TABLE, Output.JSON):
        option = "--tests" if tests else "--report"
        raise ConfigurationError(f"{option} is printed with --output table or json, not with {output}.")
    if tests is not None:
        # The test that decides is always made.
        names = dict.fromkeys([*read_test_names(tests), settings.decide_by])
        settings = replace(settings, tests=list(names))
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
    steps = get_normalizer(normalizer)
    scored = score_texts(captures, steps, chosen, settings, baseline=baseline, missing=missing)
    confused = find_confusions(captures, steps, chosen, missing=missing) if confusions else {}
    nist = []
    if report is Report.SC_STATS:
        words = ErrorRate("wer", "word", alignment="sclite")
        aligned = score_captures(captures, steps, [words], missing=missing, operations=True)
        nist = compare_like_sc_stats(aligned, words.id, baseline=baseline)
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
            "statistics": asdict(settings),
        }
        write_run(run_dir, config=config, scores=scored.scores, metrics=chosen, summary=scored.result)
    print_result(
        scored.result,
        metric_ids,
        output,
        groups=group or [],
        clean_levels=clean_levels,
        confused=confused,
        most_confusions=confusions,
        sc_stats=nist,
        with_tests=tests is not None,
    )


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
