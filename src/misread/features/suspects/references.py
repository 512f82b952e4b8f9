"""References that may be wrong: places where most systems agree with each other against them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from misread.alignment import PairedTexts, paired_operations
from misread.errors import UndefinedResultError
from misread.features.suspects.records import DisputedPlace, ReferenceCheck, RepeatedErrors, Suspect
from misread.io.checks.choices import check_choice
from misread.metrics import Kind, Metric
from misread.metrics.base import ScoredText
from misread.normalize.common_rows import find_common_rows
from misread.normalize.normalized_texts import NormalizedTexts
from misread.stats import (
    ConfidenceInterval,
    Estimate,
    cluster_rows,
    degrees_of_freedom,
    jackknife_interval,
)
from misread.stats.bootstrap.jackknife import independent_error, jackknife_deviation
from misread.text.words import WHITE_SPACE, split_words
from misread.types import IntArray

if TYPE_CHECKING:
    from misread.evaluation.evaluation import Evaluation

FEWEST_SYSTEMS: Final = 2
"""One system alone agrees with nobody."""

FEWEST_FOR_REPEATS: Final = 3
"""Systems needed to find repeats of an error of the reference: two others have to agree."""

_WORD: Final = re.compile(f"[^{re.escape(WHITE_SPACE)}]+")

Slot = tuple[int, bool]
"""A word of the reference by its position, or (with False) the gap before it."""


def check_result(result: Evaluation, metric: str | None = None) -> ReferenceCheck:
    """Find segments on which most systems agree with each other against the reference.

    Parameters
    ----------
    result : Evaluation
        Two systems or more; of a system with several runs, the first one counts.
    metric : str, optional
        Id of the error rate whose errors a wrong reference would explain; the first metric by default.

    Returns
    -------
    ReferenceCheck
        `suspects`, those that explain most errors first, each with the `proposal` of most systems; and by system how
        often it repeats an error of the reference, with an interval by cluster.

    Raises
    ------
    UnknownNameError
        If the metric was not scored.
    UndefinedResultError
        If there are fewer than two systems, or the metric counts no errors.
    """
    chosen = metric or result.metrics[0]
    check_choice("metric", chosen, result.metrics)
    (rate,) = (candidate for candidate in next(iter(result.scored.values())).metrics if candidate.id == chosen)
    texts = {system: scored.texts for system, scored in result.scored.items()}
    return check_references(texts, rate, confidence=result.result.statistics.confidence)


def check_references(
    texts: Mapping[str, NormalizedTexts], metric: Metric, *, confidence: float = 0.95
) -> ReferenceCheck:
    """Find segments on which most systems agree with each other against the reference.

    Word by word, the reading that more than half of the systems share, two at least, is held against the reference. Of
    a system with several runs the first one counts. Systems that were trained on the references repeat errors of them;
    the rate of that is over the places where more than half of the others agree against the reference.

    Raises UndefinedResultError for fewer than two systems, a metric that counts no errors, references with
    alternatives, or systems without a common segment. Fiscus (1997), ROVER, for votes among aligned words; Northcutt,
    Athalye & Mueller (2021), Pervasive label errors in test sets destabilize machine learning benchmarks.
    """
    _require_usable(texts, metric)
    systems = list(texts)
    rows, left_out = find_common_rows(texts)
    first = texts[systems[0]]
    ids = list(rows[systems[0]])
    references = [first.normalized.references[row] for row in rows[systems[0]].values()]
    hypotheses = {
        name: [outputs.normalized.hypotheses[row] or "" for row in rows[name].values()]
        for name, outputs in texts.items()
    }
    readings = {name: _readings(references, system_hypotheses) for name, system_hypotheses in hypotheses.items()}
    disputed = {}
    repeats = {name: np.zeros((len(ids), 2), dtype=np.int64) for name in systems}
    for row in range(len(ids)):
        votes = _votes(row, readings)
        if changes := {slot: places for slot, readers in votes.items() if (places := _majority(readers, len(systems)))}:
            disputed[row] = changes
        if len(systems) >= FEWEST_FOR_REPEATS:
            _count_repeats(votes, systems, row, repeats)
    proposals = {row: _propose(references[row], changes) for row, changes in disputed.items()}
    explained, errors = _explain(references, hypotheses, proposals, metric)
    clusters_of_rows = first.segments.cluster
    clusters = None if clusters_of_rows is None else [clusters_of_rows[row] for row in rows[systems[0]].values()]
    suspects = [
        Suspect(
            segment_id=ids[row],
            cluster=None if clusters is None else clusters[row],
            reference=references[row],
            proposal=proposals[row],
            places=_places(references[row], changes),
            explained={name: int(explained[name][row]) for name in systems},
        )
        for row, changes in disputed.items()
    ]
    codes = None if clusters is None else np.unique(clusters, return_inverse=True)[1].astype(np.int64)
    return ReferenceCheck(
        metric=metric.id,
        segments=len(ids),
        left_out=left_out,
        unit="segment" if clusters is None else first.origin.cluster_name or "cluster",
        suspects=tuple(sorted(suspects, key=lambda suspect: (-suspect.total, suspect.segment_id))),
        systems={
            name: _describe(repeats[name], codes, errors[name], sum(explained[name].values()), confidence)
            for name in systems
        },
        signature=metric.signature(first.normalizer).with_facts({"votes": f"more than half of {len(systems)}"}),
    )


def _require_usable(texts: Mapping[str, NormalizedTexts], metric: Metric) -> None:
    if len(texts) < FEWEST_SYSTEMS:
        raise UndefinedResultError(
            f"a reference is suspect if several systems agree against it, and there is only {', '.join(texts)}; give "
            "at least one more system."
        )
    if metric.kind is not Kind.ERROR_RATE:
        raise UndefinedResultError(f"{metric.id} counts no errors that a reference could explain; choose cer or wer.")
    if any(outputs.origin.facts.alternatives for outputs in texts.values()):
        raise UndefinedResultError("references with alternatives have no single text that systems could agree against.")


def _readings(references: Sequence[str], hypotheses: Sequence[str]) -> list[dict[Slot, str]]:
    """Readings of each hypothesis where it differs from its reference."""
    letters = paired_operations(PairedTexts(references, hypotheses), unit="word", alignment="unit").letters()
    return [
        _differences(operations, split_words(hypothesis)) if set(operations) - {"C"} else {}
        for operations, hypothesis in zip(letters, hypotheses, strict=True)
    ]


def _differences(letters: str, words: Sequence[str]) -> dict[Slot, str]:
    differences: dict[Slot, str] = {}
    reference = hypothesis = 0
    for letter, run in groupby(letters):
        length = len(list(run))
        if letter == "I":
            differences[reference, False] = " ".join(words[hypothesis : hypothesis + length])
        elif letter != "C":
            for step in range(length):
                differences[reference + step, True] = words[hypothesis + step] if letter == "S" else ""
        reference += 0 if letter == "I" else length
        hypothesis += 0 if letter == "D" else length
    return differences


def _votes(row: int, readings: Mapping[str, Sequence[Mapping[Slot, str]]]) -> dict[Slot, dict[str, str]]:
    """Readings other than the reference by place and system."""
    votes: dict[Slot, dict[str, str]] = {}
    for name, system_readings in readings.items():
        for slot, reading in system_readings[row].items():
            votes.setdefault(slot, {})[name] = reading
    return votes


def _majority(readings: Mapping[str, str], systems: int) -> tuple[str, list[str]] | None:
    """The reading that more than half of `systems` share, two at least, with those that do."""
    reading, number = Counter(readings.values()).most_common(1)[0] if readings else ("", 0)
    if number < FEWEST_SYSTEMS or 2 * number <= systems:
        return None
    return reading, [name for name, other in readings.items() if other == reading]


def _count_repeats(
    votes: Mapping[Slot, Mapping[str, str]], systems: Sequence[str], row: int, repeats: Mapping[str, IntArray]
) -> None:
    for readers in votes.values():
        if len(readers) < FEWEST_SYSTEMS:
            continue
        for name in systems:
            others = {other: reading for other, reading in readers.items() if other != name}
            if _majority(others, len(systems) - 1):
                repeats[name][row] += (name not in readers, 1)


def _propose(reference: str, changes: Mapping[Slot, tuple[str, Sequence[str]]]) -> str:
    """The reference with the readings of the majority, and its own white space between words that stay."""
    parts: list[str] = []
    end = 0
    for position, word in enumerate(_WORD.finditer(reference)):
        gap, end = reference[end : word.start()], word.end()
        inserted = changes.get((position, False), ("", ()))[0]
        read = changes.get((position, True), (word.group(), ()))[0]
        for text in filter(None, (inserted, read)):
            parts += [gap if gap or not parts else " ", text]
            gap = " " if text is inserted else gap
    if last := changes.get((len(split_words(reference)), False), ("", ()))[0]:
        parts += [" " if parts else "", last]
    return "".join([*parts, reference[end:]])


def _places(reference: str, changes: Mapping[Slot, tuple[str, Sequence[str]]]) -> tuple[DisputedPlace, ...]:
    """Disputed places of a reference, from its beginning."""
    return tuple(
        DisputedPlace(reference=_word_at(reference, slot), reading=reading, systems=tuple(agreeing))
        for slot, (reading, agreeing) in sorted(changes.items())
    )


def _word_at(reference: str, slot: Slot) -> str:
    position, is_word = slot
    return split_words(reference)[position] if is_word else ""


def _explain(
    references: Sequence[str], hypotheses: Mapping[str, Sequence[str]], proposals: Mapping[int, str], metric: Metric
) -> tuple[dict[str, dict[int, int]], dict[str, int]]:
    """Errors that proposals explain by system and row, and all errors by system."""
    errors_column = metric.columns.index("errors")
    rows = list(proposals)
    explained: dict[str, dict[int, int]] = {}
    errors: dict[str, int] = {}
    for name, texts in hypotheses.items():
        before = metric.count(ScoredText(references, texts))[:, errors_column]
        errors[name] = int(before.sum())
        explained[name] = {}
        if rows:
            after = metric.count(ScoredText(list(proposals.values()), [texts[row] for row in rows]))[:, errors_column]
            explained[name] = dict(zip(rows, (before[rows] - after).tolist(), strict=True))
    return explained, errors


def _describe(
    repeats: IntArray, codes: IntArray | None, errors: int, explained: int, confidence: float
) -> RepeatedErrors:
    repeated, trials = (int(total) for total in repeats.sum(axis=0))
    return RepeatedErrors(
        repeats=repeated,
        places=trials,
        share=repeated / trials if trials else None,
        interval=share_interval(cluster_rows(repeats, codes), confidence),
        errors=errors,
        explained=explained,
    )


def share_interval(rows: IntArray, confidence: float) -> ConfidenceInterval | None:
    """Interval of a share by cluster; with all or no trials repeated, the exact one for a trial per cluster."""
    rows = rows[rows[:, 1] > 0]
    if len(rows) < 2:
        return None
    repeated, trials = rows.sum(axis=0).tolist()
    if repeated in (0, trials):
        end = ((1 - confidence) / 2) ** (1 / len(rows))
        low, high = (0.0, 1 - end) if repeated == 0 else (end, 1.0)
        return ConfidenceInterval(low=low, high=high, confidence=confidence, method="exact")
    rest = rows.sum(axis=0) - rows
    error = (jackknife_deviation(rest[:, 0] / rest[:, 1]) or 0.0) / math.sqrt(len(rows))
    independent = independent_error(repeated / trials, 1 / trials, is_share=True)
    estimate = Estimate(repeated / trials, error, degrees_of_freedom(rows[:, 1]), independent=independent)
    return jackknife_interval(estimate, confidence, lowest=0.0, highest=1.0)
