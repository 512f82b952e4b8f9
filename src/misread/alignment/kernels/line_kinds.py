"""What is found out about two texts of one line each, as bits, and the characters that end a line."""

from typing import Final

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
