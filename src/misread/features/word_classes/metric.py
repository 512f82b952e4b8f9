"""Error rates of some of the words: rare ones, those of a list, those of entities."""

import hashlib
import os
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from misread.alignment import AlignmentPolicy, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.errors import ConfigurationError, InputFileError, InputValueError
from misread.io.checks.numbers import check_whole
from misread.io.text import read_text, split_lines
from misread.metrics.base import Direction, Metric, ScoredText
from misread.text.words import split_words
from misread.types import BoolArray, IntArray

# No corpus has more words than 18 digits can count, and Python refuses numbers of thousands of digits.
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class WordCounts:
    """Occurrences of words; a word that is not among them never occurs."""

    counts: Mapping[str, int] = field(repr=False)
    digest: str  # of the file

    def __getitem__(self, word: str) -> int:
        return self.counts.get(word, 0)


def read_word_counts(path: str | os.PathLike[str]) -> WordCounts:
    """Read lines of a word, a tab and its occurrences; errors name file and line.

    Words are those of normalized texts: a file in capitals knows none of a text in small letters.
    """
    file = Path(path)
    return _read(file, file.stat().st_mtime_ns if file.is_file() else 0)


@cache
def _read(path: Path, _time: int) -> WordCounts:
    text = read_text(path)
    counts: dict[str, int] = {}
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        word, tab, occurrences = line.rpartition("\t")
        occurrences = occurrences.strip()
        if not (tab and word.strip() and _NUMBER.fullmatch(occurrences)):
            raise InputFileError(
                f"{path}, line {number}: expected a word, a tab and its occurrences, such as the\t570817."
            )
        if word in counts:
            raise InputFileError(f"{path}, line {number}: {word!r} occurs twice; add its occurrences up.")
        counts[word] = int(occurrences)
    if not counts:
        raise InputFileError(f"{path} has no word, expected lines of a word, a tab and its occurrences.")
    return WordCounts(counts, hashlib.sha256(text.encode()).hexdigest()[:8])


BIASING: Final = "biasing"
ENTITIES: Final = "entities"


ERROR_COLUMNS: Final = ("errors", "length", "hits", "substitutions", "deletions", "insertions")


def stack_errors(hits: IntArray, substitutions: IntArray, deletions: IntArray, insertions: IntArray) -> IntArray:
    """Counts of every segment in the order of `ERROR_COLUMNS`, shape (segments, 6)."""
    errors, length = substitutions + deletions + insertions, hits + substitutions + deletions
    return np.stack([errors, length, hits, substitutions, deletions, insertions], axis=-1)


class WordsOf(NamedTuple):
    """Texts of one side whose words are to be told apart: the segment of each, and how many words it has."""

    pairs: ScoredText
    texts: Sequence[str]
    rows: IntArray
    sizes: IntArray
    in_reference: bool


