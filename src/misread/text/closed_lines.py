"""Texts of one line each, with and without the line feed that ends it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column, to_scalar
from misread.text.deferred import DeferredTexts

if TYPE_CHECKING:
    import pyarrow as pa


class ClosedLines(DeferredTexts[str]):
    """Texts with a line feed after each; `texts` are without, and what is found in those need not be found again."""

    def __init__(self, texts: ArrowTexts) -> None:
        super().__init__(len(texts), partial(_close, texts))
        self.texts = texts


def close_lines(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Put a line feed after every text, of which some may be missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(texts.cast(pa.large_string()), to_scalar("\n"), to_scalar(""))


def _close(texts: ArrowTexts) -> Sequence[str]:
    import pyarrow as pa

    return ArrowTexts.of(close_lines(to_column(texts, pa.large_string())))
