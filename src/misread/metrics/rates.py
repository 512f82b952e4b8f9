"""Rates of texts in one call each, all with one signature."""

from operator import ne
from typing import Final, Literal

import numpy as np

from misread.alignment import ErrorCounts, Texts, Unit, error_counts
from misread.alignment.encode.inputs import check_pairs, check_texts
from misread.errors import UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.metrics.error_rate import MatchRate

EmptyReference = Literal["max1", "one", "nan", "inf", "error"]

_MER: Final = MatchRate("mer", "match_error_rate")
_WIL: Final = MatchRate("wil", "information_lost")
_WIP: Final = MatchRate("wip", "information_preserved")


def cer(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "max1") -> float:
    """Character error rate: (S + D + I) / N of a minimum-cost alignment of code points.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        Texts of equal number. For many texts the corpus rate is returned: errors and lengths are summed before
        dividing (micro average).
    empty_reference : {"max1", "one", "nan", "inf", "error"}
        Value for a reference without characters: "max1" divides by max(1, N); "one" is 1.0, "nan" not a number,
        "inf" infinity, each where the hypothesis has characters (0.0 where it has none, but "nan" always);
        "error" raises.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    UndefinedResultError
        If there is no text at all, or the reference is empty and `empty_reference` is "error".
    UnknownNameError
        If there is no such rule for empty references.

    References
    ----------
    Levenshtein (1966); Evaluation Metrics (lines), "Character Error Rate".

    Examples
    --------
    >>> cer("The quick brown fox", "The quich brown fax")
    0.10526315789473684
    >>> cer("", "abc")
    3.0
    """
    return _error_rate(reference, hypothesis, "char", empty_reference)


def ger(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "max1") -> float:
    r"""Grapheme error rate: (S + D + I) / N of a minimum-cost alignment of what readers take for characters.

    A grapheme is an extended grapheme cluster: a letter with all its marks, an emoji with all its parts, CR with LF.
    Canonically equivalent graphemes compare equal, so composed versus decomposed text never counts as an error.

    Parameters
    ----------
    reference, hypothesis, empty_reference
        As in `cer`.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    References
    ----------
    Unicode Standard Annex #29, section 3; Unicode Standard Annex #15 (canonical equivalence).

    Examples
    --------
    >>> ger("M\u00fcll", "Mu\u0308ll"), cer("M\u00fcll", "Mu\u0308ll")
    (0.0, 0.5)
    """
    return _error_rate(reference, hypothesis, "grapheme", empty_reference)


def wer(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "max1") -> float:
    """Word error rate: (S + D + I) / N of a minimum-cost alignment of words.

    A word is a maximal run of characters that are not white space (Unicode White_Space).

    Parameters
    ----------
    reference, hypothesis, empty_reference
        As in `cer`.

    Returns
    -------
    float
        Fraction, 0 is perfect, above 1 possible.

    References
    ----------
    Evaluation Metrics (lines), "Word Error Rate".

    Examples
    --------
    >>> wer("bu bir test cümlesidir", "bu bir test cümlesi")
    0.25
    """
    return _error_rate(reference, hypothesis, "word", empty_reference)


def mer(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "error") -> float:
    """Match error rate of words: errors over errors and hits.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        As in `cer`.
    empty_reference : {"error", "max1", "one", "nan", "inf"}
        Value where neither side has a word, the only case without a rate: 0.0, for "nan" not a number; "error" raises.

    Returns
    -------
    float
        Fraction from 0 (perfect) to 1.

    References
    ----------
    Morris, Maier & Green (2004).

    Examples
    --------
    >>> mer("the quick fox", "the fast fox jumps")
    0.5
    """
    return _match_rate(_MER, reference, hypothesis, empty_reference)


