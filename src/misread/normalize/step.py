"""A step: a function from text to text, with facts about it and its settings."""

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
    """Module that defines a step, and what the step may do."""

    home: str  # module that defines a function of the step's name
    changes_words: bool = False  # whether it may change the number of words
    one_sided: bool = False  # whether it may act on one side only
    package: str = ""  # distribution whose version decides the result
    takes_out: bool = False  # whether it extracts a text from its surroundings, which needs more than a line
    is_fitted: bool = False  # whether its settings are found in the outputs of each system


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
        location = f"{self.where}: {self.name}".removeprefix(": ")
        if self.side is not None:
            check_choice("side", self.side, SIDES, where=location)
            if not self.facts.one_sided:
                raise ConfigurationError(f"{location} must be applied to both sides: leave `side` out.")
        known = self._parameters
        for setting in self.settings:
            check_choice("setting", setting, known, where=location)
        lacking = [
            name
            for name, parameter in known.items()
            if parameter.default is parameter.empty and name not in self.settings
        ]
        if lacking:
            raise ConfigurationError(f"{location} needs {', '.join(lacking)}.")
        if self.settings:
            object.__setattr__(self, "settings", check_types(self.function, self.settings, where=location))
        try:
            self.change("")
        except ConfigurationError as error:
            error.args = (f"{location}: {error}",)
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
        """All that decides the resulting text: the digest of the code and, if any, its settings and its side."""
        digest = digest_definition(self.function, with_local_names=False)
        if not self._parameters and self.side is None and not self.facts.package:
            return digest
        settings = {name: parameter.default for name, parameter in self._parameters.items()} | dict(self.settings)
        if "file" in settings:
            # The content of the file counts, wherever it is stored.
            settings["file"] = hashlib.sha256(Path(settings["file"]).read_bytes()).hexdigest()
        described = json.dumps([settings, self.side, _release(self.facts.package)], sort_keys=True, ensure_ascii=True)
        return f"{digest} {described}"

    @property
    def _parameters(self) -> dict[str, inspect.Parameter]:
        """Settings that the function takes, by name."""
        parameters = inspect.signature(self.function).parameters.values()
        return {parameter.name: parameter for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}


def _freeze(value: Any) -> Any:
    """Tuples in place of lists and mappings, so that functions can cache results by their settings."""
    if isinstance(value, Mapping):
        return tuple((key, _freeze(entry)) for key, entry in value.items())
    return tuple(map(_freeze, value)) if isinstance(value, list | tuple) else value


def _release(package: str) -> str:
    if not package:
        return ""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
