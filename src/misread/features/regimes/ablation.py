"""The same captures under several normalizers: how much of a rate is due to the normalizer."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from misread.data.segment_table import Capture, MissingPolicy
from misread.errors import ConfigurationError, MisreadError
from misread.metrics.base import Metric, TextForm
from misread.metrics.summary import summarize
from misread.normalize import Normalizer, normalize
from misread.normalize.captures import normalize_rows
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.storage import read_capture
from misread.storage.stage_tables import find_capture_rows
from misread.tally.reference_digests import AnnotationSums, add_sums, sign_annotations
from misread.tally.scored_system import ScoredSystem, score
from misread.types import IntArray


@dataclass(frozen=True, kw_only=True)
class AblatedRate:
    """One metric under one normalizer."""

    micro: float | None
    signature: str


@dataclass(frozen=True, kw_only=True)
class AblationResult:
    """One system on one data set: rates by normalizer and metric; none where it cannot read the data set."""

    dataset: str
    system: str
    rates: Mapping[str, Mapping[str, AblatedRate]]


@dataclass(frozen=True)
class AblationSettings:
    """Metrics of normalized text, and normalizers, ordered from the least to the most that is done.

    Raises ConfigurationError if a metric reads raw text, which no normalizer changes, or two normalizers have one name.
    """

    metrics: Sequence[Metric]
    normalizers: Sequence[Normalizer]

    def __post_init__(self) -> None:
        for metric in self.metrics:
            if metric.text == "raw":
                raise ConfigurationError(f"ablation.metrics names {metric.id!r}, which no normalizer changes.")
        names = [normalizer.name for normalizer in self.normalizers]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ConfigurationError(f"ablation.normalizers names {twice!r} twice; give each a name of its own.")


def ablate(capture: Capture, settings: AblationSettings, *, missing: MissingPolicy = "error") -> AblationResult:
    """Score one capture under every normalizer."""
    rates: dict[str, dict[str, AblatedRate]] = {}
    if not capture.origin.not_applicable:
        for normalizer in settings.normalizers:
            scores = score(normalize(capture, normalizer), settings.metrics, missing=missing)
            rates[normalizer.name] = {
                metric.id: AblatedRate(
                    micro=summarize(metric, scores.counts[metric.id].values).micro,
                    signature=str(scores.signatures[metric.id]),
                )
                for metric in settings.metrics
            }
    return AblationResult(dataset=capture.origin.dataset, system=capture.origin.system, rates=rates)


def ablate_stored(path: Path, settings: AblationSettings, *, missing: MissingPolicy = "error") -> AblationResult:
    """Score a stored capture under every normalizer, a row group at a time; as `ablate` of the whole, errors too."""
    rows = find_capture_rows(path)
    if len(rows.groups) > 1:
        try:
            return _ablate_parts((read_capture(path, rows.of(group)) for group in rows.groups), settings, missing)
        except MisreadError:
            # What a part lacks the whole may have, and else the error is to be that of the whole.
            pass
    return ablate(read_capture(path), settings, missing=missing)


class _Sums:
    """Counts under one normalizer, added up over parts."""

    def __init__(self) -> None:
        self.totals: dict[str, IntArray] = {}
        self.signatures: Mapping[str, Signature] = {}
        self.annotations: AnnotationSums = {}

    def add(self, totals: Mapping[str, IntArray], system: ScoredSystem) -> None:
        self.totals = {metric: self.totals[metric] + of if self.totals else of for metric, of in totals.items()}
        self.signatures = system.signatures
        self.annotations = add_sums(self.annotations, system.annotations)


def _ablate_parts(parts: Iterable[Capture], settings: AblationSettings, missing: MissingPolicy) -> AblationResult:
    """Rates of sums over parts of which each can be scored; raises ConfigurationError where a rate is undefined."""
    forms = {metric.text for metric in settings.metrics}
    found = {normalizer.name: _Sums() for normalizer in settings.normalizers}
    for capture in parts:
        origin = capture.origin
        counted: list[tuple[NormalizedTexts, dict[str, IntArray]]] = []
        for normalizer in settings.normalizers:
            texts = normalize_rows(capture, normalizer)
            system = ScoredSystem(texts, settings.metrics, missing)
            # Normalizers that leave texts alike share their counts.
            totals = next((of for other, of in counted if _are_alike(texts, other, forms)), None)
            if totals is None:
                totals = {metric: of.total for metric, of in system.counted.counts.items()}
            counted.append((texts, totals))
            found[normalizer.name].add(totals, system)
    rates: dict[str, dict[str, AblatedRate]] = {}
    for name, sums in found.items():
        signatures = sign_annotations(sums.signatures, sums.annotations)
        rates[name] = {}
        for metric in settings.metrics:
            micro = float(metric.rate(sums.totals[metric.id]))
            if micro != micro:
                raise ConfigurationError(f"{metric.id} is undefined under {name}.")
            rates[name][metric.id] = AblatedRate(micro=micro, signature=str(signatures[metric.id]))
    return AblationResult(dataset=origin.dataset, system=origin.system, rates=rates)


def _are_alike(one: NormalizedTexts, other: NormalizedTexts, forms: Set[TextForm]) -> bool:
    """Whether all that metrics count on is the same; annotations are fitted to each normalizer's texts."""
    runs = zip(chain([one], one.further_runs), chain([other], other.further_runs), strict=True)
    return not one.annotations and all(
        first.normalized == second.normalized
        and ("normalized_lines" not in forms or first.normalized_lines == second.normalized_lines)
        for first, second in runs
    )
