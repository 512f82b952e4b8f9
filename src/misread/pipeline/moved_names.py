"""Names that classes of a configuration had before 0.2: accepted with a warning, for one minor version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

_PACKAGES: Final = {"misread.datasets.": "misread.data.", "misread.regimes.": "misread.features.regimes."}
_CLASSES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "engines": {"features.judges": ("OpenAIJudge", "RecordedDecisions")},
    "metrics": {
        "features.answers": ("FieldMatch", "FieldRule", "TableSimilarity"),
        "features.answers.downstream": ("DownstreamTask",),
        "features.answers.structured": ("StructuredAnswers",),
        "features.confidence": ("Calibration", "ReviewShare"),
        "features.corrections": ("CorrectionBalance",),
        "features.judges": ("RecordedJudge",),
        "features.flags": ("FlagRules", "FlaggedSegments", "LoopErrors", "UnflaggedErrorRate"),
        "features.punctuation": ("CaseErrorRate", "PlainErrorRate", "PunctuationMatch"),
        "features.speakers": ("SpeakerErrorRate",),
        "features.token_costs": ("ModelPrice", "TokenScore"),
        "features.word_classes": ("BiasingErrorRate", "EntityErrorRate", "FrequencyErrorRate"),
    },
    "report": {"tables": ("PageSettings", "ReportSettings")},
    "scoring": {"features.regimes": ("AblationSettings",)},
}
_MOVED: Final = {
    f"misread.{old}.{name}": f"misread.{new}.{name}"
    for old, packages in _CLASSES.items()
    for new, names in packages.items()
    for name in names
}


def name_today(target: str) -> str:
    """Dotted name of a class today; the same name where it has not moved."""
    package = next((old for old in _PACKAGES if target.startswith(old)), None)
    if package is not None:
        return _PACKAGES[package] + target.removeprefix(package)
    return _MOVED.get(target, target)
