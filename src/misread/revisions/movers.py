"""The segments that changed most between two revisions."""

from collections.abc import Collection, Mapping
from typing import cast

import numpy as np

from misread.alignment import AlternativesIn, align_alternatives
from misread.metrics import Metric
from misread.records import NormalizedTexts
from misread.revisions.difference import Mover
from misread.revisions.pairing import AFTER, BEFORE, PairedSegments
from misread.revisions.results import RevisionResults


def find_movers(
    before: RevisionResults | None,
    after: RevisionResults | None,
    dataset: str,
    paired: Mapping[str, PairedSegments],
    metric: Metric,
    number: int,
) -> list[Mover]:
    """Find the segments whose number of errors changed most, largest change first, then by system and segment id.

    Texts come from `before` and `after`, in the form that the metric reads; where these are None, texts are left out.
    """
    found: list[tuple[int, str, str, int, int]] = []
    for system, of in paired.items():
        if metric.id not in of.shared.counts[AFTER]:
            continue
        old, new = (of.shared.counts[side][metric.id]["errors"] for side in (BEFORE, AFTER))
        changes = np.abs(new - old)
        # Ids are sorted: a stable sort leaves those of equal change in their order.
        for row in np.argsort(-changes, kind="stable")[:number].tolist():
            if changes[row]:
                key = of.shared.keys.segment_id[row]
                found.append((-int(changes[row]), system, key, int(old[row]), int(new[row])))
    chosen = sorted(found)[:number]
    wanted = {key for _, _, key, *_ in chosen}
    texts = {
        (side, system): _texts_by_id(results.texts(dataset, system), metric, wanted)
        for side, results in ((BEFORE, before), (AFTER, after))
        if results is not None
        for system in dict.fromkeys(system for _, system, *_ in chosen)
    }
    return [_mover(system, key, old, new, texts) for _, system, key, old, new in chosen]


_Texts = Mapping[str, tuple[str, str | None]]


def _mover(system: str, key: str, old: int, new: int, texts: Mapping[tuple[str, str], _Texts]) -> Mover:
    nothing = (None, None)
    before, after = (texts.get((side, system), {}).get(key, nothing) for side in (BEFORE, AFTER))
    return Mover(
        segment_id=key,
        system=system,
        errors_before=old,
        errors_after=new,
        reference=after[0],
        before=before[1],
        after=after[1],
    )


def _texts_by_id(texts: NormalizedTexts, metric: Metric, wanted: Collection[str]) -> _Texts:
    """References and hypotheses of these segments: of texts with alternatives the readings that fit best by words."""
    pairs = {"raw": texts.raw, "normalized": texts.normalized, "normalized_lines": texts.normalized_lines}[metric.text]
    rows = [row for row, key in enumerate(texts.segments.segment_id) if key in wanted]
    chosen = pairs.take(rows)
    references, hypotheses = chosen.references, chosen.hypotheses
    if texts.origin.alternatives:
        sides = cast("AlternativesIn", texts.origin.alternatives)
        read = align_alternatives(references, [text or "" for text in hypotheses], alternatives=sides)
        references = read.references
        heard = zip(read.hypotheses, hypotheses, strict=True)
        hypotheses = [None if before is None else text for text, before in heard]
    keys = (texts.segments.segment_id[row] for row in rows)
    return dict(zip(keys, zip(references, hypotheses, strict=True), strict=True))
