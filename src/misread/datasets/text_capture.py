"""Captures from texts that a user provides."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from misread.records import Capture, Origin, SegmentKeys, TextPairs


def text_capture(
    dataset: str,
    content: str,
    system: str,
    keys: SegmentKeys,
    references: Sequence[str],
    hypotheses: Sequence[str | None],
    cluster_name: str,
    *,
    alternatives: str = "",
    notes: Sequence[str] = (),
) -> Capture:
    """Capture of one system; None is a missing hypothesis.

    `content` identifies the data for its digest. `alternatives` ("", "references" or "both") says which sides are in
    the notation of `misread.text.alternatives`; `notes` are whole sentences that become warnings of every result.
    """
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    origin = Origin(dataset, system, digest, {}, cluster_name, alternatives=alternatives, notes=tuple(notes))
    return Capture(origin, keys, TextPairs(references, hypotheses), [None] * len(references))
