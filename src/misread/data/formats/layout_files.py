"""Formats of files that hold a text with its layout: how each is read, and told by its content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from misread.data.base import SETTINGS, SettingNames
from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.hocr import read_hocr
from misread.data.formats.layout import Hyphens, Layout, Level
from misread.data.formats.page_xml import TextOf, read_page_xml
from misread.data.formats.plain_text import read_plain_text
from misread.data.formats.tesseract_files import TSV_HEADER, read_tesseract_box, read_tesseract_tsv
from misread.data.formats.text_boxes import are_icdar_boxes, read_funsd, read_icdar_boxes
from misread.errors import ConfigurationError
from misread.io.text import UTF_8, join_lines, read_start, split_lines

LayoutFormat = Literal["text", "page", "alto", "hocr", "tesseract_tsv", "tesseract_box", "icdar", "funsd"]
"""A format of files with one page each."""


@dataclass(frozen=True)
class _Format:
    """Name for people, endings of file names, and reader of a format."""

    label: str
    endings: frozenset[str]
    read: Callable[[Path, LayoutReader], Layout] | None


@dataclass(frozen=True, kw_only=True)
class LayoutReader:
    """Reader of the files of one side: its format, and what is taken from a file."""

    format: LayoutFormat
    level: Level = "page"
    text_of: TextOf = "region"
    hyphens: Hyphens = "kept"
    encoding: str = UTF_8
    verbatim: bool = False
    names: SettingNames = SETTINGS

    @property
    def words(self) -> bool:
        """Whether words are needed."""
        return self.level == "word"

    def read(self, path: Path) -> tuple[dict[str, str | None], Layout | None]:
        """Texts of a file by the ids of its parts, of which a page has none; and its layout, if the format has one.

        Raises InputFileError with file and line, and ConfigurationError if the format has no such parts.
        """
        read = LAYOUT_FORMATS[self.format].read
        if read is None:
            if self.level != "page":
                raise ConfigurationError(
                    f"{self.names.level} {self.level}: {path.name} is plain text, whose parts have no ids to be paired "
                    "by; choose page."
                )
            return {"": join_lines(read_plain_text(path, verbatim=self.verbatim, encoding=self.encoding))}, None
        layout = read(path, self)
        return {"": layout.text} if self.level == "page" else layout.cut(self.level), layout


LAYOUT_FORMATS: Final[Mapping[str, _Format]] = {
    "text": _Format("plain text", frozenset(), None),
    "page": _Format(
        "PAGE-XML",
        frozenset({".xml"}),
        lambda path, how: read_page_xml(path, words=how.words, text_of=how.text_of),
    ),
    "alto": _Format(
        "ALTO",
        frozenset({".xml", ".alto"}),
        lambda path, how: read_alto_xml(path, words=how.words, hyphens=how.hyphens),
    ),
    "hocr": _Format(
        "hOCR",
        frozenset({".hocr", ".html", ".htm", ".xhtml", ".xml"}),
        lambda path, how: read_hocr(path, words=how.words, encoding=how.encoding),
    ),
    "tesseract_tsv": _Format(
        "Tesseract's TSV",
        frozenset({".tsv"}),
        lambda path, how: read_tesseract_tsv(path, words=how.words, encoding=how.encoding),
    ),
    "tesseract_box": _Format(
        "Tesseract's boxes",
        frozenset({".box"}),
        lambda path, how: read_tesseract_box(path, words=how.words, encoding=how.encoding),
    ),
    "icdar": _Format(
        "boxes with texts",
        frozenset({".txt", ".csv"}),
        lambda path, how: read_icdar_boxes(path, words=how.words, encoding=how.encoding),
    ),
    "funsd": _Format(
        "forms of FUNSD",
        frozenset({".json"}),
        lambda path, how: read_funsd(path, words=how.words, encoding=how.encoding),
    ),
}
"""Formats of files with one page each, by name."""

_BEFORE_ROOT: Final = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*", re.DOTALL)
_ROOTS: Final = {
    "page": re.compile(r"<(?:[\w.-]+:)?PcGts[\s>/]"),
    "alto": re.compile(r"<(?:[\w.-]+:)?alto[\s>/]"),
    "hocr": re.compile(
        r"""<html[\s>](?=.*(?:\bclass\s*=\s*["']ocr_page|["']ocr-(?:system|capabilities)["']))""", re.DOTALL
    ),
    "funsd": re.compile(r"""\{\s*"form"\s*:\s*\["""),
    "tesseract_tsv": re.compile(re.escape("\t".join(TSV_HEADER)) + r"\r?\n"),
}


def endings_of(name: str) -> frozenset[str]:
    """Endings of names of a format; none where it is not known."""
    return LAYOUT_FORMATS[name].endings if name else frozenset()


def guess_format(path: Path) -> LayoutFormat | None:
    """The format of a file if its content can be of no other; None for plain text, or where it may be several."""
    text, is_whole = read_start(path)
    begin = text[_BEFORE_ROOT.match(text).end() :]  # type: ignore[union-attr]
    for name, root in _ROOTS.items():
        if root.match(begin):
            return name  # type: ignore[return-value]
    lines = [line for line in split_lines(text if is_whole else text[: text.rfind("\n") + 1]) if line.strip()]
    return "icdar" if are_icdar_boxes(lines) else None
