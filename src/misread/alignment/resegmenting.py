"""A hypothesis cut at the boundaries of its references: segments for texts that were divided in another way."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import chain, pairwise

import numpy as np

from misread.alignment.encode.inputs import check_text, check_texts
from misread.alignment.operations import find_operations
from misread.text.words import split_words


def resegment(references: Sequence[str], hypothesis: str, *, key: Callable[[str], str] | None = None) -> list[str]:
    """Cut a text into the segments of its reference, by an alignment of all its words with fewest errors.

    Word errors of the segments add up to those of the whole document, the fewest possible. A word that was inserted
    between two segments belongs to the earlier one, and a word before the first segment belongs to the first.

    With a normalizer as `key`, normalized words are aligned: the errors of the normalized segments add up to those of
    their normalized references, joined, and the whole hypothesis, normalized. Segments keep their words as they are,
    unless that would change the sum. Two kinds of segments are written normalized, if normalizing is idempotent: those
    that cut a word, such as "I'm" between "i" and "am", and those that are normalized differently by themselves.

    Parameters
    ----------
    references : sequence of str
        Segments of one document (recording, page), in order; any may be empty.
    hypothesis : str
        The whole document; line breaks are white space like others.
    key : callable, optional
        What texts are compared by, such as a normalizer.

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
    texts, words = check_texts("references", references), split_words(check_text("hypothesis", hypothesis))
    if key is None:
        groups = [([word], [word]) for word in words]
        parts = [split_words(text) for text in texts]
    else:
        groups = _group(words, key)
        parts = [split_words(key(text)) for text in texts]
    tokens = [token for _, group_tokens in groups for token in group_tokens]
    ends = _cut(parts, tokens)
    segments = _write(groups, ends)
    if key is not None:
        for row, (start, end) in enumerate(pairwise([0, *ends])):
            own = tokens[start:end]
            if split_words(key(" ".join(segments[row]))) != own == split_words(key(" ".join(own))):
                segments[row] = own
    return [" ".join(segment) for segment in segments]


def _group(words: Sequence[str], key: Callable[[str], str]) -> list[tuple[list[str], list[str]]]:
    """Words with what the key makes of them in their text: of each by itself, or of several together."""
    alone = {word: split_words(key(word)) for word in dict.fromkeys(words)}
    apart = [token for word in words for token in alone[word]]
    together = split_words(key(" ".join(words)))
    letters = find_operations([" ".join(apart)], [" ".join(together)], unit="word").letters()[0]
    # Where tokens before and after are the same on both sides, by their number apart, the number of those together.
    certain, taken, made = {}, 0, 0
    for letter, following in zip(letters, letters[1:] + "C", strict=False):
        taken += letter != "I"
        made += letter != "D"
        if letter == following == "C":
            certain[taken] = made
    groups: list[tuple[list[str], list[str]]] = []
    group: list[str] = []
    taken = made = 0
    for word in words:
        group.append(word)
        taken += len(alone[word])
        if taken in certain:
            groups.append((group, together[made : certain[taken]]))
            group, made = [], certain[taken]
    return [*groups, (group, together[made:])]


def _cut(parts: Sequence[Sequence[str]], tokens: Sequence[str]) -> list[int]:
    """Number of tokens up to the end of each part."""
    letters = find_operations([" ".join(chain.from_iterable(parts))], [" ".join(tokens)], unit="word").letters()[0]
    # Tokens up to and with each one of the parts, and the insertions that follow it.
    spent = [0]
    for letter in letters:
        if letter == "I":
            spent[-1] += 1
        else:
            spent.append(spent[-1] + (letter != "D"))
    return [spent[end] for end in np.cumsum([len(part) for part in parts]).tolist()]


def _write(groups: Sequence[tuple[list[str], list[str]]], ends: Sequence[int]) -> list[list[str]]:
    """Words of each segment; of a group that is cut, its tokens."""
    segments: list[list[str]] = [[] for _ in ends]
    row = position = 0
    for words, tokens in groups if ends else ():
        if tokens:
            row = bisect_right(ends, position, row)
        if position + len(tokens) <= ends[row]:
            segments[row] += words
        else:
            for offset, token in enumerate(tokens, start=position):
                row = bisect_right(ends, offset, row)
                segments[row].append(token)
        position += len(tokens)
    return segments
