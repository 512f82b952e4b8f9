"""All systems on one data set under every regime, from outputs as they were captured."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from misread.data.segment_table import Capture, MissingPolicy, TextPairs
from misread.errors import ConfigurationError, MisreadError, UndefinedResultError
from misread.features.regimes.averages import WHOLE, MeanRate, average, join_texts
from misread.features.regimes.regime import Regime, RegimeRate
from misread.features.regimes.schema import PairVerdict, RegimeScore, RegimesResult, SystemScore
from misread.metrics import Metric
from misread.normalize import normalize
from misread.stats import DatasetResult, StatisticsSettings, compare_systems
from misread.tally import score
from misread.tally.scores import Scores
from misread.text.alternatives import list_words, parse_alternatives

_UNITS: Mapping[str, str] = {"char": "characters", "grapheme": "characters", "word": "words"}


def compare_regimes(
    captures: Mapping[str, Capture],
    regimes: Sequence[Regime],
    settings: StatisticsSettings,
    *,
    dataset: str,
    baseline: str,
) -> RegimesResult:
    """Score and compare systems under every regime.

    What cannot be applied, as an output, a column or a package is missing, is listed with the reason.
    """
    scores: list[RegimeScore] = []
    not_applied: dict[str, str] = {}
    for regime in regimes:
        try:
            _ = regime.chosen
            settled = _settle(regime, _readable(captures, dataset))
        except MisreadError as error:
            not_applied[regime.id] = str(error)
            continue
        regime_scores, refused = _scores_under(
            regime, settled, partial(compare_systems, settings=_adapt(settings), dataset=dataset, baseline=baseline)
        )
        left_out = _left_out(captures, settled)
        scores += [replace(score, excluded=score.excluded + left_out) for score in regime_scores]
        not_applied |= refused
    return RegimesResult(dataset=dataset, scores=tuple(scores), not_applied=not_applied)


def _scores_under(
    regime: Regime, captures: Mapping[str, Capture], compare: Callable[..., DatasetResult]
) -> tuple[list[RegimeScore], dict[str, str]]:
    """Every rate by every average of a regime in the order of both, and reasons of those that there cannot be."""
    scores: dict[tuple[str, str], RegimeScore] = {}
    refused: dict[str, str] = {}
    for rates, names in product(_group_by_normalizer(regime.chosen), _split_joined(regime.averaging)):
        try:
            counted, excluded = _count(regime, rates, captures, whole=names == [WHOLE])
        except MisreadError as error:
            refused |= {f"{regime.id} {rate.metric.id} {name}": str(error) for rate in rates for name in names}
            continue
        for rate, name in product(rates, names):
            try:
                averaged, metric = _average(regime, rate, name, counted)
                scores[metric.id, name] = _gather(regime, name, metric, compare(averaged, [metric]), excluded)
            except MisreadError as error:
                refused[f"{regime.id} {rate.metric.id} {name}"] = str(error)
    asked = product((rate.metric.id for rate in regime.chosen), regime.averaging)
    return [scores[key] for key in asked if key in scores], refused


def _readable(captures: Mapping[str, Capture], dataset: str) -> dict[str, Capture]:
    """Outputs of the systems that can read the data set."""
    readable = {system: capture for system, capture in captures.items() if not capture.origin.not_applicable}
    if not readable:
        raise UndefinedResultError(f"no system can read data set {dataset!r}.")
    return readable


def _left_out(captures: Mapping[str, Capture], settled: Mapping[str, Capture]) -> int:
    """Segments that the regime leaves out before it normalizes."""
    return max(len(captures[system].texts) - len(capture.texts) for system, capture in settled.items())


def _adapt(settings: StatisticsSettings) -> StatisticsSettings:
    """The same without what regimes do not show, and without a test that needs alignments or columns."""
    deciding = "randomisation" if settings.deciding_test == "mapsswe" else settings.deciding_test
    return replace(
        settings,
        tests=[deciding],
        deciding_test=deciding,
        length_classes=0,
        second_cluster=None,
    )


def _settle(regime: Regime, captures: Mapping[str, Capture]) -> dict[str, Capture]:
    """Outputs with readings chosen, missing ones dealt with, and segments that do not count left out."""
    settled = {
        system: _first_reading(capture) if regime.readings == "first" else capture
        for system, capture in captures.items()
    }
    if regime.imputed_from is not None:
        settled = _impute(regime, settled)
    elif regime.missing == "drop":
        lacking = {
            segment_id
            for capture in settled.values()
            for run in (capture, *capture.further_runs)
            for segment_id, text in zip(run.segments.segment_id, run.texts.hypotheses, strict=True)
            if text is None
        }
        settled = {
            system: _take(capture, [row for row, key in enumerate(capture.segments.segment_id) if key not in lacking])
            for system, capture in settled.items()
        }
    try:
        counting = {
            system: _take(capture, regime.excluded.rows_that_count(capture)) for system, capture in settled.items()
        }
    except ConfigurationError as error:
        error.args = (f"regime {regime.id!r}: {error}",)
        raise
    if not all(len(capture.texts) for capture in counting.values()):
        raise UndefinedResultError(f"regime {regime.id!r} leaves out every segment.")
    return counting


def _first_reading(capture: Capture) -> Capture:
    sides = capture.origin.facts.alternatives
    if not sides:
        return capture
    texts = capture.texts
    return replace(
        capture,
        origin=replace(capture.origin, facts=replace(capture.origin.facts, alternatives="")),
        further_runs=tuple(map(_first_reading, capture.further_runs)),
        texts=TextPairs(
            [_read_first(text) for text in texts.references],
            [None if text is None else _read_first(text) for text in texts.hypotheses]
            if sides == "both"
            else texts.hypotheses,
        ),
    )


def _read_first(text: str) -> str:
    return " ".join(list_words(parse_alternatives(text)))


def _impute(regime: Regime, captures: Mapping[str, Capture]) -> dict[str, Capture]:
    source = regime.imputed_from
    if source is None or source not in captures:
        raise ConfigurationError(
            f"regime {regime.id!r} takes missing outputs from system {source!r}, which is not among those compared: "
            f"{', '.join(captures)}."
        )
    imputed = dict(zip(captures[source].segments.segment_id, captures[source].texts.hypotheses, strict=True))

    def fill(capture: Capture) -> Capture:
        keyed = zip(capture.segments.segment_id, capture.texts.hypotheses, strict=True)
        hypotheses = [imputed.get(key) if text is None else text for key, text in keyed]
        further_runs = tuple(map(fill, capture.further_runs))
        return replace(capture, texts=TextPairs(capture.texts.references, hypotheses), further_runs=further_runs)

    return {system: fill(capture) for system, capture in captures.items()}


def _group_by_normalizer(rates: Sequence[RegimeRate]) -> list[list[RegimeRate]]:
    """Group rates by normalizer, so that texts are normalized and aligned once for each."""
    groups: list[list[RegimeRate]] = []
    for rate in rates:
        same = next((group for group in groups if group[0].normalizer == rate.normalizer), None)
        if same is None:
            groups.append([rate])
        else:
            same.append(rate)
    return groups


def _split_joined(averaging: Sequence[str]) -> list[list[str]]:
    """Averages of segments, and the one of joined texts."""
    apart = [name for name in averaging if name != WHOLE], [name for name in averaging if name == WHOLE]
    return [names for names in apart if names]


def _count(
    regime: Regime, rates: Sequence[RegimeRate], captures: Mapping[str, Capture], *, whole: bool
) -> tuple[dict[str, Scores], int]:
    """Counts of rates of one normalizer by system, and how many segments are left out for an empty reference."""
    policy: MissingPolicy = "empty" if regime.missing == "empty" else "error"
    normalizer, metrics = rates[0].normalizer, [rate.metric for rate in rates]
    counted: dict[str, Scores] = {}
    excluded = 0
    for system, source in captures.items():
        capture, texts = source, normalize(source, normalizer)
        rows = [row for row, text in enumerate(texts.normalized.references) if text.strip()]
        if regime.excluded.empty_references and len(rows) < len(texts.segments):
            if not rows:
                raise UndefinedResultError(f"regime {regime.id!r} leaves out every segment: all references are empty.")
            excluded = len(texts.segments) - len(rows)
            further_runs = tuple(run.take(rows) for run in texts.further_runs)
            capture, texts = _take(capture, rows), replace(texts.take(rows), further_runs=further_runs)
        if whole:
            _require_hypotheses(regime, capture)
            texts = normalize(join_texts(capture), normalizer)
        counted[system] = score(texts, metrics, missing=policy)
    return counted, excluded


def _average(
    regime: Regime, rate: RegimeRate, name: str, counted: Mapping[str, Scores]
) -> tuple[dict[str, Scores], Metric]:
    """Counts of one rate as an average needs them, and the metric that sums them up; without groups."""
    averaged: dict[str, Scores] = {}
    metric = rate.metric
    for system, scores in counted.items():
        averaged_scores, metric = average(scores, rate.metric, name)
        signature = scores.signatures[rate.metric.id].with_facts({"regime": regime.label, "avg": name})
        averaged[system] = replace(
            averaged_scores,
            segments=replace(averaged_scores.segments, groups={}),
            missing=regime.missing_policy,
            signatures={metric.id: signature},
        )
    return averaged, metric


def _require_hypotheses(regime: Regime, capture: Capture) -> None:
    """Refuse missing hypotheses, which joined texts would hide."""
    if regime.missing != "empty":
        hypotheses = zip(*(run.texts.hypotheses for run in (capture, *capture.further_runs)), strict=True)
        for segment_id, texts in zip(capture.segments.segment_id, hypotheses, strict=True):
            if None in texts:
                raise UndefinedResultError(
                    f"system {capture.origin.system!r} has no hypothesis for segment {segment_id!r}, under regime "
                    f"{regime.id!r}."
                )


def _take(capture: Capture, rows: Sequence[int]) -> Capture:
    if len(rows) == len(capture.texts):
        return capture
    further_runs = tuple(_take(run, rows) for run in capture.further_runs)
    reasons = [capture.reasons[row] for row in rows]
    return Capture(
        capture.origin, capture.segments.take(rows), capture.texts.take(rows), reasons, capture.run, further_runs
    )


def _gather(regime: Regime, name: str, metric: Metric, result: DatasetResult, excluded: int) -> RegimeScore:
    ranking = result.ranking[metric.id]
    unit = getattr(metric.metric if isinstance(metric, MeanRate) else metric, "unit", "")
    return RegimeScore(
        regime=regime.id,
        version=regime.version,
        rate=metric.id,
        unit=_UNITS.get(unit, metric.id),
        average=name,
        segments=result.segments,
        excluded=excluded,
        systems={
            system: SystemScore(
                rate=results[metric.id].micro,
                interval=results[metric.id].confidence_interval,
                rank=ranking[system].rank if system in ranking else None,
            )
            for system, results in result.systems.items()
        },
        pairs=tuple(_verdicts(result)),
        signature=result.first_system[metric.id].signature,
    )


def _verdicts(result: DatasetResult) -> Iterator[PairVerdict]:
    for pair in result.comparisons:
        yield PairVerdict(
            baseline=pair.baseline,
            system=pair.system,
            difference=pair.difference,
            pvalue=pair.pvalue_adjusted,
            verdict=pair.verdict,
        )
