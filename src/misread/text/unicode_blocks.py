"""Generator of unicode_blocks.tsv: `python -m misread.text.unicode_blocks`, with a fontTools of our Unicode.

fontTools, which comes with matplotlib, carries Blocks.txt of the Unicode Character Database.
"""

from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).with_name("unicode_blocks.tsv")


def make_table() -> str:
    """One line per block, and per gap between blocks: first code point in hexadecimal, tab, name."""
    from fontTools.unicodedata import Blocks

    return "".join(f"{first:04X}\t{name}\n" for first, name in zip(Blocks.RANGES, Blocks.VALUES, strict=True))


if __name__ == "__main__":
    PATH.write_text(make_table(), encoding="utf-8")
