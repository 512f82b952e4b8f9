"""Rules of UAX #29 as an automaton: one look-up per code point says whether a grapheme ends before it.

The rules depend on the code point after a boundary and on the context before it, which is small enough to be a state:
`Before` has all contexts that rules distinguish.
"""

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

UNICODE_VERSION: Final = "18.0.0"
"""Version of the rules, and of the properties in unicode/grapheme_properties.npz."""

BREAK: Final = 0x80
"""Bit of a transition: a grapheme ends before this code point."""

PROPERTIES: Final = 32
"""Width of a row of transitions: a power of two above every property."""


class Property(IntEnum):
    """Property of a code point that the rules use.

    Grapheme_Cluster_Break and, where that is not enough, Indic_Conjunct_Break or Extended_Pictographic.
    """

    OTHER = 0
    CR = 1
    LF = 2
    CONTROL = 3
    EXTEND = 4
    EXTEND_OF_CONJUNCT = 5
    EXTEND_LINKER = 6
    OTHER_LINKER = 7
    ZWJ = 8
    REGIONAL_INDICATOR = 9
    PREPEND = 10
    SPACING_MARK = 11
    L = 12
    V = 13
    T = 14
    LV = 15
    LVT = 16
    PICTOGRAPH = 17
    CONSONANT = 18


class Before(IntEnum):
    """Context before a possible boundary, as far as a rule depends on it.

    After a pictograph or a linker come any number of code points that extend them; a joiner is ZWJ right after those.
    """

    NOTHING = 0
    ANYTHING = 1
    CR = 2
    CONTROL = 3
    PREPEND = 4
    L = 5
    V = 6
    T = 7
    ODD_REGIONAL_INDICATORS = 8
    PICTOGRAPH = 9
    PICTOGRAPH_JOINER = 10
    LINKER = 11
    PICTOGRAPH_LINKER = 12
    PICTOGRAPH_LINKER_JOINER = 13


ALONE: Final = frozenset(
    {Property.OTHER, Property.LF, Property.CONTROL, Property.LV, Property.LVT, Property.PICTOGRAPH, Property.CONSONANT}
)
"""Properties of code points that no rule joins with each other: they want one of the other properties for that."""

_CONTROLS: Final = {Property.CR, Property.LF, Property.CONTROL}
_EXTENDS: Final = {Property.EXTEND, Property.EXTEND_OF_CONJUNCT, Property.EXTEND_LINKER, Property.ZWJ}
_PICTOGRAPHS: Final = {Before.PICTOGRAPH, Before.PICTOGRAPH_LINKER}
_JOINERS: Final = {Before.PICTOGRAPH_JOINER, Before.PICTOGRAPH_LINKER_JOINER}
_LINKERS: Final = {Before.LINKER, Before.PICTOGRAPH_LINKER, Before.PICTOGRAPH_LINKER_JOINER}
_AFTER: Final = {
    Property.CR: Before.CR,
    Property.LF: Before.CONTROL,
    Property.CONTROL: Before.CONTROL,
    Property.PREPEND: Before.PREPEND,
    Property.L: Before.L,
    Property.V: Before.V,
    Property.LV: Before.V,
    Property.T: Before.T,
    Property.LVT: Before.T,
    Property.PICTOGRAPH: Before.PICTOGRAPH,
    Property.OTHER_LINKER: Before.LINKER,
}


def make_transitions() -> NDArray[np.uint8]:
    """The rules for every state and property, shape (states, PROPERTIES); `Before.NOTHING` is the first state.

    Each entry is the next state, with `BREAK` where a grapheme ends before the code point. Unicode Standard Annex #29,
    revision 49, table 1c and section 3.1.1 (rules GB3 to GB999).
    """
    transitions = np.zeros((len(Before), PROPERTIES), np.uint8)
    for before in Before:
        for code_point in Property:
            ends = 0 if _joins(before, code_point) else BREAK
            transitions[before, code_point] = _follow(before, code_point) | ends
    return transitions


def _joins(before: Before, code_point: Property) -> bool:
    """Whether there is no boundary between them; names are those of the rules."""
    if before is Before.CR and code_point is Property.LF:
        return True  # GB3
    if before in {Before.NOTHING, Before.CR, Before.CONTROL} or code_point in _CONTROLS:
        return False  # GB1, GB4, GB5
    hangul = {
        Before.L: {Property.L, Property.V, Property.LV, Property.LVT},  # GB6
        Before.V: {Property.V, Property.T},  # GB7
        Before.T: {Property.T},  # GB8
    }
    return (
        code_point in hangul.get(before, set())
        or code_point in _EXTENDS  # GB9
        or code_point is Property.SPACING_MARK  # GB9a
        or before is Before.PREPEND  # GB9b
        or (before in _LINKERS and code_point is Property.CONSONANT)  # GB9c
        or (before in _JOINERS and code_point is Property.PICTOGRAPH)  # GB11
        or (before is Before.ODD_REGIONAL_INDICATORS and code_point is Property.REGIONAL_INDICATOR)  # GB12, GB13
    )


def _follow(before: Before, code_point: Property) -> Before:
    if code_point is Property.REGIONAL_INDICATOR:
        pair = before is Before.ODD_REGIONAL_INDICATORS
        return Before.ANYTHING if pair else Before.ODD_REGIONAL_INDICATORS
    if code_point not in _EXTENDS:
        return _AFTER.get(code_point, Before.ANYTHING)
    links = code_point is Property.EXTEND_LINKER or (before in _LINKERS and code_point is not Property.EXTEND)
    if before in _PICTOGRAPHS and code_point is Property.ZWJ:
        return Before.PICTOGRAPH_LINKER_JOINER if links else Before.PICTOGRAPH_JOINER
    if before in _PICTOGRAPHS:
        return Before.PICTOGRAPH_LINKER if links else Before.PICTOGRAPH
    return Before.LINKER if links else Before.ANYTHING
