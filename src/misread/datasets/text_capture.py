"""Texts of one system that a user handed over, as a capture."""

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
    """Put texts together.

    Parameters
    ----------
    dataset : str
        What the texts are called.
    content : str
        What tells one content of the data from another.
    system : str
        Who made the hypotheses.
    keys : SegmentKeys
        Of the segments.
    references, hypotheses : sequence of str
        One a segment; None is a missing hypothesis.
    cluster_name : str
        What clusters are called; empty where there are none.
    alternatives : {"", "references", "both"}
        Which sides are written in the notation of `misread.text.alternatives`.
    notes : sequence of str
        Whole sentences on what is doubtful in the data; they become warnings of every result.

    Returns
    -------
    Capture
    """
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    origin = Origin(dataset, system, digest, {}, cluster_name, alternatives=alternatives, notes=tuple(notes))
    return Capture(origin, keys, TextPairs(references, hypotheses), [None] * len(references))
