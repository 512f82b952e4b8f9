"""Plant recitation in real readings, and count alarms: `python -m tools.recitation DATA [--draws 200]`.

DATA is the folder with `das22_directories` and `earnings21_eval10`. The tables are those of docs/how-to/recitation.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from misread.features.recitation.disputed_words import find_change, find_disputed
from misread.features.recitation.read_words import ReadWords, read_words
from misread.features.recitation.recitation import describe_system
from misread.stats import SystemRecitation, adjust
from misread.types import BoolArray, FloatArray, IntArray
from tools.real_sets import RealSet, read_calls, read_directories

ALPHA: Final = 0.05
SHARES: Final = (0.05, 0.1, 0.2, 0.4)
FAMILIES: Final = (0.3, 0.6, 0.9)
CONTROL_WORDS: Final = 15_000
BETTER: Final = {"as good": 0.0, "half of its errors": 0.5, "a quarter of its errors": 0.75}

_SPELLING: Final = (
    *(("i", "y"), ("ai", "oi"), ("s", "z"), ("c", "ch"), ("t", "th"), ("f", "ph")),
    *(("u", "v"), ("an", "en"), ("on", "om"), ("r", "rr"), ("e", "ae"), ("l", "ll")),
)

Repair = Callable[[str, np.random.Generator], str]


@dataclass(frozen=True, eq=False)
class Readings:
    """Real readings of several systems, and the document of every word."""

    words: ReadWords
    documents: IntArray

    def take(self, rows: IntArray | BoolArray) -> Readings:
        """Keep some words."""
        words = self.words
        kept = replace(
            words,
            segments=words.segments[rows],
            references=words.references[rows],
            readings=words.readings[:, rows],
            positions=words.positions[:, rows],
            plain=words.plain[:, rows],
        )
        return Readings(kept, self.documents[rows])

    @cache  # noqa: B019 - there are two of these
    def find_disputed(self, system: int) -> IntArray:
        """Words that are disputed by themselves."""
        return find_disputed(self.words, system).disputed

    def describe(self, system: int) -> SystemRecitation:
        """What the feature says of one system."""
        names = [*map(str, range(int(self.documents.max()) + 1))]
        return describe_system(find_disputed(self.words, system), self.documents, names, "document")


def directories(folder: Path) -> Readings:
    """Entries of directories by three OCR systems, by page."""
    return _read(read_directories(folder))


def calls(folder: Path) -> Readings:
    """Calls by four speech systems, in documents of 300 words."""
    return _read(read_calls(folder, ("amazon", "google", "kaldi", "espnet")))


def _read(texts: RealSet) -> Readings:
    words = read_words(texts.references, texts.systems)
    return Readings(words, np.unique(texts.documents, return_inverse=True)[1][words.segments])


def misprint(word: str, generator: np.random.Generator) -> str:
    """The word as an edition has it that repairs a misprint of one letter."""
    at, draw = int(generator.integers(len(word))), generator.random()
    letter = str(generator.choice([*"etaoinsrhldcum"]))
    if draw < 0.4:
        return word[:at] + letter + word[at + 1 :]
    if draw < 0.6:
        return word[:at] + letter + word[at:]
    return word[:at] + word[at + 1 :] if draw < 0.8 else word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


def respell(word: str, generator: np.random.Generator) -> str:
    """The word as an edition has it that changes the spelling by one of twelve rules."""
    rules = [rule for rule in _SPELLING if rule[0] in word]
    if not rules:
        return misprint(word, generator)
    printed, edited = rules[generator.integers(len(rules))]
    return word.replace(printed, edited, 1)


class Edition(NamedTuple):
    """How an edition departs from the pages of a set, and at how many disputed words that is measured."""

    readings: str
    repair: Repair | None  # None: it has another word of the text
    disputed: tuple[int, ...]


SETS: Final = {"das22": directories, "earnings21": calls}
EDITIONS: Final = {
    "das22, letters": Edition("das22", misprint, (50, 100, 200)),
    "das22, spelling": Edition("das22", respell, (200,)),
    "earnings21, words": Edition("earnings21", None, (50, 100, 200)),
}


def plant(
    readings: Readings, system: int, disputed: int, repaired: int, repair: Repair | None, generator: np.random.Generator
) -> tuple[Readings, Readings]:
    """Readings with so many disputed words, some of them repairs, which the system does not take, and does take.

    Segments are drawn until enough words are disputed by themselves. The repairs are of words of four letters or more
    that all other systems read right.
    """
    order = generator.permutation(int(readings.words.segments.max()) + 1)
    segments = readings.words.segments[readings.find_disputed(system)]
    by_segment = np.bincount(segments, minlength=len(order))[order]
    enough = int(np.searchsorted(np.cumsum(by_segment), disputed - repaired)) + 1
    part = readings.take(np.isin(readings.words.segments, order[:enough]))
    words = part.words
    others = [other for other in range(len(words.readings)) if other != system]
    right = (words.plain[others] & (words.readings[others] == words.references)).all(axis=0)
    rows = generator.permutation(np.flatnonzero(right))
    chosen = np.array([row for row in rows if len(words.vocabulary[words.references[row]]) > 3][:repaired], np.int64)
    vocabulary, references = [*words.vocabulary], words.references.copy()
    for row in chosen.tolist():
        page = words.vocabulary[references[row]]
        edition = page
        while edition in (page, ""):
            drawn = words.references[generator.integers(len(words.references))]
            edition = repair(page, generator) if repair else words.vocabulary[drawn]
        references[row] = len(vocabulary)
        vocabulary.append(edition)
    recited = words.readings.copy()
    recited[system, chosen] = references[chosen]
    read = replace(words, vocabulary=vocabulary, references=references)
    return replace(part, words=read), replace(part, words=replace(read, readings=recited))


def relate(
    readings: Readings,
    system: int,
    copied: float,
    corrected: float,
    generator: np.random.Generator,
    *,
    by_kind: bool = False,
) -> Readings:
    """Readings in which the others copy one of them at a share of the words, and the system has fewer errors.

    With `by_kind` it is a share of the kinds of changes, each of them copied wherever it occurs.

    An error that all systems share may be one of the reference, and stays.
    """
    words = readings.words
    first, *rest = (other for other in range(len(words.readings)) if other != system)
    kinds = _kinds(words, first) if by_kind else np.zeros(0, np.int64)
    read, plain = words.readings.copy(), words.plain.copy()
    for other in rest:
        chosen = generator.random(len(words.references)) < copied
        if by_kind:
            chosen = generator.random(kinds.max() + 1)[kinds] < copied
        read[other, chosen], plain[other, chosen] = read[first, chosen], plain[first, chosen]
    shared = (words.readings == words.readings[0]).all(axis=0)
    better = ~shared & (generator.random(len(words.references)) < corrected)
    read[system, better] = words.references[better]
    return replace(readings, words=replace(words, readings=read, plain=plain))


def _kinds(words: ReadWords, system: int) -> IntArray:
    """Number of the kind of change that a system makes of every word; right words are of one kind."""
    pairs, inverse = np.unique(words.references * len(words.vocabulary) + words.readings[system], return_inverse=True)
    numbers: dict[tuple[str, str], int] = {}
    kinds = []
    for pair in pairs.tolist():
        reference, reading = divmod(pair, len(words.vocabulary))
        change = find_change(words.vocabulary[reference], words.vocabulary[reading])
        kinds.append(numbers.setdefault(change, len(numbers)))
    return np.array(kinds, np.int64)[inverse]


def score(described: SystemRecitation) -> float:
    """What systems are ordered by: the ratio; 0 where nothing is said."""
    return described.ratio or 0.0


def area(recited: FloatArray, honest: FloatArray) -> float:
    """Probability that a reciting system has a higher score than the same one that reads."""
    above = np.sign(recited[:, np.newaxis] - honest).mean()
    return float((above + 1) / 2)


class Curve(NamedTuple):
    """One point of the detection curve: the area of every system, and shares of alarms."""

    areas: list[float]
    suspicious: float
    false: float


def measure(readings: Readings, repair: Repair | None, share: float, disputed: int, draws: int) -> Curve:
    """Area under the curve by system, and how often a reciting system and one that reads are suspicious."""
    areas, alarms = [], []
    number = len(readings.words.readings)
    for system in range(number):
        generator = np.random.default_rng([system, disputed, int(1000 * share)])
        pairs = [
            [
                planted.describe(system)
                for planted in plant(readings, system, disputed, round(share * disputed), repair, generator)
            ]
            for _ in range(draws)
        ]
        honest, recited = np.array([[score(described) for described in pair] for pair in pairs]).T
        areas.append(area(recited, honest))
        # As if every other system had no doubt against it: Holm multiplies the least p by their number.
        alarms += [[(described.pvalue or 1) * number < ALPHA for described in pair] for pair in pairs]
    false, suspicious = np.mean(alarms, axis=0)
    return Curve(areas, float(suspicious), float(false))


def control(readings: Readings, copied: float, corrected: float, draws: int, *, by_kind: bool = False) -> float:
    """How often any system is suspicious where nobody recites, in random documents of some 15,000 words."""
    alarms = []
    number = len(readings.words.readings)
    lengths = np.bincount(readings.documents)
    for system in range(number):
        generator = np.random.default_rng([system, int(1000 * copied), int(1000 * corrected)])
        for _ in range(draws):
            order = generator.permutation(len(lengths))
            chosen = order[np.cumsum(lengths[order]) <= CONTROL_WORDS]
            part = readings.take(np.isin(readings.documents, chosen))
            related = relate(part, system, copied, corrected, generator, by_kind=by_kind)
            pvalues = [related.describe(other).pvalue for other in range(number)]
            known = [pvalue for pvalue in pvalues if pvalue is not None]
            alarms.append(bool(known) and float(adjust(known, method="holm").min()) < ALPHA)
    return float(np.mean(alarms))


def curve_lines(sets: Mapping[str, Readings], draws: int) -> Iterator[str]:
    """Rows of the table of the detection curve."""
    columns = [(name, edition, number) for name, edition in EDITIONS.items() for number in edition.disputed]
    yield f"| repaired | {' | '.join(f'{name}, {number}' for name, _, number in columns)} |"
    yield f"|---|{'---|' * len(columns)}"
    for share in SHARES:
        curves = [
            measure(sets[edition.readings], edition.repair, share, number, draws) for _, edition, number in columns
        ]
        cells = [f"{min(curve.areas):.2f} / {100 * curve.suspicious:.0f} %" for curve in curves]
        yield f"| {100 * share:.0f} % | {' | '.join(cells)} |"


def control_lines(sets: Mapping[str, Readings], draws: int) -> Iterator[str]:
    """Rows of the table of false alarms."""
    heading = " | ".join(f"{name}, {text}" for name in sets for text in BETTER)
    yield f"| others copied | {heading} |"
    yield f"|---|{'---|' * len(sets) * len(BETTER)}"
    for copied, by_kind in ((0.0, False), *product(FAMILIES, (False, True))):
        cells = [
            f"{100 * control(readings, copied, corrected, draws, by_kind=by_kind):.1f} %"
            for readings in sets.values()
            for corrected in BETTER.values()
        ]
        label = f"{100 * copied:.0f} % of {'kinds' if by_kind else 'words'}" if copied else "nothing"
        yield f"| {label} | {' | '.join(cells)} |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--draws", type=int, default=60, help="planted references of each system; a third if nobody recites"
    )
    options = parser.parse_args()
    sets = {name: read(options.data) for name, read in SETS.items()}
    for lines in (curve_lines(sets, options.draws), control_lines(sets, options.draws // 3)):
        for line in lines:
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
