"""XML of ABBYY FineReader, versions 6 to 10: blocks of text and tables, lines, and words between blanks.

Source: ABBYY's schemas, FineReader6-schema-v1.xml to FineReader10-schema-v1.xml. A line is its `formatting` elements,
and each of these is its text, or its characters (`charParams`) if these are listed; variants of characters and words
are other readings. Cells of a table are read row by row, and pages in the order of the file.
"""

import re
from itertools import chain
from pathlib import Path
from typing import Any, Final

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.layout import ALTERNATIVES, Layout, Line, Region, make_layout
from misread.data.formats.xml_files import BEFORE_ROOT, CLOSED, import_etree, read_root, require_root

_SCHEMAS: Final = r"https?://www\.abbyy\.com/FineReader_xml/FineReader\d+-schema-v\d+\.xml"
_ABBYY: Final = re.compile(rf"{BEFORE_ROOT}<(?:[\w.-]+:)?document\s[^>]*[\"']{_SCHEMAS}[\"']", re.DOTALL)
_NAMESPACES: Final = re.compile(_SCHEMAS)
_LINE_BREAK: Final = re.compile(r"\s*\n\s*")
_LINES: Final = ("{*}text/{*}par/{*}line", "{*}row/{*}cell/{*}text/{*}par/{*}line")


def read_abbyy_xml(path: Path, *, words: bool = False) -> Layout:
    """Read a file; `words` says whether words are needed. Names are numbers: PAGE.BLOCK.LINE.WORD.

    Raises InputFileError with file and line.
    """
    reader = _Reader(path, words)
    root = read_root(path, part="page", take=reader.take_page, options=CLOSED)
    require_root(path, root, root="document", namespaces=_NAMESPACES, format_name=ABBYY.label)
    if not reader.pages:
        for page in root.iterchildren("{*}page"):
            reader.read_page(page)
    reader.look_through(root)
    return make_layout(path, reader.regions, reader.account)


class _Reader:
    """Reader of one file, page by page: its regions, and its account."""

    def __init__(self, path: Path, words: bool) -> None:
        self.words = words
        self.regions: list[Region] = []
        self.pages = 0
        self.account = Account(ABBYY.label, path)
        self._read: set[Any] = set()  # elements whose text is read
        self._count = import_etree().XPath("count(descendant::text()[normalize-space()])")

    def take_page(self, page: Any) -> None:
        """Read a page of a large file before it is emptied."""
        self.read_page(page)
        self.look_through(page)
        self._read.clear()

    def read_page(self, page: Any) -> None:
        """Add a region for each block with lines; those of tables are read row by row."""
        self.pages += 1
        for number, block in enumerate(page.iterchildren("{*}block"), start=1):
            name = f"{self.pages}.{number}"
            elements = chain.from_iterable(block.iterfind(path) for path in _LINES)
            lines = [self._line(line, f"{name}.{position}") for position, line in enumerate(elements, start=1)]
            if lines:
                self.regions.append(Region(name, None, block.sourceline, lines))

    def look_through(self, element: Any) -> None:
        """Account for everything that is not read."""
        words = (part for word in element.iter("{*}variantText") for part in word.iter())
        variants = [part for part in chain(element.iter("{*}charRecVariant"), words) if (part.text or "").strip()]
        self.account.leave_all_out(ALTERNATIVES, variants)
        if self._count(element) != len(self._read) + len(variants):
            self.account.add_tree(element.xpath("descendant::text()"), self._read.union(variants), {})

    def _line(self, element: Any, name: str) -> Line:
        text = "".join(map(self._formatted, element.iterchildren("{*}formatting"))).strip()
        return Line.of_text(name, text, element.sourceline, self.words)

    def _formatted(self, element: Any) -> str:
        """Text of one style, from its characters if it lists them."""
        characters = [*element.iterchildren("{*}charParams")]
        texts = [(part, _own(part)) for part in characters or [element]]
        self._read.update(part for part, text in texts if text.strip())
        if not characters:
            return _LINE_BREAK.sub(" ", texts[0][1])
        # White space around a character formats the file, and without one it is a blank.
        return "".join(text.strip() or " " for _, text in texts if text)


def _own(element: Any) -> str:
    """Text of an element without that of elements inside."""
    return "".join([element.text or "", *(child.tail or "" for child in element)])


def is_abbyy_xml(content: Content) -> bool:
    """Whether the root element is in a namespace of ABBYY's schemas."""
    return _ABBYY.match(content.begin) is not None


ABBYY = Format(
    name="abbyy",
    label="ABBYY's XML",
    kind="pages",
    paired_by="file",
    help="XML of ABBYY FineReader 6 to 10",
    endings=frozenset({".xml"}),
    package="lxml",
    recognise=is_abbyy_xml,
    read=read_abbyy_xml,
)
