"""Evaluation of stored results of the pipeline, in the working tree or at a commit."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar, cast

from misread.data.segment_table import MissingPolicy
from misread.errors import InputFileError, MissingResultsError
from misread.evaluation.evaluation import Evaluation
from misread.evaluation.frames import find_rows, shared_segments
from misread.metrics import Metric
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline import paths
from misread.pipeline.params import PARAMS_FILE, Params, load_params
from misread.revisions import StoredResults, open_revision, read_stored
from misread.revisions.changes import other_version
from misread.revisions.matching import how_to_bring_rows, other_versions
from misread.revisions.stored_results import find_no_texts
from misread.sockets import read_comparison
from misread.sockets.sections import section_functions
from misread.stats import DatasetResult, compare_systems
from misread.storage import read_counts, read_normalized, read_scores
from misread.tally import ScoredSystem
from misread.tally.scored_system import TextSource
from misread.tally.scores import Scores

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
        Commit by any name that Git knows, such as "HEAD~1" or a tag, or the name of a DVC experiment. Its counts come
        from Git (`reports/counts`), and rates, intervals and tests are computed from them; texts come from DVC's cache
        or remote when they are asked for. A commit without counts in Git is read from the cache or remote as a whole.
        By default the files in build/ are read, as the last `dvc repro` left them, and without them the counts.
    dataset : str, optional
        Id of the data set; may be left out where there is only one.

    Returns
    -------
    Evaluation
        As `evaluate` returns it for the same texts and settings. A warning says which other version of misread counted.

    Raises
    ------
    ConfigurationError
        If there are several data sets and none is named; lists them.
    UnknownNameError
        If there is no such data set; lists the existing ones.
    InputFileError
        If there is no project, or the pipeline has not run there.
    RevisionError
        If there is no such commit, or its results are nowhere, or are sums where segments are needed; says what to run.

    Examples
    --------
    >>> misread.read_results("project", "HEAD~1", dataset="lines")  # doctest: +SKIP
    <Evaluation of 'lines': tesseract, rapidocr; cer, wer; 120 segments>
    """
    root = Path(path)
    if revision is None:
        params = load_params(root / PARAMS_FILE)
        chosen = params.choose_dataset(dataset)
        counts = {system: root / paths.counts(chosen, system) for system in params.systems}
        if (root / paths.comparison(chosen)).is_file() or not all(path.is_file() for path in counts.values()):
            return _gather(params, chosen, lambda path, read: read(root / path))
        committed = {system: read_counts(path, (chosen, system)).scores for system, path in counts.items()}
        hidden = any(scores.pseudonyms for scores in committed.values())
        return _evaluate_counts(committed, params, chosen, lambda system: TextsOfTree(root, chosen, system, hidden))
    with TemporaryDirectory(prefix="misread-") as folder:
        opened = open_revision(root, revision, Path(folder))
        params = opened.params()
        chosen = params.choose_dataset(dataset)
        scores = committed_scores(StoredResults(opened), chosen)
        if scores is None:
            return _gather(params, chosen, partial(read_stored, opened))
    hidden = any(system_scores.pseudonyms for system_scores in scores.values())
    # A branch may have moved on when texts are asked for.
    name = revision if opened.commit is None else opened.commit.hash
    return _evaluate_counts(scores, params, chosen, lambda system: TextsOfCommit(root, chosen, system, hidden, name))


@dataclass(frozen=True)
class TextsOfTree:
    """Texts of a system in build/, read when they are asked for."""

    root: Path
    dataset: str
    system: str
    has_pseudonyms: bool

    def read(self) -> NormalizedTexts:
        """All texts; raises MissingResultsError if they are not there."""
        if self.has_pseudonyms:
            raise find_no_texts(self.dataset)
        path = paths.normalized(self.dataset, self.system)
        if not (self.root / path).is_file():
            raise MissingResultsError(
                f"{self.root / path} is not there, and Git has no texts; bring it with `dvc pull {path.parent}`, or "
                "make it with `dvc repro`."
            )
        return read_normalized(self.root / path)

    def parts(self) -> Iterator[NormalizedTexts]:
        """All texts, in one part."""
        yield self.read()


