"""A hypothesis cut at the boundaries of its references: segments for what was divided in another way."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from misread.alignment.encode.inputs import check_text, check_texts
from misread.alignment.operations import find_operations
from misread.text.words import split_words


def resegment(references: Sequence[str], hypothesis: str, *, key: Callable[[str], str] | None = None) -> list[str]:
    """Cut a text into the segments of its reference, by an alignment of all its words with fewest errors.

    Word errors of the segments add up to those of the whole document, the fewest possible. A word that was inserted
    between two segments belongs to the earlier one, and a word before the first segment belongs to the first.

    Parameters
    ----------
    references : sequence of str
        Segments of one document (recording, page), in order; any may be empty.
    hypothesis : str
        The whole document; line breaks are white space like others.
    key : callable, optional
        What words are compared by, such as a normalizer; both sides keep their words as they are.

    Returns
    -------
    list of str
        One text per reference, its words separated by single spaces.

    Raises
    ------
    InputTypeError
        If a text is not one; names it.

    References
    ----------
    Matusov, Leusch, Bender & Ney (2005), Evaluating machine translation output with automatic sentence segmentation
    (mwerSegmenter).

    Examples
    --------
    >>> resegment(["the quick brown", "fox jumps", "over it"], "the quick fox jumps high over it")
    ['the quick', 'fox jumps high', 'over it']
    """
    parts = [split_words(text) for text in check_texts("references", references)]
    words = split_words(check_text("hypothesis", hypothesis))
    sides = [word for part in parts for word in part], words
    compared = [" ".join(side if key is None else _compare_by(key, side)) for side in sides]
    letters = find_operations([compared[0]], [compared[1]], unit="word").letters()[0]
    # Words of the hypothesis up to and with each word of the reference, and the insertions that follow it.
    spent = [0]
    for letter in letters:
        if letter == "I":
            spent[-1] += 1
        else:
            spent.append(spent[-1] + (letter != "D"))
    ends = np.cumsum([len(part) for part in parts]).tolist()
    bounds = [0, *(spent[end] for end in ends)]
    return [" ".join(words[start:end]) for start, end in pairwise(bounds)]


def _compare_by(key: Callable[[str], str], words: Sequence[str]) -> list[str]:
    """One word per word, whatever the key makes of it; equal words where the keys are equal."""
    made = {word: "_".join(split_words(key(word))) for word in dict.fromkeys(words)}
    return [made[word] or "\ue000" for word in words]
