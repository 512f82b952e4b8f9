"""Words and their punctuation marks, for many texts at once, and aligned words of both sides."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment import PairedTexts, paired_operations
from misread.alignment.encode.joined_units import join_words
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.alignment.kernels.pairs import Codes
from misread.text.arrow_numpy import to_arrow
from misread.text.lazy_texts import JoinedTexts
from misread.text.words import WHITE_SPACE, split_words
from misread.types import BoolArray, IntArray

# Between texts, and a placeholder for the word where a text begins with a mark alone.
_END: Final = "\x1c"
NOTHING: Final = "\u2205"


# Properties of characters, as bits.
_MARK: Final = 1
_LETTER: Final = 2
_WHITE: Final = 4

# Case folding of Latin-1, but for the two characters that it makes others of, or more than one.
_FOLDED_LATIN: Final = bytes(
    ord(folded) if len(folded := chr(code).casefold()) == 1 and folded < "\u0100" else code for code in range(256)
)
_FOLDED_OTHERWISE: Final = "\xb5\xdf"


class CasedCharacters(NamedTuple):
    """Characters that case folding changes: word, counted over all texts, place in it, and code point of each."""

    words: IntArray
    places: IntArray
    codes: IntArray


@dataclass(frozen=True, eq=False)
class MarkedWords:
    """Words without marks, and marks with the word that each is at, or after.

    A mark is a character of the categories P of Unicode that is not between two letters or digits.
    """

    joined: str  # texts without marks, one space or more between words
    mark_words: IntArray  # word of each mark, counted over all texts
    marks: Codes  # code point of each

    def capitals(self) -> CasedCharacters | None:
        """Characters that case folding changes; None where it makes other numbers of characters of them."""
        if len(self._folded) != len(self.joined):
            return None
        codes, bits = _classify(self.joined)
        places = np.flatnonzero(codes != _encode(self._folded, codes.itemsize))
        is_white = (bits & _WHITE != 0) | (codes == ord(_END))
        is_first = ~is_white
        is_first[1:] &= is_white[:-1]
        starts = np.flatnonzero(is_first)
        words = np.searchsorted(starts, places, side="right") - 1
        return CasedCharacters(words, places - starts[words], codes[places].astype(np.int64))

    @property
    def words(self) -> list[str]:
        """Words of all texts, one after the other."""
        return split_words(self.joined.replace(_END, " "))

    def take(self, words: IntArray) -> Any:
        """Some of the words, as an Arrow array."""
        return join_words([self.joined.replace(_END, " ")]).take(to_arrow(2 * words))

    @property
    def folded(self) -> JoinedTexts:
        """Texts without case."""
        return split_texts(self._folded)

    @cached_property
    def _folded(self) -> str:
        return fold_case(self.joined)


def take_marks(texts: Sequence[str]) -> MarkedWords:
    """Take the marks out of texts. A text that begins with a mark alone has `NOTHING` as its first word."""
    codes, bits = _classify(join_texts(texts))
    is_end = codes == ord(_END)
    is_mark = _find_marks(bits)
    is_white = (bits & _WHITE != 0) | is_end
    # Tokens and white space in turn; the end of a text is white space.
    edges = np.flatnonzero(np.diff(is_white, prepend=True))
    starts, places = edges[::2], np.flatnonzero(is_mark)
    # Tokens of marks alone are those whose end is met before anything else.
    token_of = np.searchsorted(starts, places, side="right") - 1
    sizes = edges[1::2] - starts
    has_core = np.bincount(token_of, minlength=len(starts)) < sizes
    alone = np.flatnonzero(~has_core)
    before = starts[alone] - 1
    while np.any(inside := (before >= 0) & is_white[before] & ~is_end[before]):
        before[inside] -= 1
    begins = alone[(before < 0) | is_end[before]]
    has_core[begins] = True
    word_of = np.cumsum(has_core) - 1
    letters = codes
    stays = ~is_mark
    if len(begins):
        letters = codes.astype(np.uint32)
        letters[starts[begins]] = ord(NOTHING)
        stays[starts[begins]] = True
    return MarkedWords(_decode(letters[stays]), word_of[token_of], codes[places])


def strip_marks(texts: Sequence[str]) -> str:
    """Texts without their marks, as `split_texts` takes them apart."""
    codes, bits = _classify(join_texts(texts))
    return _decode(codes[~_find_marks(bits)])


def split_texts(joined: str) -> JoinedTexts:
    """Texts that were joined here."""
    return JoinedTexts(joined, _END)


def join_texts(texts: Sequence[str]) -> str:
    """Texts as one, each with its end."""
    joined = _END.join([*texts, ""])
    if joined.count(_END) > len(texts):
        return _END.join([*(text.replace(_END, " ") for text in texts), ""])
    return joined


def fold_case(text: str) -> str:
    """As `str.casefold`, which takes ten times as long on Latin-1."""
    if any(character in text for character in _FOLDED_OTHERWISE):
        return text.casefold()
    try:
        return text.encode("latin-1").translate(_FOLDED_LATIN).decode("latin-1")
    except UnicodeEncodeError:
        return text.casefold()


def _encode(text: str, width: int) -> Codes:
    """Code points of a text, in as many bytes as another one of its characters without case."""
    if width == 1:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le"), "<u4")


def _classify(joined: str) -> tuple[Codes, NDArray[np.uint8]]:
    """Code points of a text, and the properties of each."""
    try:
        data = joined.encode("latin-1")
    except UnicodeEncodeError:
        codes: Codes = np.frombuffer(joined.encode("utf-32-le"), "<u4")
        table = np.zeros(int(codes.max()) + 1, np.uint8)
        table[codes] = 1
        occurring = np.flatnonzero(table)
        table[occurring] = [_properties(chr(code)) for code in occurring.tolist()]
        return codes, table[codes]
    # Less than half of the time of an array that is indexed by bytes.
    return np.frombuffer(data, np.uint8), np.frombuffer(data.translate(_properties_of_latin()), np.uint8)


@cache
def _properties_of_latin() -> bytes:
    return bytes(_properties(chr(code)) for code in range(256))


def _properties(character: str) -> int:
    is_mark = unicodedata.category(character).startswith("P")
    return _MARK * is_mark | _LETTER * character.isalnum() | _WHITE * (character in WHITE_SPACE)


def _decode(codes: Codes) -> str:
    if codes.itemsize == 1:
        return codes.tobytes().decode("latin-1")
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le")


def _find_marks(bits: NDArray[np.uint8]) -> BoolArray:
    places = np.flatnonzero(bits & _MARK)
    # The last character is the end of a text.
    inside = (bits[places - 1] & _LETTER != 0) & (bits[np.minimum(places + 1, len(bits) - 1)] & _LETTER != 0)
    marks = np.zeros(len(bits), np.bool_)
    marks[places[~inside | (places == 0)]] = True
    return marks


class WordPlaces(NamedTuple):
    """Of each operation of an alignment of words: its pair, its word of either side (-1 for none), whether it is a hit.

    Words are counted over all texts of a side.
    """

    rows: IntArray
    references: IntArray
    hypotheses: IntArray
    hits: BoolArray


def place_words(texts: PairedTexts) -> WordPlaces:
    """Places of all operations of the alignment with unit costs."""
    operations = paired_operations(texts, unit="word")
    codes = operations.codes
    rows = np.repeat(np.arange(len(operations)), np.diff(operations.offsets))
    sides = []
    for missing in (INSERTION, DELETION):
        is_there = codes != missing
        sides.append(np.where(is_there, np.cumsum(is_there) - 1, -1))
    return WordPlaces(rows, sides[0], sides[1], codes == HIT)
