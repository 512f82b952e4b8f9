"""Edit distance and operations of one pair: of characters, or of the items of two lists."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from misread.alignment import error_counts
from misread.alignment.encode.inputs import check_text, check_texts, in_order
from misread.errors import InputTypeError
from misread.metrics.rates import cer, wer
from misread.named_result import Record

_SURROGATES = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class EditOperations(Record):
    """Counts of one minimum-cost alignment of characters."""

    substitutions: int
    deletions: int
    insertions: int
    matches: int


class CerWer(NamedTuple):
    """Corpus rates of characters and of words, as fractions."""

    cer: float
    wer: float


def edit_distance(reference: str | Sequence[Hashable], hypothesis: str | Sequence[Hashable]) -> int:
    """Least number of substitutions, deletions and insertions that turn the reference into the hypothesis.

    Parameters
    ----------
    reference, hypothesis : str or sequence of hashable
        Two texts, compared by code points, or two sequences, compared item by item; a text with a sequence is one of
        its characters.

    Raises
    ------
    InputTypeError
        If a side is neither a text nor a sequence of hashable items.

    References
    ----------
    Levenshtein (1966); Evaluation Metrics (Thulium usage), "Edit Distance"; Text Similarity Metrics (trnorm),
    "Levenshtein Distance".

    Examples
    --------
    >>> edit_distance("kitten", "sitting"), edit_distance(["a", "b", "c"], ["a", "b", "d"])
    (3, 1)
    """
    return int(error_counts(*_as_texts(reference, hypothesis)).errors[0])


levenshtein_distance = edit_distance
"""The same, under the name that Text Similarity Metrics (trnorm) gives it."""


def normalized_edit_distance(reference: str | Sequence[Hashable], hypothesis: str | Sequence[Hashable]) -> float:
    """Edit distance over the length of the longer side.

    Parameters
    ----------
    reference, hypothesis : str or sequence of hashable
        As in `edit_distance`.

    Returns
    -------
    float
        Fraction from 0 (equal) to 1 (nothing in common); 0 where both are empty.

    Examples
    --------
    >>> normalized_edit_distance("abcd", "abxd")
    0.25
    """
    texts = _as_texts(reference, hypothesis)
    return edit_distance(*texts) / max(1, *map(len, texts))


def get_edit_operations(reference: str, hypothesis: str) -> EditOperations:
    """Count the operations of one minimum-cost alignment of characters.

    Parameters
    ----------
    reference, hypothesis : str
        Texts.

    Returns
    -------
    EditOperations
        Read by attribute or by name.

    Raises
    ------
    InputTypeError
        If a side is not one text; `misread.error_counts` counts the operations of many pairs.
    InputTextError
        If a text holds a lone surrogate.

    References
    ----------
    Evaluation Metrics (Thulium suite), "Edit Operation Analysis"; Evaluation Metrics (Thulium usage), "Edit
    Operations".

    Examples
    --------
    >>> operations = get_edit_operations("hello", "hallo")
    >>> operations.substitutions, operations["matches"]
    (1, 4)
    """
    counts = error_counts(
        check_text("reference", reference, function_for_many="error_counts"),
        check_text("hypothesis", hypothesis, function_for_many="error_counts"),
    )
    return EditOperations(
        int(counts.substitutions[0]), int(counts.deletions[0]), int(counts.insertions[0]), int(counts.hits[0])
    )


def cer_wer_batch(references: Iterable[str], hypotheses: Iterable[str]) -> CerWer:
    """Corpus CER and WER: errors and lengths are summed before dividing (micro average).

    Parameters
    ----------
    references, hypotheses : iterable of str
        Texts of equal number, at least one.

    Returns
    -------
    CerWer
        Can be unpacked.

    Raises
    ------
    LengthMismatchError
        If the two sequences differ in number.
    InputTypeError
        If a side is not a list of texts; names the side and the index.
    UndefinedResultError
        If they are empty.

    References
    ----------
    Evaluation Metrics (Thulium suite), "Batch Evaluation"; Evaluation Metrics (Thulium usage), "Batch Metrics".

    Examples
    --------
    >>> cer_wer_batch(["hello", "world", "test"], ["helo", "world", "tset"]).wer
    0.6666666666666666
    """
    texts = (
        check_texts("references", references, function_for_one="cer or wer"),
        check_texts("hypotheses", hypotheses, function_for_one="cer or wer"),
    )
    return CerWer(cer(*texts), wer(*texts))


def _as_texts(reference: str | Sequence[Hashable], hypothesis: str | Sequence[Hashable]) -> tuple[str, str]:
    """Both sides as texts in which equal items are equal characters."""
    if isinstance(reference, str) and isinstance(hypothesis, str):
        return reference, hypothesis
    numbers: dict[Hashable, str] = {}
    texts = []
    for name, side in (("reference", reference), ("hypothesis", hypothesis)):
        characters = []
        for item in side if isinstance(side, str) else in_order(name, side):
            number = len(numbers)
            free = number if number < _SURROGATES.start else number + len(_SURROGATES)
            if not isinstance(item, Hashable):
                raise InputTypeError(f"{name} holds an item of type {type(item).__name__}, which cannot be compared.")
            characters.append(numbers.setdefault(item, chr(free)))
        texts.append("".join(characters))
    return texts[0], texts[1]
