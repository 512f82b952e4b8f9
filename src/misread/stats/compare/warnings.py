"""Warnings about a comparison, in full sentences, and reasons why a rate has no interval."""

from collections.abc import Mapping, Sequence

import numpy as np

from misread.data.segment_table import Doubt
from misread.metrics import Direction
from misread.provenance.conditions import say_differences
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.schema import Caution
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import count_clusters
from misread.stats.significance.randomisation import smallest_pvalue
from misread.tally.invisible import COMPOSITION, CONTROLS, FORM_FEEDS
from misread.tally.scores import Scores
from misread.text.nouns import count_of, plural

FEW_CLUSTERS = 10
"""Below this many clusters, intervals and tests that resample clusters are known to be too narrow."""

FEW_SEGMENTS = 30
"""Below this number of segments, no method has much power; another warning covers those without any."""

HIGH_SKEWNESS = 0.4
"""From this value on a few units make up most of a rate, as in corpora of docs/calibration.md whose intervals cover too
rarely; among 30 similar clusters one sample in a hundred reaches it."""


def cautions_about(shared: SharedSegments, scores: Mapping[str, Scores]) -> list[Caution]:
    """Cautions about numbers, in few words: texts that are missing, left out or cannot be used."""
    cautions = list(dict.fromkeys(doubt.brief for doubt in _doubts(scores) if doubt.is_caution))
    # No text has these; some programs end every page with one.
    strange = [(system, kind) for system in scores for kind in (CONTROLS, FORM_FEEDS)]
    cautions += [_say_invisible(name, scores[name], kind) for name, kind in strange if kind in scores[name].invisible]
    cautions += filter(None, [_say_conditions(scores)])
    if shared.excluded:
        cautions.append(_say_excluded(shared))
    # All systems have the same references.
    problems = next(iter(scores.values())).problems
    return [
        *(Caution(text=text) for text in cautions),
        *(
            Caution(text=_say_unusable(metric, len(by_segment)), metric=metric)
            for metric, by_segment in problems.items()
        ),
    ]


def warnings_about(
    shared: SharedSegments,
    replicates: Mapping[str, Replicates],
    scores: Mapping[str, Scores],
    tested: Mapping[str, Sequence[SystemPair]],
    settings: StatisticsSettings,
) -> list[str]:
    """Full sentences on doubts, scarcity and assumptions in the data; empty if there is nothing to report."""
    facts = [scored.origin.facts for scored in scores.values()]
    notes = [note for fact in facts for note in (*fact.notes, *fact.remarks)]
    warnings = list(dict.fromkeys([*(doubt.sentence for doubt in _doubts(scores)), *notes]))
    segments = len(shared.keys)
    if shared.excluded:
        warnings.append(_say_excluded(shared))
    warnings += filter(None, [_say_conditions(scores)])
    if segments < FEW_SEGMENTS:
        counted = "is only 1 segment" if segments == 1 else f"are only {segments} segments"
        warnings.append(f"There {counted}: intervals are wide, and only large differences can be found.")
    if shared.clusters is None:
        warnings.append("The data set names no clusters: segments are taken as independent.")
    elif shared.clusters < FEW_CLUSTERS:
        narrow = "intervals of rates may be" if settings.interval_used in ("jackknife", "two-way") else "intervals are"
        warnings.append(
            f"{segments} segments from {count_clusters(shared.clusters, shared.cluster_name)}: below {FEW_CLUSTERS} "
            f"clusters, {narrow} too narrow and p-values of the bootstrap too small."
        )
    warnings.extend(_unequal(shared, replicates))
    warnings.extend(_skewed(shared, replicates))
    warnings.extend(_too_few_to_differ(shared, tested, settings))
    for system, scored in scores.items():
        warnings += [_say_invisible(system, scored, kind) for kind in scored.invisible]
    # All systems have the same references.
    for metric, problems in next(iter(scores.values())).problems.items():
        warnings.append(_left_out(metric, problems))
    for drawn in replicates.values():
        warnings.extend(_missing_intervals(drawn))
    return [*warnings, *_no_errors(shared, replicates, settings)]


def _say_invisible(system: str, scored: Scores, kind: str) -> str:
    counted = "they count as errors"
    if kind == COMPOSITION and any(
        signature.facts.get("unit") == "grapheme" for signature in scored.signatures.values()
    ):
        counted += ", but not among graphemes"
    where = count_of(scored.invisible[kind], "segment")
    return f"{system}: {where} in which {kind} differ, which cannot be seen; {counted}."


def _doubts(scores: Mapping[str, Scores]) -> list[Doubt]:
    """Doubts about the texts, each once."""
    return [*dict.fromkeys(doubt for scored in scores.values() for doubt in scored.origin.facts.doubts)]


