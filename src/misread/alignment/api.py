"""Counts and operations of alignments: hits, substitutions, deletions and insertions of every pair."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, NamedTuple

import numpy as np

from misread.alignment.encode.graphemes import split_graphemes
from misread.alignment.encode.inputs import Texts, check_pairs, check_text
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.encode.texts import EncodedPairs, Unit, check_unit, encode_batches, encode_pairs
from misread.alignment.kernels import kinds
from misread.alignment.operations import Operations, find_operations
from misread.alignment.policies import AlignmentPolicy, check_alignment, count_sclite, count_with_transpositions
from misread.alignment.unit_costs import count_with_unit_costs, measure_with_unit_costs
from misread.errors import ConfigurationError
from misread.io.checks.numbers import check_whole
from misread.text.nouns import count_of
from misread.text.words import split_words
from misread.types import IntArray

OperationKind = Literal["hit", "substitution", "deletion", "insertion", "transposition"]

_KINDS: Final[dict[int, OperationKind]] = {
    kinds.HIT: "hit",
    kinds.SUBSTITUTION: "substitution",
    kinds.DELETION: "deletion",
    kinds.INSERTION: "insertion",
    kinds.TRANSPOSITION: "transposition",
}

# Errors that an alignment shows.
_MOST_SHOWN: Final = 12

# Rows of a table of counts.
_ROWS: Final = (
    "errors",
    "reference_length",
    "hits",
    "substitutions",
    "deletions",
    "insertions",
    "transpositions",
    "hypothesis_length",
)

_SPLIT: Final[dict[Unit, Callable[[str], Sequence[str]]]] = {
    "char": tuple,
    "grapheme": split_graphemes,
    "word": split_words,
}


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCounts:
    """Counts of one alignment per pair: int64 arrays with one entry per pair, which add over pairs.

    A transposition is two neighbours of the reference in reverse order in the hypothesis: two units of
    either side and one error, none of them a hit. There are none but with the alignment of that name.
    """

    hits: IntArray
    substitutions: IntArray
    deletions: IntArray
    insertions: IntArray
    reference_length: IntArray
    hypothesis_length: IntArray
    transpositions: IntArray

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def errors(self) -> IntArray:
        """Substitutions, deletions, insertions and transpositions together."""
        return self.substitutions + self.deletions + self.insertions + self.transpositions


class Operation(NamedTuple):
    """One step of an alignment.

    A deletion has the position of the next hypothesis unit, an insertion that of the next reference unit: the length of
    that side at its end.
    """

    kind: OperationKind
    reference_position: int
    hypothesis_position: int


@dataclass(frozen=True, slots=True, repr=False)
class Alignment:
    """Units of a reference and a hypothesis, and the operations between them, hits too, in reading order."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    operations: tuple[Operation, ...]

    def __repr__(self) -> str:
        """Number of hits, and each error as what there was and what was read."""
        sides = (self.reference, self.hypothesis)
        errors = []
        for kind, *starts in self.operations:
            lengths = (kind != "insertion", kind != "deletion") if kind != "transposition" else (2, 2)
            parts = [side[i : i + n] for side, i, n in zip(sides, starts, lengths, strict=True)]
            shown = [repr(part if len(part) > 1 else "".join(part)) for part in parts]
            errors += [] if kind == "hit" else [" -> ".join(shown)]
        hits = len(self.operations) - len(errors)
        more = [f"{len(errors) - _MOST_SHOWN:,} more"] if len(errors) > _MOST_SHOWN else []
        return f"<Alignment: {', '.join([count_of(hits, 'hit'), *errors[:_MOST_SHOWN], *more])}>"


