"""What misread says when it cannot go on: one line that names the thing, the choices, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class MisreadError(Exception):
    """Base of every error that is an answer to the user; the CLI and the stages print it without a traceback."""


class UnknownNameError(MisreadError):
    """A name that is not among the choices; the message lists them and offers the nearest."""

    def __init__(self, kind: str, name: str, choices: Iterable[str], *, where: str = "") -> None:
        listed = sorted(choices)
        near = get_close_matches(name, listed, n=1)
        place = f" in {where}" if where else ""
        guess = f" Did you mean {near[0]!r}?" if near else ""
        there = f" There are: {', '.join(listed)}." if listed else " There are none."
        super().__init__(f"unknown {kind} {name!r}{place}.{guess}{there}")


class LengthMismatchError(MisreadError):
    """References and hypotheses that differ in number."""


class InputFileError(MisreadError):
    """A file that cannot be read as what it should be; names the file and, where there is one, the line."""


class ConfigurationError(MisreadError):
    """A setting that cannot be used; names the setting."""


class MissingDataError(MisreadError):
    """Data that is not where the settings say; names the setting and where the data comes from."""


class MissingDependencyError(MisreadError):
    """A package or tool that is not installed; names the line that installs it."""


class CrossCheckError(MisreadError):
    """Two independent implementations disagree about one segment; names the segment."""


class UndefinedResultError(MisreadError):
    """Input for which no number would be honest, such as a corpus without segments."""


class InputTextError(MisreadError):
    """A text that cannot be aligned, such as None among strings; names the side and the index."""


class RevisionError(MisreadError):
    """A Git revision that cannot be read as results; names the revision and what to run."""


class NotComparableError(MisreadError):
    """Results of two revisions that no honest difference can be taken of; names the cause and the way out."""


class AnswerTypeError(MisreadError):
    """A reference or an answer that is not what its rule or task asks for; names the segment and the field."""
