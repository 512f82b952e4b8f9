"""Evaluation of texts in memory, of the columns of a frame, and of a table of segments that was read."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from misread.data import PairingSettings, from_columns, from_frame
from misread.data.pairing_settings import PairingRule
from misread.data.segment_table import Capture, MissingPolicy, SegmentTable
from misread.errors import InputTypeError, InputValueError, PairingWarning, UnknownNameError, setting
from misread.evaluation.evaluation import Evaluation
from misread.io.checks.choices import check_choice
from misread.io.checks.settings import check_types
from misread.io.console import steps
from misread.io.json_files import to_plain
from misread.metrics import Metric
from misread.normalize import Normalizer, get_normalizer, normalize
from misread.pairing.guard import guard_pairing
from misread.pairing.identical_outputs import find_identical
from misread.sockets.metric_names import get_metric
from misread.sockets.metrics import require_companions
from misread.sockets.sections import section_functions
from misread.stats import StatisticsSettings, compare_systems
from misread.tally import ScoredSystem

if TYPE_CHECKING:
    import pandas as pd

Metrics: TypeAlias = str | Metric | Sequence[str | Metric] | Mapping[str, str]
Statistics: TypeAlias = StatisticsSettings | Mapping[str, Any]


def evaluate(
    references: Iterable[str],
    systems: Mapping[str, Iterable[str | None] | Mapping[str, Iterable[str | None]]],
    *,
    seed: int | None = None,
    metrics: Metrics = ("cer", "wer"),
    normalizer: str | Normalizer = "none",
    ids: Iterable[str | int] | None = None,
    clusters: Iterable[str | int] | None = None,
    groups: Mapping[str, Iterable[str | int]] | None = None,
    missing: MissingPolicy = "error",
    pairing: PairingRule = "checked",
    statistics: Statistics | None = None,
) -> Evaluation:
    """Score systems on one data set, with intervals, and test every pair of them.

    The numbers are those of `misread score` and of the pipeline on the same texts. `evaluate_frame` does the same with
    columns of a DataFrame.

    Parameters
    ----------
    references : sequence of str
        Reference of every segment: a list, a Series, an Arrow array.
    systems : mapping of str to sequence of str, or to mapping of str to sequence of str
        Texts by system, the baseline first; of a system that was asked several times, texts by the name of the run, as
        in `{"a": {"1": ..., "2": ...}}`: runs of a segment are averaged. None, NaN or `pandas.NA` is a missing
        hypothesis, unlike an empty text. Series must have the index of `references`, as entries are paired by position.
    seed : int
        Of every random draw; part of the signature. There is no default: with 1 the numbers are those that
        `misread score` prints by default. It may be in `statistics` instead.
    metrics : str, Metric, sequence of these, or mapping of str to str
        Names of metrics, such as those of `misread.METRICS`, with settings as in "wer(alignment=sclite)", or metrics of
        one's own; or names by the ids that results have, `{"wer_sclite": "wer(alignment=sclite)"}`.
    normalizer : str or Normalizer
        Done to both sides first: a name of `misread.normalize.PROFILES`, such as "whitespace", or one's own.
    ids : sequence of str or int, optional
        Distinct ids of the segments; by default they are numbered from 1.
    clusters : sequence of str or int, optional
        Page, speaker or writer of every segment; a Series gives them its name. Whole clusters are resampled and
        exchanged: segments of one page resemble each other, and tests that take them as independent find too many
        differences.
    groups : mapping of str to sequence of str or int, optional
        Labels by which results are broken down, by column.
    missing : {"error", "drop", "empty"}
        What becomes of segments without a hypothesis: they are an error, are left out for all systems, or count as
        empty texts.
    pairing : {"checked", "strict", "as-given"}
        Whether outputs are looked at that may belong to other references: "checked" refuses them where one other
        pairing explains nearly all segments, and else warns by a PairingWarning and in `warnings`; "strict" refuses
        them in any case; "as-given" does not look; the signature says so.
    statistics : StatisticsSettings, or mapping of its fields, optional
        Settings of intervals and tests, such as `{"margin": 0.005, "pairs": "baseline"}`.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputTypeError
        If an argument is not of its type, or there is no seed; names the argument.
    InputValueError
        If there is no segment or system, two ids are equal, or two Series have different indexes.
    LengthMismatchError
        If columns differ in length; names two and their lengths.
    UnknownNameError
        If a metric, normalizer, setting or choice is unknown; lists the known ones.
    ConfigurationError
        If a setting is out of range.
    UndefinedResultError
        If hypotheses are missing under "error"; names the system and the first segments.
    PairingError
        If outputs belong to other references than those that they are paired with; names some and theirs.

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
    """
    if hasattr(references, "columns"):
        raise InputTypeError("references is a DataFrame: write misread.evaluate_frame(frame, reference=..., ...).")
    if isinstance(references, SegmentTable):
        raise InputTypeError("references is a SegmentTable: give it to misread.evaluation.evaluate_table.")
    table = from_columns(references, systems, ids=ids, clusters=clusters, groups=groups)
    return _evaluate(table, seed, metrics, normalizer, missing, pairing, statistics)


def evaluate_frame(
    frame: pd.DataFrame,
    *,
    systems: str | Sequence[str] | Mapping[str, str | Sequence[str]] | None = None,
    seed: int | None = None,
    metrics: Metrics = ("cer", "wer"),
    normalizer: str | Normalizer = "none",
    missing: MissingPolicy = "error",
    pairing: PairingRule = "checked",
    statistics: Statistics | None = None,
    **columns: Any,
) -> Evaluation:
    """Score systems that are columns, or rows, of a DataFrame.

    A wide frame has one row per segment and a column for each system (`systems`), a long one a row per segment and
    system (`hypothesis` and `system`). Rows are taken in their order; the index is not used.

    Parameters
    ----------
    frame : pandas.DataFrame
        One row per segment; per segment and run if `run` is given, per segment and system if `system` is.
    systems : str, sequence of str, or mapping of str to str or sequence of str
        Of a wide frame: columns of hypotheses, which systems are called after, or columns by system, the baseline
        first; several columns of one system are its runs.
    seed, metrics, normalizer, missing, pairing, statistics
        As of `evaluate`.
    **columns
        Names of columns by what they hold, as in `misread.data.TableColumns`: `reference`, which is needed,
        `segment_id` (one or several), `cluster`, `groups`; of a long frame `hypothesis`, `system`, whose first one is
        the baseline, and `measured`; `run` and `request`, where a system has several rows for a segment; and `ocr`.

    Returns
    -------
    Evaluation

    Raises
    ------
    InputTypeError
        If an argument does not name columns, a text is not one, or there is no seed.
    InputValueError
        If there is no row or system, columns share a name, ids are equal, rows of a segment contradict each other, or
        a latency, a cost or a number of tokens is not a number of 0 or more.
    UnknownNameError
        If there is no such column; offers the nearest. Also as `evaluate`.
    ConfigurationError, PairingError, UndefinedResultError
        As `evaluate`.

    Examples
    --------
    >>> import pandas as pd
    >>> lines = pd.DataFrame({"line": ["l1", "l2"], "text": ["a fox", "a dog"], "x": ["a fax", "a dog"]})
    >>> wide = evaluate_frame(lines, reference="text", systems=["x"], segment_id="line", metrics="cer", seed=1)
    >>> wide.systems["x"]["cer"].rate
    0.1

    The same with one row per line and system:

    >>> rows = lines.rename(columns={"x": "read"}).assign(engine="x", price=[0.25, 0.5])
    >>> long = evaluate_frame(
    ...     rows,
    ...     reference="text",
    ...     hypothesis="read",
    ...     system="engine",
    ...     segment_id="line",
    ...     measured={"usd": "price"},
    ...     metrics="cer",
    ...     seed=1,
    ... )
    >>> long.systems["x"]["cer"].rate
    0.1
    >>> long.view("cost")["usd"].item()
    0.75
    """
    table = from_frame(frame, systems=systems, **columns)
    return _evaluate(table, seed, metrics, normalizer, missing, pairing, statistics)


def evaluate_table(
    table: SegmentTable,
    *,
    seed: int | None = None,
    metrics: Metrics = ("cer", "wer"),
    normalizer: str | Normalizer = "none",
    missing: MissingPolicy = "error",
    pairing: PairingRule = "checked",
    statistics: Statistics | None = None,
    baseline: str | None = None,
) -> Evaluation:
    """Score the systems of a table of segments, such as a reader of `misread.data` returns.

    Both `evaluate` and `evaluate_frame` make such a table and end here. What they have no argument for is given to the
    table: a name by `from_columns` or `from_frame`, annotations by `with_annotations`.

    Parameters
    ----------
    table : SegmentTable
        References, ids, clusters, groups, annotations, and hypotheses by system.
    seed, metrics, normalizer, missing, pairing, statistics
        As of `evaluate`.
    baseline : str, optional
        First system of its pairs; by default the first one given.

    Returns
    -------
    Evaluation

    Raises
    ------
    UnknownNameError
        If the table has no such system. Also as `evaluate`.
    InputTypeError, InputValueError, ConfigurationError, PairingError, UndefinedResultError
        As `evaluate`.

    Examples
    --------
    >>> from misread.data import from_columns, with_annotations
    >>> table = from_columns(["a cat sat"], {"x": ["a cat sad"]}, name="pets")
    >>> table = with_annotations(table, {"confidence": {"x": [[0.9, 0.8, 0.3]]}})
    >>> round(evaluate_table(table, metrics="brier_score", seed=1).systems["x"]["brier_score"].rate, 3)
    0.047
    """
    return _evaluate(table, seed, metrics, normalizer, missing, pairing, statistics, baseline)


def _evaluate(
    table: SegmentTable,
    seed: int | None,
    metrics: Metrics,
    normalizer: str | Normalizer,
    missing: MissingPolicy,
    pairing: PairingRule,
    statistics: Statistics | None,
    baseline: str | None = None,
) -> Evaluation:
    """As `evaluate_table`; warnings are for the code that called a public function, two levels above."""
    settings = _read_statistics(seed, statistics)
    counted = _read_metrics(metrics)
    if isinstance(normalizer, str):
        normalizer = get_normalizer(normalizer)
    elif not isinstance(normalizer, Normalizer):
        raise InputTypeError(f"normalizer is of type {type(normalizer).__name__}, expected a name or a Normalizer.")
    if baseline is not None and baseline not in table.hypotheses:
        raise UnknownNameError("system", baseline, table.hypotheses, where=setting("baseline"))
    table = PairingSettings(pairing).apply_to(table)
    scored = score_captures(table.captures(), normalizer, counted, missing=missing)
    # Before the counts, which then come from these alignments.
    aligned = "mapsswe" in settings.tests
    operations = {name: system.operations(counted) for name, system in scored.items()} if aligned else None
    scores = {name: system.scores for name, system in steps([*scored.items()], "scoring systems")}
    faults = {name: faults_of_system for name, system in scored.items() if (faults_of_system := guard_pairing(system))}
    for name, faults_of_system in faults.items():
        records = [to_plain(fault) for fault in faults_of_system]
        scores[name] = scores[name].with_faults([fault.doubt for fault in faults_of_system], records)
        for fault in faults_of_system:
            warnings.warn(fault.sentence, PairingWarning, stacklevel=3)
    for name, doubts in find_identical(scored).items():
        scores[name] = scores[name].with_faults(doubts, scores[name].pairing)
    # Encoded texts take as much memory as the texts: they are made again where something asks for alignments.
    scored = {name: replace(system, stored=system.scores) for name, system in scored.items()}
    result = compare_systems(
        scores,
        counted,
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
) -> dict[str, ScoredSystem]:
    """Normalize the outputs of each system once, to be scored by the metrics."""
    return {
        system: ScoredSystem(normalize(capture, normalizer), metrics, cast("MissingPolicy", missing))
        for system, capture in captures.items()
    }


def _read_metrics(metrics: Any) -> list[Metric]:
    listed = [metrics] if isinstance(metrics, str | Metric) else metrics
    if not isinstance(listed, Iterable):
        raise InputTypeError(
            f"metrics is of type {type(metrics).__name__}, expected names of metrics, or Metric objects."
        )
    if isinstance(metrics, Mapping):
        counted = [get_metric(name, metric_id) for metric_id, name in metrics.items()]
    else:
        counted = [metric if isinstance(metric, Metric) else get_metric(metric) for metric in listed]
    ids = [metric.id for metric in counted]
    if not ids:
        raise InputValueError("metrics is empty; name at least one, such as 'cer'.")
    twice = next((metric_id for metric_id in ids if ids.count(metric_id) > 1), None)
    if twice is not None:
        raise InputValueError(f"metrics has {twice!r} twice; once is enough, and a Metric can have another id.")
    require_companions(counted)
    return counted


def _read_statistics(seed: int | None, statistics: Any) -> StatisticsSettings:
    """Settings with the seed, which is given separately or in them."""
    if isinstance(statistics, StatisticsSettings):
        if seed is not None:
            raise InputTypeError("seed is given, and statistics has one of its own; leave one of them out.")
        return statistics
    if not isinstance(statistics, Mapping | None):
        raise InputTypeError(
            f"statistics is of type {type(statistics).__name__}, expected misread.StatisticsSettings, or a mapping of "
            "its fields, such as {'margin': 0.005}."
        )
    settings = dict(statistics or {})
    if seed is not None:
        if "seed" in settings:
            raise InputTypeError("seed is given, and statistics has one of its own; leave one of them out.")
        settings["seed"] = seed
    if settings.get("seed") is None:
        raise InputTypeError(
            "seed is missing: it decides every random draw, and is part of the signature; give one, such as seed=1."
        )
    known = [option.name for option in fields(StatisticsSettings)]
    for name in settings:
        check_choice("setting", name, known, where="statistics")
    return StatisticsSettings(**check_types(StatisticsSettings, settings, where=""))
