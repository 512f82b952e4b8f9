"""Texts as integers: one array of unit codes for each side, in which equal units have equal codes."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from misread.alignment.encode.graphemes import code_graphemes, none_joins
from misread.alignment.kernels.pairs import PADDING, Bytes, Codes, Sides
from misread.alignment.plain import words as plain
from misread.compiled.budget import ALIGNING
from misread.errors import InputTextError, InputTypeError
from misread.io.checks.choices import check_choice
from misread.text.arrow import ArrowTexts
from misread.text.lazy_texts import JoinedTexts
from misread.text.words import split_words
from misread.types import IntArray

Unit = Literal["char", "grapheme", "word"]

_SEPARATOR: Final = "\0"
# Encodings that are plain copies of what Python holds, by bytes of a character.
_ENCODINGS: Final = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
# Upper bounds of code points, by bytes of a character.
_ALPHABETS: Final = {1: 0x100, 2: 0x10000, 4: 0x110000}
# First byte in UTF-8 of characters that need more than this number of bytes.
_FIRST_BYTES: Final = {1: 0xC4, 2: 0xF0, 4: 0x100}
# Characters that show as a rule whether a corpus has any above U+FFFF.
_SAMPLE: Final = 256
# Time to look up the length of a text.
_SPAN_SECONDS: Final = 1e-7
# Pairs that are encoded together.
_BATCH: Final = 8192
# After an array of this size has been freed, glibc reuses the memory of smaller arrays (mallopt(3), M_MMAP_THRESHOLD).
# Otherwise each batch gives its pages back to the system, which has to clear them for the next one.
np.empty(16 << 20, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTexts:
    """Texts of one side as integers; text i is `codes[slice(*spans[i])]`."""

    codes: Codes  # uint8, uint16 or uint32; what lies between two texts is meaningless
    spans: IntArray  # shape (texts, 2)

    @property
    def lengths(self) -> IntArray:
        """Units of each text."""
        lengths: IntArray = self.spans[:, 1] - self.spans[:, 0]
        return lengths


@dataclass(frozen=True, slots=True)
class EncodedPairs:
    """Both sides with codes of one type."""

    references: EncodedTexts
    hypotheses: EncodedTexts
    alphabet_size: int  # above every code
    shared: IntArray  # units left out at the ends of each pair because both sides have them: hits
    first_index: int = 0  # of the first pair among all that were given, for messages
    has_line_feeds: bool = False  # whether there is one after each text

    def closed(self) -> "EncodedPairs":
        """The same characters with the line feed after each text, where there is one."""
        references, hypotheses = (_with_next(side) for side in (self.references, self.hypotheses))
        return EncodedPairs(references, hypotheses, self.alphabet_size, self.shared, self.first_index)

    @property
    def sides(self) -> Sides:
        """Codes and spans of both sides: what kernels take first."""
        return self.references.codes, self.references.spans, self.hypotheses.codes, self.hypotheses.spans

    @property
    def wide_sides(self) -> Sides:
        """As `sides`, with 32 bits per code: kernels that are slow to compile are compiled for one width."""
        first, first_spans, second, second_spans = self.sides
        return first.astype(np.uint32), first_spans, second.astype(np.uint32), second_spans


def _with_next(side: EncodedTexts) -> EncodedTexts:
    """Texts with the code that follows each."""
    spans = side.spans.copy()
    spans[:, 1] += 1
    return EncodedTexts(side.codes, spans)


def encode_batches(
    references: Sequence[str], hypotheses: Sequence[str], unit: Unit, *, without_ends: bool = False
) -> Iterator[tuple[slice, EncodedPairs]]:
    """Encode both sides in batches, so that what one step writes is still in the cache when the next one reads it.

    With `without_ends`, words of the common prefix and suffix of a pair, which are hits by rule, are counted and left
    out. Raises as `encode_pairs`.
    """
    check_unit(unit)
    for batch, pairs in encode_characters(references, hypotheses):
        yield batch, encode_units(pairs, unit, without_ends=without_ends)


def encode_characters(references: Sequence[str], hypotheses: Sequence[str]) -> Iterator[tuple[slice, EncodedPairs]]:
    """Encode the characters of both sides in batches, as `encode_batches` does."""
    for start in range(0, len(references), _BATCH):
        batch = slice(start, start + _BATCH)
        yield batch, _encode_chars(references[batch], hypotheses[batch], start)


def encode_units(pairs: EncodedPairs, unit: Unit, *, without_ends: bool = False) -> EncodedPairs:
    """Code the units that encoded characters make; `without_ends` as in `encode_batches`."""
    if unit == "char":
        return pairs
    return _encode_words(pairs, without_ends=without_ends) if unit == "word" else _encode_graphemes(pairs)


def encode_pairs(references: Sequence[str], hypotheses: Sequence[str], unit: Unit) -> EncodedPairs:
    """Encode both sides whole: equal units of a reference and its hypothesis, and no others, have equal codes.

    A character is coded as its code point; a grapheme by one number for all that are canonically equivalent; a word of
    a reference by the position, from 1, of the first word there that equals it, and a word of a hypothesis by the same
    number or, if its reference lacks it, by 0. Codes of words can be compared within a pair only.

    Raises InputTypeError for an entry that is not a string and InputTextError for one with a lone surrogate, with the
    side and the index, and UnknownNameError if there is no such unit.
    """
    check_unit(unit)
    return encode_units(_encode_chars(references, hypotheses, 0), unit)


def check_unit(unit: str) -> None:
    """Raise UnknownNameError if there is no such unit."""
    check_choice("unit", unit, Unit)


def _encode_chars(references: Sequence[str], hypotheses: Sequence[str], first_index: int) -> EncodedPairs:
    if isinstance(references, ArrowTexts) and isinstance(hypotheses, ArrowTexts):
        decoded = _decode_pairs(references, hypotheses, first_index)
        if decoded is not None:
            return decoded
    joined_references = _join(references, "reference", first_index)
    joined_hypotheses = _join(hypotheses, "hypothesis", first_index)
    narrow, reference_bytes = _encode_text(joined_references, 1, references, "reference", first_index)
    width, hypothesis_bytes = _encode_text(joined_hypotheses, narrow, hypotheses, "hypothesis", first_index)
    if width != narrow:
        reference_bytes = joined_references.encode(_ENCODINGS[width])
    return EncodedPairs(
        _find_texts(np.frombuffer(reference_bytes, f"<u{width}"), references),
        _find_texts(np.frombuffer(hypothesis_bytes, f"<u{width}"), hypotheses),
        _ALPHABETS[width],
        np.zeros(len(references), np.int64),
        first_index,
    )


def _decode_pairs(references: ArrowTexts, hypotheses: ArrowTexts, first_index: int) -> EncodedPairs | None:
    """Decode both sides from their bytes; None if there are few, or if some are not UTF-8: the slow way says which."""
    if ALIGNING.covers(_SPAN_SECONDS * len(references)):
        return None
    sides = references.encoded(), hypotheses.encoded()
    highest = max(int(data[bounds[0] : bounds[-1]].max(initial=0)) for data, bounds in sides)
    width = next(width for width, first in _FIRST_BYTES.items() if highest < first)
    decoded_references, decoded_hypotheses = (_decode(*side, width) for side in sides)
    if decoded_references is None or decoded_hypotheses is None:
        return None
    shared = np.zeros(len(references), np.int64)
    return EncodedPairs(
        decoded_references, decoded_hypotheses, _ALPHABETS[width], shared, first_index, has_line_feeds=True
    )


def _decode(data: Bytes, bounds: IntArray, width: int) -> EncodedTexts | None:
    from misread.alignment.kernels.utf8 import decode_texts

    codes = np.empty(bounds[-1] - bounds[0] + 2 * (len(bounds) - 1) + PADDING, f"<u{width}")
    spans = np.empty((len(bounds) - 1, 2), np.int64)
    end = decode_texts(data, bounds, codes, spans)
    if end < 0:
        return None
    codes[end : end + PADDING] = 0
    codes.setflags(write=False)
    return EncodedTexts(codes[: end + PADDING], spans)


def _encode_words(pairs: EncodedPairs, *, without_ends: bool) -> EncodedPairs:
    if ALIGNING.covers(plain.estimate_seconds(pairs.sides)):
        return _encode_few_words(pairs)
    from misread.alignment.kernels.words import number_words

    most_words = (int(pairs.references.lengths.max(initial=0)) + 1) // 2
    word_type = np.min_scalar_type(most_words)
    words = [np.empty((side.codes.size + 1) // 2, word_type) for side in (pairs.references, pairs.hypotheses)]
    reference_spans, hypothesis_spans, shared = number_words(pairs.sides, without_ends, *words)
    for side_words in words:
        # As characters are, so that the kernels are compiled for one type of array.
        side_words.setflags(write=False)
    return EncodedPairs(
        EncodedTexts(words[0], reference_spans),
        EncodedTexts(words[1], hypothesis_spans),
        most_words + 1,
        shared,
        pairs.first_index,
    )


def _encode_few_words(pairs: EncodedPairs) -> EncodedPairs:
    words, spans, other_words, other_spans = plain.number_words(pairs.sides, split_words)
    most_words = int((spans[:, 1] - spans[:, 0]).max(initial=0))
    return EncodedPairs(
        EncodedTexts(words, spans),
        EncodedTexts(other_words, other_spans),
        most_words + 1,
        pairs.shared,
        pairs.first_index,
    )


def _encode_graphemes(pairs: EncodedPairs) -> EncodedPairs:
    """Code both sides together, and separate them again."""
    sides = (pairs.references, pairs.hypotheses)
    if all(none_joins(side.codes) for side in sides):
        return pairs
    spans = np.concatenate([pairs.references.spans, pairs.hypotheses.spans + pairs.references.codes.size])
    coded = code_graphemes(np.concatenate([side.codes for side in sides], dtype=np.uint32), spans)
    texts = len(pairs.references.spans)
    units, middle = np.diff(coded.offsets), coded.offsets[texts]
    return EncodedPairs(
        _lay_out(coded.codes[:middle], units[:texts]),
        _lay_out(coded.codes[middle:], units[texts:]),
        coded.alphabet_size,
        pairs.shared,
        pairs.first_index,
    )


def _lay_out(codes: Codes, lengths: IntArray) -> EncodedTexts:
    """Take texts that lie one after the other; read-only as all others, so that kernels are compiled once."""
    padded = np.concatenate([codes, np.zeros(PADDING, codes.dtype)])
    padded.setflags(write=False)
    ends = np.cumsum(lengths, dtype=np.int64)
    return EncodedTexts(padded, np.stack([ends - lengths, ends], axis=-1))


def _join(texts: Sequence[str], side: str, first_index: int) -> str:
    if isinstance(texts, ArrowTexts | JoinedTexts):
        return texts.join(_SEPARATOR) + _SEPARATOR * (PADDING + (len(texts) > 0))
    try:
        return _SEPARATOR.join([*texts, _SEPARATOR * PADDING])
    except TypeError:
        index, entry = next((index, text) for index, text in enumerate(texts) if not isinstance(text, str))
        shown = "None" if entry is None else f"{entry!r} ({type(entry).__name__})"
        raise InputTypeError(f"{side} {first_index + index} is {shown} where a string is needed.") from None


def _encode_text(joined: str, width: int, texts: Sequence[str], side: str, first_index: int) -> tuple[int, bytes]:
    """Encode with the fewest bytes per character, at least `width`; return how many."""
    try:
        if width == 1:
            try:
                return 1, joined.encode(_ENCODINGS[1])
            except UnicodeEncodeError:
                width = 2
        if width == 2 and max(joined[:_SAMPLE]) < "\U00010000":
            encoded = joined.encode(_ENCODINGS[2])
            if len(encoded) == 2 * len(joined):
                return 2, encoded
        return 4, joined.encode(_ENCODINGS[4])
    except UnicodeEncodeError as error:
        ends = np.cumsum([len(text) + 1 for text in texts])
        index = bisect_right(ends, error.start)
        raise InputTextError(
            f"{side} {first_index + index} holds U+{ord(joined[error.start]):04X}, half of a surrogate pair and not "
            "a character: read the text again with its correct encoding."
        ) from None


def _find_texts(codes: Codes, texts: Sequence[str]) -> EncodedTexts:
    if ALIGNING.covers(_SPAN_SECONDS * len(texts)):
        return EncodedTexts(codes, _measure_texts(texts))
    from misread.alignment.kernels.separators import find_spans

    spans = np.empty((len(texts), 2), np.int64)
    if find_spans(codes, spans) != len(texts) + PADDING:
        spans = _measure_texts(texts)
    return EncodedTexts(codes, spans)


def _measure_texts(texts: Sequence[str]) -> IntArray:
    """Start and end of each text, with one separator between two texts."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(lengths + 1) - 1
    return np.stack([ends - lengths, ends], axis=-1)
