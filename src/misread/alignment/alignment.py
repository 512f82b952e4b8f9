"""Align texts: how many units were hit, substituted, deleted and inserted, and which ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, NamedTuple

import numpy as np

from misread.alignment import kernels
from misread.alignment.encode import Unit, check_unit, encode_batches, encode_pairs, split_words
from misread.arrays import IntArray
from misread.errors import ConfigurationError, InputTextError, LengthMismatchError

OperationKind = Literal["hit", "substitution", "deletion", "insertion"]

_KINDS: Final[dict[int, OperationKind]] = {
    kernels.HIT: "hit",
    kernels.SUBSTITUTION: "substitution",
    kernels.DELETION: "deletion",
    kernels.INSERTION: "insertion",
}


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCounts:
    """Counts of one minimum-cost alignment a pair: int64 arrays with one entry a pair, which add over pairs."""

    hits: IntArray
    substitutions: IntArray
    deletions: IntArray
    insertions: IntArray
    reference_length: IntArray
    hypothesis_length: IntArray

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def errors(self) -> IntArray:
        """Substitutions, deletions and insertions together: the Levenshtein distance."""
        return self.substitutions + self.deletions + self.insertions


class Operation(NamedTuple):
    """One step of an alignment.

    A deletion stands at the next hypothesis unit and an insertion at the next reference unit, which is the length of
    that side at its end.
    """

    kind: OperationKind
    reference_position: int
    hypothesis_position: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a reference became a hypothesis: the units of both sides and the operations, hits too, in reading order."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    operations: tuple[Operation, ...]


def error_counts(
    references: str | Sequence[str], hypotheses: str | Sequence[str], *, unit: Unit = "char"
) -> ErrorCounts:
    """Count hits, substitutions, deletions and insertions of every pair.

    The counts belong to one alignment of minimum cost with unit costs. Where several have that cost, the common
    prefix and then the common suffix are hits, and what is between is read from its end: a deletion if one is
    possible, else an insertion, else a hit or substitution. The rule is the same for texts of every length.

    Parameters
    ----------
    references, hypotheses : str or sequence of str
        Texts of equal number, or one text each.
    unit : {"char", "word"}
        Code points, or maximal runs of characters that are not white space.

    Returns
    -------
    ErrorCounts
        Arrays of shape (pairs,).

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    InputTextError
        If an entry is not a string or holds a lone surrogate; names the side and the index.
    UnknownNameError
        If there is no such unit; names those there are.

    References
    ----------
    Levenshtein (1966); Hyyrö (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit distances.

    Examples
    --------
    >>> counts = error_counts(["kitten", ""], ["sitting", "a"])
    >>> counts.substitutions, counts.insertions, counts.errors
    (array([2, 0]), array([1, 1]), array([3, 1]))
    """
    check_unit(unit)
    references, hypotheses = _check_pairs(references, hypotheses)
    counts = np.empty((6, len(references)), np.int64)
    for batch, pairs in encode_batches(references, hypotheses, unit):
        counts[:4, batch] = kernels.count_operations(
            pairs.references.codes,
            pairs.references.spans,
            pairs.hypotheses.codes,
            pairs.hypotheses.spans,
            pairs.alphabet_size,
        )
        counts[4, batch], counts[5, batch] = pairs.references.lengths, pairs.hypotheses.lengths
    return ErrorCounts(*counts)


def distances(
    references: str | Sequence[str],
    hypotheses: str | Sequence[str],
    *,
    unit: Unit = "char",
    score_hint: int | None = None,
) -> IntArray:
    """Levenshtein distance of every pair: the errors of `error_counts` alone, in about half the time.

    Parameters
    ----------
    references, hypotheses : str or sequence of str
        Texts of equal number, or one text each.
    unit : {"char", "word"}
        Code points, or maximal runs of characters that are not white space.
    score_hint : int, optional
        Expected distance of a pair. It is tried first on long pairs, and a wrong one costs time and changes nothing.
        Without a hint the pairs before tell what to expect.

    Returns
    -------
    int64 array, shape (pairs,)
        Substitutions, deletions and insertions of a minimum-cost alignment, together.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    InputTextError
        If an entry is not a string or holds a lone surrogate; names the side and the index.
    UnknownNameError
        If there is no such unit; names those there are.
    ConfigurationError
        If the hint is below 0.

    References
    ----------
    Levenshtein (1966); Hyyrö (2003); Ukkonen (1985), Algorithms for approximate string matching.

    Examples
    --------
    >>> distances(["kitten", ""], ["sitting", "a"])
    array([3, 1])
    """
    if score_hint is not None and score_hint < 0:
        raise ConfigurationError(f"score_hint is {score_hint}: a distance is at least 0.")
    check_unit(unit)
    references, hypotheses = _check_pairs(references, hypotheses)
    errors = np.empty(len(references), np.int64)
    for batch, pairs in encode_batches(references, hypotheses, unit):
        errors[batch] = kernels.measure_distances(
            pairs.references.codes,
            pairs.references.spans,
            pairs.hypotheses.codes,
            pairs.hypotheses.spans,
            pairs.alphabet_size,
            kernels.NO_HINT if score_hint is None else score_hint,
        )
    return errors


def align(reference: str, hypothesis: str, *, unit: Unit = "char") -> Alignment:
    """Align one pair; the same alignment that `error_counts` counts.

    Parameters
    ----------
    reference, hypothesis : str
        The two texts.
    unit : {"char", "word"}
        Code points, or maximal runs of characters that are not white space.

    Returns
    -------
    Alignment
        Units of both sides, and operations with positions in units from 0.

    Raises
    ------
    InputTextError
        If a text is not a string or holds a lone surrogate.
    UnknownNameError
        If there is no such unit; names those there are.

    Examples
    --------
    >>> alignment = align("one two", "one too three", unit="word")
    >>> [operation.kind for operation in alignment.operations]
    ['hit', 'insertion', 'substitution']
    >>> alignment.operations[2]
    Operation(kind='substitution', reference_position=1, hypothesis_position=2)
    """
    pairs = encode_pairs([reference], [hypothesis], unit)
    (reference_span,), (hypothesis_span,) = pairs.references.spans, pairs.hypotheses.spans
    path = kernels.alignment_path(
        pairs.references.codes[slice(*reference_span)],
        pairs.hypotheses.codes[slice(*hypothesis_span)],
        pairs.alphabet_size,
    )
    split = split_words if unit == "word" else tuple
    in_reference = accumulate((path != kernels.INSERTION).tolist(), initial=0)
    in_hypothesis = accumulate((path != kernels.DELETION).tolist(), initial=0)
    steps = zip(path.tolist(), in_reference, in_hypothesis, strict=False)
    return Alignment(
        tuple(split(reference)),
        tuple(split(hypothesis)),
        tuple(Operation(_KINDS[kind], row, column) for kind, row, column in steps),
    )


def _check_pairs(
    references: str | Sequence[str], hypotheses: str | Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    if isinstance(references, str) and isinstance(hypotheses, str):
        return [references], [hypotheses]
    references = _check_side("references", references, hypotheses)
    hypotheses = _check_side("hypotheses", hypotheses, references)
    if len(references) != len(hypotheses):
        raise LengthMismatchError(
            f"{len(references):,} references and {len(hypotheses):,} hypotheses: every reference needs one hypothesis."
        )
    return references, hypotheses


def _check_side(side: str, texts: str | Sequence[str], other: str | Sequence[str]) -> Sequence[str]:
    if isinstance(texts, str):
        raise InputTextError(
            f"{side} is one string and the other side is {type(other).__name__}: give two strings or two sequences."
        )
    if not isinstance(texts, Iterable):
        raise InputTextError(f"{side} is {texts!r} where strings are needed: give two strings or two sequences.")
    return texts if isinstance(texts, list) else list(texts)
