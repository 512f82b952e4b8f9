"""Table of errors by script."""

from __future__ import annotations

from typing import Final

from misread.features.scripts.view import count_by_script
from misread.stats import ratio_interval
from misread.tables import Cell, Column, Table
from misread.tables.confusions import show_confused
from misread.tables.numbers import interval_ends
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem

_CONFIDENCE: Final = 0.95
# Confusions that a row shows.
_MOST: Final = 3


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


SCRIPTS: Final = View(lay_out_scripts)
