"""Files with one page each: texts of the parts of a page, by its format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from misread.data.formats.base import Format, Hyphens, Level, TextOf
from misread.data.formats.layout import Layout
from misread.data.formats.plain_text import read_plain_text
from misread.errors import ConfigurationError, setting
from misread.io.text import UTF_8, join_lines


@dataclass(frozen=True, kw_only=True)
class LayoutReader:
    """Reader of the files of one side: its format, and what is taken from a file."""

    format: Format
    level: Level = "page"
    text_of: TextOf = "region"
    hyphens: Hyphens = "kept"
    encoding: str = UTF_8
    verbatim: bool = False

    def read(self, path: Path) -> tuple[dict[str, str | None], Layout | None]:
        """Texts of a file by the ids of its parts, of which a page has none; and its layout, if the format has one.

        Raises InputFileError with file and line, and ConfigurationError if the format has no such parts.
        """
        if self.format.read is None:
            if self.level != "page":
                raise ConfigurationError(
                    f"{setting('level', self.level)}: {path.name} is plain text, whose parts have no ids to be paired "
                    "by; choose page."
                )
            return {"": join_lines(read_plain_text(path, verbatim=self.verbatim, encoding=self.encoding))}, None
        options = {name: getattr(self, name) for name in self.format.options}
        layout: Layout = self.format.read(path, words=self.level == "word", **options)
        return {"": layout.text} if self.level == "page" else layout.cut(self.level), layout
