"""Confusions (what was read for what) of one pair of texts or of a whole corpus, and their counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.alignment import AlignmentPolicy, ErrorUnits, Texts, Unit, count_units, find_error_units, find_operations
from misread.alignment.encode.inputs import check_pairs
from misread.alignment.kernels.kinds import INSERTION, TRANSPOSITION
from misread.errors import ConfigurationError, UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.io.checks.numbers import check_whole
from misread.metrics.confusion_table import Confusion, Confusions
from misread.named_result import Record
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column
from misread.text.character_groups import find_block, find_category
from misread.types import IntArray

DELETED: Final = "<DELETE>"
"""Hypothesis of a deletion: nothing was read."""

INSERTED: Final = "<INSERT>"
"""Reference of an insertion: nothing should have been read."""


def count_confusions(units: ErrorUnits, name: Callable[[str], str] | None = None) -> Confusions:
    """Count what was read for what, most frequent first; where counts are equal, in the order of `units.texts`.

    `name` maps a unit to its group: errors are then counted between groups.
    """
    names, groups = units.texts, np.arange(len(units.texts))
    if name is not None:
        numbers: dict[str, int] = {}
        groups = np.array([numbers.setdefault(name(text), len(numbers)) for text in units.texts], np.int64)
        names = list(numbers)
    # One more entry for NO_UNIT, which is -1 and so indexes the last.
    groups, width = np.append(groups, len(names)), len(names) + 1
    cells, counts = np.unique(groups[units.references] * width + groups[units.hypotheses], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return Confusions(
        _look_up(names, INSERTED, cells[order] // width),
        _look_up(names, DELETED, cells[order] % width),
        counts[order].tolist(),
    )


def _look_up(names: Sequence[str], none: str, numbers: IntArray) -> Sequence[str]:
    """Names by number; the number above all names means no unit."""
    if not isinstance(names, ArrowTexts):
        every = [*names, none]
        return [every[number] for number in numbers.tolist()]
    import pyarrow as pa

    kind = pa.large_string()
    return ArrowTexts.of(pa.concat_arrays([to_column(names, kind), to_column([none], kind)]).take(to_arrow(numbers)))


def sum_by_group(counts: Mapping[str, int], name: Callable[[str], str]) -> dict[str, int]:
    """Add up counts of characters by their groups."""
    sums: dict[str, int] = {}
    for text, count in counts.items():
        group = name(text)
        sums[group] = sums.get(group, 0) + count
    return sums


@dataclass(frozen=True, slots=True)
class ConfusionMatrix(Record):
    """Confusions of a corpus; fields as in the specification, and `n`.

    Counts are by what should have been read and by what was read, without hits. "<DELETE>" is read where nothing was,
    and "<INSERT>" is the reference where nothing should have been.
    """

    confusion_matrix: dict[str, dict[str, int]]
    total_errors: int
    top_confusions: list[tuple[str, str, int]]  # what should have been read, what was, how often
    confusion_rate: float  # errors over reference units
    n: int  # reference units


@dataclass(frozen=True, slots=True)
class GroupErrors(Record):
    """Errors of the characters of one group."""

    group: str  # a Unicode block or a general category
    errors: int  # substitutions and deletions of its characters, and insertions of them
    n: int  # its characters in the references
    rate: float | None  # None where the references have no such character


def confusion_matrix(
    references: Texts, hypotheses: Texts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit", top: int = 10
) -> ConfusionMatrix:
    """Count what was read for what.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        Texts of equal number.
    unit : {"char", "grapheme", "word"}
        What is confused.
    alignment : {"unit", "sclite", "transpositions"}
        As in `error_counts`; two units that changed places are one confusion of both.
    top : int
        Length of `top_confusions`.

    Returns
    -------
    ConfusionMatrix
        Read by attribute or by name. Without reference units, its rate is the number of errors.

    Raises
    ------
    UndefinedResultError
        If there is no text at all.
    ConfigurationError
        If `top` is below 0.
    LengthMismatchError, InputTypeError, InputTextError, UnknownNameError
        As in `error_counts`.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 1.5 (whose printed 13.79 % is 6 of 29, 20.69 %).

    Examples
    --------
    >>> result = confusion_matrix("INVOICE #12345 TOTAL: $150.00", "INV0ICE #I2345 T0TAL: $15O.OO")
    >>> result.confusion_matrix
    {'0': {'O': 3}, 'O': {'0': 2}, '1': {'I': 1}}
    >>> result.total_errors, result.n, round(result.confusion_rate, 4)
    (6, 29, 0.2069)
    """
    _check_top(top)
    units, n = _find(references, hypotheses, unit, alignment)
    confusions = count_confusions(units)
    matrix: dict[str, dict[str, int]] = {}
    for confusion in confusions:
        row = matrix.setdefault(confusion.reference, {})
        # Added, because a word of a text may equal our marks.
        row[confusion.hypothesis] = row.get(confusion.hypothesis, 0) + confusion.count
    return ConfusionMatrix(matrix, len(units), _list(confusions[:top]), len(units) / max(1, n), n)


def confusion_rate(
    references: Texts, hypotheses: Texts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> float:
    """Share of units that were confused: the error rate of the unit, under another name.

    Parameters
    ----------
    references, hypotheses, unit, alignment
        As in `confusion_matrix`.

    Returns
    -------
    float
        Fraction.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 1.5.

    Examples
    --------
    >>> confusion_rate(["O0", "O"], ["00", "O"])
    0.3333333333333333
    """
    units, n = _find(references, hypotheses, unit, alignment)
    return len(units) / max(1, n)


def wrong_words(
    references: Texts, hypotheses: Texts, *, alignment: AlignmentPolicy = "unit", top: int = 10
) -> list[tuple[str, str, int]]:
    """Find the words that are wrong most often, and their readings.

    Parameters
    ----------
    references, hypotheses, alignment
        As in `confusion_matrix`.
    top : int
        How many.

    Returns
    -------
    list of (str, str, int)
        What should have been read, what was, how often; with "<DELETE>" and "<INSERT>" as in `confusion_matrix`.

    Examples
    --------
    >>> wrong_words(["the cat", "the dog"], ["tho cat", "tho"])
    [('the', 'tho', 2), ('dog', '<DELETE>', 1)]
    """
    _check_top(top)
    units, _ = _find(references, hypotheses, "word", alignment)
    return _list(count_confusions(units)[:top])


def errors_by_block(
    references: Texts, hypotheses: Texts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> list[GroupErrors]:
    """Count the errors of the characters of each Unicode block.

    An error counts for the block of the reference character, an insertion for that of the hypothesis character.

    Parameters
    ----------
    references, hypotheses, alignment
        As in `confusion_matrix`.
    unit : {"char", "grapheme"}
        A grapheme belongs where its first code point does.

    Returns
    -------
    list of GroupErrors
        Of all blocks that occur in the references or have an error, most errors first.

    References
    ----------
    Unicode Character Database 18.0, Blocks.txt.

    Examples
    --------
    >>> errors_by_block("Müll", "Mull")[0]
    GroupErrors(group='Latin-1 Supplement', errors=1, n=1, rate=1.0)
    """
    return _group_errors(references, hypotheses, unit, alignment, find_block)


def errors_by_category(
    references: Texts, hypotheses: Texts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> list[GroupErrors]:
    """Count the errors of the characters of each general category: "Lu" upper case, "Nd" digits, "Po" punctuation.

    Parameters
    ----------
    references, hypotheses, unit, alignment
        As in `errors_by_block`.

    Returns
    -------
    list of GroupErrors
        Of all categories that occur in the references or have an error, most errors first.

    References
    ----------
    The Unicode Standard, section 4.5, General Category.

    Examples
    --------
    >>> errors_by_category("No. 10", "No 1O")
    [GroupErrors(group='Nd', errors=1, n=2, rate=0.5), GroupErrors(group='Po', errors=1, n=1, rate=1.0),
     GroupErrors(group='Ll', errors=0, n=1, rate=0.0), GroupErrors(group='Lu', errors=0, n=1, rate=0.0),
     GroupErrors(group='Zs', errors=0, n=1, rate=0.0)]
    """
    return _group_errors(references, hypotheses, unit, alignment, find_category)


def _check_top(top: int) -> None:
    if check_whole("top", top) < 0:
        raise ConfigurationError(f"top is {top}, expected 0 or more.")


def _find(references: Texts, hypotheses: Texts, unit: Unit, alignment: AlignmentPolicy) -> tuple[ErrorUnits, int]:
    """Units of every error, and how many units the references have."""
    references, hypotheses = check_pairs(references, hypotheses)
    operations = find_operations(references, hypotheses, unit=unit, alignment=alignment)
    if len(operations) == 0:
        raise UndefinedResultError("there is no text to compare: both sequences are empty.")
    insertions, swaps = ((operations.codes == kind).sum() for kind in (INSERTION, TRANSPOSITION))
    return find_error_units(references, hypotheses, operations, unit=unit), int(
        len(operations.codes) - insertions + swaps
    )


def _list(confusions: Iterable[Confusion]) -> list[tuple[str, str, int]]:
    return [(confusion.reference, confusion.hypothesis, confusion.count) for confusion in confusions]


def _group_errors(
    references: Texts, hypotheses: Texts, unit: Unit, alignment: AlignmentPolicy, name: Callable[[str], str]
) -> list[GroupErrors]:
    references, hypotheses = check_pairs(references, hypotheses)
    check_choice("unit", unit, ("char", "grapheme"))
    units, _ = _find(references, hypotheses, unit, alignment)
    lengths = sum_by_group(count_units(references, unit=unit), name)
    errors = dict.fromkeys(lengths, 0)
    for confusion in count_confusions(units, name):
        group = confusion.hypothesis if confusion.reference == INSERTED else confusion.reference
        errors[group] = errors.get(group, 0) + confusion.count
    groups = [
        GroupErrors(group, count, lengths.get(group, 0), count / lengths[group] if group in lengths else None)
        for group, count in errors.items()
    ]
    return sorted(groups, key=lambda group_errors: (-group_errors.errors, group_errors.group))
