"""Metrics of terms of a list, and of numbers."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final, Literal

import numpy as np

from misread.alignment import PairedTexts, find_operations
from misread.alignment.kernels.kinds import DELETION, INSERTION
from misread.alignment.kernels.pairs import Bytes
from misread.data.segment_table import Doubt
from misread.errors import ConfigurationError
from misread.features.word_classes.metric import ERROR_COLUMNS, stack_errors
from misread.features.word_classes.terms import (
    ItemAlignment,
    MarkedTokens,
    Terms,
    align_items,
    loosen,
    read_terms,
)
from misread.metrics.base import Direction, Metric, ScoredText, Survey, divide
from misread.metrics.precision_recall import MatchScore
from misread.normalize.steps.english.numbers import read_english_numbers
from misread.text.words import WHITE_SPACE, split_words
from misread.types import BoolArray, FloatArray, IntArray

_MINUS: Final = "\N{MINUS SIGN}"
_TOKEN: Final = re.compile(
    r"((?:(?<![\w.])-(?=[$€£¢]?\d))?[$€£¢]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?)|[^\W\d_]+"
)
# Where no language says how numbers are written: points before groups of three digits, and commas before other digits.
_GROUPED: Final = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![.\d])")
_DECIMAL_COMMA: Final = re.compile(r"(?:(?<=\d),(?!\d{3}(?!\d))|(?<=(?<![\d.,])0),)(?=\d)")
# Dates, times and versions, which are several numbers.
_CHAIN: Final = re.compile(r"\d+(?:\.\d+){2,}")
_BARE_POINT: Final = re.compile(r"(?<![\w.,])\.(?=\d)")
_ANY_NUMBER: Final = 1


@dataclass(frozen=True)
class KeyTermMetric(Metric):
    """A metric of the terms of a list.

    The file has a term in each line, with its variants between slashes, `New York/NYC`; a term may be several words.
    Terms are compared with the normalized words of a text, the longest one first.

    Parameters
    ----------
    terms : str
        File of terms.
    """

    terms: str | os.PathLike[str] = ""

    files = ("terms",)
    undefined_reason = "no key term is in the texts that it counts"

    @property
    def term_list(self) -> Terms:
        """The terms; raises ConfigurationError where no file is named."""
        if not self.terms:
            raise ConfigurationError(f"{self.id} needs a file of terms: {self.id}(terms=FILE).")
        return read_terms(self.terms)

    def survey(self, pairs: ScoredText) -> Survey:
        """Terms of the references, as they are and in any case and punctuation, and how often."""
        terms, texts = self.term_list, [split_words(text) for text in pairs.references]
        occurrences = {
            "as is": (occurrence for words in texts for occurrence in terms.find(words)),
            "loose": (occurrence for words in texts for occurrence in terms.loose.find([*map(loosen, words)])),
        }
        return {kind: Counter(terms.names[entry.term] for entry in entries) for kind, entries in occurrences.items()}

    def doubts(self, survey: Survey, system: str) -> list[Doubt]:  # noqa: ARG002 - references are the same for all
        """Terms that references have in another case, or with punctuation, alone."""
        other = sorted(survey.get("loose", {}).keys() - survey.get("as is", {}).keys())
        if not other:
            return []
        brief = f"{len(other):,} of the {len(self.term_list.names):,} terms of {self.id} are in the references only"
        way = "in another case or with punctuation"
        return [
            Doubt(
                sentence=f"{brief} {way}, such as {other[0]!r}, and do not count: write them as the normalized texts "
                "do, or choose a normalizer that removes punctuation.",
                brief=f"{brief} {way}, and do not count.",
                quotes=True,
            )
        ]

    def _facts(self, unit: str, norm: str, alignment: str) -> Mapping[str, str]:
        words = f"terms@{self.term_list.digest}" if self.terms else "terms"
        return {"unit": unit, "norm": norm, "align": alignment, "words": words, "empty": "null"}


@dataclass(frozen=True)
class KeyTermMatch(KeyTermMetric):
    """Precision, recall or F1 of the terms of a list, at aligned words.

    An occurrence is one token of the alignment, whatever its variant, and a match is a hit: a term that is read
    elsewhere is none, and one that the reference does not have there is a false positive.

    Parameters
    ----------
    score : {"precision", "recall", "f1"}
        Which of them.
    alignment : {"unit", "sclite"}
        By which costs words are aligned.
    """

    score: MatchScore = "f1"
    alignment: ItemAlignment = "unit"

    columns = ("matches", "reference_terms", "hypothesis_terms")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 3)."""
        return pairs.once(_count_terms, self.term_list, self.alignment)

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 3) -> (...); NaN where a side that it needs has no term."""
        matches, references, hypotheses = np.moveaxis(counts, -1, 0)
        if self.score == "f1":
            return divide(2 * matches, references + hypotheses, undefined=np.nan)
        return divide(matches, references if self.score == "recall" else hypotheses, undefined=np.nan)

    @property
    def is_ratio(self) -> bool:
        """Whether its denominator is of the reference alone, and so the same for every system."""
        return self.score == "recall"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, digest of the terms."""
        return self._facts("term", norm, self.alignment)


def _count_terms(texts: PairedTexts, terms: Terms, alignment: ItemAlignment) -> IntArray:
    aligned = align_items(texts.references, texts.hypotheses, terms.mark, alignment)
    counted = (aligned.read, aligned.references >= 0, aligned.hypotheses >= 0)
    return np.stack([np.bincount(aligned.rows[holds], minlength=len(texts)) for holds in counted], axis=-1)


