"""Error rate of texts that mix words with languages without spaces."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import regex

from misread.alignment import pairs_from, split_graphemes
from misread.alignment.encode.inputs import check_text
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.text.words import split_words
from misread.types import IntArray

# Script extensions: punctuation that Han, Hiragana or Katakana use is a unit, too.
_IDEOGRAPHIC: Final = regex.compile(r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]")
_WITHOUT_SPACES: Final = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_HANGUL: Final = regex.compile(r"\p{Hangul}")
# No character below is a unit of its own.
_FIRST: Final = "\u0e00"


@dataclass(frozen=True)
class MixedErrorRate(Metric):
    """Error rate of mixed text: a token is a character of Han, Hiragana or Katakana, else a word.

    In Thai, Lao, Khmer and Burmese each grapheme is a token. For text without such characters it is the word error
    rate, and for text of nothing else the character error rate. Not to be confused with the match error rate, `mer`.

    Parameters
    ----------
    hangul : bool
        Whether each syllable of Hangul is a token, too; Korean has spaces between words.
    """

    hangul: bool = False

    columns = ErrorRate("wer", "word").columns
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        words = ErrorRate(self.id, "word", text=self.text)
        counts = words.count(pairs)
        rows = np.flatnonzero(pairs.once(pairs_from, _FIRST)).tolist()
        if rows:
            counts = counts.copy()
            references, hypotheses = (
                [self.space(side[row]) for row in rows] for side in (pairs.references, pairs.hypotheses)
            )
            counts[rows] = words.count(ScoredText(references, hypotheses))
        return counts

    def space(self, text: str) -> str:
        """The text with spaces around each token."""
        return "".join(f" {unit} " if _stands_alone(unit[0], self.hangul) else unit for unit in split_graphemes(text))

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, scripts that are divided into characters."""
        hangul = "+hangul" if self.hangul else ""
        return {"unit": "mixed", "norm": norm, "align": "unit", "tokens": f"cjk{hangul}+graphemes", "empty": "null"}


def split_mixed(text: str, *, hangul: bool = False) -> list[str]:
    """Split mixed text into the tokens that `mixed_error_rate` counts.

    Parameters
    ----------
    text : str
        Of any language.
    hangul : bool
        Whether each syllable of Hangul is a token.

    Raises
    ------
    InputTypeError
        If it is not one text.

    Examples
    --------
    >>> split_mixed("我用 Python 三年了")
    ['我', '用', 'Python', '三', '年', '了']
    """
    return split_words(MixedErrorRate("mixed", hangul=hangul).space(check_text("text", text)))


@cache
def _stands_alone(character: str, hangul: bool) -> bool:
    patterns = (_IDEOGRAPHIC, _WITHOUT_SPACES, *([_HANGUL] if hangul else []))
    return any(pattern.match(character) for pattern in patterns)
