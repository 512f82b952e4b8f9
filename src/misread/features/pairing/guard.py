"""Look at the pairing of scored systems before their rates are believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.errors import PairingError, setting
from misread.features.pairing.better_references import DOUBTFUL_RATE, LONGEST, PairedSides
from misread.features.pairing.check import check_pairing
from misread.features.pairing.findings import Mispairing
from misread.features.pairing.model_marks import find_marked
from misread.features.pairing.written_ids import begin_with_ids
from misread.metrics import ErrorRate
from misread.tally import ScoredSystem
from misread.tally.scored_run import ScoredRun
from misread.types import FloatArray

MOST_SEGMENTS: Final = 2_000_000
"""Larger sets are not looked at: their texts may not fit into memory."""


def guard_pairing(scored: Mapping[str, ScoredSystem]) -> dict[str, list[Mispairing]]:
    """Faults in the pairing of every system that has some, as the rule of the data set wants them looked for.

    Raises PairingError for a system whose outputs another pairing explains, and under "strict" for any fault.
    """
    findings: dict[str, list[Mispairing]] = {}
    for name, system in scored.items():
        rule = system.scores.origin.facts.pairing
        if rule == "as-given" or system.scores.origin.not_applicable or len(system.scores.segments) > MOST_SEGMENTS:
            continue
        faults = system.once(find_mispairings)
        refused = [fault for fault in faults if fault.explains_all or rule == "strict"]
        if refused:
            have_ids = any(fault.fault == "ids" for fault in faults)
            raise PairingError(_refuse(refused, system.scores.origin.dataset, have_ids=have_ids))
        if faults:
            findings[name] = faults
    return findings


def find_mispairings(system: ScoredSystem) -> list[Mispairing]:
    """Faults in the pairing of all runs of one system."""
    findings: list[Mispairing] = []
    for number, rates in enumerate(_rates(system)):
        run = system.runs[number]
        name = system.scores.origin.system
        label = f"{name}, run {run.texts.run}" if len(system.runs) > 1 else name
        if np.count_nonzero(rates > DOUBTFUL_RATE) > 1:
            texts = run.forms["normalized"]
            sides = PairedSides(run.segments.segment_id, texts.references, texts.hypotheses, rates)
            findings += check_pairing(sides, label)
        findings += _look_at_writing(run, label)
    return findings


def _rates(system: ScoredSystem) -> Iterator[FloatArray]:
    """Error rates of the segments, by run: of characters if they were counted, else of words, else made here."""
    rates = [metric for metric in system.metrics if isinstance(metric, ErrorRate) and not metric.reference_annotations]
    rates.sort(key=lambda metric: metric.unit == "word")
    if not rates:
        for run in system.runs:
            texts = run.forms["normalized"]
            references = [text[:LONGEST] for text in texts.references]
            errors = distances(references, [text[:LONGEST] for text in texts.hypotheses])
            yield errors / np.maximum(1, np.fromiter(map(len, references), np.int64, len(references)))
        return
    scores, metric = system.scores, rates[0]
    counts = scores.runs.counts[metric.id] if scores.runs else [scores.counts[metric.id].values]
    errors_column, length_column = metric.columns.index("errors"), metric.columns.index("length")
    for values in counts:
        yield values[:, errors_column] / np.maximum(1, values[:, length_column])


def _look_at_writing(run: ScoredRun, label: str) -> Iterator[Mispairing]:
    """Faults that the texts show as they were read."""
    raw = run.texts.raw
    outputs: Sequence[str | None] = raw.hypotheses
    ids = run.texts.segments.segment_id
    if begin_with_ids(raw.references, outputs):
        yield Mispairing(
            fault="ids",
            system=label,
            segment_ids=tuple(text.split(maxsplit=1)[0] for text in raw.references),
            segments_in_all=len(raw),
        )
    if marked := find_marked(raw.references, outputs):
        yield Mispairing(
            fault="sides", system=label, segment_ids=tuple(ids[row] for row in marked), segments_in_all=len(raw)
        )


def _refuse(faults: Sequence[Mispairing], dataset: str, *, have_ids: bool) -> str:
    first, *more = faults
    said = f"{dataset}, {first.sentence}" if dataset else first.sentence
    others = f" {len(more)} more {'fault' if len(more) == 1 else 'faults'}." if more else ""
    mend = "Pair them by ids, or correct their order; " if first.pairs else ""
    if have_ids and first.fault != "ids":
        mend = "Both sides begin with ids: read them in a format with ids (format kaldi); "
    return f"{said}{others} {mend}{setting(f'datasets.{dataset}.pairing', 'as-given')} scores them as they stand."
