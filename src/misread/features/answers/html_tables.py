"""Similarity of HTML tables: TEDS, as published or by the nodes of trees."""

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
"""Limit of nodes of one table times nodes of the other: some hundred megabytes."""

# Each tag inside a cell is one token, a character that no text has.
_FIRST_TAG: Final = 0xF0000
_SPANS: Final = ("colspan", "rowspan")
_CELL_SECONDS: Final = 2e-6


@dataclass(frozen=True, slots=True, eq=False)
class TableTree:
    """Nodes of a table in postorder, each with its kind, text and leftmost leaf.

    A cell (`td`) is a leaf, whose text has one character for each character and for each tag.
    """

    kinds: list[tuple[str, int, int]]  # tag and spans
    texts: list[str]
    leftmost: IntArray
    elements: int  # number of all elements below the table, including tags inside cells


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
    tables = document.xpath("//table")
    if not tables:
        return None
    kinds: list[tuple[str, int, int]] = []
    texts: list[str] = []
    leftmost: list[int] = []
    _walk(tables[0], kinds, texts, leftmost, with_texts)
    return TableTree(kinds, texts, np.array(leftmost, np.int64), len(tables[0].xpath(".//*")))


def measure_distance(first: TableTree, second: TableTree) -> float:
    """Tree edit distance of two tables: inserting or deleting a node costs 1.

    Replacing a node by one with another tag or span costs 1 as well; replacing the text of a cell costs the edit
    distance of the texts over the length of the longer one. Raises InputTextError for tables that are too large.
    """
    if len(first.kinds) * len(second.kinds) > MOST_NODES:
        raise InputTextError(
            f"tables of {len(first.kinds):,} and {len(second.kinds):,} nodes: at most {MOST_NODES:,} pairs are "
            "compared; compare parts of them."
        )
    # Texts are compared first, with their own budget of time without machine code.
    costs = _rename(first, second)
    with loaded_above(ALIGNING, _CELL_SECONDS * len(first.kinds) * len(second.kinds) * 4):
        return float(tree_distance(first.leftmost, second.leftmost, costs))


def _rename(first: TableTree, second: TableTree) -> FloatArray:
    """Costs of replacing each node by each node of the other table."""
    numbers: dict[tuple[str, int, int], int] = {}
    kinds, other_kinds = (
        np.array([numbers.setdefault(kind, len(numbers)) for kind in table.kinds]) for table in (first, second)
    )
    costs: FloatArray = (kinds[:, None] != other_kinds).astype(np.float64)
    different: dict[tuple[str, str], int] = {}
    rows, columns = np.nonzero(costs == 0)
    pairs = [
        (first.texts[row], second.texts[column]) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    places = [different.setdefault(pair, len(different)) for pair in pairs]
    # Equal texts, and nodes other than cells, cost nothing.
    errors = distances([pair[0] for pair in different], [pair[1] for pair in different])
    lengths = np.array([max(len(pair[0]), len(pair[1]), 1) for pair in different], np.float64)
    costs[rows, columns] = (errors / lengths)[places]
    return costs


def _walk(node: Any, kinds: list[tuple[str, int, int]], texts: list[str], leftmost: list[int], with_texts: bool) -> int:
    """Append a node after its descendants; returns its leftmost leaf."""
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
    """Characters of a cell, with one character for every tag in it."""
    parts: list[str] = [cell.text or ""]
    for child in cell:
        parts += [_tag(f"<{child.tag}>"), _text_of(child), _tag(f"</{child.tag}>"), child.tail or ""]
    return "".join(parts)


_TAGS: Final[dict[str, str]] = {}


def _tag(tag: str) -> str:
    # Tags beyond the last code point share one character.
    return _TAGS.setdefault(tag, chr(min(_FIRST_TAG + len(_TAGS), 0x10FFFF)))


def _read_span(attributes: Mapping[str, str], name: str) -> int:
    """Number of columns or rows that a cell spans, 1 if it is no number."""
    text = attributes.get(name, "1").strip()
    return int(text) if text.isascii() and text.isdigit() else 1


Size = Literal["elements", "nodes"]

# Similarities are counted in billionths, so that sums are exact.
_UNIT: Final = 1_000_000_000
_NO_TABLE: Final = "the reference is no HTML with a table"


@dataclass(frozen=True)
class TableSimilarity(Metric):
    """TEDS: 1 minus the edit distance of two tables over the size of the larger one, mean over tables.

    The first table in the HTML of references and hypotheses counts; a hypothesis without a table has 0.

    Parameters
    ----------
    content : bool
        Whether texts of cells count; False gives TEDS-S, which compares only the structure.
    size : {"elements", "nodes"}
        What size counts: every element below the table, including tags inside cells, as in the published program, or
        the nodes of the compared trees, in which a cell is one node.

    References
    ----------
    Zhong, ShafieiBavani & Jimeno Yepes (2020), Image-based table recognition: data, model, and evaluation, ECCV.
    """

    text: TextForm = field(default="raw", kw_only=True)
    content: bool = True
    size: Size = "elements"

    input_kind: ClassVar[InputKind] = "markup"
    columns = ("similarity", "tables")
    # At most, all of one side is deleted and all of the other inserted.
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

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Mean similarity, shape (..., 2) -> (...); NaN without a table."""
        return divide(counts[..., 0], counts[..., 1] * _UNIT, undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether the tables of each segment are equal."""
        exact: BoolArray = counts[:, 0] == counts[:, 1] * _UNIT
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, content and size."""
        return {"unit": "table", "norm": norm, "cells": "text" if self.content else "structure", "size": self.size}

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        return {row: _NO_TABLE for row, text in enumerate(references) if read_table(text, with_texts=False) is None}

    size_columns = ("tables",)


def table_similarity(reference: str, hypothesis: str, *, content: bool = True, size: Size = "elements") -> float:
    """TEDS of two tables in HTML.

    Parameters
    ----------
    reference, hypothesis : str
        HTML; its first table counts.
    content, size
        As in `misread.features.answers.TableSimilarity`: without content it is TEDS-S.

    Returns
    -------
    float
        Up to 1, which is perfect; 0 if the hypothesis has no table. As in the published program, it is below 0 if the
        edits cost more than the number of elements of the larger table.

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
    reference_table, hypothesis_table = (
        read_table(text, with_texts=metric.content) for text in (reference, hypothesis)
    )
    if reference_table is None:
        raise InputValueError(f"{_NO_TABLE}.")
    return 0.0 if hypothesis_table is None else measure_similarity(reference_table, hypothesis_table, metric.size)


def measure_similarity(reference: TableTree, hypothesis: TableTree, size: Size) -> float:
    """Similarity of two tables; 1 if both are empty, and below 0 if they have little in common."""
    sizes: list[Any] = [table.elements if size == "elements" else len(table.kinds) for table in (reference, hypothesis)]
    distance = measure_distance(reference, hypothesis)
    return 1.0 - distance / max(sizes) if max(sizes) else 1.0
