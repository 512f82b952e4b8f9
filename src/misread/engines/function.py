"""A function of the user's own that reads a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from misread.data.segment_table import Source
from misread.engines.base import Answer
from misread.engines.cutting import plain_file
from misread.io.checks.choices import check_choices
from misread.provenance.plugins import describe_plugin, find_function


@dataclass(frozen=True)
class Function:
    """Calls a function with the path of every image or recording; it returns the text, or an `Answer`.

    Parameters
    ----------
    function : str
        Its dotted name, in a plug-in: an installed package, or a module of the study that `plugins` lists.
    medium : {"line_image", "page_image", "audio"}
        What it reads.
    revision : int
        Increase it to read again although the function is the same.

    Raises
    ------
    ConfigurationError
        If there is no such function in a plug-in.
    UnknownNameError
        If there is no such medium.
    """

    function: str
    medium: Literal["line_image", "page_image", "audio"] = "line_image"
    revision: int = 1

    def __post_init__(self) -> None:
        check_choices(self, "engine Function")
        find_function(self.function)

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def versions(self) -> Mapping[str, str]:
        """The plug-in with a digest of the code that the function can use."""
        return {"function": self.function, "plugin": describe_plugin(find_function(self.function))}

    def open(self) -> FunctionReader:
        """Import the function."""
        return FunctionReader(find_function(self.function), self.medium)


@dataclass(frozen=True)
class FunctionReader:
    """An imported function."""

    function: Callable[..., Any]
    medium: str

    def read(self, source: Source) -> str | Answer:
        """Result of the function for the path."""
        with plain_file(source, self.medium) as path:
            answer: str | Answer = self.function(path)
        return answer

    def close(self) -> None:
        """Nothing was opened."""
