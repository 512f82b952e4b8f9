"""Every alignment of least cost, enumerated: the ranges of what they count. Plain Python, and nothing of misread."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any, Final

import regex
from conformance.runners.serve import PARTS, normalize, split_words

Range = tuple[int, int]
Ranges = dict[str, Range]


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of errors, and of what sclite charges for an optional word that is left out and for choosing no word."""

    substitution: int = 1000
    deletion: int = 1000
    insertion: int = 1000
    transposition: int | None = None
    left_out: int = 0
    no_word: int = 0


COSTS: Final = {
    "unit": Costs(),
    "sclite": Costs(4000, 3000, 3000, None, 2000, 1),
    "transpositions": Costs(transposition=1000),
}


def enumerate_deletions(reference: Sequence[str], hypothesis: Sequence[str], costs: Costs) -> tuple[int, list[int]]:
    """Least cost, and every number of deletions that an alignment of that cost has."""
    band = abs(len(reference) - len(hypothesis)) + 1
    while True:
        cost, numbers = _fill(reference, hypothesis, costs, band)
        # An alignment that leaves the band has more deletions and insertions than that.
        if cost < (band + 1) * min(costs.deletion, costs.insertion):
            return cost, [number for number in range(numbers.bit_length()) if numbers >> number & 1]
        band *= 2


def _fill(reference: Sequence[str], hypothesis: Sequence[str], costs: Costs, band: int) -> tuple[int, int]:
    """Cost of the last cell, and a bit for every number of deletions; cells outside of the band are left out."""
    rows: list[dict[int, tuple[int, int]]] = [{}, {}]
    for row in range(len(reference) + 1):
        cells: dict[int, tuple[int, int]] = {}
        for column in range(max(0, row - band), min(len(hypothesis), row + band) + 1):
            ways = [(0, 1)] if row == column == 0 else []
            if row and column and column - 1 in rows[-1]:
                cost, numbers = rows[-1][column - 1]
                equal = reference[row - 1] == hypothesis[column - 1]
                ways.append((cost + (0 if equal else costs.substitution), numbers))
            if column in rows[-1]:
                cost, numbers = rows[-1][column]
                ways.append((cost + costs.deletion, numbers << 1))
            if column - 1 in cells:
                cost, numbers = cells[column - 1]
                ways.append((cost + costs.insertion, numbers))
            if costs.transposition is not None and row > 1 and column > 1 and column - 2 in rows[-2]:
                swapped = [*reference[row - 2 : row]] == [*hypothesis[column - 2 : column]][::-1]
                if swapped and reference[row - 1] != hypothesis[column - 1]:
                    cost, numbers = rows[-2][column - 2]
                    ways.append((cost + costs.transposition, numbers))
            least = min(cost for cost, _ in ways)
            together = 0
            for cost, numbers in ways:
                together |= numbers if cost == least else 0
            cells[column] = least, together
        rows = [rows[-1], cells]
    return rows[-1][len(hypothesis)]


def count_pair(reference: Sequence[str], hypothesis: Sequence[str], costs: Costs) -> tuple[int, list[dict[str, int]]]:
    """Least cost of a pair, and the counts of every alignment of that cost."""
    cost, numbers = enumerate_deletions(reference, hypothesis, costs)
    counts = []
    for deletions in numbers:
        insertions = deletions - len(reference) + len(hypothesis)
        substitutions = (cost - costs.deletion * deletions - costs.insertion * insertions) // costs.substitution
        parts = dict(zip(PARTS, (substitutions, deletions, insertions), strict=True))
        counts.append({"length": len(reference), "errors": sum(parts.values()), **parts})
    return cost, counts


def split_units(text: str, unit: str) -> list[str]:
    """Units of a text; graphemes in one canonical form."""
    if unit == "word":
        return split_words(text)
    return list(text) if unit == "char" else regex.findall(r"\X", unicodedata.normalize("NFC", text))


