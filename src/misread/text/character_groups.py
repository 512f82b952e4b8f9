"""Groups that every character belongs to: its Unicode block, its script, and its general category.

`python -m misread.text.character_groups` writes the tables, with a fontTools of our Unicode: it comes with matplotlib,
and carries Blocks.txt and Scripts.txt of the Unicode Character Database.
"""

import unicodedata
from bisect import bisect_right
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final


@cache
def _load_ranges(name: str) -> tuple[list[int], list[str]]:
    """First code points and names of all ranges of code points, gaps too."""
    text = (files("misread.text") / name).read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    return [int(first, 16) for first, _ in rows], [name for _, name in rows]


def find_block(character: str) -> str:
    """Name of the Unicode 18.0 block of a character; of a grapheme, that of its first code point."""
    return _find("unicode_blocks.tsv", character)


def find_script(character: str) -> str:
    """Name of the Unicode 18.0 script of a character; of a grapheme, that of its first code point.

    "Common" are those that many scripts use, such as digits and punctuation; "Inherited" are marks.
    """
    return _find("unicode_scripts.tsv", character)


def _find(table: str, character: str) -> str:
    starts, names = _load_ranges(table)
    return names[bisect_right(starts, ord(character[0])) - 1]


def find_category(character: str) -> str:
    """General category of a character or, as in `find_block`, of a grapheme, by the Unicode version of this Python."""
    return unicodedata.category(character[0])


BLOCKS: Final = Path(__file__).with_name("unicode_blocks.tsv")


def make_blocks() -> str:
    """One line per block, and per gap between blocks: first code point in hexadecimal, tab, name."""
    from fontTools.unicodedata import Blocks

    return "".join(f"{first:04X}\t{name}\n" for first, name in zip(Blocks.RANGES, Blocks.VALUES, strict=True))


SCRIPTS: Final = Path(__file__).with_name("unicode_scripts.tsv")


def make_scripts() -> str:
    """One line per range of one script: first code point in hexadecimal, tab, name."""
    from fontTools.unicodedata import Scripts

    names = (Scripts.NAMES[value].replace("_", " ") for value in Scripts.VALUES)
    return "".join(f"{first:04X}\t{name}\n" for first, name in zip(Scripts.RANGES, names, strict=True))


if __name__ == "__main__":
    BLOCKS.write_text(make_blocks(), encoding="utf-8")
    SCRIPTS.write_text(make_scripts(), encoding="utf-8")
