"""Groups that every character belongs to: its Unicode block, its script, and its general category."""

import unicodedata
from bisect import bisect_right
from functools import cache
from importlib.resources import files


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
