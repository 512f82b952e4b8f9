"""Rates from agreement in corpora whose truth is known, real and planted, of which a few units are typed."""

import os
import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any, Final

import numpy as np

from misread.data import SegmentFiles, Table
from misread.data.segment_table import SegmentTable
from misread.features.disputes.agreement.estimator import Agreement, agreed_rate
from misread.features.disputes.agreement.order import DrawBy, inclusion_probabilities, order_units, sizes
from misread.features.disputes.agreement.texts import gather
from misread.normalize import get_normalizer
from misread.sockets import METRICS
from tools.calibrate.running import Batch
from tools.calibrate.samples import ALPHA
from tools.parts import ROOT

_ROOT: Final = os.environ.get("MISREAD_DATA_ROOT", f"{ROOT}/../shared/data")
# Of tables the columns of an id; of files the format and the reference; then systems, and what of an id names a unit.
_TABLES: Final = {
    "das22, entries": ("das22_directories/entries", ("book", "page", "id"), ("pero", "tesseract4", "kraken"), ".*"),
    "das22, pages": ("das22_directories/entries", ("book", "page", "id"), ("pero", "tesseract4", "kraken"), ".*-"),
    "two systems": ("das22_directories/entries", ("book", "page", "id"), ("pero", "tesseract4"), ".*-"),
    "repeated_runs": ("repeated_runs/lines", ("page", "line"), ("ocr", "run1", "run2"), "[^-]*"),
}
_MODELS: Final = ("b1.rnnt_baseline", "s1.b1+db-rnnt.biasing_100", "s5.s3+db-nnlm.biasing_100")
_OUTPUTS: Final = ("output/google", "output/amazon", "output/rev/espnet/nlp", "output/kaldi_org/librispeech/nlp")
_FILES: Final = {
    "rare_words": ("kaldi", "rare_words/test-clean.{}.tsv", "ref", _MODELS, "[^-]*"),
    "earnings21": ("nlp", "earnings21_eval10/{}", "transcripts/nlp_references", _OUTPUTS, ".*"),
}
# Deviation of the hardness of pages on the log scale, and share of outputs that run on.
_PLANTED: Final = {"light tails": (0.3, 0.0), "heavy tails": (1.2, 0.0), "runaways": (0.3, 0.002)}
NAMES: Final = (*_TABLES, *_FILES, "shared errors", *_PLANTED)


@cache
def corpus(name: str) -> Agreement:
    """Facts of a corpus, of which everything is typed."""
    if name in _PLANTED:
        return _plant(*_PLANTED[name])
    if name not in _TABLES and name not in _FILES:
        kind, _, rest = name.partition(", ")
        return _exchange(corpus(rest)) if kind == "equal totals" else _share_errors(corpus("das22, pages"))
    facts = read_segments(name)
    # The list of rare words behind a reference of rare_words is in brackets, which go.
    metric, normalizer = ("cer", "none") if name in _TABLES else ("wer", "nist")
    return gather(facts, get_normalizer(normalizer), METRICS[metric], missing="empty", typed=facts.references).agreement


def read_segments(name: str) -> SegmentTable:
    """Segments of a real corpus, with their units as clusters."""
    data: Table | SegmentFiles
    if name in _TABLES:
        path, keys, systems, unit = _TABLES[name]
        data = Table(root=_ROOT, file=f"{path}.jsonl", segment_id=keys, reference="ref", recorded=systems)
    else:
        form, path, reference, systems, unit = _FILES[name]
        recorded = {system: path.format(system) for system in systems}
        data = SegmentFiles(root=_ROOT, reference=path.format(reference), recorded=recorded, format=form)
    table = data.segments()
    return replace(table, cluster=[re.findall(unit, segment)[0] for segment in table.segment_id])


def _plant(deviation: float, runaways: float) -> Agreement:
    """Forty pages of 30 lines, of which systems have half of their errors in the same places alike."""
    rng = np.random.default_rng(1)
    unit, length = np.repeat(np.arange(40), 30), rng.integers(20, 80, 1200)
    excess = np.where(rng.random((1200, 3)) < runaways, 20 * length[:, None], 0)
    expected = 0.02 * (length * np.exp(rng.normal(0, deviation, 40))[unit])[:, None] * np.array([1.0, 1.5, 3.0])
    errors = excess + rng.poisson(expected)
    alike = rng.binomial(np.minimum(errors[:, :, None], errors[:, None, :]), 0.5)
    apart = (errors[:, :, None] + errors[:, None, :] - alike - alike.swapaxes(1, 2)) * (1.0 - np.eye(3))
    return Agreement(apart, length[:, None] + excess, unit, errors, length, np.ones(40), np.ones(40, np.bool_))


