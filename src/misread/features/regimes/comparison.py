"""All systems on one data set under every regime, from outputs as they were captured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import cast

from misread.data.segment_table import Capture, MissingPolicy, TextPairs
from misread.errors import ConfigurationError, MisreadError, UndefinedResultError
from misread.features.regimes.averages import WHOLE, average, join_texts
from misread.features.regimes.regime import Regime, RegimeRate
from misread.features.regimes.schema import PairVerdict, RegimeScore, RegimesResult, SystemScore
from misread.metrics import Metric
from misread.normalize import normalize
from misread.normalize.normalized_texts import NormalizedTexts
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

    What cannot be applied to these outputs, as one of them or a column is missing, is listed with the reason.
    """
    scores: list[RegimeScore] = []
    not_applied: dict[str, str] = {}
    for regime in regimes:
        try:
            settled = _settle(regime, _readable(captures, dataset))
        except MisreadError as error:
            not_applied[regime.id] = str(error)
            continue
        found, refused = _scores_under(
            regime, settled, partial(compare_systems, settings=_adapt(settings), dataset=dataset, baseline=baseline)
        )
        left_out = _left_out(captures, settled)
        scores += [replace(score, excluded=score.excluded + left_out) for score in found]
        not_applied |= refused
    return RegimesResult(dataset=dataset, scores=tuple(scores), not_applied=not_applied)


def _scores_under(
    regime: Regime, captures: Mapping[str, Capture], compare: Callable[..., DatasetResult]
) -> tuple[list[RegimeScore], dict[str, str]]:
    """Every rate by every average of a regime in the order of both, and reasons of those that there cannot be."""
    found: dict[tuple[str, str], RegimeScore] = {}
    refused: dict[str, str] = {}
    for rates, names in product(_alike(regime.chosen), _whole_apart(regime.averaging)):
        try:
            counted, excluded = _count(regime, rates, captures, whole=names == [WHOLE])
        except MisreadError as error:
            refused |= {f"{regime.id} {rate.metric.id} {name}": str(error) for rate in rates for name in names}
            continue
        for rate, name in product(rates, names):
            try:
                averaged, metric = _average(regime, rate, name, counted)
                found[metric.id, name] = _gather(regime, name, metric, compare(averaged, [metric]), excluded)
            except MisreadError as error:
                refused[f"{regime.id} {rate.metric.id} {name}"] = str(error)
    asked = product((rate.metric.id for rate in regime.chosen), regime.averaging)
    return [found[each] for each in asked if each in found], refused


def _readable(captures: Mapping[str, Capture], dataset: str) -> dict[str, Capture]:
    """Outputs of the systems that can read the data set."""
    readable = {system: of for system, of in captures.items() if not of.origin.not_applicable}
    if not readable:
        raise UndefinedResultError(f"no system can read data set {dataset!r}.")
    return readable


def _left_out(captures: Mapping[str, Capture], settled: Mapping[str, Capture]) -> int:
    """Segments that the regime leaves out before it normalizes."""
    return max(len(captures[system].texts) - len(of.texts) for system, of in settled.items())


def _adapt(settings: StatisticsSettings) -> StatisticsSettings:
    """The same without what regimes do not show, and without a test that needs alignments or columns."""
    deciding = "randomisation" if settings.deciding_test == "mapsswe" else settings.deciding_test
    return replace(
        settings,
        tests=[deciding],
        deciding_test=deciding,
        length_classes=0,
        nemenyi=False,
        second_cluster=None,
    )


