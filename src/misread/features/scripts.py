"""Errors by script of the characters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from misread.alignment import find_error_units, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.alignment.kernels.pairs import Codes
from misread.metrics.base import ScoredText
from misread.metrics.confusions import INSERTED, count_confusions
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Column, ReportSettings, SystemView, ViewInput
from misread.tables.confusions import show_confused
from misread.tables.view import ABOUT_INTERVALS, CONFIDENCE, column_with_interval
from misread.tally import ScoredSystem
from misread.text.character_groups import find_script
from misread.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ScriptErrors:
    """Characters of one script in every segment, and what they are confused with.

    An insertion belongs to the script of the inserted character.
    """

    length: IntArray  # shape (segments,)
    substitutions: IntArray
    deletions: IntArray
    insertions: IntArray
    # What should have been read, what was, how often; and how often the first occurs in the references.
    confusions: list[tuple[str, str, int, int]]


def count_by_script(texts: ScoredText) -> Mapping[str, ScriptErrors]:
    """Errors of code points by script, the script with most characters first."""
    operations = paired_operations(texts.paired)
    codes, segments = operations.codes, len(operations)
    rows = np.repeat(np.arange(segments), np.diff(operations.offsets))
    references, hypotheses = (_join(side) for side in (texts.references, texts.hypotheses))
    # Of each operation, the character of the reference or the one that was inserted.
    characters = np.empty(len(codes), np.uint32)
    characters[codes != INSERTION] = references
    characters[codes == INSERTION] = hypotheses[(codes == INSERTION)[codes != DELETION]]
    different, places = np.unique(characters, return_inverse=True)
    names = [find_script(chr(code)) for code in different.tolist()]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    cells = (rows * len(numbers) + np.array([numbers[name] for name in names], np.int64)[places]) * 4 + codes
    counts = np.bincount(cells, minlength=4 * segments * len(numbers)).reshape(segments, len(numbers), 4)
    occurrences = dict(zip(*np.unique(references, return_counts=True), strict=True))
    confused: dict[str, list[tuple[str, str, int, int]]] = {}
    for confusion in count_confusions(find_error_units(texts.references, texts.hypotheses, operations, unit="char")):
        unit = confusion.hypothesis if confusion.reference == INSERTED else confusion.reference
        times = int(occurrences.get(ord(confusion.reference), 0)) if len(confusion.reference) == 1 else 0
        confused.setdefault(find_script(unit), []).append(
            (confusion.reference, confusion.hypothesis, confusion.count, times)
        )
    made = {}
    for name, number in numbers.items():
        hits, substitutions, deletions, insertions = (
            counts[:, number, kind] for kind in (HIT, SUBSTITUTION, DELETION, INSERTION)
        )
        length = hits + substitutions + deletions
        made[name] = ScriptErrors(length, substitutions, deletions, insertions, confused.get(name, []))
    return dict(sorted(made.items(), key=lambda item: -int(item[1].length.sum())))


class ScriptRow(NamedTuple):
    """Errors of one system in characters of one script; `kinds` are substitutions, deletions and insertions."""

    script: str
    length: int
    kinds: tuple[int, int, int]
    interval: ConfidenceInterval | None
    confusions: list[tuple[str, str, int, int]]

    @property
    def rate(self) -> float | None:
        """Errors per character."""
        return sum(self.kinds) / self.length if self.length else None


@dataclass(frozen=True)
class Scripts(SystemView):
    """Errors of characters by script, with the most frequent confusions of each.

    Each confusion comes with the number of its reference character: rare characters are confused rarely.

    Parameters
    ----------
    confusions : int
        How many confusions a row shows.
    """

    confusions: int = 3

    def caption(self, dataset: str) -> str:
        """Characters by script."""
        return f"Errors of characters on {dataset} by script."

    def count(self, system: ScoredSystem) -> Sequence[ScriptRow]:
        """One row per script."""
        errors_by_script = count_by_script(system.normalized)
        return [_sum_script(script, errors, system.clusters) for script, errors in errors_by_script.items()]

    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """Characters, errors by kind, their rate, and confusions."""
        return [
            Column("script", lambda row: row.script, kind="name", name="script"),
            Column("characters", lambda row: row.length, name="characters"),
            Column("S/D/I", lambda row: row.kinds, name=("substitutions", "deletions", "insertions")),
            column_with_interval("errors", lambda row: row.rate, settings.rates),
            Column(
                "most confused, of how many",
                lambda row: row.confusions[: self.confusions],
                _show_confusions,
                kind="sign",
                keep=1,
            ),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:  # noqa: ARG002 - all data sets have the same
        """Names of scripts, and source of intervals."""
        return [
            "Common: digits, punctuation and white space; Inherited: marks. An insertion counts for the script of the "
            "inserted character.",
            ABOUT_INTERVALS,
        ]


def _sum_script(script: str, errors: ScriptErrors, clusters: Sequence[str] | None) -> ScriptRow:
    length = int(errors.length.sum())
    total = errors.substitutions + errors.deletions + errors.insertions
    interval = ratio_interval(total, errors.length, clusters, CONFIDENCE) if length else None
    kinds = (int(errors.substitutions.sum()), int(errors.deletions.sum()), int(errors.insertions.sum()))
    return ScriptRow(script, length, kinds, interval, errors.confusions)


def _show_confusions(confusions: Sequence[tuple[str, str, int, int]]) -> str:
    return ", ".join(
        f"{show_confused(reference)} → {show_confused(hypothesis)} {count:,}" + (f" of {times:,}" if times else "")
        for reference, hypothesis, count, times in confusions
    )


def _join(texts: Sequence[str]) -> Codes:
    return np.frombuffer("".join(texts).encode("utf-32-le"), "<u4")
