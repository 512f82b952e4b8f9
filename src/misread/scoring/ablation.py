"""The same captures under several normalizers: how much of a rate is the normalizer's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misread.errors import ConfigurationError
from misread.metrics.base import Metric
from misread.metrics.registry import get_metrics
from misread.metrics.summary import summarize
from misread.normalize import Normalizer, normalize
from misread.records import Capture, MissingPolicy
from misread.scoring.counts import score


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
class Ablation:
    """Metrics of normalized text, and the steps of each normalizer, ordered from the least to the most that is done.

    Raises ConfigurationError if a metric reads raw text, which no normalizer changes.
    """

    metrics: Sequence[str]
    normalizers: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        for metric in self.chosen_metrics():
            if metric.text == "raw":
                raise ConfigurationError(f"ablation.metrics names {metric.id!r}, which no normalizer changes.")
        self.chosen_normalizers()

    def chosen_metrics(self) -> list[Metric]:
        """Metrics by their ids."""
        return get_metrics(list(self.metrics))

    def chosen_normalizers(self) -> list[Normalizer]:
        """Normalizers from their steps."""
        return [Normalizer(name, tuple(steps)) for name, steps in self.normalizers.items()]


def ablate(capture: Capture, settings: Ablation, *, missing: MissingPolicy = "strict") -> AblationResult:
    """Score one capture under every normalizer."""
    rates: dict[str, dict[str, AblatedRate]] = {}
    if not capture.origin.not_applicable:
        metrics = settings.chosen_metrics()
        for normalizer in settings.chosen_normalizers():
            scores = score(normalize(capture, normalizer), metrics, missing=missing)
            rates[normalizer.name] = {
                metric.id: AblatedRate(
                    micro=summarize(metric, scores.counts[metric.id]).micro, signature=scores.signatures[metric.id]
                )
                for metric in metrics
            }
    return AblationResult(dataset=capture.origin.dataset, system=capture.origin.system, rates=rates)
