"""Numbers of the table of one metric on one data set, before layout, and marks of its verdicts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from misread.io.checks.choices import check_choice
from misread.metrics import Direction, Kind
from misread.metrics.base import UNIT_NOUNS
from misread.provenance.signature import Signature
from misread.stats import DatasetResult, MetricResult, PairComparison, Rank
from misread.stats.compare.schema import StatisticsFacts, find_pair
from misread.stats.compare.warnings import FEW_CLUSTERS
from misread.stats.results import count_clusters
from misread.tables.number_text import RateFormat
from misread.tables.settings import ReportSettings
from misread.tables.table import Mark
from misread.tally.missing_texts import MissingOutputs
from misread.text.nouns import count_of

_INTERVAL_NAMES = {
    "jackknife": "Student's t with the jackknife error (for rates in Wilson's form)",
    "standard": "Student's t with the bootstrap error",
    "two-way": "Student's t with the jackknife error of clusters and runs",
    "percentile": "bootstrap",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
}
TEST_NAMES: Final[Mapping[str, str]] = {
    "bootstrap": "paired bootstrap",
    "jackknife": "Student's t test with the error of the interval",
    "mcnemar": "McNemar's test",
    "paired_t": "paired t test of segment rates",
    "randomisation": "paired randomisation",
    "mapsswe": "MAPSSWE",
    "sign": "sign test of segment rates",
    "wilcoxon": "Wilcoxon signed-rank test of segment rates",
}
"""Tests of pairs, as sentences call them."""

_CORRECTIONS: Mapping[str, str] = {
    "holm": "adjusted by Holm",
    "benjamini_hochberg": "adjusted by Benjamini and Hochberg",
    "benjamini_yekutieli": "adjusted by Benjamini and Yekutieli",
    "none": "not adjusted",
}
# Facts of a signature on draws other than simple resampling with replacement.
_DRAWN: Mapping[str, str] = {
    "draws": ", by {}",
    "cluster2": ", crossed with those of {}",
}


@dataclass(frozen=True, kw_only=True)
class RateRow:
    """One system compared with others; None means the system itself or a pair that was not compared."""

    system: str
    name: str
    result: MetricResult
    to_best: PairComparison | None
    to_baseline: PairComparison | None
    missing: MissingOutputs | None  # None where no output is missing
    is_best: bool
    # The best: all others are significantly worse; another: it is significantly worse than the best.
    is_significant: bool
    rank: Rank


@dataclass(frozen=True, kw_only=True)
class RateTable:
    """One metric of all systems on one data set."""

    dataset: str
    dataset_name: str
    metric: str
    rows: tuple[RateRow, ...]
    segments: int
    length: int | None
    baseline_name: str
    # Where intervals and p-values come from.
    method: tuple[str, ...]
    # How many independent segments the segments are worth; empty without clusters.
    effective_sample: str
    # Reasons by name of systems without a row; they are named below the table.
    left_out: Mapping[str, str]
    # Of the warnings those that change how a number may be read, in few words.
    cautions: tuple[str, ...]
    warnings: tuple[str, ...]
    direction: Direction
    kind: Kind
    # Plural noun of what the metric counts; empty where a lower rate need not be fewer.
    counted: str
    statistics: StatisticsFacts
    # Pairs of systems that were tested.
    pairs: int
    signature: Signature
    # Format of its rates.
    format: RateFormat

    @property
    def unit_name(self) -> str:
        """Unit that the length of the reference is counted in."""
        unit = self.signature.facts.get("unit", "")
        return {"char": "character", "grapheme": "grapheme", "word": "word"}.get(unit, "unit")

    @property
    def has_error_counts(self) -> bool:
        """Whether the metric counts substitutions, deletions and insertions of an alignment."""
        return any(row.result.has_operations for row in self.rows)

    @property
    def has_comparisons(self) -> bool:
        """Whether any system was compared with the best one."""
        return any(row.to_best for row in self.rows)

    @property
    def has_groups(self) -> bool:
        """Whether all pairs of three systems or more were tested, so that ranks have intervals and letters."""
        return len(self.rows) > 2 and all(row.rank.letters for row in self.rows)

    @property
    def is_compared_with_best(self) -> bool:
        """Whether every other system was, and not with a baseline that is not the best alone."""
        return self.has_comparisons and all(row.to_best or row.is_best for row in self.rows)


def make_rate_table(result: DatasetResult, metric: str, settings: ReportSettings) -> RateTable:
    """Take one metric out of a comparison; one that was not scored is refused with those that were."""
    scored = result.first_system
    check_choice("metric", metric, scored, where="report.metrics")
    undefined = dict.fromkeys(_undefined(result, metric), f"rate undefined: {explain_undefined(scored[metric])}")
    ranked = sorted(
        (name for name in result.systems if name not in undefined),
        key=lambda name: _rank(result.systems[name][metric]),
    )
    pairs = result.pairs(metric)
    rows = tuple(_row(result, metric, name, ranked[0], pairs, settings) for name in _ordered(ranked, result, settings))
    return RateTable(
        dataset=result.dataset,
        dataset_name=settings.name(result.dataset),
        metric=metric,
        rows=rows,
        segments=result.segments,
        length=_length(result, metric),
        baseline_name=settings.name(result.baseline),
        method=_method(result, metric, pairs),
        effective_sample=_effective_sample(result, metric),
        left_out={settings.name(name): why for name, why in {**result.not_applicable, **undefined}.items()},
        cautions=_cautions(result, metric),
        warnings=_warnings_about(result, metric),
        direction=scored[metric].direction,
        kind=scored[metric].kind,
        counted=scored[metric].counted,
        statistics=result.statistics,
        pairs=len(pairs),
        signature=_signature(result, metric),
        format=settings.rates_of(scored[metric]),
    )


def _warnings_about(result: DatasetResult, metric: str) -> tuple[str, ...]:
    """Warnings without those about other metrics, which begin with the id of these."""
    others = tuple(f"{other}: " for other in result.first_system if other != metric)
    return tuple(warning for warning in result.warnings if not warning.startswith(others))


def _cautions(result: DatasetResult, metric: str) -> tuple[str, ...]:
    """Sentences on segments that are missing or left out, and on few clusters."""
    counted = [caution.text for caution in result.cautions if caution.metric in ("", metric)]
    is_few = result.clusters is not None and result.clusters < FEW_CLUSTERS
    return (*counted, *([f"With fewer than {FEW_CLUSTERS} clusters, intervals may be too narrow."] if is_few else []))


def _length(result: DatasetResult, metric: str) -> int | None:
    """Length of the references, which a system with several runs counts in each."""
    first = result.first_system[metric]
    length = first.counts.get("length")
    runs = int(first.signature.facts.get("runs", "1").partition(",")[0])
    return None if length is None else length // runs


def _signature(result: DatasetResult, metric: str) -> Signature:
    """That of the metric, with the runs of all systems where some have several."""
    signature = result.first_system[metric].signature
    runs = result.signature.facts.get("runs")
    return signature.with_facts({"runs": runs}) if runs else signature


def explain_undefined(result: MetricResult) -> str:
    """Reason why a rate has no value: some metrics count some of the words alone."""
    facts = result.signature.facts
    counts_all = facts.get("unit") in UNIT_NOUNS and "words" not in facts
    return EVERY_EMPTY if counts_all else "the texts have nothing that it counts"


def _undefined(result: DatasetResult, metric: str) -> list[str]:
    return [name for name, results in result.systems.items() if results[metric].micro is None]


def _rank(result: MetricResult) -> float:
    """Sorting key, best first; equal rates keep the order of the configuration."""
    rate = result.micro
    if rate is None:
        return float("inf")
    return rate if result.direction is Direction.LOWER_IS_BETTER else -rate


def _ordered(ranked: list[str], result: DatasetResult, settings: ReportSettings) -> list[str]:
    if settings.order == "name":
        return sorted(ranked, key=settings.name)
    return ranked if settings.order == "rate" else [name for name in result.systems if name in ranked]


def _row(
    result: DatasetResult, metric: str, name: str, best: str, pairs: list[PairComparison], settings: ReportSettings
) -> RateRow:
    is_best = name == best
    others = sum(results[metric].micro is not None for results in result.systems.values()) - 1
    against_best = [pair for pair in pairs if {pair.baseline, pair.system} >= ({best} if is_best else {best, name})]
    return RateRow(
        system=name,
        name=settings.name(name),
        result=result.systems[name][metric],
        to_best=find_pair(pairs, best, name),
        to_baseline=find_pair(pairs, result.baseline, name),
        missing=result.missing_outputs.get(name),
        is_best=is_best,
        is_significant=len(against_best) >= (others if is_best else 1) > 0
        and all(pair.significant for pair in against_best),
        rank=result.ranking[metric][name],
    )


def _method(result: DatasetResult, metric: str, pairs: list[PairComparison]) -> tuple[str, ...]:
    """Sentences on the source of intervals and of p-values."""
    facts = result.first_system[metric].signature.facts
    # The level behind it may be as short as "1e-05".
    method = re.split(r"\d", facts["ci"], maxsplit=1)[0]
    is_drawn = method not in ("jackknife", "two-way")
    sentences = [f"Intervals: {_INTERVAL_NAMES[method]} over {_units(result, facts, is_drawn=is_drawn)}."]
    if pairs:
        correction = _CORRECTIONS[facts["adj"].split("(")[0]]
        adjusted = "" if len(pairs) == 1 else f", {correction} over {len(pairs)} pairs"
        below = f"below {result.statistics.alpha:g} is significant"
        sentences.append(f"p: {TEST_NAMES[pairs[0].decided_by]}{adjusted}; {below}.")
    return tuple(sentences)


def _effective_sample(result: DatasetResult, metric: str) -> str:
    """Sentence on the effective sample size, with the range if systems differ; empty without clusters."""
    sizes = [metrics[metric].effective_segments for metrics in result.systems.values()]
    ends = sorted({round(end(known)) for end in (min, max) if (known := [size for size in sizes if size is not None])})
    return f"Effective sample size: {' to '.join(map(str, ends))} of {result.segments} segments." if ends else ""


def _units(result: DatasetResult, facts: Mapping[str, str], *, is_drawn: bool) -> str:
    """Number of units that were resampled or left out, and how they were drawn."""
    drawn = "".join(words.format(facts[name]) for name, words in _DRAWN.items() if name in facts) if is_drawn else ""
    if result.clusters is None:
        return f"{count_of(result.segments, 'segment')}{drawn}, taken as independent: no clusters are named"
    return f"{count_clusters(result.clusters, result.cluster_name)}{drawn}"


EVERY_EMPTY: Final = "every reference is empty"
SIGNS: Final = {
    "better": "▼",
    "improved": "▼",
    "worse": "▲",
    "regressed": "▲",
    "equivalent": "≈",
    "inconclusive": "○",
    "unchanged": "=",
}
VERDICT_WORDS: Final = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equivalent",
    "inconclusive": "not significant",
}
BEST: Final = Mark(
    "best", "★", "The best rate. The rows of the other systems say whether they differ significantly from it."
)
