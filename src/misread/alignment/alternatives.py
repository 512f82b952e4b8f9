"""Alignment of texts with alternatives: the reading that fits best, and its counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from misread.alignment.api import ErrorCounts, error_counts
from misread.alignment.encode.inputs import Texts, check_pairs
from misread.alignment.kernels import lattices as kernels
from misread.alignment.operations import Operations, find_operations
from misread.compiled.threads import run_in_chunks
from misread.errors import InputTextError, InputTypeError
from misread.io.checks.choices import check_choice
from misread.text.alternatives import Items, Word, has_choices, list_words, parse_alternatives
from misread.text.words import split_words
from misread.types import IntArray

LatticeAlignment = Literal["unit", "sclite"]
AlternativesIn = Literal["references", "both"]

_WEIGHTS: Final[dict[LatticeAlignment, kernels.Weights]] = {
    # A hit weighs so little that it decides only where errors tie, for texts of up to a million words.
    "unit": (-(2.0**-21), 1.0, 1.0, 1.0, 0.0, 0.0),
    "sclite": (0.0, 4.0, 3.0, 3.0, 2.0, float(np.float32(0.001))),
}
# An absent word on both sides is no hit: each side has a code of its own.
_NO_WORD_CODES: Final = (0xFFFFFFFF, 0xFFFFFFFE)


class Places(NamedTuple):
    """The item of a text with alternatives that each word read belongs to, and the number of items."""

    of_words: list[int]
    items: int


@dataclass(frozen=True, slots=True, eq=False)
class AlignedAlternatives:
    """The best fitting reading of every pair, and its alignment."""

    # the words that were read, one space apart, without optional words that the other side left out
    references: list[str]
    hypotheses: list[str]
    # of words; an optional word that was left out is a hit, as in sclite, and part of the reference length
    counts: ErrorCounts
    alignment: LatticeAlignment
    # of pairs whose reference may read in several ways
    places: Mapping[int, Places] = field(default_factory=dict, repr=False)
    # operations of pairs that no alignment of two plain texts gives
    letters_of: Mapping[int, str] = field(default_factory=dict, repr=False)

    def letters(self) -> list[str]:
        """One string per pair, one letter per operation: C correct, S, D and I.

        A place with alternatives is one unit, whatever was read there, so that a reference has as many units for one
        hypothesis as for another: C if it has no error, else S, and an I for every further one.
        """
        return [
            _join_places(letters, self.places[pair]) if pair in self.places else letters
            for pair, letters in enumerate(self.word_letters())
        ]

    def word_letters(self) -> list[str]:
        """One string per pair, one letter per operation on the words that were read."""
        operations = find_operations(self.references, self.hypotheses, unit="word", alignment=self.alignment)
        return [self.letters_of.get(pair, letters) for pair, letters in enumerate(operations.letters())]


def align_alternatives(
    references: Texts,
    hypotheses: Texts,
    *,
    alignment: LatticeAlignment = "unit",
    alternatives: AlternativesIn = "references",
) -> AlignedAlternatives:
    r"""Align words over all ways to read every reference, and count the alignment of least cost.

    A reference is written in the notation of NIST's transcripts: `{ a / b c / @ }` reads as one of its alternatives,
    where `@` means no word, and `(a)` may be left out; a backslash takes such a meaning from the character after
    it. What a hypothesis has in parentheses may be left out with "sclite" only.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        Texts of equal number, or one text each.
    alignment : {"unit", "sclite"}
        "unit": every error costs one. Of the readings with the fewest errors one with the most hits is taken, and
        then counted as `misread.error_counts` counts it.
        "sclite": costs and ties of NIST's sclite. Choosing no word costs 0.001 there and leaving an optional word out
        2, so that a substituted optional word (4) is better than one that is left out with an insertion (5).
    alternatives : {"references", "both"}
        Which sides are in the notation; the other is plain text.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number.
    InputTypeError
        If a text is not a string; names the side and the index.
    InputTextError
        If its braces do not match; names the side and the index.
    UnknownNameError
        If there is no such alignment or side.

    References
    ----------
    SCTK, sclite, input file formats (alternations) and options (-D, optionally deletable words); docs/design/004.

    Examples
    --------
    >>> aligned = align_alternatives(["so { um / uh } { i'll / i will } go (now)"], ["so uh i will go"])
    >>> aligned.references, aligned.counts.errors, aligned.counts.reference_length
    (['so uh i will go'], array([0]), array([6]))
    >>> align_alternatives("{ a / b c / @ } d", "b d").counts.deletions
    array([1])
    """
    for kind, name, choices in (
        ("alignment with alternatives", alignment, LatticeAlignment),
        ("side with alternatives", alternatives, AlternativesIn),
    ):
        check_choice(kind, name, choices)
    return align_readings(*parse_sides(*check_pairs(references, hypotheses), alternatives), alignment=alignment)


def parse_sides(
    references: Sequence[str], hypotheses: Sequence[str], alternatives: str
) -> tuple[list[Items], list[Items]]:
    """Words and alternatives of both sides; "references", "both" or "" (neither) are in the notation."""
    return (
        [(_parse if alternatives else _plain)(text, "reference", index) for index, text in enumerate(references)],
        [
            (_parse if alternatives == "both" else _plain)(text, "hypothesis", index)
            for index, text in enumerate(hypotheses)
        ],
    )


def align_readings(
    references: Sequence[Items], hypotheses: Sequence[Items], *, alignment: LatticeAlignment = "unit"
) -> AlignedAlternatives:
    """Align texts that were parsed, as `align_alternatives` does."""
    first = [[" ".join(list_words(items)) for items in side] for side in (references, hypotheses)]
    counts = error_counts(*first, unit="word", alignment=alignment)
    several = [
        pair
        for pair, sides in enumerate(zip(references, hypotheses, strict=True))
        if any(has_choices(side) for side in sides)
    ]
    places: dict[int, Places] = {}
    letters: dict[int, str] = {}
    if several:
        sides = [[side[pair] for pair in several] for side in (references, hypotheses)]
        budgets = _find_budgets(sides[0], _take(counts, several), alignment)
        read = _align(sides[0], sides[1], budgets, alignment)
        for pair, reference, hypothesis in zip(several, read.references, read.hypotheses, strict=True):
            first[0][pair], first[1][pair] = reference, hypothesis
        counts = _put(counts, several, read.counts)
        places = {several[pair]: pair_places for pair, pair_places in read.places.items()}
        letters = {several[pair]: pair_letters for pair, pair_letters in read.letters_of.items()}
    return AlignedAlternatives(first[0], first[1], counts, alignment, places, letters)


class _Laid(NamedTuple):
    """Lattices of one side, as the kernels take them, and the word and item of every arc."""

    lattices: kernels.Lattice
    spans: IntArray
    words: list[str]
    items: list[int]


def _align(
    references: Sequence[Items], hypotheses: Sequence[Items], budgets: IntArray, alignment: LatticeAlignment
) -> AlignedAlternatives:
    numbers: dict[str, int] = {}
    # With unit costs only a reference leaves words out: else a hypothesis all in parentheses would insert nothing.
    leave_out = (True, alignment == "sclite")
    sides = zip((references, hypotheses), _NO_WORD_CODES, leave_out, strict=True)
    laid = [_lay_out(side, numbers, code, leave_out=may_leave_out) for side, code, may_leave_out in sides]
    counts = np.empty((5, len(references)), np.int64)
    read = [np.zeros(len(side.words), np.uint8) for side in laid]
    steps = np.empty(sum(len(side.words) for side in laid), np.uint8)
    run_in_chunks(
        kernels.align_lattices,
        len(references),
        len(steps),
        laid[0].lattices,
        laid[0].spans,
        laid[1].lattices,
        laid[1].spans,
        budgets,
        _WEIGHTS[alignment],
        alignment == "sclite",
        kernels.STRIPE_CELLS,
        counts,
        *read,
        steps,
    )
    texts = [_read(side, words) for side, words in zip(laid, read, strict=True)]
    places = {
        pair: Places([laid[0].items[start + arc] for arc in np.flatnonzero(read[0][start:end])], len(references[pair]))
        for pair, (start, end) in enumerate(laid[0].spans.tolist())
    }
    omitted = counts[kernels.OMISSIONS]
    if alignment == "unit":
        plain = error_counts(*texts, unit="word")
        with_omitted = replace(plain, hits=plain.hits + omitted, reference_length=plain.reference_length + omitted)
        return AlignedAlternatives(texts[0], texts[1], with_omitted, alignment, places)
    is_operation = steps != kernels.OMISSIONS
    ends = np.cumsum(np.diff(laid[0].spans)[:, 0] + np.diff(laid[1].spans)[:, 0])
    aligned = Operations(steps[is_operation], np.concatenate([[0], np.cumsum(is_operation)[ends - 1]]))
    hits, substitutions, deletions, insertions = counts[: kernels.OMISSIONS]
    return AlignedAlternatives(
        texts[0],
        texts[1],
        ErrorCounts(
            hits + omitted,
            substitutions,
            deletions,
            insertions,
            hits + omitted + substitutions + deletions,
            hits + substitutions + insertions,
            np.zeros_like(hits),
        ),
        alignment,
        places,
        dict(enumerate(aligned.letters())),
    )


def _parse(text: str, side: str, index: int) -> Items:
    if not isinstance(text, str):
        raise InputTypeError(f"{side} {index} is {text!r} where a string is needed.")
    try:
        return parse_alternatives(text)
    except InputTextError as error:
        raise InputTextError(f"{side} {index}: {error}") from None


def _plain(text: str, side: str, index: int) -> Items:
    if not isinstance(text, str):
        raise InputTypeError(f"{side} {index} is {text!r} where a string is needed.")
    return tuple(Word(word) for word in split_words(text))


def _find_budgets(references: Sequence[Items], counts: ErrorCounts, alignment: LatticeAlignment) -> IntArray:
    """Upper bound of deletions and insertions in an alignment that costs at most that of the first readings."""
    if alignment == "unit":
        return counts.errors
    nothings = np.array([_count_nothings(items) for items in references], np.int64)
    cost = 4 * counts.substitutions + 3 * (counts.deletions + counts.insertions)
    # What no word costs adds up to a deletion only in texts of thousands of alternatives.
    budgets: IntArray = (cost + nothings // 1000 + 1) // 3
    return budgets


def _count_nothings(items: Items) -> int:
    choices = [item.alternatives for item in items if not isinstance(item, Word)]
    return sum(
        _count_nothings(alternative) + (not alternative) for alternatives in choices for alternative in alternatives
    )


def _lay_out(texts: Sequence[Items], numbers: dict[str, int], no_word: int, *, leave_out: bool) -> _Laid:
    """Turn every text into arcs, with the beginning before them and the end after them."""
    words: list[str] = []
    belongs: list[int] = []
    codes: list[int] = []
    kinds: list[int] = []
    places: list[int] = []
    followed: list[int] = []
    spans = []

    def add(word: str, code: int, kind: int, others: Sequence[int]) -> list[int]:
        if len(others) > kernels.MOST_FOLLOWED:
            raise InputTextError(
                f"{len(others):,} alternatives end at one place; expected up to {kernels.MOST_FOLLOWED:,}."
            )
        words.append(word)
        belongs.append(index)
        codes.append(code)
        kinds.append(kind)
        places.append(len(followed))
        followed.extend(others)
        return [len(codes) - 1 - start]

    def lay(items: Items, others: Sequence[int]) -> Sequence[int]:
        if not items:
            return add("", no_word, kernels.NOTHING, others)
        for item in items:
            if isinstance(item, Word):
                number = numbers.setdefault(item.text, len(numbers))
                kind = kernels.OPTIONAL if item.optional and leave_out else kernels.WORD
                others = add(item.text, number, kind, others)
            else:
                others = [arc for alternative in item.alternatives for arc in lay(alternative, others)]
        return others

    for items in texts:
        start, index = len(codes), -1
        last: Sequence[int] = add("", no_word, kernels.NOTHING, [])
        for item in items:
            index += 1
            last = lay((item,), last)
        add("", no_word, kernels.NOTHING, last)
        spans.append((start, len(codes)))
    places.append(len(followed))
    lattices = (
        np.array(codes, np.uint32),
        np.array(kinds, np.uint8),
        np.array(places, np.int64),
        np.array(followed, np.int64),
    )
    return _Laid(lattices, np.array(spans, np.int64).reshape(len(texts), 2), words, belongs)


def _read(laid: _Laid, read: kernels.Kinds) -> list[str]:
    return [
        " ".join(laid.words[start + arc] for arc in np.flatnonzero(read[start:end]))
        for start, end in laid.spans.tolist()
    ]


def _join_places(letters: str, places: Places) -> str:
    """Write the operations within one item as those of one unit, and an item without a word as correct."""
    written: list[str] = []
    inside, item, done, word = "", 0, 0, 0
    for letter in letters:
        following = places.of_words[word] if word < len(places.of_words) else places.items
        if inside and following != item:
            written.append(_join(inside))
            inside, done = "", item + 1
        if letter == "I" and not inside:
            written.append(letter)
            continue
        if not inside:
            written.append("C" * (following - done))
            item = following
        inside += letter
        word += letter != "I"
    if inside:
        written.append(_join(inside))
        done = item + 1
    return "".join([*written, "C" * (places.items - done)])


def _join(letters: str) -> str:
    errors = len(letters) - letters.count("C")
    if len(letters) == 1:
        return letters
    return "S" + "I" * (errors - 1) if errors else "C"


def _take(counts: ErrorCounts, rows: Sequence[int]) -> ErrorCounts:
    return ErrorCounts(*(getattr(counts, name)[rows] for name in ErrorCounts.__slots__))


def _put(counts: ErrorCounts, rows: Sequence[int], values: ErrorCounts) -> ErrorCounts:
    changed = {name: getattr(counts, name).copy() for name in ErrorCounts.__slots__}
    for name, column in changed.items():
        column[rows] = getattr(values, name)
    return ErrorCounts(**changed)
