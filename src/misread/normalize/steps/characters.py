"""Tables from code points to texts that fill themselves as `str.translate` looks characters up."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable


class CharacterTable(dict[int, str]):
    """What becomes of a character, computed once for each; pure, as only the function given decides."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self._change = change

    def __missing__(self, code: int) -> str:
        changed = self[code] = self._change(chr(code))
        return changed


def script_of(character: str) -> str:
    """Script of a letter or mark by its Unicode name, as LATIN; empty for a character without a name."""
    return unicodedata.name(character, "").partition(" ")[0]
