"""Digests of references and of what metrics know of them, by which two files can be compared without their texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from misread.metrics import Metric
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.text.lazy_texts import DeferredTexts

_NOTHING_HASHED: Final = hashlib.blake2b(digest_size=8)


class ReferenceDigests(DeferredTexts[str]):
    """One digest per reference, computed on first access: one system alone needs none.

    Two are equal if their texts are, which is found out without digests.
    """

    def __init__(self, references: Sequence[str]) -> None:
        super().__init__(len(references), partial(_digest_all, references))
        self._references = references

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ReferenceDigests):
            return self._references is other._references or self._references == other._references
        return super().__eq__(other)

    __hash__ = None


def _digest_all(references: Sequence[str]) -> Sequence[str]:
    return list(map(_digest, references))


def _digest(text: str) -> str:
    # A copy costs less than to set up the hash again.
    digest = _NOTHING_HASHED.copy()
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


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
    return sum(int.from_bytes(digest[: _BITS // 8]) for digest in digests)


def _digits(total: int) -> str:
    return f"{total % (1 << _BITS):0{_BITS // 4}x}"[:_DIGITS]
