"""A step: a function from text to text, with what is known of it and the settings that it is given."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Literal

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.io.checks.settings import check_types
from misread.provenance.digests import digest_definition
from misread.provenance.plugins import find_text_function

Change = Callable[[str], str]
Side = Literal["references", "hypotheses"]

SIDES: Final = ("references", "hypotheses")


@dataclass(frozen=True)
class StepFacts:
    """Where a step is defined, and what may be expected of it."""

    home: str  # module that defines a function of the step's name
    changes_words: bool = False  # whether it may change the number of words
    one_sided: bool = False  # whether it may act on one side only
    package: str = ""  # distribution whose version decides what it does


@dataclass(frozen=True)
class Step:
    """A step as a normalizer has it: name, settings by keyword, and the side that it acts on, if not both.

    The name of a function of a plug-in is dotted.

    Raises ConfigurationError if a setting is unknown or cannot be used: the step is tried on an empty text.
    """

    name: str
    facts: StepFacts
    settings: Mapping[str, Any] = field(default_factory=dict)
    side: Side | None = None
    where: str = ""

    def __post_init__(self) -> None:
        place = f"{self.where}: {self.name}".removeprefix(": ")
        if self.side is not None:
            check_choice("side", self.side, SIDES, where=place)
            if not self.facts.one_sided:
                raise ConfigurationError(f"{place} is for both sides; leave `side` out, or both would differ by it.")
        known = self._parameters
        for setting in self.settings:
            check_choice("setting", setting, known, where=place)
        lacking = [name for name, of in known.items() if of.default is of.empty and name not in self.settings]
        if lacking:
            raise ConfigurationError(f"{place} needs {', '.join(lacking)}.")
        if self.settings:
            object.__setattr__(self, "settings", check_types(self.function, self.settings, where=place))
        try:
            self.change("")
        except ConfigurationError as error:
            error.args = (f"{place}: {error}",)
            raise

    @cached_property
    def function(self) -> Callable[..., str]:
        """The function of this name."""
        if "." in self.name:
            return find_text_function(self.name)
        function: Callable[..., str] = getattr(import_module(self.facts.home), self.name)
        return function

    @cached_property
    def change(self) -> Change:
        """The function with its settings."""
        frozen = {name: _freeze(value) for name, value in self.settings.items()}
        return partial(self.function, **frozen) if frozen else self.function

    @cached_property
    def definition(self) -> str:
        """What decides which text comes out: the digest of its code and, where it has any, all settings and side."""
        digest = digest_definition(self.function)
        if not self._parameters and self.side is None and not self.facts.package:
            return digest
        settings = {name: of.default for name, of in self._parameters.items()} | dict(self.settings)
        if "file" in settings:
            # What it says counts, and not where it lies.
            settings["file"] = hashlib.sha256(Path(settings["file"]).read_bytes()).hexdigest()
        described = json.dumps([settings, self.side, _release(self.facts.package)], sort_keys=True, ensure_ascii=True)
        return f"{digest} {described}"

    @property
    def _parameters(self) -> dict[str, inspect.Parameter]:
        """Settings that the function takes, by name."""
        parameters = inspect.signature(self.function).parameters.values()
        return {each.name: each for each in parameters if each.kind is each.KEYWORD_ONLY}


def _freeze(value: Any) -> Any:
    """Tuples for lists and pairs for mappings, so that functions can keep what they make of settings."""
    if isinstance(value, Mapping):
        return tuple((key, _freeze(each)) for key, each in value.items())
    return tuple(map(_freeze, value)) if isinstance(value, list | tuple) else value


def _release(package: str) -> str:
    if not package:
        return ""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
