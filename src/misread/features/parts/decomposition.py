"""Parts of an error rate, and of the difference of two: conventions, structure, and the rest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count as count_from
from typing import Any, Final

import numpy as np

from misread.alignment.encode.texts import Unit, check_unit
from misread.errors import ConfigurationError, InputValueError
from misread.features.parts.game import common_denominator, shapley_parts
from misread.features.parts.step_sets import Change, base, find_steps
from misread.features.parts.structure import KINDS, count_structure
from misread.stats import ConfidenceInterval, adjust
from misread.stats.bootstrap.jackknife import FEWEST_FREEDOM, jackknife_estimate, symmetric_interval
from misread.stats.bootstrap.resampling import cluster_rows
from misread.stats.results import positive_pvalue
from misread.text.words import split_words
from misread.types import FloatArray, IntArray

REST: Final = "rest"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rate or of a difference, as a share of the units of the references.

    Attributes
    ----------
    name : str
        Name of a step, of a kind of structure, or "rest".
    value : float
        The part; negative where a step makes one error two.
    interval : ConfidenceInterval or None
        None where fewer than six clusters have it, or a quarter of up to forty, or they are too unequal.
    pvalue : float or None
        Of a part of nothing, before adjustment.
    first, last : float or None
        Change if this alone is taken, and if it is taken after all others; None for the rest.
    """

    name: str
    value: float
    interval: ConfidenceInterval | None
    pvalue: float | None
    first: float | None
    last: float | None


@dataclass(frozen=True, eq=False)
class Parts:
    """Errors of several systems on the same references, taken apart segment by segment.

    Attributes
    ----------
    names : sequence of str
        Steps, kinds of structure, and "rest".
    steps : int
        How many of them are steps.
    unit : {"word", "char"}
        What errors and lengths count.
    counts : mapping of str to ndarray of int, shape (parts, segments)
        Parts by system, as multiples of 1 / `denominator`; they add up to the errors of the raw texts.
    ends : mapping of str to ndarray of int, shape (2, parts - 1, segments)
        Change by each alone and after all others, by system.
    lengths, final_lengths : ndarray of int, shape (segments,)
        Units of the references, as they are and after all steps.
    final_errors : mapping of str to ndarray of int
        Errors after all steps, by system.
    clusters : sequence of str, optional
        Label of each segment.
    """

    names: Sequence[str]
    steps: int
    unit: Unit
    counts: Mapping[str, IntArray]
    ends: Mapping[str, IntArray]
    lengths: IntArray
    final_lengths: IntArray
    final_errors: Mapping[str, IntArray]
    clusters: Sequence[str] | None = None

    @property
    def denominator(self) -> int:
        """Whole number that makes counts of errors of parts."""
        return common_denominator(self.steps)

    def of(self, system: str, baseline: str | None = None, *, confidence: float = 0.95) -> list[Part]:
        """Parts of the rate of a system, or of its difference from another one; they add up to it."""
        counts, ends = self.counts[system], self.ends[system]
        if baseline is not None:
            counts, ends = counts - self.counts[baseline], ends - self.ends[baseline]
        changes = [*(ends.sum(axis=2) / self.lengths.sum()).T.tolist(), (None, None)]
        rows = zip(self.names, counts, changes, strict=True)
        return [self._part(name, errors, confidence, both) for name, errors, both in rows]

    def whole(self, system: str, baseline: str | None = None, *, confidence: float = 0.95) -> Part:
        """Sum of all parts: the rate of the raw texts, or its difference from that of another system."""
        counts = self.counts[system] - (0 if baseline is None else self.counts[baseline])
        return self._part("sum", counts.sum(axis=0), confidence)

    def _part(self, name: str, counts: IntArray, confidence: float, ends: Any = (None, None)) -> Part:
        errors = counts / self.denominator
        interval, pvalue = self._interval(errors, confidence)
        return Part(name, float(errors.sum() / self.lengths.sum()), interval, pvalue, *ends)

    def clear(self, parts: Sequence[Part], *, alpha: float = 0.05) -> list[Part]:
        """Parts whose interval excludes 0 after Holm's adjustment over all parts that have one."""
        tested = [part for part in parts if part.pvalue is not None]
        adjusted = adjust([part.pvalue or 0.0 for part in tested], method="holm")
        return [part for part, pvalue in zip(tested, adjusted, strict=True) if pvalue < alpha]

    def final_rate(self, system: str) -> float:
        """Rate after all steps, which others publish: what steps leave, and `length`, over the raw length."""
        return float(self.final_errors[system].sum() / self.final_lengths.sum())

    def _interval(self, errors: FloatArray, confidence: float) -> tuple[ConfidenceInterval | None, float | None]:
        codes = None if self.clusters is None else np.unique(np.asarray(self.clusters), return_inverse=True)[1]
        units = cluster_rows(np.stack([errors, self.lengths.astype(float)], axis=-1), codes)
        sizes, without = np.abs(units[:, 0]), units.sum(axis=0) - units
        if np.count_nonzero(sizes) < max(6, min(len(units) / 4, 10)) or not without[:, 1].all():
            return None, None
        value = units[:, 0].sum() / units[:, 1].sum()
        estimate = jackknife_estimate(value, without[:, 0] / without[:, 1], units[:, 1])
        if not estimate.has_interval:
            return None, None
        interval = symmetric_interval(estimate, confidence)
        effective = sizes.sum() ** 2 / (sizes**2).sum()
        if effective < min(0.6 * len(units), 30):
            # A sample may lack the clusters that have most of such a part, and it be larger by far: the far end has the
            # fewest degrees of freedom, and an error that grows with the part, as that of a rate does.
            reach = symmetric_interval(replace(estimate, freedom=FEWEST_FREEDOM), confidence).high - value
            reach *= math.exp(math.asinh(reach * units[:, 1].sum() / sizes.sum() / 2))
            estimate = replace(estimate, freedom=min(estimate.freedom, max(effective - 1, FEWEST_FREEDOM)))
            interval = symmetric_interval(estimate, confidence)
            interval = replace(interval, low=value - reach) if value < 0 else replace(interval, high=value + reach)
        return interval, positive_pvalue(2 * estimate.tail(abs(value)))