def error_counts(
    references: Texts, hypotheses: Texts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> ErrorCounts:
    r"""Count hits, substitutions, deletions and insertions of every pair.

    Of several alignments that are equally good, `alignment` chooses one.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        Texts of equal number, or one text each: lists, pandas Series, Arrow arrays of strings or their dictionaries.
    unit : {"char", "grapheme", "word"}
        Code points; extended grapheme clusters (UAX #29), equal where they are canonically equivalent; or maximal runs
        of characters that are not white space.
    alignment : {"unit", "sclite", "transpositions"}
        "unit": every error costs one. The common prefix and suffix are hits; between them, from the end, a deletion if
        one is possible, else a substitution, else an insertion, else a hit.
        "sclite": a substitution costs 4, a deletion or insertion 3, as in NIST's sclite; from the end, a hit or
        substitution if one is possible, else an insertion, else a deletion.
        "transpositions": two neighbours that changed places are one error and no hits (optimal string alignment), so
        that a reference has hits + substitutions + deletions + 2 transpositions units; of the alignments of least
        cost, one with the fewest deletions, and of those the most transpositions.

    Returns
    -------
    ErrorCounts
        Arrays of shape (pairs,).

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    InputTypeError, InputTextError
        If an entry is not a string; if it holds a lone surrogate, or over a million units for "transpositions".
    TooDifferentError
        If texts of millions of units have little in common; names the pair, the lengths and the limit.
    UnknownNameError
        If there is no such unit or alignment.

    References
    ----------
    Levenshtein (1966); Hyyrö (2003), A bit-vector algorithm for computing Levenshtein and Damerau edit distances;
    Fiscus et al. (2006), Multiple dimension Levenshtein edit distance calculations; Unicode Standard Annex #29.

    Examples
    --------
    >>> counts = error_counts(["kitten", ""], ["sitting", "a"])
    >>> counts.substitutions, counts.insertions, counts.errors
    (array([2, 0]), array([1, 1]), array([3, 1]))
    >>> error_counts("hello world", "helo wrold", alignment="transpositions").errors
    array([2])
    >>> error_counts("M\u00fcll", "Mu\u0308ll", unit="grapheme").errors
    array([0])
    """
    check_unit(unit)
    check_alignment(alignment)
    texts = check_pairs(references, hypotheses)
    whole = [] if alignment == "unit" else [(slice(None), encode_pairs(*texts, unit))]
    batches = whole or encode_batches(*texts, unit, without_ends=True)
    return _from_table(_count_batches(batches, len(texts[0]), alignment))


def paired_error_counts(texts: PairedTexts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit") -> ErrorCounts:
    """Count errors as `error_counts` does, from the operations of the texts if these are known."""
    return _from_table(paired_error_table(texts, unit=unit, alignment=alignment))


def paired_error_table(texts: PairedTexts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit") -> IntArray:
    """The same counts as one array, shape (8, pairs), in the order of `error_table`."""
    if (unit, alignment) not in texts.counted:
        texts.counted[unit, alignment] = _count_paired(texts, unit, alignment)
    table: IntArray = texts.counted[unit, alignment]
    return table


def error_table(counts: ErrorCounts) -> IntArray:
    """Counts as one array, shape (8, pairs).

    Rows are errors, length of the reference, hits, substitutions, deletions, insertions, transpositions and length of
    the hypothesis: the columns of `ErrorRate` come first.
    """
    return np.stack([getattr(counts, name) for name in _ROWS])


def _from_table(table: IntArray) -> ErrorCounts:
    return ErrorCounts(**{name: row for name, row in zip(_ROWS, table, strict=True) if name != "errors"})


def _count_paired(texts: PairedTexts, unit: Unit, alignment: AlignmentPolicy) -> IntArray:
    if (unit, alignment) in texts.aligned:
        return error_table(count_operations(texts.aligned[unit, alignment]))
    if alignment != "unit":
        return error_table(error_counts(texts.references, texts.hypotheses, unit=unit, alignment=alignment))
    check_unit(unit)
    return _count_batches(texts.encode(unit, without_ends=True), len(texts), alignment)


def count_operations(operations: Operations) -> ErrorCounts:
    """Count the operations of every pair."""
    substitutions, deletions, insertions, swaps = (operations.count(kind) for kind in _KINDS if kind != kinds.HIT)
    hits = np.diff(operations.offsets) - substitutions - deletions - insertions - swaps
    both = hits + substitutions + 2 * swaps
    return ErrorCounts(hits, substitutions, deletions, insertions, both + deletions, both + insertions, swaps)


def distances(references: Texts, hypotheses: Texts, *, unit: Unit = "char", score_hint: int | None = None) -> IntArray:
    """Levenshtein distance of every pair: the errors of `error_counts` alone, in about half the time.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        As in `error_counts`.
    unit : {"char", "grapheme", "word"}
        As in `error_counts`.
    score_hint : int, optional
        Expected distance of a pair. It is tried first on long pairs, and a wrong one costs time and changes nothing.
        Without a hint it is estimated from the pairs before.

    Returns
    -------
    int64 array, shape (pairs,)
        Substitutions, deletions and insertions of a minimum-cost alignment, together.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    InputTypeError
        If an entry is not a string; names the side and the index.
    InputTextError
        If an entry holds a lone surrogate; names the side and the index.
    TooDifferentError
        As in `error_counts`.
    UnknownNameError
        If there is no such unit; names those there are.
    ConfigurationError
        If the hint is below 0.

    References
    ----------
    Levenshtein (1966); Hyyrö (2003); Ukkonen (1985), Algorithms for approximate string matching; Marco-Sola, Moure,
    Moreto and Espinosa (2021), Fast gap-affine pairwise alignment using the wavefront algorithm.

    Examples
    --------
    >>> distances(["kitten", ""], ["sitting", "a"])
    array([3, 1])
    """
    if score_hint is not None and check_whole("score_hint", score_hint) < 0:
        raise ConfigurationError(f"score_hint is {score_hint}: a distance is at least 0.")
    check_unit(unit)
    texts = check_pairs(references, hypotheses)
    errors = np.empty(len(texts[0]), np.int64)
    for batch, pairs in encode_batches(*texts, unit, without_ends=True):
        errors[batch] = measure_with_unit_costs(pairs, score_hint)
    return errors


def align(reference: str, hypothesis: str, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit") -> Alignment:
    """Align one pair; the same alignment that `error_counts` counts.

    Parameters
    ----------
    reference, hypothesis : str
        The two texts.
    unit : {"char", "grapheme", "word"}
        As in `error_counts`.
    alignment : {"unit", "sclite", "transpositions"}
        As in `error_counts`. A transposition is one operation, at the first of its two units on both sides.

    Returns
    -------
    Alignment
        Units of both sides, and operations with positions in units from 0. Graphemes are as in the text; a
        hit may join two that are canonically equivalent.

    Raises
    ------
    InputTypeError
        If a side is not one text.
    InputTextError
        If a text holds a lone surrogate.
    UnknownNameError
        If there is no such unit or alignment; names those there are.

    Examples
    --------
    >>> alignment = align("one two", "one too three", unit="word")
    >>> alignment
    <Alignment: 1 hit, '' -> 'too', 'two' -> 'three'>
    >>> [operation.kind for operation in alignment.operations]
    ['hit', 'insertion', 'substitution']
    >>> alignment.operations[2]
    Operation(kind='substitution', reference_position=1, hypothesis_position=2)
    """
    texts = [
        check_text("reference", reference, function_for_many="misread.alignment.find_operations"),
        check_text("hypothesis", hypothesis, function_for_many="misread.alignment.find_operations"),
    ]
    path = find_operations(texts[:1], texts[1:], unit=unit, alignment=alignment).codes
    swaps = path == kinds.TRANSPOSITION
    in_reference = accumulate(((path != kinds.INSERTION) + 1 * swaps).tolist(), initial=0)
    in_hypothesis = accumulate(((path != kinds.DELETION) + 1 * swaps).tolist(), initial=0)
    steps = zip(path.tolist(), in_reference, in_hypothesis, strict=False)
    return Alignment(
        split_units(reference, unit),
        split_units(hypothesis, unit),
        tuple(Operation(_KINDS[kind], row, column) for kind, row, column in steps),
    )


def split_units(text: str, unit: Unit) -> tuple[str, ...]:
    """Units of a text as they are aligned; raises UnknownNameError if there is no such unit."""
    if unit not in _SPLIT:
        check_unit(unit)
    return tuple(_SPLIT[unit](text))


def _count_batches(batches: Iterable[tuple[slice, EncodedPairs]], number: int, alignment: AlignmentPolicy) -> IntArray:
    table = np.empty((len(_ROWS), number), np.int64)
    for batch, pairs in batches:
        _count(pairs, alignment, table[:, batch])
    return table


def _count(pairs: EncodedPairs, alignment: AlignmentPolicy, table: IntArray) -> None:
    """Fill the columns of a table of counts."""
    errors, reference_length, hits, *_, transpositions, hypothesis_length = table
    counts = count_with_unit_costs(pairs)
    transpositions[:] = 0
    if alignment == "sclite":
        counts = count_sclite(pairs, counts)
    elif alignment == "transpositions":
        counts, transpositions[:] = count_with_transpositions(pairs, counts)
    table[2:6] = counts
    np.sum(table[3:7], axis=0, out=errors)
    hits += pairs.shared
    np.add(pairs.references.lengths, pairs.shared, out=reference_length)
    np.add(pairs.hypotheses.lengths, pairs.shared, out=hypothesis_length)
