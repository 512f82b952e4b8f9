"""Errors by script of the characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from misread.alignment import find_error_units, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.alignment.kernels.pairs import Codes
from misread.metrics.base import ScoredText
from misread.metrics.confusions import INSERTED, count_confusions
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Column, Table, in_files, rate_column
from misread.tables.confusions import show_confused
from misread.tables.number_text import confidence_title
from misread.tables.view import View, ViewInput
from misread.text.character_groups import find_script
from misread.text.display import file_stem
from misread.types import IntArray

_CONFIDENCE: Final = 0.95
# Confusions that a row shows.
_MOST: Final = 3


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
    found = paired_operations(texts.paired)
    codes, segments = found.codes, len(found)
    rows = np.repeat(np.arange(segments), np.diff(found.offsets))
    references, hypotheses = (_join(side) for side in (texts.references, texts.hypotheses))
    # Of each operation, the character of the reference or the one that was inserted.
    characters = np.empty(len(codes), np.uint32)
    characters[codes != INSERTION] = references
    characters[codes == INSERTION] = hypotheses[(codes == INSERTION)[codes != DELETION]]
    different, places = np.unique(characters, return_inverse=True)
    names = [find_script(chr(code)) for code in different.tolist()]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    cells = (rows * len(numbers) + np.array([numbers[name] for name in names])[places]) * 4 + codes
    counts = np.bincount(cells, minlength=4 * segments * len(numbers)).reshape(segments, len(numbers), 4)
    occurrences = dict(zip(*np.unique(references, return_counts=True), strict=True))
    confused: dict[str, list[tuple[str, str, int, int]]] = {}
    for one in count_confusions(find_error_units(texts.references, texts.hypotheses, found, unit="char")):
        unit = one.hypothesis if one.reference == INSERTED else one.reference
        times = int(occurrences.get(ord(one.reference), 0)) if len(one.reference) == 1 else 0
        confused.setdefault(find_script(unit), []).append((one.reference, one.hypothesis, one.count, times))
    made = {}
    for name, number in numbers.items():
        hits, substitutions, deletions, insertions = (
            counts[:, number, kind] for kind in (HIT, SUBSTITUTION, DELETION, INSERTION)
        )
        length = hits + substitutions + deletions
        made[name] = ScriptErrors(length, substitutions, deletions, insertions, confused.get(name, []))
    return dict(sorted(made.items(), key=lambda item: -int(item[1].length.sum())))


def lay_out_scripts(source: ViewInput) -> Table | None:
    """Errors of characters by script, with the most frequent confusions of each.

    Beside a confusion stands how often its reference character occurs: rare characters are confused rarely.
    """
    settings, rates = source.settings, source.settings.rates
    rows = [
        _script_row(system, script, errors, scored.clusters)
        for system, scored in source.scored.items()
        for script, errors in count_by_script(scored.normalized).items()
    ]
    if not rows:
        return None
    return Table(
        stem=file_stem(source.dataset, "scripts"),
        caption=f"Errors of characters on {settings.name(source.dataset)} by script.",
        columns=[
            in_files("dataset", source.dataset),
            Column("system", lambda row: row.system, settings.name, kind="name", name="system"),
            Column("script", lambda row: row.script, kind="name", name="script"),
            Column("characters", lambda row: row.length, name="characters"),
            Column("S/D/I", lambda row: row.kinds, name=("substitutions", "deletions", "insertions")),
            rate_column(
                "errors", lambda row: row.rate, lambda row: row.interval, rates, level=confidence_title(_CONFIDENCE)
            ),
            Column("most confused, of how many", lambda row: row.confusions[:_MOST], _show, kind="sign", keep=1),
        ],
        rows=rows,
        notes=[
            "Common: digits, punctuation and white space; Inherited: marks. An insertion counts for the script of the "
            "inserted character.",
            "Intervals: Student's t with the jackknife error over clusters, over segments where there are none.",
        ],
    )


class _ScriptRow(NamedTuple):
    """Errors of one system in characters of one script; `kinds` are substitutions, deletions and insertions."""

    system: str
    script: str
    length: int
    kinds: tuple[int, int, int]
    interval: ConfidenceInterval | None
    confusions: list[tuple[str, str, int, int]]

    @property
    def rate(self) -> float | None:
        """Errors per character."""
        return sum(self.kinds) / self.length if self.length else None


def _script_row(system: str, script: str, errors: ScriptErrors, clusters: Sequence[str] | None) -> _ScriptRow:
    length = int(errors.length.sum())
    total = errors.substitutions + errors.deletions + errors.insertions
    interval = ratio_interval(total, errors.length, clusters, _CONFIDENCE) if length else None
    kinds = (int(errors.substitutions.sum()), int(errors.deletions.sum()), int(errors.insertions.sum()))
    return _ScriptRow(system, script, length, kinds, interval, errors.confusions)


def _show(confusions: Sequence[tuple[str, str, int, int]]) -> str:
    return ", ".join(
        f"{show_confused(reference)} → {show_confused(hypothesis)} {count:,}" + (f" of {times:,}" if times else "")
        for reference, hypothesis, count, times in confusions
    )


def _join(texts: Sequence[str]) -> Codes:
    return np.frombuffer("".join(texts).encode("utf-32-le"), "<u4")


SCRIPTS: Final = View(lay_out_scripts)
