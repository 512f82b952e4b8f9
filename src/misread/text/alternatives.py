"""Texts with alternatives: their notation and their parts.

The notation is that of NIST's transcripts: `so { um / uh / @ } yes (indeed)`. Braces hold alternatives separated by
slashes, which may hold alternatives themselves; `@` means no word; a word in parentheses may be left out. A
backslash takes such a meaning from the character after it, in braces too, where sclite has no way to write a slash.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from misread.errors import InputTextError
from misread.text.words import WHITE_SPACE

NOTHING: Final = "@"

DEEPEST: Final = 20
"""Levels of braces within braces that are read; the test data of NIST's toolkit has one."""

MOST_ALTERNATIVES: Final = 1000
"""Alternatives that one place may have, those of braces within braces together."""

_SPACE: Final = re.escape(WHITE_SPACE)
_TOKEN: Final = re.compile(rf"[{{}}]|(?:\\[^{_SPACE}]|[^{_SPACE}{{}}])+")
_TOKEN_IN_BRACES: Final = re.compile(rf"[{{}}/]|(?:\\[^{_SPACE}]|[^{_SPACE}{{}}/])+")
_WORD: Final = re.compile(f"[^{_SPACE}]+")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_OPTIONAL: Final = re.compile(r"\((?:\\.|[^\\])+\)", re.DOTALL)
# Up to two tags after a word, each after a semicolon.
_TAGS: Final = re.compile(r"((?:\\.|[^;\\])+);.*", re.DOTALL)
_TO_ESCAPE: Final = re.compile(r"[\\{}]")
_TO_ESCAPE_IN_BRACES: Final = re.compile(r"[\\{}/]")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, which may be left out where it is optional."""

    text: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A position that reads in one of several ways, each of any number of words."""

    alternatives: tuple[Items, ...]


Item = Word | Choice
Items = tuple[Item, ...]
"""A text with alternatives, in reading order."""

NO_WORD: Final = Choice(((),))
"""An `@` next to words: it reads in one way, but it affects sclite's ties."""


def parse_alternatives(text: str, *, optional_words: bool = True, tags: bool = False) -> Items:
    """Parse a text in the notation of NIST's transcripts; InputTextError says what was expected where marks do not fit.

    Braces need no white space around them, nor does a slash inside braces; outside braces a slash is a character like
    others. Without `optional_words`, parentheses are part of a word. With `tags`, what follows a semicolon in a word is
    left out. SCTK, sclite, input file formats: ALTERNATE and TEXT of "trn" and "stm".
    """
    items: list[Item] = []
    # For every open brace: what came before it, and the alternatives that are complete.
    outside: list[tuple[list[Item], list[Items]]] = []
    begun = False
    position = 0
    while match := (_TOKEN_IN_BRACES if outside else _TOKEN).search(text, position):
        part, position = match[0], match.end()
        if part == "{":
            if len(outside) == DEEPEST:
                raise InputTextError(f"braces are nested more than {DEEPEST} deep; write fewer levels.")
            outside.append((items, []))
            items, begun = [], False
            continue
        if outside and part in ("/", "}"):
            if not begun:
                raise InputTextError(f"an alternative before {part!r} is empty; write {NOTHING} for no word.")
            before, complete = outside[-1]
            complete.append(() if items == [NO_WORD] else tuple(items))
            items, begun = [], False
            if part == "}":
                ways = sum(map(_count_ends, complete))
                if ways > MOST_ALTERNATIVES:
                    raise InputTextError(f"{ways:,} alternatives at one place; expected up to {MOST_ALTERNATIVES:,}.")
                outside.pop()
                # One alternative is no choice, and sclite reads its words alone, as {NOISE} in texts of TED-LIUM.
                only = complete[0] or (NO_WORD,)
                before += only if len(complete) == 1 else (Choice(tuple(complete)),)
                items, begun = before, True
            continue
        if part == "}":
            raise InputTextError("'}' has no matching '{'; write \\} for a brace of the text.")
        begun = True
        items.append(read_word(part, optional_words=optional_words, tags=tags))
    if outside:
        raise InputTextError("'{' is never closed; write \\{ for a brace of the text.")
    return tuple(items)


def read_word(token: str, *, optional_words: bool = True, tags: bool = False) -> Word | Choice:
    """Read a word, or an `@`, as `parse_alternatives` reads one outside of braces."""
    if token == NOTHING:
        return NO_WORD
    if tags and (tagged := _TAGS.fullmatch(token)):
        token = tagged[1]
    optional = optional_words and _OPTIONAL.fullmatch(token) is not None
    return Word(_ESCAPED.sub(r"\1", token[1:-1] if optional else token), optional)


def render_alternatives(items: Items) -> str:
    """Write a text with alternatives, so that `parse_alternatives` reads the same."""
    return _write(items, _TO_ESCAPE)


def change_words(items: Items, change: Callable[[str], str]) -> Items:
    """Change the text between the marks: every run of words as one text, every optional word as another.

    `change` may turn a text into any number of words.
    """
    changed: list[Item] = []
    run: list[str] = []
    for item in items:
        if isinstance(item, Word) and not item.optional:
            run.append(item.text)
            continue
        changed += _split(change(" ".join(run)))
        run = []
        if isinstance(item, Word):
            changed += _split(change(item.text), optional=True)
        else:
            changed.append(Choice(tuple(change_words(alternative, change) for alternative in item.alternatives)))
    changed += _split(change(" ".join(run)))
    return tuple(changed)


def has_choices(items: Items) -> bool:
    """Whether there is more than one way to read it."""
    return any(isinstance(item, Choice) or item.optional for item in items)


def list_words(items: Items) -> list[str]:
    """Words of the first way to read it: the first alternative everywhere, and every optional word."""
    words: list[str] = []
    for item in items:
        words += [item.text] if isinstance(item, Word) else list_words(item.alternatives[0])
    return words


def _count_ends(items: Items) -> int:
    """Number of arcs that an alternative may end in."""
    last = items[-1] if items else None
    return sum(map(_count_ends, last.alternatives)) if isinstance(last, Choice) else 1


def _split(text: str, *, optional: bool = False) -> list[Item]:
    return [Word(word, optional) for word in _WORD.findall(text)]


def _write(items: Items, to_escape: re.Pattern[str]) -> str:
    return " ".join(_write_item(item, to_escape) for item in items)


def _write_item(item: Item, to_escape: re.Pattern[str]) -> str:
    if item == NO_WORD:
        return NOTHING
    if isinstance(item, Choice):
        written = (_write(alternative, _TO_ESCAPE_IN_BRACES) or NOTHING for alternative in item.alternatives)
        return f"{{ {' / '.join(written)} }}"
    escaped = to_escape.sub(r"\\\g<0>", item.text)
    if item.optional:
        return f"({escaped})"
    marked = item.text == NOTHING or (len(item.text) > 2 and item.text[0] == "(" and item.text[-1] == ")")
    return f"\\{escaped}" if marked else escaped
