"""Rates, ranks and verdicts under regimes as frozen records, and what changes from one regime to another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from misread.provenance.signature import Signature
from misread.stats.compare.schema import Verdict
from misread.stats.results import ConfidenceInterval


@dataclass(frozen=True, kw_only=True)
class SystemScore:
    """One system under one regime."""

    rate: float | None
    interval: ConfidenceInterval | None
    rank: int | None  # equal rates share a rank; None without a rate


@dataclass(frozen=True, kw_only=True)
class PairVerdict:
    """Verdict on a system against another under one regime."""

    baseline: str
    system: str
    difference: float
    pvalue: float  # adjusted over the pairs
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class RegimeScore:
    """All systems by one rate and one average of a regime."""

    regime: str
    version: int
    rate: str  # its id, such as "cer"
    unit: str  # what it counts: "characters", "words", or the id of a metric that counts neither
    average: str
    segments: int  # rows that were averaged: segments, clusters or joined texts
    excluded: int  # segments that the regime leaves out
    systems: Mapping[str, SystemScore]
    pairs: tuple[PairVerdict, ...]
    signature: Signature

    @property
    def best(self) -> list[str]:
        """Systems of rank 1; several if their rates are equal."""
        return [system for system, score in self.systems.items() if score.rank == 1]


@dataclass(frozen=True, kw_only=True)
class RegimesResult:
    """All systems on one data set under every regime, in the order in which regimes were chosen."""

    dataset: str
    scores: tuple[RegimeScore, ...] = ()
    not_applied: Mapping[str, str] = field(default_factory=dict)  # reasons by regime


_VERDICTS = {"better": "better", "worse": "worse", "equivalent": "equivalent", "inconclusive": "not significant"}


def describe_changes(result: RegimesResult, name: Callable[[str], str] = str) -> list[str]:
    """Name other winners, and pairs of systems with another verdict, than under the first regime of the same unit.

    `name` gives the names of systems for people.
    """
    verdicts = (sentence for scores in _by_unit(result) for sentence in _verdicts(scores, name))
    return [*describe_winners(result, name), *verdicts]


def describe_winners(result: RegimesResult, name: Callable[[str], str] = str) -> list[str]:
    """Name other winners than under the first regime of the same unit; or why no regime could be applied."""
    if result.not_applied and not result.scores:
        reasons = "; ".join(f"{regime}: {reason.rstrip('.')}" for regime, reason in result.not_applied.items())
        return [f"No regime can be applied to {result.dataset} ({reasons})."]
    return [sentence for scores in _by_unit(result) for sentence in _winners(scores, name)]


def title_of(score: RegimeScore, scores: Sequence[RegimeScore]) -> str:
    """Regime, with rate and average where it has several among these."""
    alike = [other for other in scores if other.regime == score.regime]
    parts = [score.regime]
    if len({other.rate for other in alike}) > 1:
        parts.append(score.rate)
    if len({other.average for other in alike}) > 1:
        parts.append(score.average)
    return " ".join(parts)


def _by_unit(result: RegimesResult) -> list[list[RegimeScore]]:
    units = dict.fromkeys(score.unit for score in result.scores)
    return [[score for score in result.scores if score.unit == unit] for unit in units]


def _winners(scores: Sequence[RegimeScore], name: Callable[[str], str]) -> Iterator[str]:
    first = scores[0]
    others: dict[tuple[str, ...], list[str]] = {}
    for score in scores[1:]:
        if score.best and score.best != first.best:
            others.setdefault(tuple(score.best), []).append(title_of(score, scores))
    if others and first.best:
        under = "; ".join(f"{_all(best, name)} under {', '.join(titles)}" for best, titles in others.items())
        yield (
            f"The winner by {first.unit} depends on the regime: {_all(first.best, name)} under "
            f"{title_of(first, scores)}; {under}."
        )


def _verdicts(scores: Sequence[RegimeScore], name: Callable[[str], str]) -> Iterator[str]:
    first = scores[0]
    for pair in first.pairs:
        others: dict[str, list[str]] = {}
        for score in scores[1:]:
            for other in score.pairs:
                if (other.baseline, other.system) == (pair.baseline, pair.system) and other.verdict != pair.verdict:
                    others.setdefault(other.verdict, []).append(title_of(score, scores))
        if others:
            under = "; ".join(f"{_VERDICTS[verdict]} under {', '.join(titles)}" for verdict, titles in others.items())
            yield (
                f"The verdict on {name(pair.system)} against {name(pair.baseline)} by {first.unit} depends on the "
                f"regime: {_VERDICTS[pair.verdict]} under {title_of(first, scores)}; {under}."
            )


def _all(systems: Sequence[str], name: Callable[[str], str]) -> str:
    return " and ".join(map(name, systems))