def count_by_term(pairs: ScoredText, terms: Terms, alignment: ItemAlignment) -> IntArray:
    """Occurrences of each term that were read, missed and made up, shape (terms, 3)."""
    aligned = align_items(pairs.references, pairs.hypotheses, terms.mark, alignment)
    read, expected, written = (
        np.bincount(items[items >= 0], minlength=len(terms.names))
        for items in (aligned.references[aligned.read], aligned.references, aligned.hypotheses)
    )
    return np.stack([read, expected - read, written - read], axis=-1)


@dataclass(frozen=True)
class KeyTermErrorRate(KeyTermMetric):
    """Character error rate inside the terms of the references.

    Texts have the first variant of every term, and are aligned by characters. A character that is inserted inside a
    term, or at its ends without white space between, is an error in it.
    """

    columns = ERROR_COLUMNS
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")
    counted = "character errors in key terms"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        terms = self.term_list
        pieces = [terms.split(text) for text in pairs.references]
        is_listed = [any(term >= 0 for _, term in text) for text in pieces]
        # What has no term needs no alignment.
        references, hypotheses = (
            [" ".join(word for word, _ in text) if listed else "" for text, listed in zip(side, is_listed, strict=True)]
            for side in (pieces, map(terms.split, pairs.hypotheses))
        )
        operations = find_operations(references, hypotheses)
        kinds = np.zeros((4, len(references)), np.int64)
        for row in np.flatnonzero(is_listed).tolist():
            codes = operations.codes[operations.offsets[row] : operations.offsets[row + 1]]
            belongs = _belong(codes, _number_terms(pieces[row]), hypotheses[row])
            kinds[:, row] = np.bincount(codes[belongs], minlength=4)
        return stack_errors(*kinds)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, digest of the terms."""
        return self._facts("char", norm, "unit")


def _number_terms(pieces: Sequence[tuple[str, int]]) -> IntArray:
    """Place of the piece of each character among all if it is a term, from 1, else 0."""
    numbers = [[row if term >= 0 else 0] * len(word) + [0] for row, (word, term) in enumerate(pieces, start=1)]
    return np.array([*chain.from_iterable(numbers)][:-1], np.int64)


def _belong(codes: Bytes, numbers: IntArray, hypothesis: str) -> BoolArray:
    """Whether operations on characters belong to a term; `numbers` are those of the terms of the reference."""
    inserted = codes == INSERTION
    padded = np.concatenate([[0], numbers, [0]])
    before = np.cumsum(~inserted)
    left, right = padded[before], padded[before + inserted]
    is_white = np.zeros(len(codes), np.bool_)
    is_white[codes != DELETION] = [character in WHITE_SPACE for character in hypothesis]
    # Inserted white space separates insertions beyond it from a term.
    separates = inserted & is_white
    touches_left = _last(separates) < _last(~inserted)
    touches_right = (_last(separates[::-1]) < _last(~inserted[::-1]))[::-1]
    joins = (left > 0) & ((left == right) | touches_left) | (right > 0) & touches_right
    belongs: BoolArray = np.where(inserted, joins, left > 0)
    return belongs


def _last(holds: BoolArray) -> IntArray:
    """Position of the last true entry up to each; -1 for none."""
    last: IntArray = np.maximum.accumulate(np.where(holds, np.arange(len(holds)), -1))
    return last


@dataclass(frozen=True)
class NumberErrorRate(Metric):
    """Errors in numbers over the numbers of the reference: wrong (S), missing (D) and added ones (I).

    A number is wrong if another one is read in its place, in an alignment of numbers and words. Numbers are equal if
    their values are, so that "1,000.50" is "1000.5"; signs of currencies, "%" and the endings of ordinals are not part
    of them.

    Parameters
    ----------
    language : {"en", "none"}
        Language whose number words are numbers, "twenty one" for 21; "none" for digits alone.
    alignment : {"unit", "sclite"}
        By which costs they are aligned.
    """

    language: Literal["en", "none"] = "en"
    alignment: ItemAlignment = "unit"

    columns = ERROR_COLUMNS
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")
    counted = "errors in numbers"
    undefined_reason = "the references have no number"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        mark = partial(mark_numbers, language=self.language)
        aligned = align_items(pairs.references, pairs.hypotheses, mark, self.alignment)
        expected, written = aligned.references >= 0, aligned.hypotheses >= 0
        wrong = expected & written & ~aligned.read
        kinds = (aligned.read, wrong, expected & ~written, written & ~expected)
        return stack_errors(*(np.bincount(aligned.rows[holds], minlength=len(pairs.references)) for holds in kinds))

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, number words."""
        words = f"numbers-{self.language}"
        return {"unit": "number", "norm": norm, "align": self.alignment, "words": words, "empty": "null"}


def mark_numbers(text: str, language: str) -> MarkedTokens:
    """Numbers of a text in one form, and its other words; the item of a number is 1."""
    text = _BARE_POINT.sub("0.", text.lower().replace(_MINUS, "-"))
    if language == "none":
        text = _DECIMAL_COMMA.sub(".", _GROUPED.sub(lambda match: match[0].replace(".", ""), text))
    text = _CHAIN.sub(lambda match: match[0].replace(".", " "), text)
    if language == "en":
        text = read_english_numbers(text)
    matches = [*_TOKEN.finditer(text)]
    tokens = [_write_value(match[1]) if match[1] else match[0] for match in matches]
    return MarkedTokens(tokens, [_ANY_NUMBER if match[1] else -1 for match in matches])


def _write_value(number: str) -> str:
    """A number by its value: "-0,012.50" and "-12.5" are one."""
    whole, _, fraction = (
        "".join(str(unicodedata.digit(sign)) for sign in part if sign.isdigit()) for part in number.partition(".")
    )
    value = f"{whole.lstrip('0') or '0'}.{fraction}".rstrip("0").rstrip(".")
    return f"-{value}" if number.startswith("-") and value != "0" else value
