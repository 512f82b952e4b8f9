"""The pairing of a data set, looked at once its segments are counted, in the pipeline."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from misread.io.json_files import to_plain
from misread.metrics import ErrorRate, Metric
from misread.pairing.guard import guard_pairing
from misread.pairing.identical_outputs import find_identical
from misread.storage import StoredTexts, add_faults, read_scores
from misread.tally import ScoredSystem


def guard_stored_pairing(texts: Mapping[str, Path], scores: Mapping[str, Path], metrics: Sequence[Metric]) -> None:
    """Look at all systems in files of the normalize and score stages; doubts are noted in the scores.

    Raises PairingError for outputs that belong to other references. Of texts a row group at a time is in memory, and of
    counts the errors and lengths of one system.
    """
    rates = {metric.id: ("errors", "length") for metric in metrics if isinstance(metric, ErrorRate)}
    systems = {}
    for system, path in texts.items():
        stored = read_scores(scores[system], columns=rates)
        systems[system] = ScoredSystem(StoredTexts(path), metrics, stored.missing, stored=stored)  # type: ignore[arg-type]
    identical = find_identical(systems)
    for system, scored in systems.items():
        faults = guard_pairing(scored)
        if doubts := [*(fault.doubt for fault in faults), *identical.get(system, ())]:
            add_faults(scores[system], doubts, [to_plain(fault.shortened()) for fault in faults])
