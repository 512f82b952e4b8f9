"""The table of one metric on one data set, as numbers; renderers turn it into LaTeX, Markdown, CSV or a screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from misread.errors import UnknownNameError
from misread.metrics import read_signature
from misread.report.settings import ReportSettings
from misread.stats import DatasetResult, Interval, MetricResult, PairResult

_INTERVAL_NAMES = {"percentile": "bootstrap", "basic": "basic bootstrap", "bca": "BCa bootstrap"}
_TEST_NAMES = {
    "bootstrap": "paired bootstrap",
    "mcnemar": "McNemar's test",
    "paired_t": "paired t test of segment rates",
    "randomisation": "paired randomisation",
    "mapsswe": "MAPSSWE",
    "signs": "sign test of segment rates",
    "wilcoxon": "Wilcoxon signed-rank test of segment rates",
}


@dataclass(frozen=True)
class Difference:
    """Rate of a system minus rate of the best one."""

    value: float
    interval: Interval | None
    pvalue_adjusted: float


@dataclass(frozen=True)
class RateRow:
    """One system.

    Attributes
    ----------
    to_best : Difference or None
        None for the best system itself, and where there is no other.
    is_best : bool
        Whether it has the best rate of all.
    is_separated : bool
        For the best: whether all others are significantly worse. For others: whether it is significantly worse than
        the best.
    """

    system: str
    name: str
    result: MetricResult
    to_best: Difference | None
    is_best: bool
    is_separated: bool


@dataclass(frozen=True)
class RateTable:
    """One metric of all systems on one data set, best first.

    Attributes
    ----------
    left_out : mapping of name to reason
        Systems without a row; they are named below the table.
    """

    dataset: str
    dataset_name: str
    metric: str
    rows: tuple[RateRow, ...]
    segments: int
    length: int | None
    method: str
    left_out: Mapping[str, str]
    warnings: tuple[str, ...]
    direction: Literal["lower", "higher"]
    signature: str
    digits: int

    @property
    def unit_name(self) -> str:
        """What the reference is measured in."""
        unit = read_signature(self.signature).get("unit", "")
        return {"char": "characters", "grapheme": "graphemes", "word": "words"}.get(unit, "units")

    @property
    def confidence(self) -> float | None:
        """Coverage of the intervals; None where there are none."""
        intervals = [row.result["confidence_interval"] for row in self.rows]
        return next((interval["confidence"] for interval in intervals if interval), None)

    @property
    def has_error_counts(self) -> bool:
        """Whether the metric comes from an alignment, with errors of three kinds."""
        return any("errors" in row.result for row in self.rows)

    @property
    def has_comparisons(self) -> bool:
        """Whether there is more than one system to speak of."""
        return any(row.to_best for row in self.rows)


def make_rate_table(result: DatasetResult, metric: str, settings: ReportSettings) -> RateTable:
    """Take one metric out of a comparison.

    Parameters
    ----------
    result : DatasetResult
        All systems on one data set.
    metric : str
        Id of the metric.
    settings : ReportSettings
        Names and digits.

    Returns
    -------
    RateTable

    Raises
    ------
    UnknownNameError
        If the metric was not scored; lists those that were.
    """
    scored = next(iter(result["systems"].values()))
    if metric not in scored:
        raise UnknownNameError("metric", metric, scored, where="report.metrics")
    undefined = dict.fromkeys(_undefined(result, metric), "rate undefined: every reference is empty")
    ranked = sorted(
        (name for name in result["systems"] if name not in undefined),
        key=lambda name: _rank(result["systems"][name][metric]),
    )
    pairs = [pair for pair in result["comparisons"] if pair["metric"] == metric]
    rows = tuple(_row(result, metric, name, ranked[0], pairs, settings) for name in ranked)
    return RateTable(
        dataset=result["dataset"],
        dataset_name=settings.name(result["dataset"]),
        metric=metric,
        rows=rows,
        segments=result["segments"],
        length=scored[metric].get("length"),
        method=_method(result, metric, pairs),
        left_out={settings.name(name): why for name, why in {**result["not_applicable"], **undefined}.items()},
        warnings=tuple(result["warnings"]),
        direction=scored[metric]["direction"],
        signature=scored[metric]["signature"],
        digits=settings.digits,
    )


def _undefined(result: DatasetResult, metric: str) -> list[str]:
    return [name for name, of in result["systems"].items() if of[metric]["micro"] is None]


def _rank(result: MetricResult) -> float:
    """Sorting key, best first; equal rates keep the order of the configuration."""
    rate = result["micro"]
    if rate is None:
        return float("inf")
    return rate if result["direction"] == "lower" else -rate


def _row(
    result: DatasetResult, metric: str, name: str, best: str, pairs: list[PairResult], settings: ReportSettings
) -> RateRow:
    is_best = name == best
    against_best = [
        pair for pair in pairs if {pair["baseline"], pair["system"]} >= ({best} if is_best else {best, name})
    ]
    return RateRow(
        system=name,
        name=settings.name(name),
        result=result["systems"][name][metric],
        to_best=None if is_best else _difference(against_best[0], best),
        is_best=is_best,
        is_separated=bool(against_best) and all(pair["significant"] for pair in against_best),
    )


def _difference(pair: PairResult, best: str) -> Difference:
    interval = pair["confidence_interval"]
    if pair["baseline"] == best:
        return Difference(pair["difference"], interval, pair["pvalue_adjusted"])
    if interval:
        interval = {**interval, "low": -interval["high"], "high": -interval["low"]}
    return Difference(-pair["difference"], interval, pair["pvalue_adjusted"])


def _method(result: DatasetResult, metric: str, pairs: list[PairResult]) -> str:
    """Sentences: where intervals and p-values come from, and how much the segments are worth."""
    facts = read_signature(next(iter(result["systems"].values()))[metric]["signature"])
    clusters = result["clusters"]
    if clusters is None:
        drawn = f"{result['segments']} segments, taken as independent"
    else:
        drawn = f"{clusters} clusters ({result['cluster_name']}), drawn whole"
    interval = _INTERVAL_NAMES[facts["ci"].rstrip("0123456789.")]
    sentence = f"Intervals: {interval} of {drawn}; B = {facts['B']}, seed {facts['seed']}."
    worth = [of[metric]["effective_segments"] for of in result["systems"].values()]
    known = [round(segments) for segments in worth if segments is not None]
    if known:
        span = str(known[0]) if min(known) == max(known) else f"{min(known)} to {max(known)}"
        sentence += f" {result['segments']} segments act like {span} independent ones."
    if pairs:
        test = pairs[0]["decided_by"]
        correction = facts["adj"].split("(")[0].capitalize()
        sentence += (
            f" p: {_TEST_NAMES[test]}, adjusted by {correction} over {len(pairs)} pair{'s' if len(pairs) > 1 else ''}."
        )
    return sentence