def _share_errors(facts: Agreement) -> Agreement:
    """Further errors that all systems share, as many as a system has in the mean."""
    rng = np.random.default_rng(1)
    hardness = np.exp(rng.normal(0, 0.8, len(facts.typed)))[facts.unit]
    rate = facts.errors.mean(axis=1).sum() / facts.length.sum()
    return replace(facts, errors=facts.errors + rng.poisson(rate * facts.length * hardness)[:, None])


def _exchange(facts: Agreement) -> Agreement:
    """The first two systems exchanged on some units, so that they have as many errors."""
    by_unit = facts.sum_by_unit(facts.errors[:, 0] - facts.errors[:, 1] * 1.0)
    signs = np.random.default_rng(1).choice([-1, 1], (200_000, len(by_unit)))
    swapped = (signs[np.abs(signs @ by_unit).argmin()] < 0)[facts.unit]
    order, rows = np.where(swapped[:, None], [1, 0, 2], [0, 1, 2]), np.arange(len(swapped))[:, None]
    distances = facts.distances[rows[..., None], order[:, :, None], order[:, None, :]]
    return replace(facts, errors=facts.errors[rows, order], lengths=facts.lengths[rows, order], distances=distances)


@dataclass(frozen=True)
class Typed:
    """So many units of a corpus, typed again and again: all rates, or all differences."""

    name: str
    number: int
    draw: DrawBy
    pairs: bool = True

    def draw_many(self, rng: np.random.Generator, samples: int) -> Any:
        """Type the first units of so many orders; the truth comes first."""
        facts = corpus(self.name)
        rates = np.eye(facts.systems)
        targets = np.array([second - first for first, second in combinations(rates, 2)]) if self.pairs else rates
        targets = targets[:1] if self.name.startswith("equal") else targets
        size = np.ones(len(facts.typed)) if self.draw == "random" else sizes(facts, None)[0]
        probability = inclusion_probabilities(size, self.number)
        by_unit = facts.sum_by_unit(np.column_stack([facts.errors @ targets.T, facts.length]))
        found = []
        for _ in range(samples):
            typed = np.zeros(len(size), np.bool_)
            typed[order_units(size, rng.random(len(size)))[: self.number]] = True
            sample = replace(facts, probability=probability, typed=typed)
            # Which are the same in all samples.
            vars(sample)["sums"] = facts.sums
            total = by_unit[rng.permutation(len(size))[: self.number]].sum(axis=0)
            found.append(([agreed_rate(sample, target) for target in targets], total[:-1] / total[-1]))
        whole = by_unit.sum(axis=0)
        return whole[:-1] / whole[-1], *zip(*found, strict=True)


def covers_all(samples: Any) -> Batch:
    """Whether intervals, if any, contain the truth; errors: of the typed alone, with agreement, of units at random."""
    true, rates, at_random = samples

    def read(name: str) -> Any:
        return np.array([[getattr(rate, name) for rate in sample] for sample in rates])

    def covers(name: str) -> Any:
        ends = np.array([[(one.low, one.high) if one else (np.nan, 0) for one in sample] for sample in read(name)])
        return np.ma.masked_array((ends[..., 0] <= true) & (true <= ends[..., 1]), np.isnan(ends[..., 0]))

    errors, alone = read("rate") - true, read("alone") - true
    return {
        "share": covers("interval"),
        "alone": covers("alone_interval"),
        "width": read("error") / np.maximum(read("alone_error"), 1e-99),
        "same draw": np.stack([alone, errors], axis=-1),
        "worth": np.stack([np.array(at_random) - true, errors], axis=-1),
    }


def rejects_equal(samples: Any) -> Batch:
    """Whether the first two systems, which have as many errors, are called different."""
    return {"share": np.array([(sample[0].pvalue or 1.0) < ALPHA for sample in samples[1]])}
