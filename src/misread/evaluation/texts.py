"""Evaluation of texts in memory."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from misread.data import from_columns, from_frame, with_annotations
from misread.data.segment_table import Capture, MissingPolicy, SegmentTable
from misread.errors import InputTypeError, InputValueError, UnknownNameError
from misread.evaluation.evaluation import Evaluation
from misread.io.checks.settings import check_types
from misread.metrics import Metric
from misread.normalize import Normalizer, get_normalizer, normalize
from misread.sockets.metric_names import get_metric
from misread.sockets.metrics import check_beside
from misread.sockets.sections import section_functions
from misread.stats import StatisticsSettings, compare_systems
from misread.tally import Equivalents, ScoredSystem, check_equivalents, read_equivalents

if TYPE_CHECKING:
    import pandas as pd


def evaluate(
    references: Iterable[str] | pd.DataFrame | SegmentTable,
    hypotheses: Mapping[str, Iterable[str | None] | Mapping[str, Iterable[str | None]]] | None = None,
    *,
    seed: int,
    metrics: str | Metric | Sequence[str | Metric] = ("cer", "wer"),
    reference: str | None = None,
    systems: str | Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    ids: Iterable[str | int] | str | None = None,
    clusters: Iterable[str | int] | str | None = None,
    groups: Mapping[str, Iterable[str | int]] | Sequence[str] | str | None = None,
    annotations: Mapping[str, Any] | None = None,
    normalizer: str | Normalizer = "none",
    equivalents: Sequence[Sequence[str]] | str | os.PathLike[str] | None = None,
    missing: MissingPolicy = "error",
    baseline: str | None = None,
    name: str | None = None,
    cluster_name: str | None = None,
    run: str | None = None,
    request: str | None = None,
    **statistics: Any,
) -> Evaluation:
    """Score systems on one data set, with intervals, and test every pair of them.

    The numbers are those of `misread score` and of the pipeline on the same texts.

    Parameters
    ----------
    references : sequence of str, pandas.DataFrame, or SegmentTable
        Reference of every segment (list, Series, Arrow array); or a frame with one row per segment, of which
        `reference`, `systems`, `ids`, `clusters` and `groups` name columns. Its rows are taken in their order; its
        index is not used. Or what a reader of `misread.data` gives, such as `read_folders`, which has all of this.
    hypotheses : mapping of str to sequence of str, or to mapping of str to sequence of str, optional
        Texts by system, not for a frame; of a system that was asked several times, texts by the name of the run, as in
        `{"a": {"1": ..., "2": ...}}`: runs of a segment are averaged. None, NaN or `pandas.NA` is a missing hypothesis,
        unlike an empty text. Series must have the index of `references`, as entries are paired by position.
    seed : int
        Of every random draw; part of the signature. There is no default: with 1 the numbers are those that
        `misread score` prints by default.
    metrics : str, Metric, or sequence of these
        Ids of built-in metrics (`misread.METRICS`) or metrics of one's own.
    reference : str, optional
        Column of references of a frame.
    systems : str, sequence of str, or mapping of str to str or sequence of str, optional
        Columns of hypotheses of a frame, which systems are called after, or columns by system; several columns of one
        system are its runs.
    ids : sequence of str or int, optional
        Distinct ids of the segments, or column of a frame; by default segments are numbered from 1.
    clusters : sequence of str or int, optional
        Page, speaker or writer of every segment, or column of a frame. Whole clusters are resampled and exchanged:
        segments of one page resemble each other, and tests that take them as independent find too many differences.
    groups : mapping of str to sequence of str or int, or sequence of str, optional
        Labels by which results are broken down, by column, or columns of a frame.
    annotations : mapping, optional
        What is known beside the texts and some metrics need, such as "confidence", by name: a sequence with one value
        per segment, or such a sequence by system.
    normalizer : str or Normalizer
        Done to both sides first: a name of `misread.normalize.PROFILES`, such as "whitespace", or one's own.
    equivalents : sequence of sequence of str, or path-like, optional
        Sets of words and phrases, such as `[["going to", "gonna"]]`, of which an error rate of words may read one for
        another where the reference has it; or a file with one set per line, its members separated by slashes. They are
        written as the normalizer leaves them. Other metrics count the texts as they are.
    missing : {"error", "drop", "empty"}
        What becomes of segments without a hypothesis: they are an error, are left out for all systems, or count as
        empty texts.
    baseline : str, optional
        System that stands first in its pairs; the first one by default.
    name : str, optional
        Name of the data set, in tables and in the signature.
    cluster_name : str, optional
        What a cluster is called, such as "page"; by default the name of the column or Series, else "cluster".
    run : str, optional
        Column of a frame with one row per segment and run that names the run; it needs `ids`. Every segment has to have
        every run.
    request : str, optional
        Column of such a frame with the id of the request that a row answers; two rows with one id are refused.
    **statistics
        Settings of intervals and tests by the names that they have in `StatisticsSettings`, such as `confidence`,
        `resamples`, `margin`, `pairs="baseline"` or `tests=["wilcoxon"]`; the test that decides is always made.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputTypeError
        If an argument is not of its type, or those of texts and of a frame are mixed; names the argument.
    InputValueError
        If there is no segment or system, two ids are equal, or two Series have different indexes.
    LengthMismatchError
        If columns differ in length; names two and their lengths.
    UnknownNameError
        If a metric, normalizer, column, test or choice is unknown; lists the known ones.
    ConfigurationError
        If a setting is out of range.
    UndefinedResultError
        If hypotheses are missing under "error"; names the system and the first segments.

    Examples
    --------
    >>> references = ["the quick brown fox", "jumps over", "the lazy dog", "pack my box"]
    >>> first = ["the quick brown fox", "jumps over", "the lazy dog", "pack my b0x"]
    >>> second = ["thc quick brovn fox", "jumps ovcr", "the lazv dog", "pack rny box"]
    >>> result = evaluate(references, {"first": first, "second": second}, metrics=["cer"], seed=1)
    >>> rate = result.systems["second"]["cer"]
    >>> rate.rate, rate.counts["errors"], rate.counts["length"]
    (0.11538461538461539, 6, 52)
    >>> pair = result.pairs["first", "second"]["cer"]
    >>> round(pair.difference, 4), pair.pvalue, pair.verdict
    (0.0962, 0.125, 'inconclusive')
    >>> result.segments.groupby("system")["cer_errors"].sum().to_dict()
    {'first': 1, 'second': 6}

    The same from a frame:

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"text": references, "first": first, "second": second})
    >>> same = evaluate(frame, reference="text", systems=["first", "second"], metrics="cer", seed=1)
    >>> same.systems["second"]["cer"].rate == rate.rate
    True
    """
    settings = _read_statistics({"seed": seed, **statistics})
    chosen = _read_metrics(metrics)
    if isinstance(normalizer, str):
        normalizer = get_normalizer(normalizer)
    elif not isinstance(normalizer, Normalizer):
        raise InputTypeError(f"normalizer is of type {type(normalizer).__name__}, expected a name or a Normalizer.")
    if isinstance(references, SegmentTable):
        beside = {"hypotheses": hypotheses, "reference": reference, "systems": systems, "ids": ids, "name": name}
        beside |= {"clusters": clusters, "groups": groups, "cluster_name": cluster_name, "run": run, "request": request}
        given = [argument for argument, value in beside.items() if value is not None]
        if given:
            raise InputTypeError(f"{given[0]} is given beside a SegmentTable, which has its own; leave it out.")
        table = references
    elif hasattr(references, "columns"):
        if hypotheses is not None:
            raise InputTypeError(
                "hypotheses is given beside a DataFrame; name its columns as reference and systems, or give both sides "
                "as sequences."
            )
        table = _read_frame(references, reference, systems, ids, clusters, groups, name, cluster_name, run, request)
    else:
        for argument, column in (("reference", reference), ("systems", systems), ("run", run), ("request", request)):
            if column is not None:
                raise InputTypeError(f"{argument} names columns, but references is not a DataFrame; give hypotheses.")
        if hypotheses is None:
            raise InputTypeError("hypotheses is missing, expected texts by system, such as {'a': ...}.")
        table = from_columns(
            references,
            hypotheses,
            ids=ids,
            clusters=clusters,
            groups=cast("Mapping[str, Iterable[str | int]] | None", groups),
            name=name or "texts",
            cluster_name=cluster_name or _name_of_series(clusters) or "cluster",
        )
    if annotations is not None:
        table = with_annotations(table, annotations)
    if baseline is not None and baseline not in table.hypotheses:
        raise UnknownNameError("system", baseline, table.hypotheses, where="baseline")
    return evaluate_table(
        table,
        chosen,
        normalizer,
        settings,
        baseline=baseline,
        missing=missing,
        equivalents=_read_equivalents(equivalents),
    )


def evaluate_table(
    table: SegmentTable,
    metrics: Sequence[Metric],
    normalizer: Normalizer,
    settings: StatisticsSettings,
    *,
    baseline: str | None = None,
    missing: str = "error",
    equivalents: Equivalents | None = None,
) -> Evaluation:
    """Normalize, score and compare the systems of a table; without a baseline, the first one is it."""
    if equivalents is not None:
        check_equivalents(equivalents, normalizer, metrics)
    scored = score_captures(table.captures(), normalizer, metrics, missing=missing, equivalents=equivalents)
    # Before the counts, which then come from these alignments.
    wanted = "mapsswe" in settings.tests
    operations = {system: of.operations(metrics) for system, of in scored.items()} if wanted else None
    result = compare_systems(
        {system: of.scores for system, of in scored.items()},
        metrics,
        settings,
        dataset=table.name,
        baseline=baseline or next(iter(scored)),
        operations=operations,
        sections=section_functions(settings.sections),
    )
    return Evaluation(result, scored)


def score_captures(
    captures: Mapping[str, Capture],
    normalizer: Normalizer,
    metrics: Sequence[Metric],
    *,
    missing: str,
    equivalents: Equivalents | None = None,
) -> dict[str, ScoredSystem]:
    """Normalize the outputs of each system once, to be scored by the metrics."""
    return {
        system: ScoredSystem(normalize(capture, normalizer), metrics, cast("MissingPolicy", missing), equivalents)
        for system, capture in captures.items()
    }


def _read_frame(
    frame: Any,
    reference: str | None,
    systems: Any,
    ids: Any,
    clusters: Any,
    groups: Any,
    name: str | None,
    cluster_name: str | None,
    run: str | None,
    request: str | None,
) -> SegmentTable:
    if reference is None or systems is None:
        raise InputTypeError("a DataFrame needs reference and systems, the names of its columns.")
    for argument, column in (("reference", reference), ("clusters", clusters), ("run", run), ("request", request)):
        if not isinstance(column, str | None):
            raise InputTypeError(f"{argument} is of type {type(column).__name__}, expected a column of the DataFrame.")
    if isinstance(groups, Mapping):
        raise InputTypeError("groups is a mapping, expected names of columns of the DataFrame.")
    return from_frame(
        frame,
        reference=reference,
        systems=[systems] if isinstance(systems, str) else systems,
        ids=ids,
        clusters=clusters,
        groups=[groups] if isinstance(groups, str) else () if groups is None else groups,
        name=name or "frame",
        cluster_name=cluster_name or "",
        run=run,
        request=request,
    )


def _name_of_series(values: object) -> str:
    name = getattr(values, "name", None)
    return name if isinstance(name, str) else ""


def _read_equivalents(given: Any) -> Equivalents | None:
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        return read_equivalents(Path(given))
    if not isinstance(given, Sequence) or not all(isinstance(each, Sequence) for each in given):
        raise InputTypeError(
            f"equivalents is of type {type(given).__name__}, expected sets such as [['going to', 'gonna']], or a file."
        )
    return Equivalents(given)


def _read_metrics(metrics: Any) -> list[Metric]:
    listed = [metrics] if isinstance(metrics, str | Metric) else metrics
    if not isinstance(listed, Iterable):
        raise InputTypeError(
            f"metrics is of type {type(metrics).__name__}, expected ids of metrics, or Metric objects."
        )
    chosen = [metric if isinstance(metric, Metric) else get_metric(metric) for metric in listed]
    ids = [metric.id for metric in chosen]
    if not ids:
        raise InputValueError("metrics is empty; name at least one, such as 'cer'.")
    twice = next((each for each in ids if ids.count(each) > 1), None)
    if twice is not None:
        raise InputValueError(f"metrics has {twice!r} twice; once is enough, and a Metric can have another id.")
    check_beside(chosen)
    return chosen


def _read_statistics(options: dict[str, Any]) -> StatisticsSettings:
    known = [each.name for each in fields(StatisticsSettings)]
    for option in options:
        if option not in known:
            own = [each for each in inspect.signature(evaluate).parameters if each != "statistics"]
            # As Python says of an unexpected argument, with the choices.
            raise InputTypeError(str(UnknownNameError("argument", option, {*own, *known}, where="evaluate()")))
    tests = options.get("tests", StatisticsSettings.tests)
    if not isinstance(tests, Iterable):
        raise InputTypeError(f"tests is {tests!r}, expected names of tests.")
    tests = [tests] if isinstance(tests, str) else tests
    if options.get("runs") == "crossed":
        # The usual test knows nothing of runs.
        options.setdefault("deciding_test", "jackknife")
    options["tests"] = [*dict.fromkeys([*tests, options.get("deciding_test", StatisticsSettings.deciding_test)])]
    return StatisticsSettings(**check_types(StatisticsSettings, options, where=""))