def wil(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "error") -> float:
    """Word information lost: 1 minus word information preserved.

    Parameters
    ----------
    reference, hypothesis, empty_reference
        As in `mer`.

    Returns
    -------
    float
        Fraction from 0 (perfect) to 1.

    References
    ----------
    Morris, Maier & Green (2004).

    Examples
    --------
    >>> round(wil("the quick fox", "the fast fox jumps"), 4)
    0.6667
    """
    return _match_rate(_WIL, reference, hypothesis, empty_reference)


def wip(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "error") -> float:
    """Word information preserved: hits over reference words, times hits over hypothesis words.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        As in `cer`.
    empty_reference : {"error", "max1", "one", "nan", "inf"}
        As in `mer`, but 1.0 is what has no error.

    Returns
    -------
    float
        Fraction from 0 to 1 (perfect).

    References
    ----------
    Morris, Maier & Green (2004).

    Examples
    --------
    >>> round(wip("the quick fox", "the fast fox jumps"), 4)
    0.3333
    """
    return _match_rate(_WIP, reference, hypothesis, empty_reference)


def ser(reference: Texts, hypothesis: Texts, *, empty_reference: EmptyReference = "max1") -> float:
    """Sequence error rate: share of texts that are not exactly right; of one pair 0 if both are equal, 1 if not.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        As in `cer`.
    empty_reference : {"max1", "one", "nan", "inf", "error"}
        As in `cer`, where no reference has a character; "max1" and "one" are the share all the same.

    Returns
    -------
    float
        Fraction from 0 (perfect) to 1.

    References
    ----------
    Evaluation Metrics (Thulium suite) and Evaluation Metrics (Thulium usage), "Sequence Error Rate".

    Examples
    --------
    >>> ser("hello", "hello"), ser("Hello World", "Hello world"), ser(["a", "b"], ["a", "c"])
    (0.0, 1.0, 0.5)
    """
    _check_rule(empty_reference)
    references, hypotheses = check_pairs(reference, hypothesis)
    if not len(references):
        raise UndefinedResultError(_NO_TEXT)
    pairs = check_texts("references", references), check_texts("hypotheses", hypotheses)
    share = sum(map(ne, *pairs)) / len(references)
    return share if any(references) else _by_rule(empty_reference, share, "the reference has no character")


_NO_TEXT: Final = "there is no text to score: both sequences are empty."


def _check_rule(empty_reference: EmptyReference) -> None:
    check_choice("rule for empty references", empty_reference, EmptyReference)


def _by_rule(rule: EmptyReference, errors: float, what: str) -> float:
    """Rate of errors over a length of 0."""
    if rule == "error":
        raise UndefinedResultError(f"{what}: the rate is undefined.")
    return {"max1": errors, "one": min(errors, 1.0), "nan": np.nan, "inf": np.inf if errors else 0.0}[rule]


def _counts(reference: Texts, hypothesis: Texts, unit: Unit, rule: EmptyReference) -> ErrorCounts:
    _check_rule(rule)
    counts = error_counts(reference, hypothesis, unit=unit)
    if not len(counts):
        raise UndefinedResultError(_NO_TEXT)
    return counts


def _error_rate(reference: Texts, hypothesis: Texts, unit: Unit, rule: EmptyReference) -> float:
    counts = _counts(reference, hypothesis, unit, rule)
    errors, length = int(counts.errors.sum()), int(counts.reference_length.sum())
    return errors / length if length else _by_rule(rule, float(errors), f"the reference has no {unit}")


def _match_rate(metric: MatchRate, reference: Texts, hypothesis: Texts, rule: EmptyReference) -> float:
    counts = _counts(reference, hypothesis, "word", rule)
    columns = (
        counts.errors,
        counts.reference_length,
        counts.hits,
        counts.substitutions,
        counts.deletions,
        counts.insertions,
    )
    rate = float(metric.rate(np.array([column.sum() for column in columns], np.int64)))
    if np.isnan(rate):
        rate = _by_rule(rule, 0.0, "neither side has a word")
        return 1.0 - rate if metric is _WIP else rate
    return rate
