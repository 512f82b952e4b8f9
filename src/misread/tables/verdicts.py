"""The verdict of one metric in one sentence of plain words, and pairs whose interval and p-value disagree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from misread.metrics import Direction
from misread.stats import PairComparison, adjust
from misread.stats.significance.pvalue_adjustment import Correction
from misread.stats.significance.randomisation import MONTE_CARLO, smallest_pvalue
from misread.tables.number_text import pvalue_sentence
from misread.tables.rates import RateTable
from misread.tables.table import DOUBLE_DAGGER
from misread.text.nouns import count_of, list_in_words

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
    """What the better system has: "significantly fewer character errors"."""
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
    """What makes a significant outcome impossible in all of the pairs; empty if one of them could have had one."""
    scarce = {_scarce(pair, table) for pair in pairs}
    if "" in scarce:
        return ""
    reason = scarce.pop() if len(scarce) == 1 else "so little that differs"
    return f": with {reason}, no p below {table.statistics.alpha:g} is possible"


def _scarce(pair: PairComparison, table: RateTable) -> str:
    """What there is too little of for the test of a pair to find any difference, by its number; empty if of nothing."""
    facts, test = table.statistics, pair.tests[pair.decided_by]
    is_exchanged = pair.decided_by == "randomisation"
    if is_exchanged and _is_out_of_reach(facts.smallest_pvalue, table):
        return count_of(facts.units, facts.unit)
    differing = None
    if is_exchanged:
        differing = int(test.extra["positive"] + test.extra["negative"])
    elif test.method == "exact":
        differing = test.n
    if differing is not None and _is_out_of_reach(smallest_pvalue(differing), table):
        return count_of(differing, f"differing {test.unit}")
    is_drawn = pair.decided_by == "bootstrap" or test.method.startswith(MONTE_CARLO)
    if is_drawn and _is_out_of_reach(1 / (1 + facts.resamples), table):
        return count_of(facts.resamples, "resample")
    return ""


def _is_out_of_reach(pvalue: float, table: RateTable) -> bool:
    """Whether a p-value would not be significant even if all pairs had it."""
    adjusted = adjust([pvalue] * table.pairs, method=cast("Correction", table.statistics.correction))
    return float(adjusted[0]) >= table.statistics.alpha


def _enumerate(texts: Sequence[str], conjunction: str, before_number: str = "") -> str:
    """The first texts and the number of the others, in the words of a sentence."""
    shown = list(texts[:MOST_NAMED])
    if others := len(texts) - len(shown):
        shown.append(f"{before_number} {count_of(others, 'other')}".lstrip())
    return list_in_words(shown, conjunction)