def decompose(
    references: Sequence[str],
    hypotheses: Mapping[str, Sequence[str]],
    *,
    steps: str | Sequence[str] = "english",
    unit: Unit = "word",
    clusters: Sequence[str] | None = None,
) -> Parts:
    """Take error rates apart: what each convention, omitted or moved text, and misreading contributes.

    Texts are scored under every subset of the steps, and each part is a Shapley value: the mean change over all orders
    in which steps can be applied, over one common denominator. So parts add up in every segment, and to rates and
    differences.

    Parameters
    ----------
    references : sequence of str, length segments
    hypotheses : mapping of str to sequence of str
        Outputs by system.
    steps : str or sequence of str
        "english", "ocr", or names of steps of normalizers in their order, at most eight.
    unit : {"word", "char"}
        What errors count.
    clusters : sequence of str, optional
        Label of each segment, such as its page; intervals are by cluster.

    Returns
    -------
    Parts

    Raises
    ------
    ConfigurationError
        If there is no step, more than eight, or one that cannot be a part.
    InputValueError
        If the numbers of texts differ, there is no system, or the references are all empty.

    References
    ----------
    Shapley (1953), A value for n-person games.

    Examples
    --------
    >>> parts = decompose(["Hello, World 20"], {"a": ["hello world twenty"]})
    >>> [(part.name, round(part.value, 3)) for part in parts.of("a") if part.value]
    [('case', 0.5), ('punctuation', 0.167), ('numbers', 0.333)]
    """
    changes = find_steps(steps)
    check_unit(unit)
    if unit not in KINDS:
        raise ConfigurationError(f"unit is {unit!r}, expected {' or '.join(KINDS)} for parts.")
    if not hypotheses:
        raise InputValueError("hypotheses name no system.")
    for name, texts in (*hypotheses.items(), *([("clusters", clusters)] if clusters is not None else [])):
        if len(texts) != len(references):
            raise InputValueError(f"{name} has {len(texts)} texts, expected {len(references)} as the references.")
    counting = _Counting(list(changes.values()), unit)
    reference_texts = counting.under_all(references)
    lengths, final_lengths = (_lengths(reference_texts[number], unit) for number in (0, -1))
    if not lengths.sum():
        raise InputValueError("the references are all empty: there is no rate to take apart.")
    counts, ends, final_errors = {}, {}, {}
    for system, texts in hypotheses.items():
        errors, structure = counting.count(reference_texts, counting.under_all(texts))
        counts[system] = shapley_parts(errors, structure)
        bits, whole = [1 << step for step in range(len(changes))], len(errors) - 1
        alone = [errors[0] - errors[bit] for bit in bits] + list(structure[0])
        after = [errors[whole ^ bit] - errors[whole] for bit in bits] + list(structure[whole])
        ends[system] = np.array([alone, after])
        final_errors[system] = errors[-1]
    names = [*changes, *KINDS[unit], REST]
    return Parts(names, len(changes), unit, counts, ends, lengths, final_lengths, final_errors, clusters)


def _lengths(texts: Sequence[str], unit: Unit) -> IntArray:
    return np.array([len(split_words(text)) if unit == "word" else len(text) for text in texts])


class _Counting:
    """Texts under all subsets of steps, and counts of pairs, each distinct text and pair once."""

    def __init__(self, changes: Sequence[Change], unit: Unit) -> None:
        self._changes = changes
        self._unit = unit
        self._changed: list[dict[str, str]] = [{} for _ in changes]
        self._based: dict[str, str] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: list[IntArray] = []

    def under_all(self, texts: Sequence[str]) -> list[list[str]]:
        """Texts under each subset, by the bits of its number; steps keep their order."""
        variants = {text: self._under_all(text) for text in dict.fromkeys(texts)}
        return [[variants[text][subset] for text in texts] for subset in range(1 << len(self._changes))]

    def _under_all(self, text: str) -> list[str]:
        variants = [self._base(text)]
        for change, known in zip(self._changes, self._changed, strict=True):
            for variant in list(variants):
                if variant not in known:
                    known[variant] = change(variant)
                variants.append(known[variant])
        return [self._base(variant) for variant in variants]

    def _base(self, text: str) -> str:
        if text not in self._based:
            self._based[text] = base(text)
        return self._based[text]

    def count(self, references: list[list[str]], hypotheses: list[list[str]]) -> tuple[IntArray, IntArray]:
        """Errors, shape (subsets, segments), and structure, shape (subsets, kinds, segments)."""
        pairs = [list(zip(*sides, strict=True)) for sides in zip(references, hypotheses, strict=True)]
        new = [pair for pair in dict.fromkeys(pair for subset in pairs for pair in subset) if pair not in self._numbers]
        if new:
            errors, kinds = count_structure([pair[0] for pair in new], [pair[1] for pair in new], self._unit)
            self._numbers.update(zip(new, count_from(len(self._numbers)), strict=False))
            self._counts.append(np.concatenate([errors[np.newaxis], kinds]))
        counts = np.concatenate(self._counts, axis=1)
        rows = np.array([[self._numbers[pair] for pair in subset] for subset in pairs])
        return counts[0][rows], np.moveaxis(counts[1:][:, rows], 0, 1)
