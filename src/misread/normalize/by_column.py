"""A normalizer for each label of a column, such as one for each language."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from misread.errors import ConfigurationError
from misread.normalize.normalizer import Normalizer, get_normalizer
from misread.normalize.step import Side


@dataclass(frozen=True)
class NormalizerByColumn(Normalizer):
    """Profiles by the labels of a group column; every segment goes through that of its label.

    Parameters
    ----------
    name : str
        Name in configurations and results.
    column : str
        Group column of the data set, such as language.
    profiles : mapping of str to str
        Names of profiles by label.
    default : str, optional
        Profile of all other labels; without it they are an error.

    Raises
    ------
    UnknownNameError
        If a profile is unknown; lists the known ones.

    Examples
    --------
    >>> chosen = NormalizerByColumn("by_language", column="language", profiles={"tr": "turkish"}, default="lower")
    >>> chosen.of_label("tr")("IŞIK 42"), chosen.of_label("fr")("ICI 42")
    ('ışık kırk iki', 'ici 42')
    """

    column: str = ""
    profiles: Mapping[str, str] = field(default_factory=dict)
    default: str | None = None

    def __post_init__(self) -> None:
        if not self.column or not self.profiles or self.steps:
            raise ConfigurationError(
                f"normalizer {self.name!r} needs a column and profiles by its labels, and takes no steps of its own."
            )
        super().__post_init__()
        for profile in (*self.profiles.values(), *filter(None, [self.default])):
            get_normalizer(profile)

    def __call__(self, text: str, *, side: Side | None = None) -> str:
        """Normalize by the default, as a text alone has no label."""
        return self.of_label(None)(text, side=side)

    def of_label(self, label: str | None) -> Normalizer:
        """The normalizer of a label; ConfigurationError names those that have one."""
        profile = self.profiles.get(label, self.default) if label is not None else self.default
        if profile is None:
            raise ConfigurationError(
                f"normalizer {self.name!r} has no profile for {self.column} {label!r}; there are those for "
                f"{', '.join(sorted(self.profiles))}. Add it to profiles, or set default."
            )
        return get_normalizer(profile)

    @property
    def signature(self) -> str:
        """Name and a hash of what all profiles do, and for which labels."""
        named = {**self.profiles, "": self.default or "none"}
        lines = [self.column, *(f"{label} {get_normalizer(named[label]).signature}" for label in sorted(named))]
        definitions = "\n".join(lines)
        return f"{self.name}@{hashlib.sha256(definitions.encode()).hexdigest()[:4]}"
