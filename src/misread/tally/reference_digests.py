"""Digests of references and of what metrics know of them, by which two files can be compared without their texts."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from misread.alignment.kernels.pairs import Bytes
from misread.compiled.budget import ALIGNING, loaded_above
from misread.metrics import Metric
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.text.arrow import ArrowTexts
from misread.text.lazy_texts import DeferredTexts
from misread.types import IntArray

_DIGEST_BITS: Final = 48
# What a byte takes without machine code.
_BYTE_SECONDS: Final = 5e-7


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


def _digest_all(references: Sequence[str]) -> ArrowTexts:
    """Digests of 48 bits as hexadecimal digits: FNV-1a, for no one has anything to gain from a collision."""
    import pyarrow as pa

    from misread.tally.kernels import digest_texts

    data, bounds = _encode(references)
    digests = np.empty(len(references), np.uint64)
    with loaded_above(ALIGNING, _BYTE_SECONDS * int(bounds[-1] - bounds[0])), np.errstate(over="ignore"):
        digest_texts(data, bounds, digests)
    # Folded, as its authors recommend for sizes between powers of two.
    folded = (digests >> np.uint64(_DIGEST_BITS)) ^ digests
    digits = folded.astype(">u8").view(np.uint8).reshape(-1, 8)[:, -_DIGEST_BITS // 8 :].tobytes().hex().encode()
    ends = np.arange(len(references) + 1, dtype=np.int64) * (_DIGEST_BITS // 4)
    return ArrowTexts.of(
        pa.Array.from_buffers(pa.large_string(), len(references), [None, pa.py_buffer(ends), pa.py_buffer(digits)])
    )


def _encode(texts: Sequence[str]) -> tuple[Bytes, IntArray]:
    """Texts in UTF-8, which may have halves of surrogate pairs in memory, and their bounds."""
    if isinstance(texts, ArrowTexts):
        return texts.encoded()
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    bounds = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), bounds


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
    return {metric: sums_of_metric for metric, sums_of_metric in used.items() if sums_of_metric}


def sign_annotations(signatures: Mapping[str, Signature], sums: AnnotationSums) -> dict[str, Signature]:
    """Add a digest of the annotations of the references to the signatures of the metrics that use them."""
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