@dataclass(frozen=True)
class ClassErrorRate(Metric):
    """Errors of the words of one class over the words of that class in the reference.

    A substitution or deletion belongs to the class of the word of the reference, an insertion to that of the inserted
    word.
    """

    alignment: AlignmentPolicy = "unit"

    columns = ERROR_COLUMNS
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")

    @abstractmethod
    def belong(self, words: WordsOf) -> BoolArray:
        """Whether each word of some texts, one after the other, belongs to the class."""

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        if self.alignment == "transpositions":
            raise ConfigurationError(f"{self.id}: alignment 'transpositions' has errors of two words; choose another.")
        operations = paired_operations(pairs.paired, unit="word", alignment=self.alignment)
        kinds, segments = operations.codes, len(operations)
        rows = np.repeat(np.arange(segments), np.diff(operations.offsets))
        is_insertion = kinds == INSERTION
        # Of each operation, the word of the reference or the one that was inserted.
        belongs = np.empty(len(kinds), np.bool_)
        sizes = np.bincount(rows[~is_insertion], minlength=segments)
        belongs[~is_insertion] = self.belong(WordsOf(pairs, pairs.references, np.arange(segments), sizes, True))
        if is_insertion.any():
            is_word = kinds != DELETION
            has_insertion = np.bincount(rows[is_insertion], minlength=segments) > 0
            having = np.flatnonzero(has_insertion)
            sizes = np.bincount(rows[is_word], minlength=segments)[having]
            texts = [pairs.hypotheses[row] for row in having.tolist()]
            inserted = is_insertion[is_word & has_insertion[rows]]
            belongs[is_insertion] = self.belong(WordsOf(pairs, texts, having, sizes, False))[inserted]
        cells = rows[belongs] * 4 + kinds[belongs]
        by_kind = np.bincount(cells, minlength=4 * segments).reshape(segments, 4)
        return stack_errors(*(by_kind[:, kind] for kind in (HIT, SUBSTITUTION, DELETION, INSERTION)))

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, which words."""
        return {"unit": "word", "norm": norm, "align": self.alignment, "words": self._words, "empty": "null"}

    @property
    @abstractmethod
    def _words(self) -> str:
        """The class in one word of a signature."""


@dataclass(frozen=True)
class BiasingErrorRate(ClassErrorRate):
    """Error rate of the words inside or outside of the biasing list of their segment: B-WER and U-WER.

    The annotation "biasing" of the references has a list of words for each segment.

    Parameters
    ----------
    part : {"inside", "outside"}
        Which words.
    alignment : {"unit", "sclite"}
        By which costs words are aligned; published figures have those of sclite.

    References
    ----------
    Le et al. (2021), Contextualized streaming end-to-end speech recognition with trie-based deep biasing and shallow
    fusion, Interspeech.
    """

    part: Literal["inside", "outside"] = "inside"

    reference_annotations = (BIASING,)

    def belong(self, words: WordsOf) -> BoolArray:
        listed = words.pairs.annotation(BIASING, self.id)
        inside = np.zeros(int(words.sizes.sum()), np.bool_)
        end = 0
        for text, row, size in zip(words.texts, words.rows.tolist(), words.sizes.tolist(), strict=True):
            end += size
            biasing = listed[row]
            if not isinstance(biasing, list) or not {*map(type, biasing)} <= {str}:
                shown = "no biasing list" if biasing is None else f"{biasing!r} as its biasing list"
                raise InputValueError(
                    f"{words.pairs.name(row)} has {shown}, expected a list of words, or an empty one."
                )
            # Most texts have none of them, which needs no words.
            if any(map(text.__contains__, biasing)):
                known = {*biasing}
                inside[end - size : end] = [word in known for word in split_words(text)]
        return inside if self.part == "inside" else ~inside

    @property
    def counted(self) -> str:
        """Errors inside or outside of the lists."""
        return f"errors in {'listed' if self.part == 'inside' else 'unlisted'} words"

    @property
    def _words(self) -> str:
        return f"{self.part}-biasing"


@dataclass(frozen=True)
class FrequencyErrorRate(ClassErrorRate):
    """Error rate of the words within a range of frequencies in training data; words not in the counts have 0.

    Parameters
    ----------
    counts : str
        File with lines of a word, a tab and its occurrences.
    at_least, below : int
        Occurrences from and up to which words belong to the class.
    """

    counts: str | os.PathLike[str] | None = None
    at_least: int = 0
    below: int = 10

    files = ("counts",)
    counted = "errors in words of this frequency"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= check_whole("at_least", self.at_least) < check_whole("below", self.below):
            raise ConfigurationError(
                f"{self.id}: at_least is {self.at_least} and below {self.below}; no count lies between."
            )

    def belong(self, words: WordsOf) -> BoolArray:
        counts = self.word_counts.counts
        joined = split_words(" ".join(words.texts))
        occurrences = np.fromiter((counts.get(word, 0) for word in joined), np.int64, len(joined))
        belongs: BoolArray = (occurrences >= self.at_least) & (occurrences < self.below)
        return belongs

    @property
    def word_counts(self) -> WordCounts:
        """The counts; raises ConfigurationError where no file is named."""
        if self.counts is None:
            raise ConfigurationError(
                f"{self.id} needs a file of word counts: {self.id}(counts=FILE), or its setting counts."
            )
        return read_word_counts(self.counts)

    @property
    def _words(self) -> str:
        digest = f"@{self.word_counts.digest}" if self.counts is not None else ""
        return f"seen-{self.at_least}-to-{self.below - 1}{digest}"


@dataclass(frozen=True)
class EntityErrorRate(ClassErrorRate):
    """Error rate of the words of the reference that are part of an entity; inserted words are part of none.

    The annotation "entities" of the references has a list of labels for each word as it is given, and a normalized word
    has those of all words that it is made of; files of tokens (.nlp) bring it along.

    Parameters
    ----------
    label : str, optional
        Label of the entities, such as "PERSON"; all by default.
    """

    label: str = ""

    reference_annotations = (ENTITIES,)
    counted = "errors in entities"

    def belong(self, words: WordsOf) -> BoolArray:
        if not words.in_reference:
            return np.zeros(int(words.sizes.sum()), np.bool_)
        labels = labels_of(words.sizes, words.pairs, self.id)
        return np.array([bool(names) and (not self.label or self.label in names) for names in labels], np.bool_)

    @property
    def _words(self) -> str:
        return f"entities-{self.label}" if self.label else "entities"


def labels_of(sizes: IntArray, pairs: ScoredText, metric: str) -> list[Sequence[str]]:
    """Labels of all words of the references, one after the other; raises InputValueError where they do not fit.

    `sizes` are the numbers of words of the references.
    """
    labels: list[Sequence[str]] = []
    for row, (size, value) in enumerate(zip(sizes.tolist(), pairs.annotation(ENTITIES, metric), strict=True)):
        if not size:
            continue
        if not isinstance(value, list) or len(value) != size or not all(map(_are_labels, value)):
            raise InputValueError(f"{pairs.name(row)} has {_say_fault(value, size)}")
        labels += value
    return labels


def _say_fault(value: Any, size: int) -> str:
    example = 'such as [[], [], ["NUM"]] for three words, the last one a number'
    if isinstance(value, list) and len(value) == size:
        number, labels = next((number, labels) for number, labels in enumerate(value, 1) if not _are_labels(labels))
        return f"{labels!r} as the labels of word {number}, expected a list of labels for each word, {example}."
    lists = f"{len(value):,} lists of labels" if isinstance(value, list) else "no lists of labels"
    return (
        f"{lists} for the {size:,} words of its normalized reference; give one for each word of the reference as "
        f"it is, {example}."
    )


def _are_labels(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(label, str) for label in value)
