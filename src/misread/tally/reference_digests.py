"""Digests of references, by which two files can be compared without their texts."""

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from misread.compiled.budget import ALIGNING
from misread.text.arrow import ArrowTexts
from misread.text.lazy_texts import DeferredTexts

_NOTHING_HASHED: Final = hashlib.blake2b(digest_size=8)
# What hashlib takes for one, where the kernel is not loaded.
_TEXT_SECONDS: Final = 2e-6


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
    if isinstance(references, ArrowTexts) and not ALIGNING.covers(_TEXT_SECONDS * len(references)):
        return _digest_at_once(references)
    return list(map(_digest, references))


def _digest(text: str) -> str:
    # A copy costs less than to set up the hash again.
    digest = _NOTHING_HASHED.copy()
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _digest_at_once(references: ArrowTexts) -> ArrowTexts:
    import pyarrow as pa

    from misread.tally.digest_kernels import DIGITS, SCRATCH_WORDS, digest_texts

    digits = np.empty((len(references), DIGITS), np.uint8)
    digest_texts(*references.encoded(), np.empty(SCRATCH_WORDS, np.uint64), digits)
    bounds = np.arange(len(references) + 1, dtype=np.int64) * DIGITS
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(digits)]
    return ArrowTexts.of(pa.Array.from_buffers(pa.large_string(), len(references), buffers))
