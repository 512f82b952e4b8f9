"""Rates from agreement in corpora whose truth is known, real and planted, of which a few units are typed."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from misread.data import from_columns
from misread.data.formats.tables import read_rows
from misread.data.segment_files import read_segment_files
from misread.features.agreement.estimator import AgreedRate, Agreement, agreed_rate
from misread.features.agreement.order import DrawBy, inclusion_probabilities, order_units, sizes
from misread.features.agreement.texts import gather
from misread.normalize import get_normalizer
from misread.sockets import METRICS
from misread.stats import ConfidenceInterval
from misread.types import FloatArray
from tools.calibrate.running import Batch
from tools.calibrate.samples import ALPHA
from tools.parts import ROOT

_DATA: Final = Path(os.environ.get("MISREAD_DATA_ROOT", ROOT / ".." / "shared" / "data"))
_MODELS = ("ref", "b1.rnnt_baseline", "s1.b1+db-rnnt.biasing_100", "s5.s3+db-nnlm.biasing_100")
_RECOGNIZERS = (
    *("transcripts/nlp_references", "output/google", "output/amazon"),
    *("output/rev/espnet/nlp", "output/kaldi_org/librispeech/nlp"),
)
Samples = list[tuple[list[AgreedRate], FloatArray]]
"""Rates of the targets, and the same of as many units drawn at random and typed alone."""


def _count(metric: str, units: Sequence[str], references: Sequence[str], *systems: Sequence[str]) -> Agreement:
    table = from_columns(references, {str(number): texts for number, texts in enumerate(systems)}, clusters=units)
    return gather(table, get_normalizer("none"), METRICS[metric], missing="empty", typed=references).agreement


def _columns(path: str, *names: str) -> list[list[str]]:
    table = read_rows(_DATA / path)
    return [[text or "" for text in table.words(name)] for name in names]


def _directories() -> Agreement:
    books, pages, *texts = _columns(
        "das22_directories/entries.jsonl", "book", "page", "ref", "pero", "tesseract4", "kraken"
    )
    return _count("cer", [*map(" ".join, zip(books, pages, strict=True))], *texts)


def _files(form: str, unit: str, reference: str, *systems: str) -> Agreement:
    table = read_segment_files(_DATA / reference, {name: _DATA / name for name in systems}, form)
    texts = [re.sub(r" \[.*", "", str(text)) for text in table.references]
    units = [re.split(unit, name)[0] for name in table.segment_id]
    return _count("wer", units, texts, *([text or "" for text in column] for column in table.hypotheses.values()))


def _planted(tail: float, runaways: float = 0.0) -> Agreement:
    """Forty pages of 30 lines whose hardness has that deviation on the log scale; some outputs run on."""
    rng = np.random.default_rng(1)
    unit, length = np.repeat(np.arange(40), 30), rng.integers(20, 80, 1200)
    excess = np.where(rng.random((1200, 3)) < runaways, 20 * length[:, None], 0)
    expected = 0.02 * (length * np.exp(rng.normal(0, tail, 40))[unit])[:, None] * np.array([1.0, 1.5, 3.0])
    errors = excess + rng.poisson(expected)
    # Half of the errors that two systems may have in the same places are alike.
    alike = rng.binomial(np.minimum(errors[:, :, None], errors[:, None, :]), 0.5)
    apart = (errors[:, :, None] + errors[:, None, :] - alike - alike.swapaxes(1, 2)) * (1.0 - np.eye(3))
    return Agreement(apart, length[:, None] + excess, unit, errors, length, np.ones(40), np.ones(40, np.bool_))


def _by_segment(facts: Agreement) -> Agreement:
    typed = np.ones(len(facts.unit), np.bool_)
    return replace(facts, unit=np.arange(len(typed)), probability=np.ones(len(typed)), typed=typed)


def _of_two(facts: Agreement) -> Agreement:
    return replace(
        facts, distances=facts.distances[:, :2, :2], lengths=facts.lengths[:, :2], errors=facts.errors[:, :2]
    )


def _with_shared(facts: Agreement) -> Agreement:
    """Further errors that all systems share, as many as a system has in the mean."""
    rng = np.random.default_rng(1)
    rate = facts.errors.mean(axis=1).sum() / facts.length.sum()
    hardness = np.exp(rng.normal(0, 0.8, len(facts.typed)))[facts.unit]
    return replace(facts, errors=facts.errors + rng.poisson(rate * facts.length * hardness)[:, None])


def _equal_totals(facts: Agreement) -> Agreement:
    """The first two systems exchanged on some units, so that they have as many errors."""
    by_unit = facts.sum_by_unit(facts.errors[:, 0] - facts.errors[:, 1] * 1.0)
    signs = np.random.default_rng(1).choice([-1, 1], (200_000, len(by_unit)))
    swapped = (signs[np.abs(signs @ by_unit).argmin()] < 0)[facts.unit]
    order = np.where(swapped[:, None], [1, 0, *range(2, facts.systems)], np.arange(facts.systems))
    rows = np.arange(len(order))[:, None]
    errors, lengths = facts.errors[rows, order], facts.lengths[rows, order]
    distances = facts.distances[rows[..., None], order[:, :, None], order[:, None, :]]
    return replace(facts, errors=errors, lengths=lengths, distances=distances)


_RARE = [f"rare_words/test-clean.{name}.tsv" for name in _MODELS]
_CALLS = [f"earnings21_eval10/{name}" for name in _RECOGNIZERS]
_CORPORA: Final[dict[str, Callable[[], Agreement]]] = {
    "das22, pages": _directories,
    "das22, entries": lambda: _by_segment(corpus("das22, pages")),
    "rare_words, speakers": partial(_files, "kaldi", "-", *_RARE),
    "repeated_runs, pages": lambda: _count(
        "cer", *_columns("repeated_runs/lines.jsonl", "page", "ref", "ocr", "run1", "run2")
    ),
    "earnings21, calls": partial(_files, "nlp", "$", *_CALLS),
    "planted, light tails": partial(_planted, 0.3),
    "planted, heavy tails": partial(_planted, 1.2),
    "planted, runaways": partial(_planted, 0.3, 0.002),
    "two systems, pages": lambda: _of_two(corpus("das22, pages")),
    "shared errors, pages": lambda: _with_shared(corpus("das22, pages")),
    "equal totals, pages": lambda: _equal_totals(corpus("das22, pages")),
    "equal totals, heavy tails": lambda: _equal_totals(corpus("planted, heavy tails")),
}


EQUAL = [name for name in _CORPORA if name.startswith("equal")]
REAL = [name for name in _CORPORA if name not in EQUAL]


@cache
def corpus(name: str) -> Agreement:
    """Facts of a corpus, of which everything is typed."""
    return _CORPORA[name]()


@dataclass(frozen=True)
class Typed:
    """So many units of a corpus, typed again and again: all rates, or all differences."""

    name: str
    number: int
    draw: DrawBy
    pairs: bool

    def targets(self) -> tuple[FloatArray, FloatArray]:
        """Weights of the systems, shape (targets, systems), and what is true."""
        facts = corpus(self.name)
        rates = np.eye(facts.systems)
        targets = np.array([second - first for first, second in combinations(rates, 2)]) if self.pairs else rates
        return targets, targets @ facts.errors.sum(axis=0) / facts.length.sum()

    def draw_many(self, rng: np.random.Generator, samples: int) -> Samples:
        """Type the first units of so many orders."""
        facts, (targets, _) = corpus(self.name), self.targets()
        size = np.ones(len(facts.typed)) if self.draw == "random" else sizes(facts, None)[0]
        probability = inclusion_probabilities(size, self.number)
        by_unit = facts.sum_by_unit(np.column_stack([facts.errors @ targets.T, facts.length]))

        def type_units() -> tuple[list[AgreedRate], FloatArray]:
            typed = np.zeros(len(size), np.bool_)
            typed[order_units(size, rng.random(len(size)))[: self.number]] = True
            sample = replace(facts, probability=probability, typed=typed)
            *alone, length = by_unit[rng.permutation(len(size))[: self.number]].sum(axis=0)
            return [agreed_rate(sample, target) for target in targets], np.array(alone) / length

        return [type_units() for _ in range(samples)]


def covers_all(population: Typed) -> Callable[[Samples], Batch]:
    """Whether intervals contain the truth, and errors: of the typed alone, with agreement, and of pages at random."""

    def compare(samples: Samples) -> Batch:
        _, true = population.targets()

        def table(of: Callable[[AgreedRate, float], object]) -> FloatArray:
            return np.array(
                [[of(rate, value) for rate, value in zip(rates, true, strict=True)] for rates, _ in samples]
            )

        errors, alone = table(lambda rate, value: rate.rate - value), table(lambda rate, value: rate.alone - value)
        return {
            "share": table(lambda rate, value: _contains(rate.interval, value)),
            "alone": table(lambda rate, value: _contains(rate.alone_interval, value)),
            "width": table(lambda rate, _: rate.error / rate.alone_error),
            "same draw": np.stack([alone, errors], axis=-1),
            "worth": np.stack([np.array([values for _, values in samples]) - true, errors], axis=-1),
        }

    return compare


def rejects_equal(samples: Samples) -> Batch:
    """Whether the first two systems, which have as many errors, are called different."""
    return {"share": np.array([rates[0].pvalue < ALPHA for rates, _ in samples])}


def _contains(interval: ConfidenceInterval | None, value: float) -> bool:
    return interval is not None and interval.low <= value <= interval.high
