"""The same captures under several normalizers: how much of a rate is due to the normalizer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misread.errors import ConfigurationError
from misread.metrics.base import Metric
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
