"""Flags of pairs of texts."""

from itertools import chain

from misread.alignment import PairedTexts, Texts
from misread.alignment.encode.inputs import check_pairs, check_texts
from misread.features.flags.flag import Flags, collect_flags
from misread.features.flags.made_up import FlagRules, find_made_up
from misread.features.flags.omissions import OmissionRules, find_left_out


def find_flags(
    references: Texts, hypotheses: Texts, rules: FlagRules | None = None, *, omissions: OmissionRules | None = None
) -> list[Flags]:
    """Find the segments with made-up, missing or doubled text.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        Texts of equal number.
    rules : FlagRules, optional
        Thresholds above which text counts as made up.
    omissions : OmissionRules, optional
        Thresholds above which text counts as left out or doubled.

    Returns
    -------
    list of tuple of Flag
        One tuple per pair, empty for most. "loop": the hypothesis repeats what the reference does not
        (`find_loops`). "insertions": the longest run of words that the reference does not have. "compression" and
        "long": the whole text. "unrelated": as wrong as a text that has nothing to do with the reference. "omission":
        characters in a row that the hypothesis does not have. "cut": the same at the end. "seam": text that occurs
        twice in a row.

    Raises
    ------
    LengthMismatchError, InputTypeError
        As in `error_counts`.

    Examples
    --------
    >>> (flags,) = find_flags("we meet at ten", "we meet at ten at ten at ten at ten at ten")
    >>> for flag in flags:
    ...     print(flag.kind, flag.start, flag.end, flag.reason)
    loop 7 42 ' at ten' 5 times, 83 % of the text
    long 0 42 42 characters for 14
    >>> (flags,) = find_flags("the minutes of the last meeting were read and signed", "the minutes of the")
    >>> flags[0].kind, flags[0].missing, flags[0].reason
    ('cut', (18, 52), 'the last 34 characters (6 words) are missing')
    """
    texts = check_pairs(references, hypotheses)
    pairs = PairedTexts(check_texts("references", texts[0]), check_texts("hypotheses", texts[1]))
    flags = collect_flags(
        chain(find_made_up(pairs, rules or FlagRules()), find_left_out(pairs, omissions or OmissionRules()))
    )
    return [flags.get(row, ()) for row in range(len(pairs))]
