"""Extended grapheme clusters (UAX #29): what a reader takes for one character, as integer codes."""

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment.encode.grapheme_rules import ALONE, make_transitions
from misread.alignment.kernels import graphemes as kernels
from misread.compiled.budget import ALIGNING, loaded_above
from misread.types import BoolArray, IntArray

Codes = NDArray[np.uint32]

_FIRST_THAT_JOINS: Final = 0x300
"""Below the combining marks nothing joins but CR and LF, and nothing is changed by NFC."""

# What Python takes for a character where the kernels are not compiled.
_BREAK_SECONDS: Final = 1e-6
_CODE_SECONDS: Final = 4e-6


class GraphemeTables(NamedTuple):
    """Tables of the kernels: properties in blocks of code points, and the rules."""

    block_of: NDArray[np.uint8]
    blocks: NDArray[np.uint8]
    transitions: NDArray[np.uint8]


class CodedGraphemes(NamedTuple):
    """Graphemes of many texts: text i is `codes[offsets[i] : offsets[i + 1]]`.

    A code is a code point, or FIRST_NUMBER plus an index into `clusters`, the NFC forms of longer ones.
    """

    codes: Codes
    offsets: IntArray
    clusters: tuple[str, ...]

    @property
    def alphabet_size(self) -> int:
        """Above every code."""
        return kernels.FIRST_NUMBER + len(self.clusters)

    def text_of(self, code: int) -> str:
        """Text of a code."""
        return chr(code) if code < kernels.FIRST_NUMBER else self.clusters[code - kernels.FIRST_NUMBER]


@cache
def load_tables() -> GraphemeTables:
    """Load the tables of the Unicode version that `grapheme_rules` names."""
    with (
        (files("misread.alignment.encode.unicode") / "grapheme_properties.npz").open("rb") as file,
        np.load(file) as table,
    ):
        return GraphemeTables(table["block_of"], table["blocks"], make_transitions())


@cache
def may_join() -> BoolArray:
    """Whether each code point may be part of a longer grapheme, or be changed by NFC; shape (0x110000,), read-only.

    If none of a text may, its graphemes are its characters.
    """
    tables = load_tables()
    properties = tables.blocks[tables.block_of].ravel()
    joins = np.ones(kernels.PROPERTY + 1, np.bool_)
    joins[list(ALONE)] = False
    marked: BoolArray = joins[properties & kernels.PROPERTY] | (properties & kernels.CHANGES != 0)
    marked.setflags(write=False)
    return marked


def split_graphemes(text: str) -> list[str]:
    """Split into extended grapheme clusters by the rules of Unicode 18.0 (UAX #29, revision 49), not normalized."""
    code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
    with loaded_above(ALIGNING, _BREAK_SECONDS * len(text)):
        ends = kernels.find_breaks(code_points, *load_tables()).tolist()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def none_joins(code_points: NDArray[np.unsignedinteger]) -> bool:
    """Whether every grapheme is certainly a single character. Quick: False may also be said where that is the case."""
    return not code_points.size or bool(code_points.max() < _FIRST_THAT_JOINS and not np.any(code_points == ord("\r")))


def code_graphemes(code_points: Codes, spans: IntArray) -> CodedGraphemes:
    """Give every grapheme a code: equal codes exactly where two graphemes are canonically equivalent.

    Text i is `code_points[slice(*spans[i])]`. A grapheme is compared by its NFC form (UAX #15), of the Unicode version
    that the running Python knows. One that NFC makes a single code point is coded as that; the others are numbered in
    order of appearance, above all code points.
    """
    with loaded_above(ALIGNING, _CODE_SECONDS * code_points.size):
        codes, offsets, clusters = kernels.code_graphemes(code_points, spans, *load_tables())
    text = code_points.tobytes().decode("utf-32-le")
    composed = [text[start:end] for start, end in zip(*clusters.T.tolist(), strict=True)]
    # Nothing composes with U+0000. Clusters are distinct, and stay so where NFC changes none.
    if unicodedata.is_normalized("NFC", "\0".join(composed)):
        is_long = clusters[:, 1] - clusters[:, 0] > 1
        numbers = kernels.FIRST_NUMBER - 1 + np.cumsum(is_long)
        replacements = np.where(is_long, numbers, code_points[clusters[:, 0]]).astype(np.uint32)
        long_clusters = [cluster for cluster in composed if len(cluster) > 1]
    else:
        composed = [unicodedata.normalize("NFC", cluster) for cluster in composed]
        long_clusters = [*dict.fromkeys(cluster for cluster in composed if len(cluster) > 1)]
        codes_of = {cluster: kernels.FIRST_NUMBER + number for number, cluster in enumerate(long_clusters)}
        replacements = np.array([codes_of.get(cluster) or ord(cluster) for cluster in composed], np.uint32)
    if len(clusters):
        with loaded_above(ALIGNING, _BREAK_SECONDS * codes.size):
            kernels.replace_numbers(codes, replacements)
    return CodedGraphemes(codes, offsets, tuple(long_clusters))
