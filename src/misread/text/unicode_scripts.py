"""Generator of unicode_scripts.tsv: `python -m misread.text.unicode_scripts`, with a fontTools of our Unicode.

fontTools, which comes with matplotlib, carries Scripts.txt of the Unicode Character Database.
"""

from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).with_name("unicode_scripts.tsv")


def make_table() -> str:
    """One line per range of one script: first code point in hexadecimal, tab, name."""
    from fontTools.unicodedata import Scripts

    names = (Scripts.NAMES[value].replace("_", " ") for value in Scripts.VALUES)
    return "".join(f"{first:04X}\t{name}\n" for first, name in zip(Scripts.RANGES, names, strict=True))


if __name__ == "__main__":
    PATH.write_text(make_table(), encoding="utf-8")
