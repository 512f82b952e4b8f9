"""Script that makes grapheme_properties.npz: `python -m misread.alignment.encode.unicode.grapheme_properties`.

The properties are those that the package regex knows, in a release of the same Unicode version. The code points that
NFC changes on their own come from the `unicodedata` of the running Python.
"""

import unicodedata
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from misread.alignment.encode.grapheme_rules import UNICODE_VERSION, Property

PATH: Final = Path(__file__).with_name("grapheme_properties.npz")

CHANGES: Final = 0x80
"""Bit of an entry: NFC changes this code point on its own."""

BLOCK: Final = 256
"""Code points per block; equal blocks are stored once."""

# A later line wins over an earlier one.
_SETS: Final = {
    Property.CR: r"\p{GCB=CR}",
    Property.LF: r"\p{GCB=LF}",
    Property.CONTROL: r"\p{GCB=Control}",
    Property.EXTEND: r"\p{GCB=Extend}",
    Property.EXTEND_OF_CONJUNCT: r"[\p{GCB=Extend}&&\p{InCB=Extend}]",
    Property.EXTEND_LINKER: r"[\p{GCB=Extend}&&\p{InCB=Linker}]",
    Property.OTHER_LINKER: r"[\p{GCB=Other}&&\p{InCB=Linker}]",
    Property.ZWJ: r"\p{GCB=ZWJ}",
    Property.REGIONAL_INDICATOR: r"\p{GCB=Regional_Indicator}",
    Property.PREPEND: r"\p{GCB=Prepend}",
    Property.SPACING_MARK: r"\p{GCB=SpacingMark}",
    Property.L: r"\p{GCB=L}",
    Property.V: r"\p{GCB=V}",
    Property.T: r"\p{GCB=T}",
    Property.LV: r"\p{GCB=LV}",
    Property.LVT: r"\p{GCB=LVT}",
    Property.PICTOGRAPH: r"\p{Extended_Pictographic}",
    Property.CONSONANT: r"\p{InCB=Consonant}",
}


def make_properties() -> NDArray[np.uint8]:
    """`Property` of every code point, with `CHANGES` where NFC changes it alone; shape (0x110000,)."""
    import regex

    code_points = "".join(map(chr, range(0x110000)))
    properties = np.full(len(code_points), Property.OTHER, np.uint8)
    for value, pattern in _SETS.items():
        for run in regex.finditer(f"{pattern}+", code_points, regex.V1):
            properties[slice(*run.span())] = value
    for code, character in enumerate(code_points):
        if unicodedata.normalize("NFC", character) != character:
            properties[code] |= CHANGES
    return properties


def write_table(path: Path) -> None:
    """Write the properties as two tables: the block of every 256 code points, and the distinct blocks."""
    blocks, block_of = np.unique(make_properties().reshape(-1, BLOCK), axis=0, return_inverse=True)
    np.savez_compressed(
        path, unicode_version=np.array(UNICODE_VERSION), block_of=block_of.reshape(-1).astype(np.uint8), blocks=blocks
    )


if __name__ == "__main__":
    write_table(PATH)
