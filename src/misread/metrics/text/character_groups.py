"""Groups that every character belongs to: its Unicode block, and its general category."""

import unicodedata
from bisect import bisect_right
from functools import cache
from importlib.resources import files


@cache
def _load_blocks() -> tuple[list[int], list[str]]:
    """First code points and names of all blocks, and of the gaps between them."""
    text = (files("misread.metrics.text") / "unicode_blocks.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    return [int(first, 16) for first, _ in rows], [name for _, name in rows]


def find_block(character: str) -> str:
    """Name of the Unicode 18.0 block of a character; of a grapheme, that of its first code point."""
    starts, names = _load_blocks()
    return names[bisect_right(starts, ord(character[0])) - 1]


def find_category(character: str) -> str:
    """General category of a character or, as in `find_block`, of a grapheme, by the Unicode version of this Python."""
    return unicodedata.category(character[0])
