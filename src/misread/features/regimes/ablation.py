"""The same captures under several normalizers: how much of a rate is due to the normalizer."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from misread.data.segment_table import Capture, MissingPolicy
from misread.errors import ConfigurationError, MisreadError
from misread.metrics.base import Metric, TextForm
from misread.normalize import Normalizer
from misread.normalize.captures import normalize_rows
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline.params import Params
from misread.pipeline.settings_section import SettingsSection
from misread.provenance.signature import Signature
from misread.tally.adding import add
from misread.tally.scored_run import describe_scoring
from misread.tally.scored_system import ScoredSystem, count_part
from misread.tally.tally import NORMALIZING, Tally


@dataclass(frozen=True, kw_only=True)
class AblatedRate:
    """One metric under one normalizer."""

    micro: float | None
    signature: Signature


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


class AblationSection(SettingsSection):
    """Normalizers that are compared, and metrics."""

    def read(self, params: Params) -> AblationSettings:
        """The settings; the study's own normalizer is among the normalizers."""
        section = params.section("ablation")
        if isinstance(section, Mapping):
            listed = params.names(section.get("normalizers"), "ablation.normalizers")
            normalizers = [
                params.make_normalizer(spelled, f"ablation.normalizers[{position}]")
                for position, spelled in enumerate(listed)
            ]
            if "normalizer" in params.content and (own := params.normalizer()) not in normalizers:
                normalizers.append(own)
            section = {
                **section,
                "metrics": params.listed_metrics(section.get("metrics"), "ablation.metrics"),
                "normalizers": normalizers,
            }
        made: AblationSettings = params.make_target(AblationSettings, section, "ablation")
        return made


def ablate(
    parts: Iterable[Capture],
    settings: AblationSettings,
    *,
    missing: MissingPolicy = "error",
    fitted: Mapping[str, Normalizer] | None = None,
) -> AblationResult:
    """Score the outputs of a system, the segments of one part at a time, under every normalizer.

    `fitted` has normalizers as they are for all outputs of the system, by their names.
    """
    tallies: Mapping[str, Tally] = {normalizer.name: Tally() for normalizer in settings.normalizers}
    for capture in parts:
        tallies = add(tallies, _count_part(capture, settings, missing, fitted or {}))
    origin = capture.origin
    scores = {} if origin.not_applicable else {name: tally.conclude() for name, tally in tallies.items()}
    return AblationResult(
        dataset=origin.dataset,
        system=origin.system,
        rates={
            name: {
                metric.id: AblatedRate(
                    micro=_rate(metric, tallies[name].counts[metric.id]), signature=scored.signatures[metric.id]
                )
                for metric in settings.metrics
            }
            for name, scored in scores.items()
        },
    )


def _count_part(
    capture: Capture, settings: AblationSettings, missing: MissingPolicy, fitted: Mapping[str, Normalizer]
) -> dict[str, Tally]:
    """Counts under every normalizer; normalizers with equal texts share them."""
    forms = {metric.text for metric in settings.metrics}
    counted: list[tuple[NormalizedTexts, Tally]] = []
    tallies: dict[str, Tally] = {}
    for normalizer in settings.normalizers:
        try:
            texts = normalize_rows(capture, normalizer, fitted.get(normalizer.name))
        except MisreadError as error:
            tallies[normalizer.name] = Tally(failures={NORMALIZING: error})
            continue
        tally = next((tally for other, tally in counted if _are_alike(texts, other, forms)), None)
        if tally is None:
            tally = count_part(ScoredSystem(texts, settings.metrics, missing))
        else:
            tally = replace(tally, described=describe_scoring(texts, settings.metrics, missing))
        counted.append((texts, tally))
        tallies[normalizer.name] = tally
    return tallies


def _rate(metric: Metric, counts: Mapping[str, int]) -> float | None:
    rate = float(metric.rate(np.array([counts[column] for column in metric.columns])))
    return None if math.isnan(rate) else rate


def _are_alike(first: NormalizedTexts, second: NormalizedTexts, forms: Set[TextForm]) -> bool:
    """Whether all that metrics count on is the same; annotations are fitted to each normalizer's texts."""
    runs = zip(chain([first], first.further_runs), chain([second], second.further_runs), strict=True)
    return not first.annotations and all(
        before.normalized == after.normalized
        and ("normalized_lines" not in forms or before.normalized_lines == after.normalized_lines)
        for before, after in runs
    )
