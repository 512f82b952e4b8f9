"""Look at the pairing of scored systems before their rates are believed."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.errors import PairingError, setting
from misread.metrics import ErrorRate
from misread.pairing.better_references import DOUBTFUL_RATE, LONGEST, PairedSides
from misread.pairing.check import check_pairing
from misread.pairing.findings import Mispairing, join_findings
from misread.pairing.written_ids import find_written_ids
from misread.tally import ScoredSystem
from misread.tally.scored_run import ScoredRun
from misread.types import FloatArray

MOST_TOGETHER: Final = 200_000
"""Most segments that are compared at once: an output is sought among at most this number of references."""


def guard_pairing(system: ScoredSystem) -> list[Mispairing]:
    """Faults in the pairing of a system, as the rule of its data set wants them looked for.

    Raises PairingError if another pairing explains its outputs, and under "strict" for any fault.
    """
    origin = system.scores.origin
    rule = origin.facts.pairing
    if rule == "as-given" or origin.not_applicable or not any(metric.uses_references for metric in system.metrics):
        return []
    faults = system.once(find_mispairings)
    refused = [fault for fault in faults if fault.explains_all or rule == "strict"]
    if refused:
        have_ids = any(fault.fault == "ids" for fault in faults)
        raise PairingError(_refuse(refused, origin.dataset, have_ids=have_ids))
    return faults


def find_mispairings(system: ScoredSystem) -> list[Mispairing]:
    """Faults in the pairing of all runs of one system; of texts in a file a row group is looked at by itself."""
    counted = _counted_rates(system)
    stretches: dict[str, list[tuple[int, list[Mispairing]]]] = {}
    start = 0
    for part in system.parts():
        for number, run in enumerate(part.runs):
            label = system.scores.origin.system
            if len(part.runs) > 1:
                label += f", run {run.texts.run}"
            rates = _measure_rates(run) if counted is None else counted[number][start : start + len(run.rows)]
            stretches.setdefault(label, []).extend(_look_at_places(run, rates, label))
            stretches[label].append((0, list(_look_at_writing(run, label))))
        start += len(part.runs[0].rows)
    return [fault for findings in stretches.values() for fault in join_findings(findings)]


def _counted_rates(system: ScoredSystem) -> list[FloatArray] | None:
    """Error rates of the segments in characters, by run; None if they were not counted."""
    metrics = [
        metric.id
        for metric in system.metrics
        if isinstance(metric, ErrorRate) and not metric.reference_annotations and metric.unit != "word"
    ]
    if not metrics:
        return None
    scores, metric = system.scores, metrics[0]
    columns = scores.counts[metric].columns
    counts = scores.runs.counts[metric] if scores.runs else [scores.counts[metric].values]
    errors, length = columns.index("errors"), columns.index("length")
    return [values[:, errors] / np.maximum(1, values[:, length]) for values in counts]


def _measure_rates(run: ScoredRun) -> FloatArray:
    texts = run.forms["normalized"]
    references = [text[:LONGEST] for text in texts.references]
    errors = distances(references, [text[:LONGEST] for text in texts.hypotheses])
    return errors / np.maximum(1, np.fromiter(map(len, references), np.int64, len(references)))


def _look_at_places(run: ScoredRun, rates: FloatArray, label: str) -> Iterator[tuple[int, list[Mispairing]]]:
    """Numbers of segments that are looked at together, and faults in the places of their outputs."""
    for start in range(0, len(rates), MOST_TOGETHER):
        stretch = slice(start, min(start + MOST_TOGETHER, len(rates)))
        findings: list[Mispairing] = []
        if np.count_nonzero(rates[stretch] > DOUBTFUL_RATE) > 1:
            texts, ids = run.forms["normalized"], run.segments.segment_id
            sides = PairedSides(ids[stretch], texts.references[stretch], texts.hypotheses[stretch], rates[stretch])
            findings = check_pairing(sides, label)
        yield stretch.stop - start, findings


def _look_at_writing(run: ScoredRun, label: str) -> Iterator[Mispairing]:
    """Faults that the texts show as they were read."""
    raw = run.texts.raw
    outputs: Sequence[str | None] = raw.hypotheses
    if ids := find_written_ids(raw.references, outputs):
        yield Mispairing(fault="ids", system=label, segment_ids=ids)


def _refuse(faults: Sequence[Mispairing], dataset: str, *, have_ids: bool) -> str:
    first, *more = faults
    said = f"{dataset}, {first.sentence}" if dataset else first.sentence
    others = f" {len(more)} more {'fault' if len(more) == 1 else 'faults'}." if more else ""
    mend = "Pair them by ids, or correct their order; " if first.pairs else ""
    if have_ids and first.fault != "ids":
        mend = "Both sides begin with ids: read them in a format with ids (format kaldi); "
    return f"{said}{others} {mend}{setting(f'datasets.{dataset}.pairing', 'as-given')} scores them as they stand."
