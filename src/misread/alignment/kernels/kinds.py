"""Kinds of operations as numbers, and as the letters that stand for them in tables and files."""

from typing import Final

HIT: Final = 0
SUBSTITUTION: Final = 1
DELETION: Final = 2
INSERTION: Final = 3
TRANSPOSITION: Final = 4

NOTHING: Final = 255
"""Stands in a kernel's array where no operation was written."""

LETTERS: Final = "CSDIT"
"""Letter of each kind: correct, substitution, deletion, insertion, transposition."""
