"""The normalizer under which both sides are scored again."""

from __future__ import annotations

from collections.abc import Sequence

from misread.errors import UnknownNameError
from misread.normalize import NORMALIZERS, Normalizer, get_normalizer
from misread.pipeline.params import Params


def choose_normalizer(name: str, params: Sequence[Params]) -> Normalizer:
    """Look a normalizer up among those of the revisions, the first wins, then among those known by name."""
    configured = [of.normalizer() for of in params]
    for normalizer in configured:
        if normalizer.name == name:
            return normalizer
    if name not in NORMALIZERS:
        raise UnknownNameError("normalizer", name, {*NORMALIZERS, *(of.name for of in configured)}, where="--rescore")
    return get_normalizer(name)
