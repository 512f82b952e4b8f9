"""Digests of what metrics know of the references beside their texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from misread.metrics import Metric
from misread.provenance.signature import Signature
from misread.records import NormalizedTexts

AnnotationSums = Mapping[str, Mapping[str, int]]
"""Sums over segments of digests of their annotations, by id of a metric and name of an annotation that it uses."""

_BITS: Final = 64
_DIGITS: Final = 8


def sum_annotations(metrics: Sequence[Metric], texts: NormalizedTexts) -> AnnotationSums:
    """Sums for metrics that use annotations of the references: equal for equal values, whatever the order.

    All segments are in them, scored or not, so that systems with other missing outputs have the same.
    """
    names = {name for metric in metrics for name in metric.reference_annotations if name in texts.annotations}
    sums = {name: _sum(texts.segments.segment_id, texts.annotations[name]) for name in names}
    used = {
        metric.id: {name: sums[name] for name in metric.reference_annotations if name in names} for metric in metrics
    }
    return {metric: of for metric, of in used.items() if of}


def add_sums(first: AnnotationSums, second: AnnotationSums) -> AnnotationSums:
    """Sums of two parts of the segments together."""
    return {
        metric: {
            name: (first.get(metric, {}).get(name, 0) + second.get(metric, {}).get(name, 0)) % (1 << _BITS)
            for name in dict.fromkeys([*first.get(metric, {}), *second.get(metric, {})])
        }
        for metric in dict.fromkeys([*first, *second])
    }


def sign_annotations(signatures: Mapping[str, Signature], sums: AnnotationSums) -> dict[str, Signature]:
    """Signatures with a fact that tells other annotations of the references, where a metric uses some."""
    return {
        metric: signature.with_facts(
            {"annotations": ",".join(f"{name}@{_digits(total)}" for name, total in sums[metric].items())}
        )
        if metric in sums
        else signature
        for metric, signature in signatures.items()
    }


def _sum(segment_ids: Sequence[str], values: Sequence[Any]) -> int:
    digests = (
        hashlib.sha256(json.dumps([segment_id, value], sort_keys=True, default=repr).encode()).digest()
        for segment_id, value in zip(segment_ids, values, strict=True)
    )
    total: int = sum(int.from_bytes(digest[: _BITS // 8]) for digest in digests)
    return total % (1 << _BITS)


def _digits(total: int) -> str:
    return f"{total:0{_BITS // 4}x}"[:_DIGITS]
