"""`misread plan calibrate`: type I errors of the tests on one's own data with mixed labels."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import OneMetric, metric_of_option, read_test_names
from misread.errors import ConfigurationError, UndefinedResultError
from misread.io.console import warn_of_notes, write_out
from misread.tables.terminal.output import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from misread.metrics import Metric
    from misread.stats import StatisticsSettings
    from misread.tally.alignments import Alignments
    from misread.tally.scores import Scores


class Output(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


@takes_inputs
def calibrate(
    inputs: Inputs,
    dataset: Annotated[
        str | None, typer.Option(help="Instead of files: data set of the project whose scores the pipeline has made.")
    ] = None,
    metrics: OneMetric = "cer",
    tests: Annotated[
        str, typer.Option(help="Paired tests, joined by commas.")
    ] = "randomisation,bootstrap,wilcoxon,paired_t,sign,mcnemar,mapsswe",
    simulations: Annotated[int, typer.Option(help="Number of simulations; each mixes the labels once.")] = 1000,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples of each simulation.")] = 499,
    alpha: Annotated[float, typer.Option(help="Level that tests promise.")] = 0.05,
    seed: Annotated[int, typer.Option(help="Seed of all draws.")] = 1,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TEXT,
) -> None:
    r"""Measure how often each test errs on your own data.

    The labels of two systems are mixed by whole clusters, and it counts how often each test calls them different.

    For instance:

    \b
      misread plan calibrate --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
      misread plan calibrate gold/ tesseract/ kraken/ --cluster '^([^/]+)/'
      misread plan calibrate --dataset das22
    """
    from misread.features.planning.null_simulation.null_simulation import render_null_simulation, simulate_null
    from misread.stats import StatisticsSettings, share_segments

    names = read_test_names(tests)
    settings = StatisticsSettings(
        seed=seed, alpha=alpha, resamples=resamples, tests=list(dict.fromkeys([*names, "randomisation"]))
    )
    if dataset is not None:
        inputs.require_none()
        scores, operations, chosen = _scores_of_project(dataset, metrics, settings)
    elif inputs.are_given:
        scores, operations, chosen = _scores_of_files(inputs, metrics)
    else:
        raise ConfigurationError("name --dataset ID of the project, or references and two or more systems.")
    if len(scores) < 2:
        raise UndefinedResultError(f"labels of two systems are permuted, but there is only {', '.join(scores)}.")
    shared = share_segments(scores, operations)
    settings = replace(settings, tests=names) if settings.deciding_test in names else settings
    results = [
        simulate_null(shared, chosen, baseline, system, settings, simulations=simulations)
        for baseline, system in combinations(scores, 2)
    ]
    if output is Output.JSON:
        print_json(results)
    else:
        write_out("\n".join(render_null_simulation(result) for result in results), end="")


def _scores_of_files(inputs: Inputs, metrics: str) -> tuple[Mapping[str, Scores], Alignments, Metric]:
    from misread.evaluation import score_captures

    chosen = metric_of_option(metrics)
    normalizer = inputs.chosen_normalizer
    scored = score_captures(inputs.read([chosen]).captures(), normalizer, [chosen], missing=inputs.missing)
    operations = {system: scored_system.operations([chosen]) for system, scored_system in scored.items()}
    warn_of_notes(scored_system.scores.origin for scored_system in scored.values())
    return {system: scored_system.scores for system, scored_system in scored.items()}, operations, chosen


def _scores_of_project(
    dataset: str, metric: str, settings: StatisticsSettings
) -> tuple[Mapping[str, Scores], Alignments, Metric]:
    """Scores of the systems in params.yaml that can read the data set."""
    from misread.errors import UnknownNameError
    from misread.pipeline import paths
    from misread.pipeline.params import load_params
    from misread.storage import read_alignments, read_scores

    params = load_params()
    if dataset not in params.datasets:
        raise UnknownNameError("data set", dataset, params.datasets, where="--dataset")
    metrics = {known.id: known for known in params.metrics()}
    if metric not in metrics:
        raise UnknownNameError("metric", metric, metrics, where="--metrics")
    scores = {}
    for system in params.systems:
        system_scores = read_scores(paths.scores(dataset, system))
        if not system_scores.origin.not_applicable:
            scores[system] = system_scores
    operations = {}
    if "mapsswe" in settings.tests:
        operations = {system: read_alignments(paths.alignments(dataset, system)).operations for system in scores}
    return scores, operations, metrics[metric]
