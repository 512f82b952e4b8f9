"""Errors by script of the characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.alignment import find_error_units, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.alignment.kernels.pairs import Codes
from misread.metrics.base import ScoredText
from misread.metrics.confusions import INSERTED, count_confusions
from misread.stats import ratio_interval
from misread.tables import Cell, Column, Table
from misread.tables.confusions import show_confused
from misread.tables.number_text import interval_ends
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
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    for system, scored in source.scored.items():
        for script, found in count_by_script(scored.normalized).items():
            errors = found.substitutions + found.deletions + found.insertions
            length, wrong = int(found.length.sum()), int(errors.sum())
            rate = wrong / length if length else None
            interval = ratio_interval(errors, found.length, scored.clusters, _CONFIDENCE) if length else None
            kinds = "/".join(
                f"{int(each.sum()):,}" for each in (found.substitutions, found.deletions, found.insertions)
            )
            confused = ", ".join(
                f"{show_confused(reference)} → {show_confused(hypothesis)} {count:,}"
                + (f" of {times:,}" if times else "")
                for reference, hypothesis, count, times in found.confusions[:_MOST]
            )
            shown = Cell("" if rate is None else rates.rate(rate), rates.interval_of(rate, interval))
            cells = [Cell(settings.name(system)), Cell(script), Cell(f"{length:,}"), Cell(kinds), shown, Cell(confused)]
            rows.append(cells)
            counts = [int(each.sum()) for each in (found.substitutions, found.deletions, found.insertions)]
            records.append((dataset, system, script, length, *counts, rate, *interval_ends(interval)))
    if not rows:
        return None
    return Table(
        stem=file_stem(dataset, "scripts"),
        caption=f"Errors of characters on {settings.name(dataset)} by script.",
        columns=[
            Column("system", kind="name"),
            Column("script", kind="name"),
            Column("characters"),
            Column("S/D/I"),
            Column(f"errors{rates.sign}", f"[{100 * _CONFIDENCE:g} %]"),
            Column("most confused, of how many", kind="sign", keep=1),
        ],
        rows=rows,
        notes=[
            "Common: digits, punctuation and white space; Inherited: marks. An insertion counts for the script of the "
            "inserted character.",
            "Intervals: Student's t with the jackknife error over clusters, over segments where there are none.",
        ],
        record_names=(
            *("dataset", "system", "script", "characters", "substitutions", "deletions", "insertions"),
            *("errors", "low", "high"),
        ),
        records=records,
    )


def _join(texts: Sequence[str]) -> Codes:
    return np.frombuffer("".join(texts).encode("utf-32-le"), "<u4")


SCRIPTS: Final = View(lay_out_scripts)
