"""File formats: a record of its name, what it holds, and the functions that recognise, read and write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from misread.errors import ConfigurationError, setting
from misread.io.names import changed_settings, write_name
from misread.io.setting_values import default_settings

if TYPE_CHECKING:
    from misread.data.formats.content import Content
    from misread.data.formats.timed_text import TimedText

Level = Literal["page", "region", "line", "word"]
"""Levels of a segment of a page; a page is a whole file."""

Kind = Literal["lines", "segments", "words", "pages", "table", "log"]
"""What a file holds.

lines: plain text, every line a segment; segments: texts with ids or times; words: words with times, which are cut at
the segments of another format; pages: one page; table: columns, which options name; log: references, and the outputs
of one system with its scores.
"""

SEGMENTED: Final[Sequence[Kind]] = ("lines", "segments", "words")
"""Kinds of files that hold segments."""

PairedBy = Literal["line", "id", "time", "file"]
"""Keys that pair segments: the number of the line, an id, times, or the name of the file."""


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    """Settings of plain text: whether it is read as it is, even if it looks like another format."""

    verbatim: bool = False


@dataclass(frozen=True, kw_only=True)
class PageSettings:
    """Settings of every format with layout: what a segment is, a page or a part of it that has an id."""

    level: Level = "page"


@dataclass(frozen=True, kw_only=True)
class MarkedSettings:
    """Settings of NIST's notation: whether a word in parentheses is optional; else it is compared as written."""

    optional_words: bool = False


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format of files. A study may bring its own: with `name`, `label`, `kind`, `paired_by` and `read` it is scored.

    Parameters
    ----------
    name : str
        As options and settings call it.
    label : str
        As sentences call it.
    kind : {"lines", "segments", "words", "pages", "table", "log"}
        What a file holds.
    paired_by : {"line", "id", "time", "file"}
        What segments are paired by.
    help : str
        What it is, in a few words.
    endings : frozenset of str
        Usual endings of the names of its files, in lower case; files of pages are looked for by them.
    settings : dataclass, optional
        What the brackets behind the name set, `page(level=line)`: arguments of `read` and `pair`. A setting `level`,
        which all formats with layout have, is not: it says what `read` is used for.
    folders : frozenset of str
        Settings that are paths of folders; a data set finds them below its own.
    takes : frozenset of str
        What else `read` or `pair` takes: "encoding", "cluster" or "options", those of folders.
    references : str
        Name of the one format of references that its files are scored against.
    has_turns : bool
        Whether every segment has a recording and a speaker, so that whole sessions can be scored.
    document : str
        What the segments of one document are called as a cluster.
    note : str
        A whole sentence on what its texts are.
    holds : frozenset of str
        What a written file can hold apart from the texts, as `convert` calls it.
    package : str
        Distribution that reading needs in addition to those that misread requires.
    recognise : callable, optional
        `(content: Content) -> bool`, True only for what can be of no other format.
    read : callable, optional
        Of pages `(path, *, words, **options) -> Layout`, or none for plain text; of logs `(path, *, encoding) -> Log`;
        else `(path, *, encoding) -> Sequence[TimedText]`.
    read_hypotheses : callable, optional
        `(path, references, *, encoding) -> Sequence[TimedText]`, where outputs are read in another way.
    pair : callable, optional
        `(reference, hypotheses, *, encoding, **options) -> SegmentTable`, where segments are paired in another way.
    write : callable, optional
        `(segments, ids) -> str`, the content of a file.
    note_changes : callable, optional
        `(segments) -> list[str]`, whole sentences on what a written file says otherwise.
    """

    name: str
    label: str
    kind: Kind
    paired_by: PairedBy
    help: str = ""
    endings: frozenset[str] = frozenset()
    settings: Any = None
    folders: frozenset[str] = frozenset()
    takes: frozenset[str] = frozenset()
    references: str = ""
    has_turns: bool = False
    document: str = "recording"
    note: str = ""
    holds: frozenset[str] = frozenset()
    package: str = ""
    recognise: Callable[[Content], bool] | None = None
    read: Callable[..., Any] | None = None
    read_hypotheses: Callable[..., Any] | None = None
    pair: Callable[..., Any] | None = None
    write: Callable[[Sequence[TimedText], Sequence[str]], str] | None = None
    note_changes: Callable[[Sequence[TimedText]], list[str]] | None = None

    def __post_init__(self) -> None:
        if self.settings is None and self.has_layout:
            object.__setattr__(self, "settings", PageSettings())

    def __str__(self) -> str:
        return write_name(self.name, self.changed)

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """Its settings with the values that they have where the name does not say more."""
        return {} if self.settings is None else default_settings(type(self.settings))

    @property
    def values(self) -> dict[str, Any]:
        """Its settings with their values."""
        return {name: getattr(self.settings, name) for name in self.defaults}

    @property
    def changed(self) -> dict[str, Any]:
        """Its settings that differ from the defaults."""
        return changed_settings(self.values, self.defaults, self.name)

    @property
    def arguments(self) -> dict[str, Any]:
        """Its settings as `read` and `pair` take them."""
        return {name: value for name, value in self.values.items() if name != "level"}

    @property
    def level(self) -> Level:
        """Level of a segment of its pages."""
        level: Level = self.values.get("level", "page")
        return level

    def given(self, **settings: Any) -> Format:
        """Return the same format with these settings, as far as it has them."""
        known = {name: value for name, value in settings.items() if name in self.defaults}
        return replace(self, settings=replace(self.settings, **known)) if known else self

    @property
    def as_options(self) -> str:
        """Settings that choose the format, and that of its references if it differs, marked for a message."""
        if self.references:
            return f"{setting('format', self.references)} {setting('hypothesis_format', self.name)}"
        return setting("format", self.name)

    @property
    def has_layout(self) -> bool:
        """Whether its files have regions, lines and words."""
        return self.kind == "pages" and self.read is not None

    @property
    def has_segments(self) -> bool:
        """Whether its files are read segment by segment."""
        return self.kind in SEGMENTED and self.read is not None

    def read_segments(self, path: Path, *, encoding: str) -> Sequence[TimedText]:
        """Segments of a file; raises ConfigurationError if it is not read segment by segment."""
        if self.read is None or not self.has_segments:
            raise ConfigurationError(f"files of the format {self.name} are not read segment by segment.")
        segments: Sequence[TimedText] = self.read(path, encoding=encoding, **self.arguments)
        return segments

    def write_segments(self, segments: Sequence[TimedText], ids: Sequence[str]) -> str:
        """The content of a file; raises ConfigurationError if the format is not written."""
        if self.write is None:
            raise ConfigurationError(f"files of the format {self.name} are not written.")
        return self.write(segments, ids)

    def fits(self, hypotheses: Format) -> bool:
        """Whether references of this format are scored against hypotheses of another, or of the same."""
        if self.kind == "pages" or hypotheses.kind == "pages":
            return self.kind == hypotheses.kind
        if self.references or hypotheses.references:
            return hypotheses.references == self.name
        return self.name == hypotheses.name or self.paired_by == hypotheses.paired_by == "time"


def name_settings(*formats: Format) -> str:
    """The formats, each once, whose settings say which texts of a file are read; part of the signature."""
    return " and ".join(dict.fromkeys(str(form) for form in formats if {*form.changed} - {"verbatim"}))
