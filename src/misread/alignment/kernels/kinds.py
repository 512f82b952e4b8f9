"""Kinds of operations, and outcomes of comparing two lines, as numbers and letters."""

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


REFERENCE: Final = 1
"""The reference has a line."""

HYPOTHESIS: Final = 2
"""The hypothesis has a line."""

EQUAL: Final = 4
"""Both have the same."""

OTHER: Final = 8
"""A side has more than one line or a carriage return; nothing else is known."""

LINE_FEED: Final = 0x0A
CARRIAGE_RETURN: Final = 0x0D