def _no_errors(shared: SharedSegments, replicates: Mapping[str, Replicates], settings: StatisticsSettings) -> list[str]:
    """Say what share of clusters may have errors although none in the sample has, which a rate of 0 hides."""
    if shared.clusters is None:
        return []
    # Exact: with more clusters with errors, a sample without any would be rarer than 1 in 40 (at 95 %).
    most = 1 - ((1 - settings.confidence) / 2) ** (1 / shared.clusters)
    warnings = []
    for system in shared.counts:
        without = [
            metric
            for metric, drawn in replicates.items()
            if drawn.metric.direction is Direction.LOWER_IS_BETTER and drawn.observed.get(system) == 0
        ]
        if without:
            clusters = plural(shared.cluster_name)
            warnings.append(
                f"{system}: no error in any of {shared.clusters} {clusters} ({', '.join(without)}); up to "
                f"{100 * most:.0f} % of all {clusters} may have errors."
            )
    return warnings


def _say_conditions(scores: Mapping[str, Scores]) -> str:
    return say_differences({system: scored.origin.conditions for system, scored in scores.items()})


def _say_excluded(shared: SharedSegments) -> str:
    left_out = "1 segment is" if shared.excluded == 1 else f"{shared.excluded} segments are"
    return f"{left_out} left out because at least one system has no hypothesis."


def _say_unusable(metric: str, number: int) -> str:
    left_out = "1 segment is" if number == 1 else f"{number} segments are"
    return f"{metric}: {left_out} left out because their references cannot be used."


def _left_out(metric: str, problems: Mapping[str, str]) -> str:
    shown = " ".join(f"Segment {segment!r}: {problem}" for segment, problem in list(problems.items())[:3])
    more = f" And {len(problems) - 3} more." if len(problems) > 3 else ""
    return f"{_say_unusable(metric, len(problems))} {shown}{more}"


def _unequal(shared: SharedSegments, replicates: Mapping[str, Replicates]) -> list[str]:
    """Warn if there are enough clusters, but a few of them hold most of the data."""
    if shared.clusters is None or shared.clusters < FEW_CLUSTERS:
        return []
    freedom = [estimate.freedom for drawn in replicates.values() for estimate in drawn.estimates.values()]
    if not freedom or (worth := round(min(freedom)) + 1) >= FEW_CLUSTERS:
        return []
    return [
        f"The {count_clusters(shared.clusters, shared.cluster_name)} are very unequal, in length or in errors: the "
        f"effective number of clusters is about {worth}."
    ]


def _skewed(shared: SharedSegments, replicates: Mapping[str, Replicates]) -> list[str]:
    """Name the unit that moves a rate most, if a few units, such as outputs that run on, make up most of it."""
    if shared.units < FEW_CLUSTERS:
        return []
    warnings = []
    for metric, drawn in replicates.items():
        farthest = {
            name: shared.unit_names[int(np.argmax(np.abs(without - drawn.observed[name])))]
            for name, without in drawn.leave_one_out.items()
            if abs(drawn.estimates[name].skewness) >= HIGH_SKEWNESS
        }
        if farthest:
            systems = ", ".join(f"{name}: '{unit}'" for name, unit in farthest.items())
            warnings.append(
                f"{metric}: one {shared.resampling_unit} weighs far more than the others ({systems}). If the sample "
                "missed others like it, the true rate may lie beyond the interval."
            )
    return warnings


def _too_few_to_differ(
    shared: SharedSegments, tested: Mapping[str, Sequence[SystemPair]], settings: StatisticsSettings
) -> list[str]:
    """Warn if no outcome could be significant, by the same rule as the verdicts."""
    units = len(shared.keys) if shared.clusters is None else shared.clusters
    hopeless = {metric: pairs[0] for metric, pairs in tested.items() if pairs and not pairs[0].can_reach(units)}
    if settings.deciding_test != "randomisation" or not hopeless:
        return []
    by = "" if len(hopeless) == len(tested) else f" in {', '.join(hopeless)}"
    smallest = min(pair.adjust_alike(smallest_pvalue(units)) for pair in hopeless.values())
    return [
        f"With {units} {shared.resampling_unit}{'' if units == 1 else 's'} no difference{by} can be significant: the "
        f"smallest attainable p-value of randomisation is {smallest:.3g}."
    ]


def _missing_intervals(replicates: Replicates) -> list[str]:
    """One sentence for all systems without an interval: the reason of the first, and the range of each."""
    metric = replicates.metric.id
    if replicates.reason:
        return [f"{metric}: no interval. {replicates.reason}"]
    systems = [system for system, interval in replicates.intervals.items() if interval is None]
    if not systems:
        return []
    ranges = ", ".join(f"{system} {replicates.range_without_one(system)}" for system in systems)
    why = replicates.reason_without_interval(systems[0])
    unit = replicates.shared.resampling_unit
    return [f"{metric}: no interval of {', '.join(systems)}. {why} Rates without one {unit}: {ranges}."]
