"""Evaluation of stored results of the pipeline, in the working tree or at a commit."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar, cast

from misread.data.segment_table import MissingPolicy
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.evaluation.evaluation import Evaluation
from misread.evaluation.frames import find_rows, shared_segments
from misread.metrics import Metric
from misread.pipeline import paths
from misread.pipeline.params import PARAMS_FILE, Params, load_params
from misread.revisions import open_revision, read_stored
from misread.sockets import read_comparison
from misread.stats import DatasetResult
from misread.storage import read_normalized, read_scores
from misread.tally import ScoredSystem

Made = TypeVar("Made")


class _Read(Protocol):
    def __call__(self, path: Path, read: Callable[[Path], Made], /) -> Made: ...


def read_results(
    path: str | os.PathLike[str] = ".", revision: str | None = None, *, dataset: str | None = None
) -> Evaluation:
    """Read the results of one data set of a project.

    Parameters
    ----------
    path : str or path-like
        Folder of the project, the one with params.yaml.
    revision : str, optional
        Commit by any name that Git knows, such as "HEAD~1" or a tag, or the name of a DVC experiment; its files come
        from DVC's cache or remote. By default the files in build/ are read, as the last `dvc repro` left them.
    dataset : str, optional
        Id of the data set; may be left out where there is only one.

    Returns
    -------
    Evaluation
        As `evaluate` returns it for the same texts and settings.

    Raises
    ------
    ConfigurationError
        If there are several data sets and none is named; lists them.
    UnknownNameError
        If there is no such data set; lists the existing ones.
    InputFileError
        If there is no project, or the pipeline has not run there.
    RevisionError
        If there is no such commit, or its results were never stored; says what to run.

    Examples
    --------
    >>> misread.read_results("project", "HEAD~1", dataset="lines")  # doctest: +SKIP
    <Evaluation of 'lines': tesseract, rapidocr; cer, wer; 120 segments>
    """
    root = Path(path)
    if revision is None:
        return _gather(load_params(root / PARAMS_FILE), dataset, lambda path, read: read(root / path))
    with TemporaryDirectory(prefix="misread-") as folder:
        opened = open_revision(root, revision, Path(folder))
        return _gather(opened.params(), dataset, partial(read_stored, opened))


def _gather(params: Params, dataset: str | None, read: _Read) -> Evaluation:
    dataset = _choose_dataset(params, dataset)
    result = read(paths.comparison(dataset), read_comparison)
    metrics = _metrics_of(result, params)
    scored = {}
    for system in result.systems:
        texts = read(paths.normalized(dataset, system), read_normalized)
        scores = read(paths.scores(dataset, system), read_scores)
        scored[system] = ScoredSystem(texts, metrics, cast("MissingPolicy", scores.missing), stored=scores)
    _require_one_run(result, scored)
    return Evaluation(result, scored)


def _choose_dataset(params: Params, dataset: str | None) -> str:
    known = params.datasets
    if dataset is None:
        if len(known) > 1:
            raise ConfigurationError(
                f"{params.path} has {len(known)} data sets; choose one, such as dataset={known[0]!r}. There are: "
                f"{', '.join(known)}."
            )
        return known[0]
    if dataset not in known:
        raise UnknownNameError("data set", dataset, known, where=str(params.path))
    return dataset


def _metrics_of(result: DatasetResult, params: Params) -> list[Metric]:
    known = {metric.id: metric for metric in params.metrics()}
    for metric in result.first_system:
        if metric not in known:
            raise InputFileError(
                f"{paths.comparison(result.dataset)} has the metric {metric!r}, which {params.path} does not name; run "
                "`dvc repro` to make both alike."
            )
    return [known[metric] for metric in result.first_system]


def _require_one_run(result: DatasetResult, scored: dict[str, ScoredSystem]) -> None:
    """Refuse files of different runs, left by a killed one: segment counts must sum to those of the rates."""
    shared = shared_segments(scored)
    for system, scored_system in scored.items():
        rows = find_rows(scored_system.scores.segments.segment_id, shared)
        for metric, rate in result.systems[system].items():
            counts = scored_system.scores.counts[metric]
            if dict(zip(counts.columns, counts.values[rows].sum(axis=0).tolist(), strict=True)) != dict(rate.counts):
                raise InputFileError(
                    f"{paths.scores(result.dataset, system)} and {paths.comparison(result.dataset)} are of different "
                    "runs; run `dvc repro` to make both alike."
                )
