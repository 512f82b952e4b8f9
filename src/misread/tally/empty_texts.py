"""Notes on pairs of which one text is empty: errors that no reading made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from misread.text.arrow import ArrowTexts
from misread.text.display import shorten_label

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyTexts:
    """Texts of one side that are empty where the other side is not; adds over parts."""

    number: int = 0
    shown: Sequence[str] = ()  # ids of the first of them
    characters: int = 0  # of the other side

    def __add__(self, later: EmptyTexts) -> EmptyTexts:
        return EmptyTexts(
            number=self.number + later.number,
            shown=[*self.shown, *later.shown][:_SHOWN],
            characters=self.characters + later.characters,
        )


def find_empty_texts(
    segment_ids: Sequence[str],
    references: Sequence[str],
    hypotheses: Sequence[str],
    recorded: Sequence[str | None],
) -> tuple[EmptyTexts, EmptyTexts]:
    """Empty references, and empty hypotheses.

    `recorded` are the hypotheses as they came: a missing one that counts as empty is not an empty one.
    """
    of_references = [row for row in _find_empty(references) if hypotheses[row]]
    of_hypotheses = [row for row in _find_empty(hypotheses) if references[row] and recorded[row] is not None]
    return _sum(of_references, segment_ids, hypotheses), _sum(of_hypotheses, segment_ids, references)


def describe_empty_texts(system: str, segments: int, references: EmptyTexts, hypotheses: EmptyTexts) -> list[str]:
    """Say how many of so many references, and how many hypotheses, are empty: a sentence for each."""
    notes = []
    if references.number:
        notes.append(
            f"{system}: {_count(references, segments, 'references')} empty where there is a hypothesis "
            f"({_name(references)}), whose {_characters(references)} as insertions."
        )
    if hypotheses.number:
        notes.append(
            f"{system}: {_count(hypotheses, segments, 'hypotheses')} empty where there is a reference "
            f"({_name(hypotheses)}), whose {_characters(hypotheses)} as deletions."
        )
    return notes


def _find_empty(texts: Sequence[str]) -> list[int]:
    if isinstance(texts, ArrowTexts):
        rows: list[int] = np.flatnonzero(np.diff(texts.encoded()[1]) == 0).tolist()
        return rows
    return [row for row, text in enumerate(texts) if not text]


def _sum(rows: Sequence[int], segment_ids: Sequence[str], others: Sequence[str]) -> EmptyTexts:
    return EmptyTexts(
        number=len(rows),
        shown=[segment_ids[row] for row in rows[:_SHOWN]],
        characters=sum(len(others[row]) for row in rows),
    )


def _count(empty: EmptyTexts, segments: int, name: str) -> str:
    return f"{empty.number:,} of {segments:,} {name} {'is' if empty.number == 1 else 'are'}"


def _name(empty: EmptyTexts) -> str:
    more = empty.number - len(empty.shown)
    return ", ".join(map(shorten_label, empty.shown)) + (f" and {more:,} more" if more else "")


def _characters(empty: EmptyTexts) -> str:
    return "1 character counts" if empty.characters == 1 else f"{empty.characters:,} characters count"