def _settle(regime: Regime, captures: Mapping[str, Capture]) -> dict[str, Capture]:
    """Outputs with readings chosen, missing ones dealt with, and segments that do not count left out."""
    settled = {system: _first_reading(of) if regime.readings == "first" else of for system, of in captures.items()}
    if regime.imputed_from is not None:
        settled = _impute(regime, settled)
    elif regime.missing == "drop":
        lacking = {
            segment_id
            for of in settled.values()
            for segment_id, text in zip(of.segments.segment_id, of.texts.hypotheses, strict=True)
            if text is None
        }
        settled = {
            system: _take(of, [row for row, key in enumerate(of.segments.segment_id) if key not in lacking])
            for system, of in settled.items()
        }
    try:
        counting = {system: _take(of, regime.excluded.rows_that_count(of)) for system, of in settled.items()}
    except ConfigurationError as error:
        error.args = (f"regime {regime.id!r}: {error}",)
        raise
    if not all(len(of.texts) for of in counting.values()):
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
    given = dict(zip(captures[source].segments.segment_id, captures[source].texts.hypotheses, strict=True))
    return {
        system: replace(
            of,
            texts=TextPairs(
                of.texts.references,
                [
                    given.get(key) if text is None else text
                    for key, text in zip(of.segments.segment_id, of.texts.hypotheses, strict=True)
                ],
            ),
        )
        for system, of in captures.items()
    }


def _alike(rates: Sequence[RegimeRate]) -> list[list[RegimeRate]]:
    """Rates of the same normalizer together, so that texts are normalized and aligned once."""
    groups: list[list[RegimeRate]] = []
    for rate in rates:
        same = next((group for group in groups if group[0].normalizer == rate.normalizer), None)
        if same is None:
            groups.append([rate])
        else:
            same.append(rate)
    return groups


def _whole_apart(averaging: Sequence[str]) -> list[list[str]]:
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
    for system, given in captures.items():
        capture, texts = given, normalize(given, normalizer)
        kept = [row for row, text in enumerate(texts.normalized.references) if text.strip()]
        if regime.excluded.empty_references and len(kept) < len(texts.segments):
            if not kept:
                raise UndefinedResultError(f"regime {regime.id!r} leaves out every segment: all references are empty.")
            excluded = len(texts.segments) - len(kept)
            capture, texts = _take(capture, kept), _take_normalized(texts, kept)
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
        of_rate, metric = average(scores, rate.metric, name)
        signature = scores.signatures[rate.metric.id].with_facts({"regime": regime.label, "avg": name})
        averaged[system] = replace(
            of_rate,
            segments=replace(of_rate.segments, groups={}),
            missing=regime.missing_policy,
            signatures={metric.id: signature},
        )
    return averaged, metric


def _require_hypotheses(regime: Regime, capture: Capture) -> None:
    """Refuse missing hypotheses, which joined texts would hide."""
    if regime.missing != "empty":
        for segment_id, text in zip(capture.segments.segment_id, capture.texts.hypotheses, strict=True):
            if text is None:
                raise UndefinedResultError(
                    f"system {capture.origin.system!r} has no hypothesis for segment {segment_id!r}, under regime "
                    f"{regime.id!r}."
                )


def _take(capture: Capture, rows: Sequence[int]) -> Capture:
    if len(rows) == len(capture.texts):
        return capture
    return Capture(
        capture.origin, capture.segments.take(rows), capture.texts.take(rows), [capture.reasons[row] for row in rows]
    )


def _take_normalized(texts: NormalizedTexts, rows: Sequence[int]) -> NormalizedTexts:
    return replace(
        texts,
        segments=texts.segments.take(rows),
        raw=texts.raw.take(rows),
        normalized=texts.normalized.take(rows),
        normalized_lines=texts.normalized_lines.take(rows),
        reasons=[texts.reasons[row] for row in rows],
    )


def _gather(regime: Regime, name: str, metric: Metric, result: DatasetResult, excluded: int) -> RegimeScore:
    ranking = result.ranking[metric.id]
    unit = cast("str | None", getattr(getattr(metric, "of", metric), "unit", None))
    return RegimeScore(
        regime=regime.id,
        version=regime.version,
        rate=metric.id,
        unit=_UNITS.get(unit or "", metric.id),
        average=name,
        segments=result.segments,
        excluded=excluded,
        systems={
            system: SystemScore(
                rate=of[metric.id].micro,
                interval=of[metric.id].confidence_interval,
                rank=ranking[system].rank if system in ranking else None,
            )
            for system, of in result.systems.items()
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
