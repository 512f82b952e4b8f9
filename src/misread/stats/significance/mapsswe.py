"""The matched-pairs sentence-segment word error test (MAPSSWE) of speech evaluations."""

import math
from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats.results import TestResult, positive_pvalue
from misread.types import IntArray

Operations = NDArray[np.uint8]

CORRECT, INSERTION = ord("C"), ord("I")
CODES = frozenset(b"CSDI")
# With fewer segments, the normal distribution approximates the t distribution poorly.
FEW_ERROR_SEGMENTS = 50


def mapsswe_test(ops_a: Sequence[Operations], ops_b: Sequence[Operations], *, min_good: int = 2) -> TestResult:
    """Test whether two systems make equally many errors in independent stretches of speech.

    Sentences are cut where both systems are right for `min_good` words, so that errors before and after the cut are
    nearly independent. Every stretch with errors is a segment, and the mean difference of errors is compared with 0 by
    the normal distribution, two-sided. The test ignores that segments of one speaker resemble each other.

    Parameters
    ----------
    ops_a, ops_b : sequence of uint8 arrays, one per sentence
        Alignment of each system with the same reference, as ASCII codes of C (correct), S, D and I:
        ``np.frombuffer(b"CCSI", np.uint8)``.
    min_good : int
        Consecutive words that both systems must get right between segments, 1 or more.

    Returns
    -------
    TestResult
        Statistic: Z, the mean difference (errors of A minus errors of B) over its standard error. Effect size:
        Cohen's dz. n: segments. `extra`: segments, mean, sd (with n - 1), pvalue_t (of the t distribution with n - 1
        degrees of freedom, the better one for few segments), errors_a, errors_b, sentences. With fewer than two
        segments, or equal differences in all of them, Z is undefined: p = 1, statistic 0, method "none".

    Raises
    ------
    LengthMismatchError
        If the systems differ in sentences, or in reference words of a sentence.
    UndefinedResultError
        If there is no sentence, or an operation is not one of the four.
    ConfigurationError
        If `min_good` is below 1.

    Notes
    -----
    The cuts, means and Z are those of NIST's sc_stats. Its McNemar and sign tests are not reproduced: above 20
    discordant sentences it prints p = .016 for 10 against 11, although the exact p-value is 1; see `mcnemar_test`.

    References
    ----------
    Gillick & Cox (1989), Some statistical issues in the comparison of speech recognition algorithms; Pallett, Fisher
    & Fiscus (1990), Tools for the analysis of benchmark speech recognition tests.

    Examples
    --------
    >>> import numpy as np
    >>> a = [np.frombuffer(ops, np.uint8) for ops in (b"CSCCSCC", b"CCD", b"SCCIC")]
    >>> b = [np.frombuffer(ops, np.uint8) for ops in (b"CCCCSCC", b"CCC", b"SCCC")]
    >>> result = mapsswe_test(a, b)
    >>> result.n, result.extra["mean"], round(result.statistic, 3)
    (5, 0.6, 2.449)
    """
    segments = error_segments(ops_a, ops_b, min_good=min_good)
    differences = segments[:, 1] - segments[:, 2]
    n = len(differences)
    mean = float(differences.mean()) if n else 0.0
    deviation = float(differences.std(ddof=1)) if n > 1 else 0.0
    varies = n > 1 and bool(np.any(differences != differences[0]))
    z = mean / (deviation / math.sqrt(n)) if varies else 0.0
    return TestResult(
        name="mapsswe",
        statistic=z,
        pvalue=positive_pvalue(2 * float(scipy.special.ndtr(-abs(z)))) if varies else 1.0,
        effect_size=mean / deviation if varies else 0.0,
        effect_size_name="cohens_dz",
        n=n,
        dropped=0,
        method="normal distribution" if varies else "none",
        unit="error segment",
        notes=_notes(n, varies=varies),
        extra={
            "segments": n,
            "mean": mean,
            "sd": deviation,
            "pvalue_t": positive_pvalue(2 * float(scipy.special.stdtr(n - 1, -abs(z)))) if varies else 1.0,
            "errors_a": int(segments[:, 1].sum()),
            "errors_b": int(segments[:, 2].sum()),
            "sentences": len(ops_a),
        },
    )


