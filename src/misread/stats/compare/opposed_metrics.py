"""Why a metric of whole lines finds faults where a rate of characters is 0, or the other way round."""

from collections.abc import Mapping
from typing import Final

from misread.metrics import Direction, Kind
from misread.stats.compare.schema import Caution, MetricResult

_CHARACTERS: Final = ("char", "grapheme")
_OF_SOME: Final = frozenset(("of", "without"))
"""Facts of rates that choose among texts, or leave segments out."""
_BY_LINE: Final = ":by-line"


def explain_opposed(systems: Mapping[str, Mapping[str, MetricResult]]) -> list[Caution]:
    """One sentence for each metric of whole lines that a rate of characters contradicts.

    The reason is in their signatures. Of a metric of raw text, its own name says why.
    """
    first = next(iter(systems.values()))
    rates = [
        rate
        for rate, result in first.items()
        if result.kind is Kind.ERROR_RATE
        and result.signature.facts.get("unit") in _CHARACTERS
        and not _OF_SOME & result.signature.facts.keys()
    ]
    cautions = []
    for metric, result in first.items():
        if result.signature.facts.get("unit") != "line":
            continue
        sentences = (_explain(name, metric, rate, systems[name]) for rate in rates for name in systems)
        if text := next(filter(None, sentences), ""):
            cautions.append(Caution(text=text, metric=metric))
    return cautions


def _explain(system: str, metric: str, rate: str, results: Mapping[str, MetricResult]) -> str:
    """Why the two disagree on whether a system makes errors; empty if they agree, or the reason is not known."""
    whole, characters = results[metric], results[rate]
    is_perfect = _is_perfect(whole)
    if whole.micro is None or characters.micro is None or is_perfect == _is_perfect(characters):
        return ""
    facts, normalizer = whole.signature.facts, characters.signature.facts["norm"]
    if facts["norm"].removesuffix(_BY_LINE) != normalizer:
        return ""
    if is_perfect:
        others = "takes lines in any order" if facts["align"] == "multiset" else "compares the lines alone"
        reason = f"{rate} counts line breaks and blanks between lines, too, and {metric} {others}"
        return f"{metric}: {system} has no fault although its {rate} is not 0: {reason}."
    name = normalizer.partition("@")[0]
    reason = f"the normalizer {name} changes line breaks before {rate} is counted, and {metric} compares line by line"
    return f"{metric}: {system} has faults although its {rate} is 0: {reason}."


def _is_perfect(result: MetricResult) -> bool:
    return result.micro == (0 if result.direction is Direction.LOWER_IS_BETTER else 1)
