"""Outputs of another document: text like that of the set, without more in common with its reference than by chance."""

from __future__ import annotations

from typing import Final

import numpy as np

from misread.pairing.better_references import PairedSides
from misread.pairing.nearest import EncodedTexts
from misread.types import BoolArray, FloatArray, IntArray

_NONE: Final = np.zeros(0, np.int64)
_OF_OUTPUT, _OF_REFERENCE = 1.6, 0.8  # how much more than telling an output has to be, and its reference
_FEWEST, _SHARE = 2, 0.005  # of all outputs: systems make a few such outputs up
_OTHERS: Final = 4  # references that an output is compared with
_DEVIATIONS: Final = 2.5
_UNRELATED: Final = 0.6  # rate of texts that share no more than their alphabet; of one form they share more
_MOST_DOUBTFUL, _NEARLY_ALL = 0.5, 0.9
_SAMPLE: Final = 500
_POOL: Final = 5_000
_SHARE_OF_DOUBTFUL: Final = 0.5  # with fewer the system is a bad one, and made them up as it did the others
_SURELY: Final = 0.7  # of the needed share, as a sample may have less
_CHARACTERS: Final = 3
_BITS: Final = 20
_LIKE_THE_SET: Final = 0.5
_READ: Final = 1 << 22  # bytes of references that say what the set is like


def find_foreign(sides: PairedSides, apart: set[int]) -> IntArray:
    """Find outputs whose errors are as many as against references drawn at random, though they read like the set.

    Noise, loops and other writing systems do not read like it. There are none of a system that misreads many segments,
    for nobody can tell what it made up from what it read elsewhere, unless nearly all its outputs are foreign. Where
    very many outputs are doubtful, a sample decides whether all are looked at.
    """
    rows = np.setdiff1d(sides.doubtful, np.array([*apart], np.int64))
    reference_lengths, output_lengths = sides.measured_lengths(rows)
    rows = rows[(output_lengths >= _OF_OUTPUT * sides.telling) & (reference_lengths >= _OF_REFERENCE * sides.telling)]
    fewest = max(_FEWEST, _SHARE * len(sides), _SHARE_OF_DOUBTFUL * len(rows))
    if len(sides.doubtful) > _MOST_DOUBTFUL * len(sides):
        fewest = _NEARLY_ALL * len(sides)
    if len(rows) < fewest:
        return _NONE
    if len(rows) > _SAMPLE:
        sample = rows[np.linspace(0, len(rows) - 1, _SAMPLE).astype(np.int64)]
        if len(_at_chance(sides, sample)) * len(rows) < _SURELY * fewest * _SAMPLE:
            return _NONE
    at_chance = _at_chance(sides, rows)
    foreign = at_chance[_reads_like_set(sides, at_chance)] if len(at_chance) >= fewest else _NONE
    return foreign if len(foreign) >= fewest else _NONE


def _at_chance(sides: PairedSides, rows: IntArray) -> IntArray:
    """Rows whose rate is that of outputs against other references of about the same length."""
    if len(sides) <= 2 * _OTHERS or not len(rows):
        return _NONE
    pool = np.unique(np.linspace(0, len(sides) - 1, min(len(sides), _POOL)).astype(np.int64))
    lengths = sides.measured_lengths(pool)[0]
    pool, lengths = pool[np.argsort(lengths, kind="stable")], np.sort(lengths)
    own_lengths, output_lengths = sides.measured_lengths(rows)
    position = np.searchsorted(lengths, own_lengths)
    rates = []
    # Neighbours in length: their texts have nothing to do with each other.
    for step in range(_OTHERS):
        side = (step + 1) // 2 * (1 if step % 2 else -1)
        others = pool[(position + side) % len(pool)]
        others = np.where(others == rows, pool[(position + _OTHERS) % len(pool)], others)
        other_lengths = sides.measured_lengths(others)[0]
        rates.append(sides.measure(rows, others) / np.maximum(other_lengths, output_lengths))
    chance = np.stack(rates)
    own = sides.measure(rows, rows) / np.maximum(own_lengths, output_lengths)
    usual = chance.mean(axis=0)
    deviation = float(np.sqrt(np.mean((chance - usual) ** 2) * _OTHERS / (_OTHERS - 1)))
    at_chance: IntArray = rows[(own >= usual - _DEVIATIONS * deviation) & (usual >= _UNRELATED)]
    return at_chance


def _reads_like_set(sides: PairedSides, rows: IntArray) -> BoolArray:
    """Whether outputs consist of short sequences of characters that references have, as references do themselves."""
    references = sides.encoded_references
    width = int(np.clip(round(_CHARACTERS * references.bytes_of_character), 3, 16))
    size = int(np.searchsorted(references.bounds, references.bounds[0] + _READ, side="right")) - 1
    sample = EncodedTexts(references.data, references.bounds[: max(size, 1) + 1])
    counts = np.zeros(1 << _BITS, np.int64)
    for positions, hashes in sample.sequences(width):
        _, is_whole = sample.texts_at(positions, width)
        counts += np.bincount((hashes[is_whole] >> np.uint64(64 - _BITS)).astype(np.int64), minlength=len(counts))
    # What outputs that are in their position share with references other than their own.
    in_place = np.flatnonzero(~sides.is_doubtful)[:_SAMPLE]
    usual = np.nanmedian(_share_known(_encode(sides, in_place), counts, width, at_least=2)) if len(in_place) else 1.0
    return _share_known(_encode(sides, rows), counts, width, at_least=1) >= _LIKE_THE_SET * usual


def _encode(sides: PairedSides, rows: IntArray) -> EncodedTexts:
    return EncodedTexts.of([sides.outputs[row] for row in rows.tolist()])


def _share_known(texts: EncodedTexts, counts: IntArray, width: int, *, at_least: int) -> FloatArray:
    """Share of the sequences of each text that occur so often; NaN for one that has none."""
    known, all_of_them = np.zeros(len(texts)), np.zeros(len(texts))
    for positions, hashes in texts.sequences(width):
        rows, is_whole = texts.texts_at(positions, width)
        is_known = counts[(hashes >> np.uint64(64 - _BITS)).astype(np.int64)] >= at_least
        all_of_them += np.bincount(rows[is_whole], minlength=len(texts))
        known += np.bincount(rows[is_whole & is_known], minlength=len(texts))
    with np.errstate(invalid="ignore"):
        return known / all_of_them
