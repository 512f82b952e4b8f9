"""Sentences on verdicts: of a pair, and of all systems by one metric; pairs whose interval and p-value disagree."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from misread.metrics import Direction
from misread.stats import PairComparison
from misread.stats.compare.schema import VerdictReason
from misread.stats.results import in_points
from misread.tables.number_text import pvalue_sentence
from misread.tables.rates import SIGNS, RateTable
from misread.tables.table import DOUBLE_DAGGER, Mark
from misread.text.nouns import count_of, list_in_words, plural

MOST_NAMED: Final = 6
"""Of further systems, a sentence has the number alone."""

DISAGREEMENT: Final = f"{DOUBLE_DAGGER}: interval and p disagree on a difference; the verdict follows p."


class _Compared(NamedTuple):
    """A system, and its comparison with the one that all are compared with."""

    name: str
    pair: PairComparison


def disagrees(pair: PairComparison) -> bool:
    """Whether the interval of the difference and the adjusted p-value say different things."""
    interval = pair.interval
    return interval is not None and (interval.low > 0 or interval.high < 0) != pair.significant


def verdict_of(table: RateTable, title: str) -> str:
    """Which system is better by the metric of this title, or that the data cannot tell; empty if none was compared.

    Of two systems that differ, the better one is always the subject.
    """
    if table.is_compared_with_best:
        other = next(row.name for row in table.rows if row.is_best)
        compared = [_Compared(row.name, row.to_best) for row in table.rows if row.to_best]
    else:
        other = table.baseline_name
        compared = [_Compared(row.name, row.to_baseline) for row in table.rows if row.to_baseline]
    worse = [system for system in compared if system.pair.verdict == "worse"]
    better = [system for system in compared if system.pair.verdict == "better"]
    equivalent = [system for system in compared if system.pair.verdict == "equivalent"]
    undecided = [system for system in compared if system.pair.verdict == "inconclusive"]
    word = _comparative(table)
    clauses = []
    if worse:
        sizes = [f"{_size(pair, table)} {word} than {name}" for name, pair in worse]
        clauses.append(f"{other} has {_advantage(table, title)}: {_enumerate(sizes, 'and', f'{word} than')}")
    if better:
        names = [f"{name} (by {_size(pair, table)})" for name, pair in better]
        verb = "has" if len(better) == 1 else "have"
        clauses.append(f"{_enumerate(names, 'and')} {verb} {_advantage(table, title)} than {other}")
    if equivalent:
        names = [system.name for system in equivalent]
        verb = "is" if len(equivalent) == 1 else "are"
        margin = _amount(table.statistics.margin or 0.0, table)
        clauses.append(f"{_enumerate(names, 'and')} {verb} equivalent to {other} within a margin of {margin}")
    if undecided:
        names = [f"{name} ({pvalue_sentence(pair.pvalue_adjusted)})" for name, pair in undecided]
        subject = "the data" if clauses else "The data"
        limit = limit_of([system.pair for system in undecided], table)
        clauses.append(f"{subject} cannot tell {other} from {_enumerate(names, 'or')}{limit}")
    return f"{'; '.join(clauses)}." if clauses else ""


def _comparative(table: RateTable) -> str:
    if table.direction is Direction.HIGHER_IS_BETTER:
        return "higher"
    return "fewer" if table.counted else "lower"


def _advantage(table: RateTable, title: str) -> str:
    """Advantage of the better system: "significantly fewer character errors"."""
    word = _comparative(table)
    if word == "fewer":
        return f"significantly fewer {table.counted}"
    return f"a significantly {word} {title}"


def _size(pair: PairComparison, table: RateTable) -> str:
    return _amount(abs(pair.difference), table)


def _amount(value: float, table: RateTable) -> str:
    """A difference without its sign, in the unit and with the digits of the table."""
    text, unit = table.format.rate(value), " points" if table.format.unit == "percent" else ""
    if value and not text.strip("0."):
        return f"less than {text[:-1]}1{unit}"
    return f"{text}{unit}"


def limit_of(pairs: Sequence[PairComparison], table: RateTable) -> str:
    """Reason why no pair can have a significant outcome; empty if one of them could have had one."""
    scarce = {_scarce(pair.verdict_reason) for pair in pairs}
    if "" in scarce:
        return ""
    reason = scarce.pop() if len(scarce) == 1 else "so little that differs"
    return f": with {reason}, no p below {table.statistics.alpha:g} is possible"


def _scarce(reason: VerdictReason) -> str:
    """What there is too little of for any difference to be found, by its number; empty if of nothing."""
    if reason.number is None:
        return ""
    return count_of(
        reason.number, f"differing {reason.unit}" if reason.code in ("few_differing", "equal") else reason.unit
    )


def verdict_mark(pair: PairComparison, table: RateTable) -> Mark:
    """Sign of a verdict, and its reason with the better system as the subject, whichever is the baseline."""
    names = {row.system: row.name for row in table.rows}
    subject = pair.reversed() if pair.verdict == "worse" else pair
    return Mark(pair.verdict, SIGNS[pair.verdict], explain_verdict(subject, names))


def explain_verdict(pair: PairComparison, names: Mapping[str, str] | None = None) -> str:
    """The verdict on a pair in one sentence.

    Parameters
    ----------
    pair : PairComparison
        Such as one of `Evaluation.pairs`.
    names : mapping of str to str, optional
        Names of systems by id, to be shown in place of the ids.

    Returns
    -------
    str
        One sentence; it names the systems if they differ.
    """
    reason, names = pair.verdict_reason, names or {}
    finding = f"{pair.decided_by} gives {_pvalue(pair.pvalue_adjusted, reason)}"
    if reason.code == "equivalent" and pair.equivalence:
        also = f", although {finding}" if pair.significant else ""
        within = _pvalue(pair.equivalence.pvalue_adjusted or 0.0, reason)
        return f"The difference lies within the margin of {in_points(reason.margin or 0.0)} ({within}){also}."
    if reason.code == "difference":
        system, baseline = (names.get(system, system) for system in (pair.system, pair.baseline))
        side = "lower" if pair.difference < 0 else "higher"
        return (
            f"{pair.metric} of {system} is {in_points(abs(pair.difference))} {side} than that of {baseline}; "
            f"{finding}, below {reason.alpha:g}."
        )
    if reason.code == "no_test":
        return f"n too small: {reason.detail}"
    if reason.code == "equal":
        return f"In what {pair.decided_by} compares, the systems are equal in every {reason.unit}."
    if reason.code == "no_variation":
        unit = reason.unit
        return f"{pair.decided_by} finds no variation from {unit} to {unit} to judge the difference by."
    if reason.number is not None:
        return _too_few(reason)
    detectable = pair.minimum_detectable_difference
    missed = "" if detectable is None else f"; {in_points(detectable)} would have been found with 80 % probability"
    return f"{finding}, not below {reason.alpha:g}{missed}."


def _too_few(reason: VerdictReason) -> str:
    """A sentence on units, differing units or resamples that are too few."""
    what, noun, more = "n", reason.unit, ""
    if reason.code == "few_units" and noun != "segment":
        noun, more = "cluster", f" ({noun})"
    elif reason.code == "few_differing":
        noun = f"differing {noun}"
    elif reason.code == "few_resamples":
        what = "B"
    counted = f"{reason.number} {noun if reason.number == 1 else plural(noun)}{more}"
    family = "" if _is_single(reason) else f" and {reason.pairs} pairs"
    return f"{what} too small: no p below {reason.alpha:g} can be reached with {counted}{family}."


def _is_single(reason: VerdictReason) -> bool:
    """Whether p-values are those of one pair alone."""
    return reason.pairs == 1 or reason.correction == "none"


def _pvalue(pvalue: float, reason: VerdictReason) -> str:
    shown = "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.4g}"
    adjusted = f" after {reason.correction.replace('_', '-').title()} over {reason.pairs} pairs"
    return shown if _is_single(reason) else f"{shown}{adjusted}"


def _enumerate(texts: Sequence[str], conjunction: str, before_number: str = "") -> str:
    """The first texts and the number of the others, in the words of a sentence."""
    shown = list(texts[:MOST_NAMED])
    if others := len(texts) - len(shown):
        shown.append(f"{before_number} {count_of(others, 'other')}".lstrip())
    return list_in_words(shown, conjunction)
