"""Table of what a correction has made better and worse."""

from __future__ import annotations

from typing import Final

from misread.features.corrections.metric import COLUMNS, CorrectionBalance
from misread.tables import Cell, Column, Table
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem


def lay_out_corrections(source: ViewInput) -> Table | None:
    """Segments, characters and words before and after a correction."""
    dataset, settings = source.dataset, source.settings
    balance = CorrectionBalance("the view corrections", "error_reduction")
    rows, records = [], []
    for system, scored in source.scored.items():
        counts = dict(zip(COLUMNS, balance.count(scored.normalized).sum(axis=0).tolist(), strict=True))
        shown = [
            "/".join(f"{counts[name]:,}" for name in names)
            for names in (
                ("improved", "worsened", "same"),
                ("errors_before", "errors_after"),
                ("corrected", "left_wrong"),
                ("damaged", "kept"),
                ("inserted_before", "inserted_after"),
            )
        ]
        rows.append([Cell(settings.name(system)), *map(Cell, shown)])
        records.append((dataset, system, *counts.values()))
    return Table(
        stem=file_stem(dataset, "corrections"),
        caption=f"What each system made of the recognized text on {settings.name(dataset)}.",
        columns=[
            Column("system", kind="name"),
            Column("segments better/worse/same"),
            Column("character errors before/after"),
            Column("wrong words corrected/left"),
            Column("right words damaged/kept"),
            Column("words inserted before/after"),
        ],
        rows=rows,
        notes=[
            "A word of the reference is right if it is a hit of the alignment of words.",
            "error_reduction, corrected_words, damaged_words, improved_segments and worsened_segments have intervals.",
        ],
        record_names=("dataset", "system", *COLUMNS),
        records=records,
    )


CORRECTIONS: Final = View(lay_out_corrections)
