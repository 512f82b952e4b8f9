"""Tables of HTML as trees, and how far one is from another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from misread.alignment import distances
from misread.alignment.kernels.trees import tree_distance
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import InputTextError
from misread.extras import needed_for
from misread.types import FloatArray, IntArray

MOST_NODES: Final = 20_000_000
"""Nodes of one table times those of another, above which they are refused: some hundred megabytes."""

# Tags inside of cells are one token each, as characters that no text has.
_FIRST_TAG: Final = 0xF0000
_SPANS: Final = ("colspan", "rowspan")
_CELL_SECONDS: Final = 2e-6


@dataclass(frozen=True, slots=True, eq=False)
class TableTree:
    """Nodes of a table in postorder: what each is, its text, and its leftmost leaf.

    A cell (`td`) is a leaf, whose text has a character for each character and for each tag.
    """

    kinds: list[tuple[str, int, int]]  # tag and spans
    texts: list[str]
    leftmost: IntArray
    elements: int  # everything below the table, tags inside cells too


def read_table(html: str, *, with_texts: bool = True) -> TableTree | None:
    """Read the first table of an HTML text; None if it has none."""
    with needed_for("tables need", "lxml", "structured"):
        from lxml import etree
        from lxml import html as parser

    if not html.strip():
        return None
    try:
        document = parser.document_fromstring(
            html.encode("utf-8"), parser=parser.HTMLParser(remove_comments=True, encoding="utf-8")
        )
    except (etree.ParserError, etree.XMLSyntaxError, UnicodeEncodeError):
        return None
    found = document.xpath("//table")
    if not found:
        return None
    kinds: list[tuple[str, int, int]] = []
    texts: list[str] = []
    leftmost: list[int] = []
    _walk(found[0], kinds, texts, leftmost, with_texts)
    return TableTree(kinds, texts, np.array(leftmost, np.int64), len(found[0].xpath(".//*")))


def measure_distance(one: TableTree, other: TableTree) -> float:
    """Least cost of making one table the other: a node too many or too few costs 1.

    Nodes of different tags or spans cost 1 as well, cells with other texts the edit distance of these over the length
    of the longer one. Raises InputTextError for tables that are too large.
    """
    if len(one.kinds) * len(other.kinds) > MOST_NODES:
        raise InputTextError(
            f"tables of {len(one.kinds):,} and {len(other.kinds):,} nodes: at most {MOST_NODES:,} pairs are compared; "
            "compare parts of them."
        )
    # Texts are compared first: whether that needs machine code is decided for itself.
    costs = _rename(one, other)
    with loaded_above(ALIGNING, _CELL_SECONDS * len(one.kinds) * len(other.kinds) * 4):
        return float(tree_distance(one.leftmost, other.leftmost, costs))


def _rename(one: TableTree, other: TableTree) -> FloatArray:
    """What it costs to make each node one of the other table."""
    numbers: dict[tuple[str, int, int], int] = {}
    kinds, other_kinds = (
        np.array([numbers.setdefault(kind, len(numbers)) for kind in of.kinds]) for of in (one, other)
    )
    costs: FloatArray = (kinds[:, None] != other_kinds).astype(np.float64)
    different: dict[tuple[str, str], int] = {}
    rows, columns = np.nonzero(costs == 0)
    pairs = [(one.texts[row], other.texts[column]) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]
    places = [different.setdefault(pair, len(different)) for pair in pairs]
    # Equal texts, and nodes that are no cells, cost nothing.
    errors = distances([pair[0] for pair in different], [pair[1] for pair in different])
    lengths = np.array([max(len(pair[0]), len(pair[1]), 1) for pair in different], np.float64)
    costs[rows, columns] = (errors / lengths)[places]
    return costs


def _walk(node: Any, kinds: list[tuple[str, int, int]], texts: list[str], leftmost: list[int], with_texts: bool) -> int:
    """Append a node after those below it; returns its leftmost leaf."""
    is_cell = node.tag == "td"
    first = None
    for child in () if is_cell else node:
        leaf = _walk(child, kinds, texts, leftmost, with_texts)
        first = leaf if first is None else first
    columns, rows = (_read_span(node.attrib, name) if is_cell else 0 for name in _SPANS)
    kinds.append((str(node.tag), columns, rows))
    texts.append(_text_of(node) if is_cell and with_texts else "")
    leftmost.append(len(kinds) - 1 if first is None else first)
    return leftmost[-1]


def _text_of(cell: Any) -> str:
    """Characters of a cell, and a character for every tag in it."""
    parts: list[str] = [cell.text or ""]
    for child in cell:
        parts += [_tag(f"<{child.tag}>"), _text_of(child), _tag(f"</{child.tag}>"), child.tail or ""]
    return "".join(parts)


_TAGS: Final[dict[str, str]] = {}


def _tag(tag: str) -> str:
    # Beyond the last code point, all further tags are alike.
    return _TAGS.setdefault(tag, chr(min(_FIRST_TAG + len(_TAGS), 0x10FFFF)))


def _read_span(attributes: Mapping[str, str], name: str) -> int:
    """Columns or rows that a cell spans, 1 where that is no number."""
    text = attributes.get(name, "1").strip()
    return int(text) if text.isascii() and text.isdigit() else 1
