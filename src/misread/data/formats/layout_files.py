"""Files with one page each: texts of the parts of a page, by its format."""

from dataclasses import dataclass
from pathlib import Path

from misread.data.formats.base import Format
from misread.data.formats.layout import Layout
from misread.data.formats.plain_text import read_plain_text
from misread.io.text import UTF_8, join_lines


@dataclass(frozen=True, kw_only=True)
class LayoutReader:
    """Reader of the files of one side, in a format with its settings."""

    format: Format
    encoding: str = UTF_8

    def read(self, path: Path) -> tuple[dict[str, str | None], Layout | None]:
        """Texts of a file by the ids of its parts ("" for a page), and its layout, if the format has one.

        Raises InputFileError with file and line.
        """
        form = self.format
        if form.read is None:
            return {"": join_lines(read_plain_text(path, encoding=self.encoding, **form.arguments))}, None
        arguments = form.arguments | ({"encoding": self.encoding} if "encoding" in form.takes else {})
        layout: Layout = form.read(path, words=form.level == "word", **arguments)
        return {"": layout.text} if form.level == "page" else layout.cut(form.level), layout