@dataclass(frozen=True)
class TextsOfCommit(TextsOfTree):
    """Texts of a system at a commit, read from DVC's cache or remote when they are asked for."""

    commit: str

    def read(self) -> NormalizedTexts:
        """All texts; raises MissingResultsError, with the line that brings them, if they are not at hand."""
        with TemporaryDirectory(prefix="misread-") as folder:
            opened = open_revision(self.root, self.commit, Path(folder))
            return StoredResults(opened).texts(self.dataset, self.system)


def committed_scores(results: StoredResults, dataset: str) -> dict[str, Scores] | None:
    """Counts of all systems that Git has of a revision; None if it lacks those of any."""
    committed = {system: results.committed(dataset, system) for system in results.params.systems}
    if not all(committed.values()):
        return None
    return {system: results.scores(dataset, system) for system in committed}


def compare_counts(scores: Mapping[str, Scores], params: Params, dataset: str) -> DatasetResult:
    """Compare the systems again by their counts.

    Raises MissingResultsError if the counts are sums over clusters, or the settings need alignments of the texts, and
    InputFileError if they are not those of the metrics.
    """
    statistics, metrics = params.statistics(), params.metrics()
    for system, system_scores in scores.items():
        _require_metrics(system_scores, metrics, paths.counts(dataset, system))
    if any(system_scores.sizes is not None for system_scores in scores.values()):
        raise MissingResultsError(
            f"{paths.COUNTS / dataset} has sums over clusters, which give no results of segments and groups; "
            f"{how_to_bring_rows(dataset)}."
        )
    if "mapsswe" in statistics.tests:
        raise MissingResultsError(
            f"mapsswe among statistics.tests needs the alignments of {dataset}, which {paths.COUNTS} does not have; "
            f"{how_to_bring_rows(dataset)}."
        )
    return compare_systems(
        scores,
        metrics,
        statistics,
        dataset=dataset,
        baseline=params.baseline,
        sections=section_functions(statistics.sections),
    )


def _require_metrics(scores: Scores, metrics: Sequence[Metric], path: Path) -> None:
    """Refuse counts of other metrics, or of a version of misread in which one had other columns."""
    for metric in metrics if not scores.origin.not_applicable else ():
        counts = scores.counts.get(metric.id)
        if counts is None or counts.columns != metric.columns:
            columns = "no counts" if counts is None else f"other counts ({', '.join(counts.columns)})"
            raise InputFileError(
                f"{path} has {columns} of the metric {metric.id!r}; run `dvc repro` to make them again."
            )


def _evaluate_counts(
    scores: Mapping[str, Scores], params: Params, dataset: str, texts: Callable[[str], TextSource]
) -> Evaluation:
    """All results again, with texts that are read when they are asked for."""
    result, metrics = compare_counts(scores, params, dataset), params.metrics()
    if versions := dict.fromkeys(filter(None, map(other_version, scores.values()))):
        result = replace(result, warnings=(*result.warnings, other_versions(versions)))
    policies = {system: cast("MissingPolicy", scores[system].missing) for system in result.systems}
    scored = {
        system: ScoredSystem(texts(system), metrics, policy, stored=scores[system])
        for system, policy in policies.items()
    }
    return Evaluation(result, scored)


def _gather(params: Params, dataset: str, read: _Read) -> Evaluation:
    result = read(paths.comparison(dataset), read_comparison)
    metrics = _metrics_of(result, params)
    scored = {}
    for system in result.systems:
        texts = read(paths.normalized(dataset, system), read_normalized)
        scores = read(paths.scores(dataset, system), read_scores)
        scored[system] = ScoredSystem(texts, metrics, cast("MissingPolicy", scores.missing), stored=scores)
    _require_one_run(result, scored)
    return Evaluation(result, scored)


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
