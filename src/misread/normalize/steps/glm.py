"""Steps from rules of NIST's global mapping files (.glm)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from misread.errors import InputFileError
from misread.files.text import read_text, split_lines

_CONTEXT: Final = re.compile(r"/\s*(?:\[(?P<before>[^\]]*)\])?\s*_+\s*(?:\[(?P<after>[^\]]*)\])?")


@dataclass(frozen=True)
class Rule:
    """What is written in the place of some words, between which characters."""

    pattern: re.Pattern[str]
    replacement: str


def apply_glm(text: str, *, file: str) -> str:
    """Apply the rules of a .glm file in their order, as NIST's rfilter does; case does not matter.

    A rule is `[FROM] => [TO] / [ ] __ [ ]`; of alternatives in braces the first is taken, so that the result is a text.
    A `[ ]` of the context asks for a blank or an end of the text. Raises InputFileError with file and line for a line
    that cannot be read. SCTK, rfilter.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rules = pathlib.Path(folder, "rules.glm")
    ...     _ = rules.write_text("[MISTER] => [MR] / [ ] __ [ ]")
    ...     apply_glm("Mister Smith", file=str(rules))
    'MR Smith'
    """
    for rule in read_rules(file):
        text = rule.pattern.sub(lambda _, to=rule.replacement: to, text)  # type: ignore[misc]
    return text


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
        found = _CONTEXT.fullmatch(context)
        if found is None:
            return None
        before, after = found["before"] or "", found["after"] or ""
    begins = _side(before, r"(?<!\S)", behind=True)
    ends = _side(after, r"(?!\S)", behind=False)
    inner = r"\s+".join(map(re.escape, words.split()))
    return Rule(re.compile(f"{begins}{inner}{ends}", re.IGNORECASE), replacement)


def _side(context: str, edge: str, *, behind: bool) -> str:
    """Look-around for a context: a blank means an edge of a word, nothing means anything."""
    if not context:
        return ""
    if not context.strip():
        return edge
    escaped = re.escape(context.strip())
    return f"(?<={escaped})" if behind else f"(?={escaped})"


def _take_part(text: str) -> tuple[str | None, str]:
    """What stands in brackets, in braces or up to a blank at the beginning, and the rest; None without an end.

    Of `{ A / B }` it is the first alternative, and @ stands for nothing.
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
