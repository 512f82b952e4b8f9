"""Notes on pairs of which one text is empty: errors that no reading made."""

from collections.abc import Sequence

import numpy as np

from misread.text.arrow import ArrowTexts

_SHOWN = 3


def describe_empty_texts(
    system: str,
    segment_ids: Sequence[str],
    references: Sequence[str],
    hypotheses: Sequence[str],
    recorded: Sequence[str | None],
) -> list[str]:
    """Say how many references, and how many hypotheses, are empty where the other side is not: a sentence for each.

    `recorded` are the hypotheses as they came: a missing one that counts as empty is not an empty one.
    """
    notes = []
    rows = [row for row in _find_empty(references) if hypotheses[row]]
    if rows:
        notes.append(
            f"{system}: {_count(rows, len(references), 'references')} empty where there is a hypothesis "
            f"({_name(rows, segment_ids)}), whose {_sum(rows, hypotheses)} as insertions."
        )
    rows = [row for row in _find_empty(hypotheses) if references[row] and recorded[row] is not None]
    if rows:
        notes.append(
            f"{system}: {_count(rows, len(hypotheses), 'hypotheses')} empty where there is a reference "
            f"({_name(rows, segment_ids)}), whose {_sum(rows, references)} as deletions."
        )
    return notes


def _find_empty(texts: Sequence[str]) -> list[int]:
    if isinstance(texts, ArrowTexts):
        rows: list[int] = np.flatnonzero(np.diff(texts.encoded()[1]) == 0).tolist()
        return rows
    return [row for row, text in enumerate(texts) if not text]


def _count(rows: Sequence[int], total: int, name: str) -> str:
    return f"{len(rows):,} of {total:,} {name} {'is' if len(rows) == 1 else 'are'}"


def _name(rows: Sequence[int], segment_ids: Sequence[str]) -> str:
    shown = ", ".join(segment_ids[row] for row in rows[:_SHOWN])
    return f"{shown} and {len(rows) - _SHOWN:,} more" if len(rows) > _SHOWN else shown


def _sum(rows: Sequence[int], texts: Sequence[str]) -> str:
    characters = sum(len(texts[row]) for row in rows)
    return "1 character counts" if characters == 1 else f"{characters:,} characters count"