def encode_letters(alignments: Sequence[str]) -> list[Operations]:
    """Alignments written as letters, converted to the arrays of ASCII codes that `mapsswe_test` takes.

    A transposition of two units (T) is one error: a correct unit and a substituted one.
    """
    return [np.frombuffer(letters.replace("T", "CS").encode(), np.uint8) for letters in alignments]


def error_segments(ops_a: Sequence[Operations], ops_b: Sequence[Operations], *, min_good: int = 2) -> IntArray:
    """Cut sentences where both systems are right for `min_good` words; counts of the segments, shape (segments, 3).

    The columns are reference words, errors of A and errors of B, for every segment with an error. A segment includes
    the correct words at its ends; those between two neighbours count in both. Gillick & Cox (1989), Some statistical
    issues in the comparison of speech recognition algorithms.
    """
    _check(ops_a, ops_b, min_good)
    segments = [
        segment
        for a, b in zip(ops_a, ops_b, strict=True)
        for segment in _cut(a.tolist(), b.tolist(), min_good=min_good)
    ]
    return np.array(segments, dtype=np.int64).reshape(-1, 3)


def _cut(a: list[int], b: list[int], *, min_good: int) -> list[tuple[int, int, int]]:
    """Segments of one sentence; in state "good" both systems have been right for `count` words after an error."""
    segments = []
    state, count = "between", 0
    at_a = at_b = good_a = good_b = 0

    def close(end_a: int, end_b: int) -> None:
        part_a = a[max(0, good_a - (min_good - 1)) : end_a]
        part_b = b[max(0, good_b - (min_good - 1)) : end_b]
        reference = len(part_a) - part_a.count(INSERTION)
        segments.append((reference, len(part_a) - part_a.count(CORRECT), len(part_b) - part_b.count(CORRECT)))

    while at_a < len(a):
        while at_a < len(a) and a[at_a] == INSERTION:
            at_a, state = at_a + 1, "error"
        while at_b < len(b) and b[at_b] == INSERTION:
            at_b, state = at_b + 1, "error"
        if at_a == len(a):
            break
        if a[at_a] == b[at_b] == CORRECT:
            if state == "between":
                good_a, good_b = at_a, at_b
            else:
                count = 1 if state == "error" else count + 1
                state = "good"
                if count == min_good:
                    close(at_a + 1, at_b + 1)
                    state, good_a, good_b = "between", at_a, at_b
        else:
            state = "error"
        at_a, at_b = at_a + 1, at_b + 1
    if state != "between" or at_b < len(b):
        close(len(a), len(b))
    return segments


def _check(ops_a: Sequence[Operations], ops_b: Sequence[Operations], min_good: int) -> None:
    if min_good < 1:
        raise ConfigurationError(f"min_good is {min_good}, expected 1 or more; 2 is usual.")
    if len(ops_a) != len(ops_b):
        raise LengthMismatchError(f"system A has {len(ops_a)} sentences and system B {len(ops_b)}.")
    if len(ops_a) == 0:
        raise UndefinedResultError("MAPSSWE needs at least one sentence; got none.")
    for number, (a, b) in enumerate(zip(ops_a, ops_b, strict=True), start=1):
        for system, ops in (("A", a), ("B", b)):
            unknown = sorted(set(ops.tolist()) - CODES)
            if unknown:
                raise UndefinedResultError(
                    f"sentence {number} of system {system} has operation {chr(unknown[0])!r}; there are: C, D, I, S."
                )
        words_a, words_b = (int(np.count_nonzero(ops != INSERTION)) for ops in (a, b))
        if words_a != words_b:
            raise LengthMismatchError(
                f"sentence {number} has {words_a} reference words for system A and {words_b} for system B."
            )


def _notes(n: int, *, varies: bool) -> tuple[str, ...]:
    if not varies:
        return ("The differences do not vary, so that Z is undefined: p is 1 by definition.",)
    if n < FEW_ERROR_SEGMENTS:
        return (f"The normal approximation is poor for {n} segments, below {FEW_ERROR_SEGMENTS}: see pvalue_t.",)
    return ()
