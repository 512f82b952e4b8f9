"""Errors with an answer: one line that names the thing, the choices, and what to do.

A setting is an argument in Python, an option of a command, and a key of the configuration. A message marks it by
`setting`, and whoever shows the message spells it: `alpha`, `--alpha`, `statistics.alpha`.

Each is a `MisreadError` and also the built-in error that scipy's users expect: `TypeError` for a value of the wrong
type, `ValueError` for a wrong value, `LookupError` for an unknown name. None is a `KeyError`, whose text Python prints
in quotation marks. Errors of the environment (missing data, a missing package) are only `MisreadError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Final, Literal

_MARKED: Final = re.compile("\ufdd0([^\ufdd0\ufdd1]+)\ufdd0([^\ufdd0\ufdd1]*)\ufdd1")
"""Unicode keeps these characters for use inside a program: no text that it exchanges has them."""
_CATALOGUE: Final = re.compile("\ufdd2([^\ufdd2]+)\ufdd2")

Catalogue = Literal["metrics", "normalizers", "steps", "regimes", "views"]
"""Kinds of names that `misread list` prints."""

MOST_LISTED: Final = 8
"""A message lists up to this number of choices; of more only the nearest, if a command lists them."""
_MOST_NAMES: Final = 30
_NEAREST: Final = 3


def setting(name: str, value: str | bool | None = None) -> str:
    """Mark a setting in the message of an error, by its key in the configuration, or a setting with a value."""
    text = str(value).lower() if isinstance(value, bool) else value or ""
    return f"\ufdd0{name}\ufdd0{text}\ufdd1"


Spelling = Callable[[str, str], str]
"""Function (key of a setting, value or "") -> how it is written."""


def spell_as_argument(name: str, value: str) -> str:
    """Spell a setting as an argument in Python."""
    name = name.rpartition(".")[2]
    if not value:
        return name
    words = {"true": "True", "false": "False", "null": "None"}
    return f"{name}={words.get(value) or repr(value)}"


def spell_as_key(name: str, value: str) -> str:
    """Spell a setting as a key of the configuration."""
    return f"{name}: {value}" if value else name


_spellings: list[Spelling] = [spell_as_argument]


@contextmanager
def spelled_by(spelling: Spelling) -> Iterator[None]:
    """Let this process spell settings in the messages of errors in another way."""
    _spellings.append(spelling)
    try:
        yield
    finally:
        _spellings.remove(spelling)


class MisreadError(Exception):
    """Base of every error meant for the user; the CLI and the stages print it without a traceback."""

    spelling: Spelling | None = None
    """How it spells settings, whoever shows it; None where that is left to the process."""

    @property
    def settings(self) -> tuple[str, ...]:
        """Keys of the settings that the message names."""
        return tuple(dict.fromkeys(name for name, _ in _MARKED.findall(super().__str__())))

    def __str__(self) -> str:
        spell = self.spelling or _spellings[-1]
        text = _CATALOGUE.sub(lambda mark: _name_catalogue(mark[1], spell), super().__str__())
        return _MARKED.sub(lambda mark: spell(mark[1], mark[2]), text)

    def __reduce__(self) -> tuple[Any, ...]:
        # A message is not what every class is made from: as it is, an error of a worker process could not come back.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[MisreadError], arguments: tuple[Any, ...], state: dict[str, Any]) -> MisreadError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(state)
    return error


class UnknownNameError(MisreadError, LookupError, ValueError):
    """A name that is not among the choices; the message offers the nearest, and lists the choices or says what does.

    It is a `LookupError` because a name was looked up, and a `ValueError` because an option such as `unit="chars"` has
    an invalid value. `catalogue` is the word after `misread list` that prints the choices.
    """

    def __init__(
        self, kind: str, name: object, choices: Iterable[str], *, where: str = "", catalogue: Catalogue | None = None
    ) -> None:
        listed = sorted(choices)
        is_listed_elsewhere = catalogue is not None and len(listed) > MOST_LISTED
        near = get_close_matches(str(name), listed, n=_NEAREST if is_listed_elsewhere else 1)
        location = f" in {where}" if where else ""
        guess = f" Did you mean {_enumerate(near)}?" if near else ""
        known = f"\ufdd2{catalogue}\ufdd2 all {len(listed)}." if is_listed_elsewhere else list_choices(listed)
        super().__init__(f"unknown {kind} {name!r}{location}.{guess} {known}")


def _name_catalogue(kind: str, spell: Spelling) -> str:
    """Lists of all names of a kind: the command, and the object in Python, if there is one."""
    if kind == "metrics" and spell is spell_as_argument:
        return "misread.METRICS has"
    return f"`misread list {kind}` lists"


def _enumerate(names: Sequence[str]) -> str:
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}" if others else last


def list_choices(names: Sequence[str]) -> str:
    """A sentence that lists names, the first of them if they are many."""
    if not names:
        return "There are none."
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"There are: {_in_one_line(names[:_MOST_NAMES])}{more}."


def _in_one_line(names: Iterable[str]) -> str:
    """Names from a file or a configuration, with what cannot be seen as it is written in Python."""
    return ", ".join(name if name.isprintable() else repr(name)[1:-1] for name in names)


class NoResultError(MisreadError, LookupError):
    """A system, metric or pair that is known and has no result; names the reason and what has one."""

    def __init__(self, what: str, reason: str, choices: Iterable[str]) -> None:
        listed = _in_one_line(choices)
        super().__init__(f"{what} has no result: {reason}. {f'There are: {listed}.' if listed else 'There are none.'}")


class InputTypeError(MisreadError, TypeError):
    """An argument of the wrong type, such as None among texts, or a list where one text is expected; names it."""


class InputValueError(MisreadError, ValueError):
    """An argument of the right type that cannot be used, such as two equal ids; names it and the row."""


class LengthMismatchError(MisreadError, ValueError):
    """References and hypotheses that differ in number."""


class InputFileError(MisreadError, ValueError):
    """A file that cannot be read as what it should be; names the file and, where there is one, the line."""


class OutputFileError(MisreadError):
    """A file that cannot be written; names the file and the reason, such as a full disk."""


class ConfigurationError(MisreadError, ValueError):
    """A setting that cannot be used; names the setting."""


class SettingError(ConfigurationError):
    """A setting, by its key in the configuration, whose value is none of those expected."""

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(f"{setting(name)} is {value!r}, expected {expected}.")


class MissingDataError(MisreadError):
    """Data that is not where the settings say; names the setting and where the data comes from."""


class FetchError(MisreadError):
    """A public data set that could not be fetched, converted or verified; names the source and what to do."""


class CaptureFailedError(MisreadError):
    """A capture in which more segments failed than may, or which cannot go on; names the first segment and why."""


class ServerError(MisreadError):
    """A server that cannot be used at all, whatever it is asked; names its address, the cause and the setting."""


class NoServerError(ServerError):
    """An address at which no server answers.

    `reason` is that without its cause, which differs between machines; `line` is the message without the segment that
    was asked for first, which differs between runs.
    """

    def __init__(self, url: str, cause: str) -> None:
        self.reason = f"nothing answers at {url}"
        self.line = f"{self.reason}: {cause}; start the server, or set `url` of the system."
        super().__init__(self.line)


class MissingDependencyError(MisreadError):
    """A package or tool that is not installed; names the line that installs it."""


class CrossCheckError(MisreadError):
    """Two independent implementations disagree about one segment; names the segment."""


class PairingError(MisreadError, ValueError):
    """Outputs that belong to other references than those they are paired with; names the pairing that fits."""


class PairingWarning(UserWarning):
    """Doubts about the pairing of outputs and references, which are in the `warnings` of the result, too."""


class UndefinedResultError(MisreadError, ValueError):
    """Input for which the result is undefined, such as a corpus without segments."""


class InputTextError(MisreadError, ValueError):
    """A text that cannot be aligned, such as one with half of a surrogate pair; names the side and the index."""


class TooDifferentError(InputTextError):
    """Two texts so long and so different that aligning them would take too long; `pair` is their index."""

    def __init__(self, pair: int, lengths: Iterable[int], most_cells: int, *, name: str = "") -> None:
        self.pair = pair
        self.lengths = tuple(lengths)
        self.most_cells = most_cells
        super().__init__(
            f"{name or f'pair {pair}'}: texts of {self.lengths[0]:,} and {self.lengths[1]:,} units differ in so much "
            f"that aligning them takes more than {most_cells:,} steps, which is the limit. If they are a pair, align "
            "parts of them, such as pages."
        )

    def named(self, name: str) -> TooDifferentError:
        """The same error, for a pair that has a name."""
        return TooDifferentError(self.pair, self.lengths, self.most_cells, name=name)


class RevisionError(MisreadError, LookupError):
    """A Git revision whose results cannot be read; names the revision and what to run."""


class MissingResultsError(RevisionError):
    """Results of a revision that neither the cache nor the remote has; names the file and the line that brings it."""


class NotComparableError(MisreadError, ValueError):
    """Results of two revisions that cannot be compared; names the cause and what to do."""


class AnswerError(MisreadError, ValueError):
    """A reference or an answer that is not what its rule or task asks for; names the segment and the field."""


@contextmanager
def needed_for(use: str, package: str, extra: str) -> Iterator[None]:
    """Import a package in this context, or raise MissingDependencyError with the line that installs it."""
    try:
        yield
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == "misread":
            raise
        raise MissingDependencyError(f"{use} {package}: pip install 'misread[{extra}]'.") from None
