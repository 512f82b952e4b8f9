"""Texts that are missing or empty: the policy for segments without a hypothesis, and errors that no reading made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from misread.data.segment_table import NOT_RECORDED, Doubt, MissingPolicy, Origin
from misread.errors import UndefinedResultError, setting
from misread.io.checks.choices import check_choice
from misread.normalize.normalized_texts import NormalizedTexts
from misread.tally.adding import SHOWN, Adding
from misread.text.arrow import ArrowTexts
from misread.text.display import shorten_label
from misread.text.lazy_texts import JoinedTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingOutputs:
    """Numbers of segments without an output, by run: all runs of a system that lacks some."""

    missing: Mapping[str, int]  # nothing was recorded or given
    failed: Mapping[str, int]  # reading failed, and the capture has the reason

    @property
    def total(self) -> tuple[int, int]:
        """Numbers of missing and of failed outputs over all runs."""
        return sum(self.missing.values()), sum(self.failed.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingTexts(Adding):
    """How many segments there are, how many of them count, and which have no hypothesis."""

    segments: int = 0
    scored: int = 0
    number: Mapping[str, int] = field(default_factory=dict)  # by run that lacks some
    failed: Mapping[str, int] = field(default_factory=dict)  # those of them whose reading failed
    # Ids of the first of them, and why they are missing.
    shown: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def outputs(self, runs: Iterable[str]) -> MissingOutputs | None:
        """Numbers by run, of these; None where nothing is missing."""
        if not self.number:
            return None
        failed = {run: self.failed.get(run, 0) for run in runs}
        return MissingOutputs(
            missing={run: self.number.get(run, 0) - number for run, number in failed.items()}, failed=failed
        )


def find_rows(texts: NormalizedTexts, policy: MissingPolicy) -> tuple[Sequence[int], MissingTexts]:
    """Rows that count under a policy, ascending, and missing texts.

    "drop" leaves segments out that any run lacks (for all runs and systems, as `compare` keeps only common segments);
    "empty" counts a missing hypothesis as empty; for "error" no row counts if one is missing.
    """
    check_choice("policy for missing hypotheses", policy, MissingPolicy)
    rows: Sequence[int] = range(len(texts.raw.hypotheses))
    number: dict[str, int] = {}
    failed: dict[str, int] = {}
    shown: dict[str, tuple[tuple[str, str], ...]] = {}
    for outputs in (texts, *texts.further_runs):
        if None not in outputs.raw.hypotheses:
            continue
        missing = [row for row, text in enumerate(outputs.raw.hypotheses) if text is None]
        number[outputs.run] = len(missing)
        reasons = (outputs.reasons[row] for row in missing)
        failed[outputs.run] = sum(reason is not None and not reason.startswith(NOT_RECORDED) for reason in reasons)
        shown[outputs.run] = tuple(
            (shorten_label(outputs.segments.segment_id[row]), outputs.reasons[row] or "no hypothesis")
            for row in missing[:SHOWN]
        )
        if policy == "drop":
            rows = [row for row in rows if outputs.raw.hypotheses[row] is not None]
    if number and policy == "error":
        rows = []
    return rows, MissingTexts(
        segments=len(texts.raw.hypotheses), scored=len(rows), number=number, failed=failed, shown=shown
    )


def require_segments(missing: MissingTexts, origin: Origin, runs: Sequence[str], policy: MissingPolicy) -> None:
    """Raise UndefinedResultError if a hypothesis is missing against the policy, or no segment counts."""
    if policy == "error":
        first = next((run for run in runs if run in missing.number), None)
        if first is not None:
            raise UndefinedResultError(_describe(missing, origin, first, has_runs=len(runs) > 1))
    if not missing.scored and len(runs) > 1:
        raise UndefinedResultError(
            f"no segment of {origin.dataset!r} has a hypothesis of system {origin.system!r} in all of its "
            f"{len(runs)} runs: there is nothing to average. Read what failed again, or choose "
            f"{setting('missing', 'empty')} (missing ones count as empty texts)."
        )
    if not missing.scored:
        raise UndefinedResultError(
            f"system {origin.system!r} has no hypothesis for any of the {missing.segments} segments of "
            f"{origin.dataset!r}: there is nothing to score."
        )


def describe_counted_as_empty(missing: MissingTexts, system: str, runs: int) -> list[Doubt]:
    """Say how many hypotheses are missing and count as empty texts, if any do."""
    number = sum(missing.number.values())
    # Under the other policies a segment without a hypothesis does not count.
    if not number or missing.scored < missing.segments:
        return []
    # In the order of their names: that of the sums depends on which part lacks something first.
    ids = [
        f"{id_} in run {run}" if runs > 1 else id_ for run in sorted(missing.number) for id_, _ in missing.shown[run]
    ]
    counted = "are missing and count as empty texts" if number > 1 else "is missing and counts as an empty text"
    brief = f"{system}: {number:,} of {missing.segments * runs:,} hypotheses {counted}"
    return [Doubt(sentence=f"{brief} ({_list(ids[:SHOWN], number, ', ')}).", brief=f"{brief}.")]


def _list(shown: Sequence[str], number: int, mark: str) -> str:
    return mark.join([*shown, f"and {number - len(shown):,} more"] if number > len(shown) else shown)


def _describe(missing: MissingTexts, origin: Origin, run: str, *, has_runs: bool) -> str:
    number, shown = missing.number[run], [": ".join(labels) for labels in missing.shown[run]]
    name = f", run {run}," if has_runs else ""
    return (
        f"system {origin.system!r}{name} has no hypothesis for {number} of {missing.segments} segments of "
        f"{origin.dataset!r} ({_list(shown, number, '; ')}). Fix them, or choose {setting('missing', 'empty')} (they "
        f"count as empty texts) or {setting('missing', 'drop')} (they are left out for every system)."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptyTexts(Adding):
    """Texts of one side that are empty where the other side is not."""

    number: int = 0
    shown: tuple[str, ...] = ()  # ids of the first of them
    characters: int = 0  # of the other side


def find_empty_texts(
    segment_ids: Sequence[str],
    references: Sequence[str],
    hypotheses: Sequence[str],
    recorded: Sequence[str | None],
) -> tuple[EmptyTexts, EmptyTexts]:
    """Empty references, and empty hypotheses.

    `recorded` are the hypotheses as they came: a missing one that counts as empty is not an empty one.
    """
    empty_references = [row for row in _find_empty(references) if hypotheses[row]]
    empty_hypotheses = [row for row in _find_empty(hypotheses) if references[row] and recorded[row] is not None]
    return _sum(empty_references, segment_ids, hypotheses), _sum(empty_hypotheses, segment_ids, references)


def describe_empty_texts(system: str, segments: int, references: EmptyTexts, hypotheses: EmptyTexts) -> list[str]:
    """Sentences on the number of empty references, and of empty hypotheses."""
    return [
        f"{system}: {_count(empty, segments, name)} empty where there is a {other} ({_name(empty)}), whose "
        f"{_characters(empty)} as {kind}."
        for empty, name, other, kind in (
            (references, "references", "hypothesis", "insertions"),
            (hypotheses, "hypotheses", "reference", "deletions"),
        )
        if empty.number
    ]


def _find_empty(texts: Sequence[str]) -> list[int]:
    if isinstance(texts, ArrowTexts):
        rows: list[int] = np.flatnonzero(np.diff(texts.encoded()[1]) == 0).tolist()
        return rows
    if isinstance(texts, JoinedTexts):
        return np.flatnonzero(texts.lengths == 0).tolist()
    return [row for row, text in enumerate(texts) if not text]


def _sum(rows: Sequence[int], segment_ids: Sequence[str], others: Sequence[str]) -> EmptyTexts:
    return EmptyTexts(
        number=len(rows),
        shown=tuple(segment_ids[row] for row in rows[:SHOWN]),
        characters=sum(len(others[row]) for row in rows),
    )


def _count(empty: EmptyTexts, segments: int, name: str) -> str:
    return f"{empty.number:,} of {segments:,} {name} {'is' if empty.number == 1 else 'are'}"


def _name(empty: EmptyTexts) -> str:
    more = empty.number - len(empty.shown)
    return ", ".join(map(shorten_label, empty.shown)) + (f" and {more:,} more" if more else "")


def _characters(empty: EmptyTexts) -> str:
    return "1 character counts" if empty.characters == 1 else f"{empty.characters:,} characters count"
