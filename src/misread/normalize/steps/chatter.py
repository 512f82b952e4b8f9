"""Steps that take a transcription out of a model's answer: reasoning, fences, tags, JSON, quotes, Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from misread.normalize.steps.answers import unwrap_fences
from misread.text.reasoning import drop_reasoning

_MOST_FRAMES = 5
_LONGEST_NAME = 80
_MOST_TAGS = 200

_FENCE_LINE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)[ \t]*\Z")
_INLINE_FENCE: Final = re.compile(r"\A([^`~]*)(`{3}|~{3})([^`~]+)\2([^`~]*)\Z")
_NAMES: Final = (
    "transcription|transcript|text|answer|output|result|ocr|content|response|transkription|antwort|texte|réponse"
)
"""Names that tags and keys of JSON have where their content is the answer."""
_TAGGED: Final = re.compile(rf"<({_NAMES})>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_HALF_TAG: Final = re.compile(rf"\A\s*<(?:{_NAMES})>|</(?:{_NAMES})>\s*\Z", re.IGNORECASE)
_KEY: Final = re.compile(_NAMES, re.IGNORECASE)

_QUOTES: Final = {'"': '"', "“": "”", "„": "“", "«": "»", "»": "«", "‘": "’", "‚": "‘"}

_HEADING_MARK: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(?=\S)", re.MULTILINE)
_QUOTE_MARK: Final = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_RULE_LINE: Final = re.compile(r"^[ \t]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*(?:\n|\Z)", re.MULTILINE)
_STRONG: Final = re.compile(r"(\*\*|__)(?=[^\s*_])(.{1,2000}?)(?<=[^\s*_])\1")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,2000}?)(?<=[^\s*])\*(?![\w*])")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]{1,2000})`(?!`)")
_ESCAPE: Final = re.compile(r"\\([*_#`>\[\]])")


class _Framed(NamedTuple):
    """Text framed by fences, a tag or JSON, and the text around it."""

    before: str
    content: str
    after: str


def keep_answer(text: str) -> str:
    r"""Take the transcription out of what frames it in an answer: reasoning, code fences, a tag, JSON; or no change.

    A frame holds more than is around it. A tag or key of JSON is called after an answer ("text", "transcription" ...).
    A text that ends in reasoning has no answer.

    >>> keep_answer("Here it is:\n\n```\nDear Sir, I am glad to hear it.\n```\n\nAnything else?")
    'Dear Sir, I am glad to hear it.'
    >>> keep_answer('{"text": "Dear Sir", "page": 3}'), keep_answer("Run this:\n```\nls\n```")
    ('Dear Sir', 'Run this:\n```\nls\n```')
    """
    text = drop_reasoning(text) or ""
    for _ in range(_MOST_FRAMES):
        framed = next(filter(_holds_answer, _find_frames(text)), None)
        if framed is None:
            break
        text = framed.content
    return _HALF_TAG.sub("", text)


def _holds_answer(framed: _Framed) -> bool:
    before, after = framed.before.strip(), framed.after.strip()
    return len(before) + len(after) < len(framed.content)


def _find_frames(text: str) -> Iterator[_Framed]:
    """Content of all fences, of the one tag, and of JSON, if there is any."""
    if "```" in text or "~~~" in text:
        fenced = _find_fenced(text)
        inline = None if fenced else _INLINE_FENCE.match(text)
        yield from filter(None, [fenced or (inline and _Framed(inline[1], inline[3].strip(), inline[4]))])
    tagged = _TAGGED.search(text) if "</" in text and text.count("<") <= _MOST_TAGS else None
    if tagged and len(re.findall(rf"<{tagged[1]}>", text, re.IGNORECASE)) == 1:
        yield _Framed(text[: tagged.start()], tagged[2].strip(), text[tagged.end() :])
    start = text.find("{")
    if start >= 0 and text[start + 1 :].lstrip().startswith('"'):
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            return
        if content := _only_text(value):
            yield _Framed(text[:start], content, text[end:])


def _only_text(value: Any) -> str:
    """The text of JSON under the one key that is called after an answer; lists are lines; "" if there is none."""
    answers = [entry for key, entry in value.items() if _KEY.fullmatch(key)] if isinstance(value, dict) else []
    if len(answers) != 1:
        return ""
    lines = answers[0] if isinstance(answers[0], list) else answers
    return "\n".join(lines) if all(isinstance(line, str) for line in lines) else _only_text(answers[0])


def _find_fenced(text: str) -> _Framed | None:
    """Content of all fences; None if there is none, or between two more than a name such as "Page 2:"."""
    lines = text.split("\n")
    marks: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        mark = _FENCE_LINE.match(line.rstrip("\r"))
        is_inside = len(marks) % 2 == 1
        if mark and not (is_inside and (mark[1][0] != marks[-1][1][0] or len(mark[1]) < len(marks[-1][1]) or mark[2])):
            marks.append((number, mark[1]))
    if not marks:
        return None
    numbers = [number for number, _ in marks]
    # An answer that was cut short has no last fence.
    starts, ends = numbers[::2], numbers[1::2] if len(numbers) % 2 == 0 else [*numbers[1::2], len(lines)]
    for end, start in zip(ends, starts[1:], strict=False):
        between = "\n".join(lines[end + 1 : start]).strip()
        if between and (len(between) > _LONGEST_NAME or not between.rstrip("*_").endswith((":", "："))):
            return None
    content = "\n".join("\n".join(lines[start + 1 : end]) for start, end in zip(starts, ends, strict=True))
    return _Framed("\n".join(lines[: starts[0]]), content, "\n".join(lines[ends[-1] + 1 :]))


def unwrap_quotes(text: str) -> str:
    """Remove quotation marks around the whole of a text that has no other ones.

    >>> unwrap_quotes("“Dear Sir, yes.”"), unwrap_quotes('"Yes", she said, "no"')
    ('Dear Sir, yes.', '"Yes", she said, "no"')
    """
    stripped = text.strip()
    closing = _QUOTES.get(stripped[:1])
    inside = stripped[1:-1]
    if closing is None or len(stripped) < 3 or stripped[-1] != closing or stripped[0] in inside or closing in inside:
        return text
    return inside


def remove_markdown(text: str) -> str:
    r"""Remove marks of Markdown that are no text: of headings, emphasis, code, quotes, rules and fences; lines stay.

    Numbers and dashes of lists, tables and links stay, and so does whatever only looks like a mark.

    >>> remove_markdown("# Bern\n**Dear** *Sir*, 2 * 3 * 4\n```\n1. `x`\n```")
    'Bern\nDear Sir, 2 * 3 * 4\n1. x'
    """
    if not re.search(r"[*_`~#>\\-]", text):
        return text
    text = _RULE_LINE.sub("", unwrap_fences(text))
    text = _QUOTE_MARK.sub("", _HEADING_MARK.sub("", text))
    text = _CODE.sub(r"\1", _EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", text)))
    return _ESCAPE.sub(r"\1", text)


BY_FUNCTION: Final[Mapping[str, Callable[[str], str]]] = {"quotes": unwrap_quotes, "Markdown": remove_markdown}
"""Rules of `remove_shared` that are functions; the others are regular expressions."""


def remove_shared(text: str, *, rules: tuple[str, ...] = ()) -> str:
    r"""Remove what the outputs of a system share and its references lack, by the rules that are found for it.

    >>> remove_shared("Here is the text:\n\n**Dear Sir**", rules=("\\AHere is the text:\\s*", "Markdown"))
    'Dear Sir'
    """
    for rule in rules:
        text = BY_FUNCTION[rule](text) if rule in BY_FUNCTION else _compile(rule).sub("", text)
    return text


@cache
def _compile(rule: str) -> re.Pattern[str]:
    return re.compile(rule, re.MULTILINE)
