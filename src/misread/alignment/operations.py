"""Operations of many pairs at once, as arrays and letters: the source of confusion tables and alignment files."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from misread.alignment.encode.inputs import Texts, check_pairs
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.encode.texts import EncodedPairs, Unit, check_unit, encode_batches, encode_pairs
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, LETTERS, TRANSPOSITION
from misread.alignment.kernels.pairs import Bytes
from misread.alignment.policies import AlignmentPolicy, check_alignment, find_weighted_operations
from misread.alignment.unit_costs import count_with_unit_costs, find_with_unit_costs
from misread.text.lazy_texts import DeferredTexts
from misread.types import BoolArray, IntArray


class Letters(DeferredTexts[str]):
    """One string per pair, ASCII `letters[offsets[i] : offsets[i + 1]]`; converts to Arrow without a copy."""

    def __init__(self, letters: Bytes, offsets: IntArray) -> None:
        super().__init__(len(offsets) - 1, partial(_decode, letters, offsets))
        self._letters = letters
        self._offsets = offsets

    def __arrow_array__(self, type: Any = None) -> Any:  # noqa: A002 - Arrow's name
        import pyarrow as pa

        buffers = [None, pa.py_buffer(self._offsets), pa.py_buffer(self._letters)]
        array = pa.Array.from_buffers(pa.large_string(), len(self), buffers)
        return array if type is None else array.cast(type)


def _decode(letters: Bytes, offsets: IntArray) -> list[str]:
    text = letters.tobytes().decode("ascii")
    return [text[start:end] for start, end in pairwise(offsets.tolist())]


_LETTERS = np.frombuffer(LETTERS.encode(), np.uint8)


class ErrorPlaces(NamedTuple):
    """Every operation that is not a hit, in reading order.

    Positions count the units of all texts of a side, one after the other. A deletion has the position of the next
    hypothesis unit and an insertion that of the next reference unit.
    """

    kinds: Bytes
    reference_positions: IntArray
    hypothesis_positions: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Operations:
    """How each reference became its hypothesis, hits too, in reading order."""

    # 0 hit, 1 substitution, 2 deletion, 3 insertion, 4 transposition (two units of both sides), pair after pair
    codes: Bytes
    offsets: IntArray  # pair i has `codes[offsets[i] : offsets[i + 1]]`

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def letters(self) -> Letters:
        """One string per pair, one letter per operation: C correct, S, D, I, and T for a transposition."""
        return Letters(_LETTERS[self.codes], self.offsets)

    def count(self, kind: int) -> IntArray:
        """Operations of one kind of every pair."""
        before = np.zeros(len(self.codes) + 1, np.int64)
        before[1:] = self.codes == kind
        # Sum up to each operation and not within each pair: a pair may have none.
        np.cumsum(before, out=before)
        return np.diff(before[self.offsets])

    def errors(self) -> ErrorPlaces:
        """Kinds and positions of all errors."""
        places = np.flatnonzero(self.codes != HIT)
        kinds = self.codes[places]
        swaps = _count_before(kinds == TRANSPOSITION)
        # Only errors make a position differ from the number of operations before it.
        return ErrorPlaces(
            kinds, places - _count_before(kinds == INSERTION) + swaps, places - _count_before(kinds == DELETION) + swaps
        )


def find_operations(
    references: Texts, hypotheses: Texts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> Operations:
    """Find the operations of every pair, of the alignment that `error_counts` counts.

    Its memory grows with the lengths of the texts, never with their product.
    """
    check_unit(unit)
    check_alignment(alignment)
    texts = check_pairs(references, hypotheses)
    batches = encode_batches(*texts, unit) if alignment == "unit" else [(slice(None), encode_pairs(*texts, unit))]
    return _find_batches(batches, len(texts[0]), alignment)


def paired_operations(texts: PairedTexts, *, unit: Unit = "char", alignment: AlignmentPolicy = "unit") -> Operations:
    """Find operations as `find_operations` does, once for these texts, so that they are counted by them too."""
    if (unit, alignment) not in texts.aligned:
        texts.aligned[unit, alignment] = (
            _find_batches(texts.encode(unit), len(texts), alignment)
            if alignment == "unit"
            else find_operations(texts.references, texts.hypotheses, unit=unit, alignment=alignment)
        )
    operations: Operations = texts.aligned[unit, alignment]
    return operations


def changed_blocks(codes: Bytes) -> list[tuple[int, int, int, int]]:
    """Blocks of a pair that are not hits, each with its first unit and the one past its last, of either side."""
    before, after = (np.concatenate([[0], np.cumsum(codes != kind)]) for kind in (INSERTION, DELETION))
    edges = np.flatnonzero(np.diff(codes != HIT, prepend=False, append=False))
    ends = (index[edge].tolist() for index in (before, after) for edge in (edges[::2], edges[1::2]))
    return [*zip(*ends, strict=True)]


def _find_batches(batches: Iterable[tuple[slice, EncodedPairs]], number: int, alignment: AlignmentPolicy) -> Operations:
    codes = [np.empty(0, np.uint8)]
    offsets = np.zeros(number + 1, np.int64)
    for batch, pairs in batches:
        more, offsets[1:][batch] = _find(pairs, alignment)
        codes.append(more)
    return Operations(np.concatenate(codes), np.cumsum(offsets, out=offsets))


def _find(pairs: EncodedPairs, alignment: AlignmentPolicy) -> tuple[Bytes, IntArray]:
    if alignment == "unit":
        return find_with_unit_costs(pairs)
    return find_weighted_operations(pairs, count_with_unit_costs(pairs), alignment)


def _count_before(is_kind: BoolArray) -> IntArray:
    """Number of true entries before each entry."""
    return np.cumsum(is_kind) - is_kind
