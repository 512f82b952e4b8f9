r"""Check of the numbers of a manuscript, tagged `\misread{key}{shown}`, against the results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from misread.features.paper.result_values import ResultValue
from misread.tables.number_text import RateFormat

_TAG = re.compile(r"\\misread(?P<only_key>value)?\s*\{")
# A percent sign after a backslash is text; after two backslashes, a line break, it begins a comment.
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*(?P<comment>%.*)")
_NUMBER = re.compile(r"(?P<bound><)?(?P<number>[+-]?\d*\.?\d+)(?P<percent>%)?")
_NEAREST = 3
# Rounding half up and half to even are both right.
_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem, at a line of the manuscript."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class LintResult:
    """Number of tags in one file, and the problems found."""

    checked: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Tag:
    line: int
    key: str
    shown: str | None
    problem: str = ""


def lint_manuscript(source: str, values: Mapping[str, ResultValue], rates: RateFormat) -> LintResult:
    """Check every tagged number of a LaTeX source, outside comments, against `read_result_values`.

    A number is right if it is the result rounded to as many digits as it has. Rates and differences are in the unit of
    the report, or in per cent if followed by a per cent sign; `< 0.001` is right if the result is below.
    """
    tags = list(_tags(source))
    problems = [Problem(tag.line, message) for tag in tags if (message := _check(tag, values, rates))]
    return LintResult(len(tags), tuple(problems))


def _tags(source: str) -> Iterator[_Tag]:
    text = "\n".join(_without_comment(line) for line in source.split("\n"))
    for match in _TAG.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        key, end = _argument(text, match.end() - 1)
        if key is None:
            yield _Tag(line, "", None, "the brace after \\misread is never closed")
            continue
        name = "".join(key.split())
        if name.startswith("#"):
            # The body of a macro that passes on its own argument.
            continue
        if match["only_key"]:
            yield _Tag(line, name, None)
            continue
        shown, _ = _argument(text, end)
        problem = "" if shown is not None else f"\\misread{{{name}}} has no number after it: \\misread{{KEY}}{{SHOWN}}"
        yield _Tag(line, name, shown, problem)


def _without_comment(line: str) -> str:
    match = _COMMENT.search(line)
    return line[: match.start("comment")] if match else line


def _argument(text: str, start: int) -> tuple[str | None, int]:
    """Content of the braces that open at the next character that is not white space, and where they end."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text) or text[start] != "{":
        return None, start
    depth, end = 0, start
    while end < len(text):
        if text[end] == "\\":
            end += 2
            continue
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
        if depth == 0:
            return text[start + 1 : end - 1], end
    return None, start


def _check(tag: _Tag, values: Mapping[str, ResultValue], rates: RateFormat) -> str:
    if tag.problem:
        return tag.problem
    if tag.key not in values:
        near = get_close_matches(tag.key, values, n=_NEAREST)
        guess = f"; did you mean {' or '.join(near)}?" if near else "; `misread paper macros` lists all keys"
        return f"unknown key {tag.key!r}{guess}"
    if tag.shown is None:
        return ""
    value = values[tag.key]
    written = _plain(tag.shown, is_count=value.kind == "count")
    match = _NUMBER.fullmatch(written)
    if match is None:
        return f"{tag.key}: {tag.shown!r} is not a number that can be compared with {value.text(rates)}"
    in_percent = bool(match["percent"]) and value.kind in ("rate", "difference")
    expected = RateFormat(unit="percent").scaled(value.value) if in_percent else value.scaled(rates)
    number = float(match["number"])
    if match["bound"]:
        return "" if expected < number else f"{tag.key} is {expected:.4g}, not below {number:g}"
    digits = len(match["number"].partition(".")[2])
    if abs(expected - number) <= 0.5 * 10**-digits + _SLACK:
        return ""
    return f"{tag.key} is {expected:.{digits}f}, not {match['number']}"


def _plain(shown: str, *, is_count: bool) -> str:
    """The number without typesetting."""
    # {,} is the decimal comma of mathematics, or a separator of thousands in a count.
    text = shown.replace("{,}", "" if is_count else ".")
    for command, plain in (
        (r"\%", "%"),
        (r"\textless", "<"),
        (r"\lt", "<"),
        ("\N{MINUS SIGN}", "-"),
        (r"\textminus", "-"),
        ("--", "-"),
    ):
        text = text.replace(command, plain)
    text = re.sub(r"\\(?:ensuremath|mathbf|textbf|num|mathit|text)\b", "", text)
    text = re.sub(r"\\[,;:! ]|[\s{}$~]", "", text)
    # Commas between groups of three digits.
    return re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", text)
