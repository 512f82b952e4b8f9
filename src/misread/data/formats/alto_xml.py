"""ALTO, versions 1 to 4: blocks in reading order, lines and strings, with divided words as printed or whole.

Source: the schemas of https://github.com/altoxml/schema, where strings are separated by white space or a hyphen: every
string is a word, whether or not a space (SP) follows, which real files often lack. The text is in CONTENT alone; what
a string has inside are its glyphs and other readings.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from misread.data.formats.account import Account
from misread.data.formats.base import Format, PageSettings
from misread.data.formats.content import Content
from misread.data.formats.layout import (
    ALONE,
    ALTERNATIVES,
    NO_SUCH_REGION,
    OUTSIDE_ORDER,
    OUTSIDE_REGIONS,
    Layout,
    Line,
    Region,
    Word,
    join_confidences,
    make_layout,
    read_confidence,
    spread_confidences,
)
from misread.data.formats.xml_files import BEFORE_ROOT, compile_paths, read_root, require_root
from misread.errors import InputFileError

_ALTO: Final = re.compile(rf"{BEFORE_ROOT}<(?:[\w.-]+:)?alto[\s>/]", re.DOTALL)

# Version 1 has no namespace, or that of its maker; libraries and tools have their own: alto_prod, .../alto/v3/alto.xsd.
NAMESPACES: Final = re.compile(r"(?:.*alto.*)?", re.IGNORECASE)
_HYPHENS: Final = ("-", "\u00ad", "\u2010", "\u2011", "\u00ac", "\u2e17")
_BLANKS: Final = re.compile(r" +")
_NO_TEXT: Final = dict.fromkeys(("Description", "Styles", "Tags"), "") | dict.fromkeys(("Variant", "Var"), ALTERNATIVES)
_OTHER_WORD: Final = "whole words that differ from their halves, which are read"
_EXPANDED: Final = "expansions of words that are read as they are printed"
_TEXT: Final = "descendant::text()[normalize-space()]"
_PATHS: Final = (
    # Number of CONTENT but for glyphs, and of texts outside of the description; elements with other readings.
    "count(descendant::*/@CONTENT)-count(descendant::p:String/p:Glyph/descendant-or-self::*/@CONTENT)",
    f"count({_TEXT})-count(p:Description/{_TEXT})",
    "descendant::p:String/p:ALTERNATIVE[normalize-space()]",
)
_FIRST_HALF: Final = "HypPart1"
_SECOND_HALF: Final = "HypPart2"


Hyphens = Literal["kept", "joined"]
"""Whether a word that is divided at the end of a line is read as it is printed, or whole in its first line."""


@dataclass(frozen=True, kw_only=True)
class AltoSettings(PageSettings):
    """Settings of ALTO: what a segment is, and how divided words are read."""

    hyphens: Hyphens = "kept"


def read_alto_xml(path: Path, *, words: bool = False, hyphens: Hyphens = "kept", root: Any = None) -> Layout:
    """Read a file, or its root; `words` says whether words are needed.

    With `hyphens` "joined", a divided word (SUBS_CONTENT) replaces its first half, and the second half
    is left out. Blocks are in the order of ReadingOrder (since 4.3), else of IDNEXT, else of the file. Raises
    InputFileError with file and line.
    """
    reader = _Reader(path, words)
    root = read_root(path, part="TextLine", take=reader.take_line) if root is None else root
    return reader.lay_out(root, hyphens)


@dataclass(slots=True)
class _Line:
    """A line of text with its words; `halves` has position, kind and whole word of each half of a divided one."""

    name: str
    at: int
    texts: list[str] = field(default_factory=list)
    confidences: list[float | None] = field(default_factory=list)
    words: list[tuple[str, int]] = field(default_factory=list)  # name and line in the file, where they are needed
    halves: list[tuple[int, str, str, int]] = field(default_factory=list)

    def done(self) -> Line:
        """The line, without words that moved to another one."""
        words: Sequence[Word] = ()
        if self.words:
            parts = zip(self.words, self.texts, self.confidences, strict=True)
            words = [Word(name, text, at, confidence) for (name, at), text, confidence in parts if text]
        if "" in self.texts:
            sure = join_confidences(zip(self.texts, self.confidences, strict=True))
            return Line(self.name, " ".join(filter(None, self.texts)), self.at, words, sure)
        text = " ".join(self.texts) if self.texts else None
        return Line(self.name, text, self.at, words, spread_confidences(self.texts, self.confidences))


@dataclass(slots=True)
class _Block:
    """A block of text, or one composed of others, and the next one in reading order."""

    name: str
    at: int
    next: str
    lines: list[_Line]
    inside: list[_Block]
    page: str


class _Reader:
    """Reader of one file: its settings, the namespace of its elements, and its account."""

    def __init__(self, path: Path, words: bool) -> None:
        self.path = path
        self.words = words
        self.account = Account(ALTO.label, path)
        self._read: set[Any] = set()  # elements whose CONTENT is read
        self._prefix: str | None = None
        # Lines of blocks that were read before the rest of a large file.
        self._taken: dict[Any, list[_Line]] = {}

    def lay_out(self, root: Any, hyphens: Hyphens) -> Layout:
        """Blocks of all pages of a file."""
        require_root(self.path, root, root="alto", namespaces=NAMESPACES, format_name="ALTO")
        self._begin(root)
        order = [
            (entry.get("REF", ""), entry.sourceline)
            for group in root.iterchildren(f"{self._prefix}ReadingOrder")
            for entry in group.iter(f"{self._prefix}ElementRef")
        ]
        blocks = self._blocks(root)
        arranged = self.arrange(blocks, order) if order else list(_follow(blocks))
        holders = dict.fromkeys(line.getparent() for line in root.iter(self._line))
        arranged += [self._outside(holder) for holder in holders if holder.tag not in self._kinds]
        self.pair_halves([line for block in arranged for line in block.lines], joined=hyphens == "joined")
        regions = [Region(block.name, None, block.at, [line.done() for line in block.lines]) for block in arranged]
        names = [line.name for region in regions for line in region.lines if line.name]
        names += [region.name for region in regions if region.name]
        if len(self._pages) > 1 and len({*names}) < len(names):
            # Tesseract begins to number at every page.
            regions = [_with_page(region, block.page) for region, block in zip(regions, arranged, strict=True)]
        self._look_through(root)
        return make_layout(self.path, [region for region in regions if region.lines], self.account)

    def take_line(self, element: Any) -> None:
        """Read a line of a large file before it is emptied."""
        if self._prefix is None:
            self._begin(element.getroottree().getroot())
        if element.tag == self._line:
            self._taken.setdefault(element.getparent(), []).append(self._read_line(element))
            self._look_through(element)
            self._read.clear()

    def _look_through(self, element: Any) -> None:
        """Account for everything in the root, or in a line of a large file, that is not read."""
        count_contents, count_texts, find_alternatives = compile_paths(self._prefix or "", _PATHS)
        alternatives = find_alternatives(element)
        self.account.leave_all_out(ALTERNATIVES, alternatives)
        if count_contents(element) != len(self._read):
            self.account.add_tree(element.xpath("descendant::*/@CONTENT"), self._read, {**_NO_TEXT, "Glyph": ""})
        if count_texts(element) != len(alternatives):
            self.account.add_tree(element.xpath("descendant::text()"), {*alternatives}, _NO_TEXT)

    def _begin(self, root: Any) -> None:
        self._prefix = root.tag.removesuffix("alto")
        self._line, self._string, self._hyphen = (f"{self._prefix}{name}" for name in ("TextLine", "String", "HYP"))
        pages = root.iter(f"{self._prefix}Page")
        self._pages = {page: page.get("ID") or str(number) for number, page in enumerate(pages, start=1)}
        self._kinds = (f"{self._prefix}TextBlock", f"{self._prefix}ComposedBlock")

    def _blocks(self, root: Any) -> list[_Block]:
        """Blocks of text, and those that are composed of others, of the print space and the margins of all pages."""
        blocks = (block for block in root.iter(*self._kinds) if block.getparent().tag not in self._kinds)
        return [*map(self._block, blocks)]

    def _block(self, element: Any, *, is_outside: bool = False) -> _Block:
        lines = self._taken.pop(element, None)
        return _Block(
            element.get("ID", ""),
            element.sourceline,
            element.get("IDNEXT", ""),
            [*map(self._read_line, element.iterchildren(self._line))] if lines is None else lines,
            [] if is_outside else [self._block(child) for child in element.iterchildren(*self._kinds)],
            next((self._pages[part] for part in element.iterancestors() if part in self._pages), ""),
        )

    def _outside(self, holder: Any) -> _Block:
        """Lines that are in no block."""
        block = self._block(holder, is_outside=True)
        self.account.leave_out(OUTSIDE_REGIONS, " ".join(text for line in block.lines for text in line.texts), block.at)
        return block

    def arrange(self, blocks: Sequence[_Block], order: Sequence[tuple[str, int]]) -> list[_Block]:
        """Arrange blocks in an order; blocks that it lacks follow the block around them, else they come last."""
        everything = list(_walk(blocks))
        ranks = {name: rank for rank, (name, _) in reversed([*enumerate(order)])}
        by_id: dict[str, _Block] = {}
        by_line: dict[str, _Block] = {}
        for block in everything:
            block.lines.sort(key=lambda line: ranks.get(line.name, len(order)))
            by_line.update(dict.fromkeys((line.name for line in block.lines), block))
            if block.name and by_id.setdefault(block.name, block) is not block:
                raise InputFileError(
                    f"{self.path}, line {block.at}: the ID {block.name!r} of a block occurs twice, so that the reading "
                    "order is ambiguous."
                )
        names = {name for name, _ in order}
        taken: dict[int, _Block] = {}
        for name, at in order:
            if (holder := by_id.get(name) or by_line.get(name)) is not None:
                taken.update({id(part): part for part in _walk([holder], leave_out=names)})
            else:
                self.account.leave_out(NO_SUCH_REGION, "", at)
        for block in everything:
            if id(block) not in taken:
                if any(line.texts for line in block.lines):
                    self.account.leave_out(OUTSIDE_ORDER, "", block.at)
                taken[id(block)] = block
        return list(taken.values())

    def pair_halves(self, lines: Sequence[_Line], *, joined: bool) -> None:
        """Note halves of divided words that have no other half; with `joined`, write the others as one word."""
        first: tuple[_Line, int, str, int] | None = None
        for line in lines:
            for position, kind, whole, at in line.halves:
                if kind == _FIRST_HALF:
                    if first is not None:
                        self.account.leave_out(ALONE, first[2], first[3])
                    first = (line, position, whole, at)
                elif first is None:
                    self.account.leave_out(ALONE, whole, at)
                else:
                    before, index, its_whole, _ = first
                    halves, whole = before.texts[index] + line.texts[position], its_whole or whole
                    if whole and whole not in (halves, before.texts[index][:-1] + line.texts[position]):
                        self.account.leave_out(_OTHER_WORD, halves if joined else whole, at)
                    if joined:
                        before.texts[index] = whole or halves
                        line.texts[position] = ""
                    first = None
        if first is not None:
            self.account.leave_out(ALONE, first[2], first[3])

    def _read_line(self, element: Any) -> _Line:
        line = _Line(element.get("ID", ""), element.sourceline)
        texts = line.texts
        for child in element.iterchildren(self._string, self._hyphen):
            text = child.get("CONTENT")
            if text is None:
                raise InputFileError(
                    f"{self.path}, line {child.sourceline}: <{child.tag.rpartition('}')[2]}> has no CONTENT."
                )
            self._read.add(child)
            if len(child):
                glyphs = "".join(glyph.get("CONTENT", "") for glyph in child.iterchildren(f"{self._prefix}Glyph"))
                if text and glyphs and glyphs != "".join(text.split()):
                    self.account.leave_out("glyphs that differ from words, which are read", glyphs, child.sourceline)
                text = text or glyphs
            if child.tag == self._hyphen and texts:
                # On paper there is one, which some write at the end of the word, too.
                is_there = texts[-1].endswith(_HYPHENS) and text in _HYPHENS
                texts[-1] += "" if is_there else text
                continue
            whole = child.get("SUBS_CONTENT")
            if (kind := child.get("SUBS_TYPE")) in (_FIRST_HALF, _SECOND_HALF):
                line.halves.append((len(texts), kind, whole or "", child.sourceline))
            elif whole:
                self.account.leave_out(_EXPANDED, whole, child.sourceline)
            texts.append(text)
            line.confidences.append(read_confidence(child.get("WC")))
            if self.words:
                line.words.append((child.get("ID", ""), child.sourceline))
        if len(texts) > 1 and " " in "".join(texts):
            # One blank separates strings, but one string may be a whole line.
            texts[:] = [_BLANKS.sub(" ", text).strip(" ") for text in texts]
        return line


def _with_page(region: Region, page: str) -> Region:
    """A region whose names, and those of its lines and words, begin with that of their page."""

    def rename(piece: Any) -> Any:
        return piece._replace(name=f"{page}.{piece.name}") if piece.name else piece

    lines = [rename(line)._replace(words=[*map(rename, line.words)]) for line in region.lines]
    return rename(region)._replace(lines=lines)  # type: ignore[no-any-return]


def _walk(blocks: Sequence[_Block], *, leave_out: Container[str] = ()) -> Iterator[_Block]:
    """Yield blocks and the blocks inside them, without those inside that are left out."""
    for block in blocks:
        yield block
        yield from _walk([child for child in block.inside if child.name not in leave_out], leave_out=leave_out)


def _follow(blocks: Sequence[_Block]) -> Iterator[_Block]:
    """Yield blocks in the order of the file, but a block that IDNEXT names follows the block that names it."""
    everything = list(_walk(blocks))
    by_id = {block.name: block for block in everything if block.name}
    nexts = {block.next for block in everything}
    # Those that nothing leads to begin; a circle begins with its first.
    heads = [*(block for block in everything if block.name not in nexts or not block.name), *everything]
    done: set[int] = set()
    for head in heads:
        block: _Block | None = head
        while block is not None and id(block) not in done:
            done.add(id(block))
            yield block
            block = by_id.get(block.next) if block.next else None


def is_alto(content: Content) -> bool:
    """Whether the root element is that of ALTO."""
    return _ALTO.match(content.begin) is not None


ALTO = Format(
    name="alto",
    label="ALTO",
    kind="pages",
    paired_by="file",
    help="ALTO 1 to 4",
    endings=frozenset({".xml", ".alto"}),
    settings=AltoSettings(),
    package="lxml",
    recognise=is_alto,
    read=read_alto_xml,
)
