"""PAGE-XML, versions 2009 to 2019: regions in reading order, lines, words and glyphs.

Sources: the schema of https://github.com/PRImA-Research-Lab/PAGE-XML; `custom` reading orders and TableCell are those
of Transkribus. Whatever is called a region, or a cell of a table, is read, by row and column in a table. Indents and
line breaks around a text format the XML, but empty lines of a region are text; a line has no line break. What the
words of a line say is the text of the line again, and what glyphs say that of their word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from misread.data.formats.account import Account
from misread.data.formats.base import Format, PageSettings
from misread.data.formats.content import Content
from misread.data.formats.layout import (
    ALTERNATIVES,
    NO_SUCH_REGION,
    OUTSIDE_ORDER,
    OUTSIDE_REGIONS,
    Confidence,
    Layout,
    Line,
    Region,
    Word,
    join_confidences,
    make_layout,
    read_confidence,
)
from misread.data.formats.xml_files import BEFORE_ROOT, compile_paths, read_root, require_root
from misread.errors import InputFileError

_PAGE_XML: Final = re.compile(rf"{BEFORE_ROOT}<(?:[\w.-]+:)?PcGts[\s>/]", re.DOTALL)

# pagexml-tools writes the second one.
NAMESPACES: Final = re.compile(
    r"https?://(?:schema\.primaresearch\.org|www\.primaresearch\.org/schema)/PAGE/gts/pagecontent/\d{4}-\d\d-\d\d"
)
_REGIONS: Final = ("Region", "TableCell")
"""Ends of the names of regions."""
OTHER_TEXT: Final = "texts of {} that differ from those of {}, which are read"
AROUND: Final = "texts of regions that differ from those of the regions inside them"
_CELL: Final = (("row", "col"), ("rowIndex", "columnIndex"))
_CUSTOM_INDEX: Final = re.compile(r"\breadingOrder\s*\{[^{}]*\bindex\s*:\s*([0-9]{1,18})(?![0-9])")
_NO_TEXT: Final = {"Metadata": "", "CornerPts": ""}
_INDENTS: Final = re.compile(r"[ \t\r]*\n[ \t\r]*")
_POINT: Final = re.compile(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")
# Orders of lines that are not the usual ones, with the coordinate that falls along them.
_BACKWARDS: Final = {"right-to-left": 0, "bottom-to-top": 1}
_LINES, _TEXT = "descendant-or-self::p:TextLine", "text()[normalize-space()]"
_WORDS: Final = f"{_LINES}/p:Word|{_LINES}/p:Word/p:Glyph"
_PATHS: Final = (
    f"count(descendant::{_TEXT})-count(p:Metadata/descendant::{_TEXT})",  # texts that are no metadata
    # Of a line, texts of its words, and those of their glyphs.
    f"p:Word/p:TextEquiv[1]/p:Unicode/{_TEXT}",
    f"p:Word/p:Glyph/p:TextEquiv[1]/p:Unicode/{_TEXT}",
    # Further texts of words and glyphs, and elements with texts of these.
    f"({_WORDS})/p:TextEquiv/*[../preceding-sibling::p:TextEquiv or not(.=../p:Unicode)][{_TEXT}]",
    f"({_WORDS})/p:TextEquiv/*|{_LINES}/p:Word/p:Glyph[p:TextEquiv]/p:Graphemes/descendant::p:TextEquiv/*",
)
# Position of elements that the reading order leaves out.
_LAST: Final = float("inf")


@dataclass(slots=True)
class _Node:
    """A region with the regions inside it."""

    region: Region
    index: float
    inside: list[_Node] = field(default_factory=list)


TextOf = Literal["region", "line", "word", "glyph"]
"""Elements whose own text is read; where one has none, it is made of those within."""
LEVELS: Final[Sequence[str]] = get_args(TextOf)


@dataclass(frozen=True, kw_only=True)
class PageXmlSettings(PageSettings):
    """Settings of PAGE-XML: what a segment is, and whose text is read."""

    text_of: TextOf = "region"


def read_page_xml(path: Path, *, words: bool = False, text_of: TextOf = "region", root: Any = None) -> Layout:
    """Read a file, or its root; `words` says whether words are needed.

    Of several TextEquiv, the one with the lowest index is read, without any index the one of highest confidence.
    Regions are in the order of ReadingOrder, else of `custom`, else of the file; those that ReadingOrder lacks follow.
    Raises InputFileError with file and line.
    """
    reader = _Reader(path, words, text_of)
    return reader.lay_out(read_root(path, part="TextLine", take=reader.take_line) if root is None else root)


class _Entry(NamedTuple):
    """A line with its `custom` index, and its place along the order that is declared, where that is needed."""

    rank: float
    position: float | None
    line: Line


class _Reader:
    """Reader of one file: its settings, names of elements in its namespace, and its account."""

    def __init__(self, path: Path, words: bool, text_of: TextOf) -> None:
        self.path = path
        self.words = words
        self.text_of = text_of
        self.account = Account(PAGE.label, path)
        self._by_words = text_of in ("word", "glyph")
        self._reads_words = words or self._by_words
        # Elements whose text is that of a region or line.
        self._read: set[Any] = set()
        self._within = 0  # texts of words and glyphs of lines
        self._differing: list[tuple[Any, str, Sequence[str]]] = []  # lines, their texts and those of their words
        self._prefix = ""
        # Lines of regions that were read before the rest of a large file.
        self._taken: dict[Any, list[_Entry]] = {}

    def lay_out(self, root: Any) -> Layout:
        """Regions of the one page of a file."""
        require_root(self.path, root, root="PcGts", namespaces=NAMESPACES, format_name="PAGE-XML")
        self._begin(root)
        regions = [region for page in root.iterchildren(self._page) for region in self._read_page(page)]
        holders = dict.fromkeys(line.getparent() for line in root.iter(self._line))
        for holder in [holder for holder in holders if not self._is_region(holder)]:
            region = Region(holder.get("id", ""), None, holder.sourceline, self._lines_of(holder))
            self.account.leave_out(OUTSIDE_REGIONS, region.content or "", region.at)
            regions.append(region)
        self._look_through(root)
        return make_layout(self.path, regions, self.account)

    def take_line(self, element: Any) -> None:
        """Read a line of a large file before it is emptied."""
        if not self._prefix:
            self._begin(element.getroottree().getroot())
        if element.tag == self._line:
            region = element.getparent()
            self._taken.setdefault(region, []).append(self._entry(element, self._order_of(region)))
            self._look_through(element)
            self._read.clear()
            self._within = 0
            self._differing.clear()

    def _begin(self, root: Any) -> None:
        self._prefix = root.tag.removesuffix("PcGts")
        self._page, self._line, self._word, self._glyph, self._equiv, self._unicode, self._plain = (
            self._prefix + name for name in ("Page", "TextLine", "Word", "Glyph", "TextEquiv", "Unicode", "PlainText")
        )

    def _is_region(self, element: Any) -> bool:
        return str(element.tag).endswith(_REGIONS)

    def _read_page(self, page: Any) -> list[Region]:
        """Regions of text in reading order."""
        nodes = [self.node(child) for child in page if self._is_region(child)]
        order = next(page.iterchildren(f"{self._prefix}ReadingOrder"), None)
        if order is None:
            regions = _sort(nodes)
        else:
            regions = self.arrange(nodes, [entry for group in order for entry in self.entries(group)])
        # Others are of images, or around others.
        return [region for region in regions if region.text is not None or region.lines]

    def entries(self, element: Any) -> Iterator[tuple[str, int]]:
        """Ids of regions that a group of the reading order names, with their lines in the file."""
        name = self._name(element)
        if reference := element.get("regionRef"):
            yield reference, element.sourceline
        inside = [child for child in element if "Group" in self._name(child) or "RegionRef" in self._name(child)]
        if name.startswith("OrderedGroup"):
            inside.sort(key=self._index)
        for child in inside:
            yield from self.entries(child)

    def node(self, element: Any) -> _Node:
        """A region with its lines and the regions inside it."""
        lines = self._lines_of(element)
        own, sure = self._own(element)
        region = Region(element.get("id", ""), None, element.sourceline, lines, sure)
        parts = [child for child in element if self._is_region(child)]
        cells = {at: cell for at, part in enumerate(parts) if (cell := _cell_of(part))}
        in_order = iter(sorted(cells, key=cells.__getitem__))
        inside = [self.node(parts[next(in_order)] if at in cells else part) for at, part in enumerate(parts)]
        within = "".join(part.region.content or "" for part in _walk(inside))
        content, at = region.content, region.at
        if own and within and (not lines or sorted(_letters(own)) == sorted(_letters(content or "", within))):
            # The text of a region around others repeats theirs.
            if not lines and _letters(own) != _letters(within):
                self.account.doubt(AROUND, own, at)
        elif not content:
            region = region._replace(text=own)
        elif own is not None:
            self._compare("region", own, "line", content, at)
            if own and self.text_of == "region":
                region = region._replace(text=own)
        return _Node(region, _custom_index(element), inside)

    def arrange(self, nodes: Sequence[_Node], order: Sequence[tuple[str, int]]) -> list[Region]:
        """Arrange regions in an order; regions that it lacks follow the one around them, else they come last."""
        by_id: dict[str, _Node] = {}
        for node in _walk(nodes):
            name = node.region.name
            if name in by_id:
                raise InputFileError(
                    f"{self.path}, line {node.region.at}: the id {name!r} of a region occurs twice, so that the "
                    "reading order is ambiguous."
                )
            by_id[name] = node
        names = {name for name, _ in order}
        taken: dict[str, Region] = {}

        def take(node: _Node) -> None:
            if taken.setdefault(node.region.name, node.region) is node.region:
                for part in node.inside:
                    if part.region.name not in names:
                        take(part)

        for name, at in order:
            if name in by_id:
                take(by_id[name])
            else:
                self.account.leave_out(NO_SUCH_REGION, "", at)
        for node in _walk(nodes):
            if node.region.name not in taken:
                if node.region.content:
                    self.account.leave_out(OUTSIDE_ORDER, "", node.region.at)
                taken[node.region.name] = node.region
        return list(taken.values())

    def _lines_of(self, region: Any) -> list[Line]:
        """Lines of a region in reading order."""
        order = self._order_of(region)
        entries = self._taken.pop(region, None)
        if entries is None:
            entries = [self._entry(element, order) for element in region.iterchildren(self._line)]
        if any(entry.rank != _LAST for entry in entries):
            entries.sort(key=lambda entry: entry.rank)
        elif order and not _runs_back(entries):
            entries.reverse()
        return [entry.line for entry in entries]

    def _order_of(self, region: Any) -> str:
        """The order of lines that a region or its page declares, if it is not the usual one."""
        order = region.get("textLineOrder")
        if order is None:
            order = next((page.get("textLineOrder", "") for page in region.iterancestors(self._page)), "")
        return order if order in _BACKWARDS else ""

    def _entry(self, element: Any, order: str) -> _Entry:
        position = self._position(element, _BACKWARDS[order]) if order else None
        return _Entry(_custom_index(element), position, self._read_line(element))

    def _position(self, line: Any, axis: int) -> float | None:
        """Mean coordinate of the outline of a line, or its baseline."""
        outline = next(line.iterchildren(f"{self._prefix}Coords", f"{self._prefix}Baseline"), None)
        points = [] if outline is None else _POINT.findall(outline.get("points", ""))
        return sum(float(point[axis]) for point in points) / len(points) if points else None

    def _read_line(self, element: Any) -> Line:
        text: str | None
        sure: Confidence
        text, sure = self._own(element, line_break=" ")
        words: list[Word] = []
        has_words = next(element.iterchildren(self._word), None) is not None
        texts = self._texts_within(element) if has_words else ()
        if self._reads_words or not text:
            # A blank between words is none.
            read = map(self._read_word, element.iterchildren(self._word))
            words = [word for word in read if not word.text or not word.text.isspace()]
            joined = " ".join(word.text for word in words if word.text)
            if joined and text is not None:
                self._compare("line", text, "word", joined, element.sourceline)
            if joined and (not text or self._by_words):
                text, sure = joined, join_confidences((word.text, word.confidence) for word in words)
            elif text is None and any(word.text is not None for word in words):
                text = ""
        elif texts and _letters(*texts) != _letters(text):
            self._differing.append((element, text, texts))
        return Line(element.get("id", ""), text, element.sourceline, words if self.words else (), sure)

    def _read_word(self, element: Any) -> Word:
        text, sure = (None, None) if self.text_of == "glyph" else self._own(element, line_break=" ", in_word=True)
        if not text:
            contents = [self._own(glyph, in_word=True)[0] for glyph in element.iterchildren(self._glyph)]
            glyphs = [glyph for glyph in contents if glyph is not None]
            # That of a word made of glyphs is not known.
            if any(glyphs) or (glyphs and text is None):
                text, sure = "".join(glyphs), None
            elif text is None:
                text, sure = self._own(element, line_break=" ", in_word=True)
        return Word(element.get("id", ""), text, element.sourceline, sure)

    def _own(self, element: Any, *, line_break: str = "\n", in_word: bool = False) -> tuple[str | None, float | None]:
        """Text of an element itself, with `line_break` for those in it, and its confidence."""
        equivs = [*element.iterchildren(self._equiv)]
        if not equivs:
            return None, None
        equiv = equivs[0] if len(equivs) == 1 else self._choose(equivs)
        contents = {child.tag: child for child in equiv}
        content = contents.get(self._unicode)
        if content is None or not content.text:
            content = contents.get(self._plain, content)
        if content is None:
            raise InputFileError(f"{self.path}, line {equiv.sourceline}: a TextEquiv without Unicode.")
        if len(content):
            raise InputFileError(
                f"{self.path}, line {content.sourceline}: an element or entity inside of Unicode, expected text alone."
            )
        text = _unformatted(content.text or "", line_break)
        if not in_word:
            if text and not text.isspace():
                self._read.add(content)
            if len(equivs) > 1 or len(contents) > 1:
                written = [child for entry in equivs for child in entry if child.text and not child.text.isspace()]
                self._read.update(written)
                self.account.leave_all_out(ALTERNATIVES, [other for other in written if other.text != content.text])
        return text, read_confidence(equiv.get("conf"))

    def _choose(self, equivs: list[Any]) -> Any:
        """The one of several texts of an element that counts."""
        indexed: dict[int, Any] = {}
        for equiv in equivs:
            if equiv.get("index") is not None:
                index = self._index(equiv)
                if index in indexed:
                    raise InputFileError(
                        f"{self.path}, line {equiv.sourceline}: a second TextEquiv of index {index} (the first is on "
                        f"line {indexed[index].sourceline}), so that none of them is the text."
                    )
                indexed[index] = equiv
        return indexed[min(indexed)] if indexed else max(equivs, key=self._confidence)

    def _confidence(self, equiv: Any) -> float:
        value = equiv.get("conf")
        try:
            return -1.0 if value is None else float(value)
        except ValueError:
            raise InputFileError(
                f"{self.path}, line {equiv.sourceline}: conf is {value!r}, expected a number."
            ) from None

    def _index(self, element: Any) -> int:
        value = element.get("index", "")
        if not re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", value):
            raise InputFileError(
                f"{self.path}, line {element.sourceline}: the index of <{self._name(element)}> is {value!r}, expected "
                "a whole number."
            )
        return int(value)

    def _name(self, element: Any) -> str:
        return str(element.tag).removeprefix(self._prefix)

    def _compare(self, around: str, own: str, within: str, content: str, at: int) -> None:
        """Note the text of an element, or that of the parts within, if it is another one than that which is read."""
        if _letters(own) == _letters(content):
            return
        is_own = bool(own) and LEVELS.index(self.text_of) <= LEVELS.index(around)
        left, taken = (f"{within}s", f"{around}s") if is_own else (f"{around}s", f"{within}s")
        self.account.leave_out(OTHER_TEXT.format(left, taken), content if is_own else own, at)

    def _texts_within(self, line: Any) -> list[str]:
        """Texts of the words of a line; those of its glyphs are counted."""
        _, find_words, find_glyphs, *_ = compile_paths(self._prefix, _PATHS)
        texts, glyphs = find_words(line), find_glyphs(line)
        self._within += len(texts) + len(glyphs)
        if texts and glyphs and self.text_of != "glyph" and _letters(*texts) != _letters(*glyphs):
            self.account.leave_out(OTHER_TEXT.format("glyphs", "words"), "".join(glyphs), line.sourceline)
        return texts  # type: ignore[no-any-return]

    def _look_through(self, element: Any) -> None:
        """Account for everything in the root, or in a line of a large file, that is not read."""
        count, _, _, find_others, find_in_words = compile_paths(self._prefix, _PATHS)
        others = list[Any]()
        if unread := count(element) - self._within - len(self._read):
            others = find_others(element)
            self.account.leave_all_out(ALTERNATIVES, others)
            if unread != len(others):
                read = self._read.union(find_in_words(element))
                self.account.add_tree(element.xpath("descendant::text()"), read, _NO_TEXT)
        for line, text, texts in self._differing:
            if others:
                texts = [self._own(word, in_word=True)[0] or "" for word in line.iterchildren(self._word)]
            self._compare("line", text, "word", " ".join(texts), line.sourceline)


def _letters(*texts: str) -> str:
    return "".join("".join(texts).split())


def _unformatted(text: str, line_break: str) -> str:
    """A text without indents, and without line breaks around it; of a region these count if nothing is indented."""
    if "\n" not in text:
        return text
    ends = [text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]]
    first, last = ("\n" in end and (line_break != "\n" or bool(end.strip("\r\n"))) for end in ends)
    return _INDENTS.sub(line_break, text[first and len(ends[0]) : len(text) - (last and len(ends[1]))])


def _cell_of(element: Any) -> tuple[int, int] | None:
    """Row and column of a cell of a table: its own, or those of its role (2019); None if it is not one."""
    for holder in (element, *element.iterfind("{*}Roles/{*}TableCellRole")):
        for names in _CELL:
            numbers = [holder.get(name, "") for name in names]
            if all(number.isdecimal() for number in numbers):
                return int(numbers[0]), int(numbers[1])
    return None


def _sort(nodes: Sequence[_Node]) -> list[Region]:
    """Regions by their `custom` index, each followed by those inside it; those without one are last."""
    ordered = sorted(nodes, key=lambda node: node.index)
    return [region for node in ordered for region in (node.region, *_sort(node.inside))]


def _walk(nodes: Sequence[_Node]) -> Iterator[_Node]:
    for node in nodes:
        yield node
        yield from _walk(node.inside)


def _custom_index(element: Any) -> float:
    custom = element.get("custom")
    if not custom or (match := _CUSTOM_INDEX.search(custom)) is None:
        return _LAST
    return int(match[1])


def _runs_back(entries: Sequence[_Entry]) -> bool:
    """Whether lines from the first to the last run from bottom to top, or right to left, already."""
    ends = [entry.position for entry in [*entries[:1], *entries[-1:]] if entry.position is not None]
    return len(entries) < 2 or (len(ends) == 2 and ends[0] > ends[1])


def is_page_xml(content: Content) -> bool:
    """Whether the root element is that of PAGE-XML."""
    return _PAGE_XML.match(content.begin) is not None


PAGE = Format(
    name="page",
    label="PAGE-XML",
    kind="pages",
    paired_by="file",
    help="PAGE-XML, 2009 to 2019",
    endings=frozenset({".xml"}),
    settings=PageXmlSettings(),
    package="lxml",
    recognise=is_page_xml,
    read=read_page_xml,
)
