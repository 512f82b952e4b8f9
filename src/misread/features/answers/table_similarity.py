"""Similarity of tables: TEDS, as published and by the nodes of trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

import numpy as np

from misread.alignment.encode.inputs import check_text
from misread.errors import InputTextError, InputValueError
from misread.features.answers.html_tables import TableTree, measure_distance, read_table
from misread.metrics.base import InputKind, Metric, ScoredText, TextForm, divide
from misread.types import BoolArray, FloatArray, IntArray

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
