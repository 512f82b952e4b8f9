"""What a list of a socket holds: the place of a class or function, which is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Plug:
    """A class or function by the names of its module and of itself, with settings for it."""

    module: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def given(self, **settings: Any) -> Plug:
        """The same with these settings."""
        return replace(self, settings=settings)

    def load(self) -> Any:
        """Import the module, and give the class or function."""
        return getattr(import_module(self.module), self.name)
