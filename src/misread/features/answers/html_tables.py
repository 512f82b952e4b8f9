"""Similarity of tables of HTML: TEDS, as published and by the nodes of trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

import numpy as np

from misread.alignment import distances
from misread.alignment.encode.inputs import check_text
from misread.alignment.kernels.trees import tree_distance
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import InputTextError, InputValueError, needed_for
from misread.metrics.base import InputKind, Metric, ScoredText, TextForm, divide
from misread.types import BoolArray, FloatArray, IntArray

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


Size = Literal["elements", "nodes"]

# Similarities are whole billionths, so that counts add exactly.
_UNIT: Final = 1_000_000_000
_NO_TABLE: Final = "the reference is no HTML with a table"


@dataclass(frozen=True)
class TableSimilarity(Metric):
    """TEDS: 1 less the edit distance of two tables over the size of the larger one, mean over tables.

    References and hypotheses are HTML, of which the first table counts; a hypothesis without a table has 0.

    Parameters
    ----------
    content : bool
        Whether texts of cells count; without, it is TEDS-S, which looks at the structure alone.
    size : {"elements", "nodes"}
        What is counted: every element below the table, tags inside cells too, as in the published program, or the nodes
        of the trees that are compared, in which a cell is one.

    References
    ----------
    Zhong, ShafieiBavani & Jimeno Yepes (2020), Image-based table recognition: data, model, and evaluation, ECCV.
    """

    text: TextForm = field(default="raw", kw_only=True)
    content: bool = True
    size: Size = "elements"

    input_kind: ClassVar[InputKind] = "markup"
    columns = ("similarity", "tables")
    # All of one side is deleted and all of the other inserted at most.
    bounds = (-1.0, 1.0)

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        counts = np.zeros((len(pairs.references), 2), np.int64)
        for row, texts in enumerate(zip(pairs.references, pairs.hypotheses, strict=True)):
            reference, hypothesis = (read_table(text, with_texts=self.content) for text in texts)
            if reference is None:
                continue
            try:
                similarity = 0.0 if hypothesis is None else measure_similarity(reference, hypothesis, self.size)
            except InputTextError as error:
                raise InputTextError(f"{pairs.name(row)}: {error}") from None
            counts[row] = round(similarity * _UNIT), 1
        return counts

    def rate(self, counts: IntArray) -> FloatArray:
        """Mean similarity, shape (..., 2) -> (...); NaN without a table."""
        return divide(counts[..., 0], counts[..., 1] * _UNIT, undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether nothing differs."""
        exact: BoolArray = counts[:, 0] == counts[:, 1] * _UNIT
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, what is compared and counted."""
        return {"unit": "table", "norm": norm, "cells": "text" if self.content else "structure", "size": self.size}

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        return {row: _NO_TABLE for row, text in enumerate(references) if read_table(text, with_texts=False) is None}

    @property
    def size_columns(self) -> tuple[str, ...]:
        """Tables."""
        return ("tables",)


def table_similarity(reference: str, hypothesis: str, *, content: bool = True, size: Size = "elements") -> float:
    """TEDS of two tables in HTML.

    Parameters
    ----------
    reference, hypothesis : str
        HTML, of which the first table counts.
    content, size
        As in `misread.features.answers.TableSimilarity`: without content it is TEDS-S.

    Returns
    -------
    float
        Up to 1, which is perfect; 0 where the hypothesis has no table, and below 0, as in the published program, where
        the tables have so little in common that the edits are more than the elements of the larger one.

    Raises
    ------
    InputTypeError
        If a side is not one text.
    InputValueError
        If the reference has no table.
    InputTextError
        If the tables are too large.
    MissingDependencyError
        If lxml is not installed.

    References
    ----------
    Zhong, ShafieiBavani & Jimeno Yepes (2020), Image-based table recognition: data, model, and evaluation, ECCV.

    Examples
    --------
    >>> table = "<table><tr><td>1</td><td>2</td></tr></table>"
    >>> (
    ...     table_similarity(table, table.replace("2", "3")),
    ...     table_similarity(table, table.replace("2", "3"), content=False),
    ... )
    (0.6666666666666667, 1.0)
    """
    metric = TableSimilarity("teds", content=content, size=size)
    check_text("reference", reference)
    check_text("hypothesis", hypothesis)
    expected, found = (read_table(text, with_texts=metric.content) for text in (reference, hypothesis))
    if expected is None:
        raise InputValueError(f"{_NO_TABLE}.")
    return 0.0 if found is None else measure_similarity(expected, found, metric.size)


def measure_similarity(reference: TableTree, hypothesis: TableTree, size: Size) -> float:
    """Similarity of two tables; of tables without anything 1, and below 0 where little of either is in the other."""
    sizes: list[Any] = [of.elements if size == "elements" else len(of.kinds) for of in (reference, hypothesis)]
    distance = measure_distance(reference, hypothesis)
    return 1.0 - distance / max(sizes) if max(sizes) else 1.0
