"""`misread calibrate`: type I errors of the tests on one's own data with mixed labels."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.options import named_values, split_list, statistics_of_options
from misread.cli.paired_tests import read_test_names
from misread.display.json_output import print_json
from misread.errors import ConfigurationError, UndefinedResultError
from misread.pipeline.console import write_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from misread.metrics import Metric
    from misread.records import Scores
    from misread.stats import Statistics


class Output(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


def calibrate(
    ref: Annotated[str | None, typer.Option(help="File of references, or with --table its column.")] = None,
    hyp: Annotated[list[str] | None, typer.Option(help="NAME=FILE, or with --table NAME=COLUMN; repeat.")] = None,
    table: Annotated[
        Path | None, typer.Option(help="Table with one row per segment: .csv, .tsv, .jsonl or .parquet.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="With --table: columns of segment ids, joined by commas.")
    ] = None,
    cluster: Annotated[str | None, typer.Option(help="With --table: column of clusters (page, speaker).")] = None,
    dataset: Annotated[
        str | None, typer.Option(help="Instead of files: data set of the project whose scores the pipeline has made.")
    ] = None,
    metric: Annotated[str, typer.Option(help="Id of the metric.")] = "cer",
    normalizer: Annotated[str, typer.Option(help="Done to both sides first: none, whitespace, lower.")] = "none",
    missing: Annotated[str, typer.Option(help="Hypotheses that are missing: strict, present, all.")] = "strict",
    tests: Annotated[
        str, typer.Option(help="Paired tests, joined by commas.")
    ] = "randomisation,bootstrap,wilcoxon,paired_t,signs,mcnemar,mapsswe",
    simulations: Annotated[int, typer.Option(help="How often labels are mixed.")] = 1000,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples of each simulation.")] = 499,
    alpha: Annotated[float, typer.Option(help="Level that tests promise.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Seed of all draws.")] = 1,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TEXT,
) -> None:
    r"""Mix the labels of two systems in your own data, and see how often each test calls them different.

    For instance:

    \b
      misread calibrate --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
      misread calibrate --dataset das22
    """
    from misread.display.null_simulation import render_null_simulation
    from misread.stats import share_segments, simulate_null

    names = read_test_names(tests)
    settings = statistics_of_options(
        seed=seed, alpha=alpha, resamples=resamples, tests=list(dict.fromkeys([*names, "randomisation"]))
    )
    if dataset is not None:
        scores, chosen = _scores_of_project(dataset, metric, settings)
    elif ref is not None and hyp:
        scores, chosen = _scores_of_files(
            ref, hyp, table, id_column, cluster, metric=metric, normalizer=normalizer, missing=missing
        )
    else:
        raise ConfigurationError("name --dataset ID of the project, or --ref and two or more --hyp.")
    if len(scores) < 2:
        raise UndefinedResultError(f"labels of two systems are mixed, but there is only {', '.join(scores)}.")
    shared = share_segments(scores)
    settings = replace(settings, tests=names) if settings.decide_by in names else settings
    results = [
        simulate_null(shared, chosen, baseline, system, settings, simulations=simulations)
        for baseline, system in combinations(scores, 2)
    ]
    if output is Output.JSON:
        print_json(results)
    else:
        write_out("\n".join(render_null_simulation(result) for result in results), end="")


def _scores_of_files(
    ref: str,
    hyp: list[str],
    table: Path | None,
    id_column: str | None,
    cluster: str | None,
    *,
    metric: str,
    normalizer: str,
    missing: str,
) -> tuple[Mapping[str, Scores], Metric]:
    from misread.datasets.user_files import read_files, read_table
    from misread.metrics import get_metrics
    from misread.normalize import get_normalizer
    from misread.pipeline.in_process import score_captures

    systems = named_values(hyp, expected="NAME=FILE, or with --table NAME=COLUMN")
    if table is not None:
        captures = read_table(
            table, ref, systems, segment_id=split_list(id_column, option="--id"), cluster=cluster or ""
        )
    elif id_column or cluster:
        raise ConfigurationError("--id and --cluster name columns: they need --table FILE.")
    else:
        captures = read_files(Path(ref), {name: Path(file) for name, file in systems.items()}, by_line=True)
    (chosen,) = get_metrics([metric])
    return score_captures(captures, get_normalizer(normalizer), [chosen], missing=missing, operations=True), chosen


def _scores_of_project(dataset: str, metric: str, settings: Statistics) -> tuple[Mapping[str, Scores], Metric]:
    """Scores of the systems of params.yaml that can read the data set."""
    from misread.errors import UnknownNameError
    from misread.files import read_alignments, read_scores
    from misread.pipeline import paths
    from misread.pipeline.params import load_params
    from misread.scoring import with_alignments

    params = load_params()
    if dataset not in params.datasets:
        raise UnknownNameError("data set", dataset, params.datasets, where="--dataset")
    metrics = {of.id: of for of in params.metrics()}
    if metric not in metrics:
        raise UnknownNameError("metric", metric, metrics, where="--metric")
    scores = {}
    for system in params.systems:
        of = read_scores(paths.scores(dataset, system))
        if not of.origin.not_applicable:
            wanted = "mapsswe" in settings.tests
            scores[system] = with_alignments(of, read_alignments(paths.alignments(dataset, system))) if wanted else of
    return scores, metrics[metric]
