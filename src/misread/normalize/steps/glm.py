"""Steps from rules of NIST's global mapping files (.glm)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Final

from misread.errors import InputFileError
from misread.io.text import read_text, split_lines

_CONTEXT: Final = re.compile(r"/\s*(?:\[(?P<before>[^\]]*)\])?\s*_+\s*(?:\[(?P<after>[^\]]*)\])?")

_BLANKS: Final = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")


@dataclass(frozen=True)
class Rule:
    """Replacement of some words, and the characters that must surround them."""

    words: str  # in lower case
    before: str  # text that must be there; a blank may be an end of the text as well
    after: str
    replacement: str

    def fits(self, plain: str, offset: int, end: int) -> bool:
        """Whether the contexts of words at a position match."""
        is_behind = offset == 0 if self.before == " " else False
        is_ahead = end == len(plain) if self.after == " " else False
        return (is_behind or plain.endswith(self.before, 0, offset)) and (is_ahead or plain.startswith(self.after, end))


def apply_glm(text: str, *, file: str) -> str:
    """Apply the rules of a .glm file as NIST's rfilter does, in one pass; case does not matter.

    At every position the first rule that fits is applied, and its result is not read again. A rule is
    `[FROM] => [TO] / [ ] __ [ ]`; of alternatives in braces the first is taken, so that the result is a text. A `[ ]`
    of the context asks for a blank or an end of the text. Raises InputFileError with file and line for a line that
    cannot be read. SCTK, rfilter.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rules = pathlib.Path(folder, "rules.glm")
    ...     _ = rules.write_text("[MISTER] => [MR] / [ ] __ [ ]")
    ...     apply_glm("Mister Smith", file=str(rules))
    'MR Smith'
    """
    return _rules_of(file).apply(text)


class _Rules:
    """Rules by their first two characters, and then by the words that they replace."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_words: dict[str, list[tuple[int, Rule]]] = {}
        lengths: dict[str, set[int]] = {}
        for order, rule in enumerate(rules):
            self._by_words.setdefault(rule.words, []).append((order, rule))
            lengths.setdefault(rule.words[:2], set()).add(len(rule.words))
        self._lengths = {start: sorted(numbers) for start, numbers in lengths.items()}

    def apply(self, text: str) -> str:
        """Replace from left to right."""
        plain = _fold(text)
        parts: list[str] = []
        done = position = 0
        while position < len(plain):
            rule = self._find(plain, position)
            if rule is None:
                position += 1
                continue
            parts += [text[done:position], rule.replacement]
            done = position = position + len(rule.words)
        return "".join([*parts, text[done:]])

    def _find(self, plain: str, position: int) -> Rule | None:
        """The first rule that fits at a position."""
        start = plain[position : position + 2]
        # Words of one character are their own start.
        lengths = [*self._lengths.get(start, ()), *(self._lengths.get(start[0], ()) if len(start) == 2 else ())]
        fitting = [
            numbered
            for length in lengths
            for numbered in self._by_words.get(plain[position : position + length], ())
            if numbered[1].fits(plain, position, position + length)
        ]
        return min(fitting, key=itemgetter(0))[1] if fitting else None


@cache
def _rules_of(file: str) -> _Rules:
    return _Rules(read_rules(file))


def _fold(text: str) -> str:
    """Lower case and blanks, character by character, so that positions stay the same."""
    return text.lower().translate(_BLANKS) if text.isascii() else "".join(map(_fold_character, text))


def _fold_character(character: str) -> str:
    lower = character.lower()
    return " " if character.isspace() else lower if len(lower) == 1 else character


@cache
def read_rules(file: str) -> tuple[Rule, ...]:
    """Read the rules of a .glm file."""
    rules = []
    for number, line in enumerate(split_lines(read_text(Path(file))), start=1):
        content = _without_comment(line)
        if not content or content.startswith("*"):
            continue
        rule = _read_rule(content)
        if rule is None:
            raise InputFileError(
                f"{file}, line {number}: {line.strip()!r} is not a rule; expected '[FROM] => [TO] / [ ] __ [ ]', a "
                "comment after ';;' or a line that begins with '*'."
            )
        rules.append(rule)
    return tuple(rules)


def _without_comment(line: str) -> str:
    return line.partition(";;")[0].strip()


def _read_rule(content: str) -> Rule | None:
    source, arrow, target = content.partition("=>")
    words, behind = _take_part(source.strip())
    replacement, context = _take_part(target.strip())
    if not arrow or not words or not words.strip() or replacement is None or behind:
        return None
    before = after = ""
    if context:
        match = _CONTEXT.fullmatch(context)
        if match is None:
            return None
        before, after = match["before"] or "", match["after"] or ""
    return Rule(_fold(" ".join(words.split())), _context(before), _context(after), replacement)


def _context(written: str) -> str:
    """A blank for blanks; an empty context allows anything."""
    return _fold(written.strip()) or written[:1]


def _take_part(text: str) -> tuple[str | None, str]:
    """The part in brackets, in braces or up to a blank at the start, and the rest; None without an end.

    Of `{ A / B }` it is the first alternative, and @ means nothing.
    """
    closing = {"[": "]", "{": "}"}.get(text[:1])
    if closing is None:
        part, _, rest = text.partition(" ")
    else:
        part, closed, rest = text[1:].partition(closing)
        if not closed:
            return None, ""
        if closing == "}":
            part = part.partition("/")[0].strip().removeprefix("[").removesuffix("]")
    return "" if part.strip() == "@" else part.strip(), rest.strip()