_MARK: Final = re.compile(r"[{}/]|[^\s{}/]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a text: its words, optional words that are left out, places at which no word was chosen."""

    words: tuple[str, ...] = ()
    left_out: int = 0
    without_word: int = 0

    def __add__(self, other: Reading) -> Reading:
        return Reading(self.words + other.words, self.left_out + other.left_out, self.without_word + other.without_word)


def list_readings(text: str) -> list[Reading]:
    """Every way to read a text in the notation of sclite."""
    marks = _MARK.findall(text)

    def sequence(position: int) -> tuple[list[Reading], int]:
        """Ways to read up to the end of an alternative, and where that is."""
        ways = [Reading()]
        while position < len(marks) and marks[position] not in "/}":
            mark = marks[position]
            position += 1
            if mark == "{":
                choices = []
                while marks[position - 1] != "}":
                    inner, position = sequence(position)
                    choices += inner
                    position += 1
            elif mark == "@":
                choices = [Reading(without_word=1)]
            elif mark[0] == "(" and mark[-1] == ")":
                choices = [Reading((mark[1:-1],)), Reading(left_out=1)]
            else:
                choices = [Reading((mark,))]
            ways = [way + choice for way, choice in product(ways, choices)]
        return ways, position

    return sequence(0)[0]


def count_readings(reference: str, hypothesis: str, costs: Costs) -> list[dict[str, int]]:
    """Counts of every alignment of least cost of all readings; an optional word left out is right, and has a length."""
    ways = []
    for reading in list_readings(reference):
        cost, counts = count_pair(reading.words, split_words(hypothesis), costs)
        counts = [{**count, "length": count["length"] + reading.left_out} for count in counts]
        ways.append((cost + reading.left_out * costs.left_out + reading.without_word * costs.no_word, counts))
    least = min(cost for cost, _ in ways)
    return [count for cost, counts in ways if cost == least for count in counts]


def read_timed(stm: str, ctm: str) -> list[tuple[str, str]]:
    """Texts of every segment of an STM, with the words of a CTM whose middle lies in it."""
    words = [line.split() for line in ctm.splitlines() if line.strip() and not line.startswith(";;")]
    pairs = []
    for line in stm.splitlines():
        if line.startswith(";;") or not line.strip():
            continue
        recording, channel, _, start, end, *rest = line.split()
        if rest and rest[0].startswith("<"):
            rest = rest[1:]
        heard = [
            (Fraction(begin), word)
            for name, side, begin, seconds, word, *_ in words
            if (name, side) == (recording, channel)
            and Fraction(start) <= Fraction(begin) + Fraction(seconds) / 2 < Fraction(end)
        ]
        if [text.lower() for text in rest] != ["ignore_time_segment_in_scoring"]:
            pairs.append((" ".join(rest), " ".join(word for _, word in sorted(heard))))
    return pairs


def count_speakers(references: Sequence[str], hypotheses: Sequence[str]) -> dict[str, Range]:
    """Errors under the assignment of speakers that has the fewest, or to nobody."""
    sides = [[split_words(text) for text in side] for side in (references, hypotheses)]
    size = max(map(len, sides))
    spoken, heard = (side + [[]] * (size - len(side)) for side in sides)
    table = [[enumerate_deletions(a, b, COSTS["unit"])[0] // 1000 for b in heard] for a in spoken]
    errors = min(sum(table[a][b] for a, b in enumerate(order)) for order in permutations(range(size)))
    length = sum(map(len, spoken))
    return {"length": (length, length), "errors": (errors, errors)}


def count_bags(reference: str, hypothesis: str) -> dict[str, Range]:
    """Words that no word of the other side stands for, on the side that has more of them."""
    spoken, heard = Counter(split_words(reference)), Counter(split_words(hypothesis))
    errors = max(spoken.total(), heard.total()) - (spoken & heard).total()
    return {"length": (spoken.total(), spoken.total()), "errors": (errors, errors)}


def expect(case: Mapping[str, Any], scheme: str) -> dict[str, Any]:
    """What a case has to expect under costs: a range for every count, and the mean of the rates if asked for."""
    case, rule, costs = normalize(case), case["rule"], COSTS[scheme]
    pairs = list(zip(case["references"], case["hypotheses"], strict=True))
    if rule["method"] == "speakers":
        rows = [count_speakers(*pair) for pair in pairs]
    elif rule["method"] == "bag":
        rows = [count_bags(*pair) for pair in pairs]
    else:
        if rule["notation"] == "stm_ctm":
            pairs = [pair for files in pairs for pair in read_timed(*files)]
        rows = [_spread(_count(pair, rule, costs)) for pair in pairs]
    expected: dict[str, Any] = {kind: [sum(row[kind][end] for row in rows) for end in (0, 1)] for kind in rows[0]}
    if scheme == "transpositions":
        del expected["substitutions"]
    if rule["pooling"] == "mean":
        mean = sum((Fraction(row["errors"][0], row["length"][0]) for row in rows), Fraction()) / len(rows)
        expected["rate"] = [mean.numerator, mean.denominator]
    return expected


def _count(pair: tuple[str, str], rule: Mapping[str, Any], costs: Costs) -> list[dict[str, int]]:
    if rule["notation"] == "trn":
        return count_readings(*pair, costs)
    reference, hypothesis = (split_units(text, rule["unit"]) for text in pair)
    return count_pair(reference, hypothesis, costs)[1]


def _spread(counts: Sequence[Mapping[str, int]]) -> Ranges:
    return {kind: (min(row[kind] for row in counts), max(row[kind] for row in counts)) for kind in counts[0]}
