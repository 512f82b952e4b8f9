"""Digests of what metrics know of the references beside their texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from misread.metrics import Metric
from misread.records import NormalizedTexts

_DIGITS: Final = 8


def annotation_facts(metric: Metric, texts: NormalizedTexts) -> Mapping[str, str]:
    """The fact of a signature that tells other annotations of the references; none for a metric that needs none.

    All segments are in it, scored or not, so that systems with other missing outputs have the same.
    """
    digests = [
        f"{name}@{_digest(texts.segments.segment_id, texts.annotations[name])}"
        for name in metric.reference_annotations
        if name in texts.annotations
    ]
    return {"annotations": ",".join(digests)} if digests else {}


def _digest(segment_ids: Sequence[str], values: Sequence[Any]) -> str:
    """Equal for equal values of the same segments, in whatever order."""
    digest = hashlib.sha256()
    for segment_id, value in sorted(zip(segment_ids, values, strict=True), key=lambda pair: pair[0]):
        digest.update(json.dumps([segment_id, value], sort_keys=True, default=repr).encode())
    return digest.hexdigest()[:_DIGITS]
