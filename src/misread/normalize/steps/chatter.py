"""Steps that take a transcription out of a model's answer: reasoning, fences, tags, JSON, quotes, Markdown."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import unescape
from itertools import chain
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
_BOXED: Final = re.compile(r"\A([^\\]*)\\boxed\{(?:\\text\{)?(.*?)\}{1,2}([^{}]*)\Z", re.DOTALL)
# A text between quotation marks is one of JSON if it has something escaped.
_JSON_START: Final = re.compile(r"""\{\s*"|\[\s*["{]|\A\s*"(?=[^"]*\\)""")
_CUT_ENDS: Final = ("", '"', '"}', "}", '"]}', "]}")
_TAG: Final = re.compile(r"<(?:/?([a-z][\w:.-]*)(?:\s[^<>]{0,300})?/?|[!?|][^<>]{1,200})>", re.IGNORECASE)
_INLINE_TAGS: Final = frozenset(["a", "b", "em", "font", "i", "mark", "s", "small", "span", "strong", "sub", "sup"])

_QUOTES: Final = dict(zip('"“„”«»‘‚「『《‹', '"”“”»«’‘」』》›', strict=True))

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
    return _HALF_TAG.sub("", _unwrap(text, is_certain=True))


def _unwrap(text: str, *, is_certain: bool = False) -> str:
    """The content of the frames of a text; only such as hold more than is around them, of JSON under a name it has."""
    for _ in range(_MOST_FRAMES):
        frames = (framed for framed in _find_frames(text, is_certain) if not is_certain or _holds_answer(framed))
        framed = next(frames, None)
        if framed is None:
            break
        text = framed.content
    return text


def _holds_answer(framed: _Framed) -> bool:
    before, after = framed.before.strip(), framed.after.strip()
    return len(before) + len(after) < len(framed.content)


def _find_frames(text: str, is_named: bool) -> Iterator[_Framed]:
    """Content of all fences, of the one tag, of a box of LaTeX, and of JSON, if there is any."""
    if "```" in text or "~~~" in text:
        fenced = _find_fenced(text)
        inline = None if fenced else _INLINE_FENCE.match(text)
        yield from filter(None, [fenced or (inline and _Framed(inline[1], inline[3].strip(), inline[4]))])
    tagged = _TAGGED.search(text) if "</" in text and text.count("<") <= _MOST_TAGS else None
    if tagged and len(re.findall(rf"<{tagged[1]}>", text, re.IGNORECASE)) == 1:
        yield _Framed(text[: tagged.start()], tagged[2].strip(), text[tagged.end() :])
    if boxed := "\\boxed{" in text and _BOXED.match(text):
        yield _Framed(*boxed.groups())
    if start := '"' in text and _JSON_START.search(text):
        for cut in _CUT_ENDS:
            try:
                value, end = json.JSONDecoder().raw_decode(text.rstrip() + cut, start.start())
                lines = _find_lines(value, is_named) if isinstance(value, dict) or not is_named else []
            except (ValueError, RecursionError):
                continue
            if lines:
                yield _Framed(text[: start.start()], "\n".join(lines), text[end:])
            return


def _find_lines(value: Any, is_named: bool) -> list[str]:
    """Texts of JSON under the one key that is called after an answer or, of any name, has texts; or []."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        parts = [_find_lines(part, is_named) for part in value]
        return [*chain.from_iterable(parts)] if all(parts) else []
    entries = value.items() if isinstance(value, dict) else ()
    answers = [_find_lines(entry, is_named) for key, entry in entries if _KEY.fullmatch(key)]
    if not (answers or is_named):
        answers = [lines for _, entry in entries if (lines := _find_lines(entry, is_named))]
    return answers[0] if len(answers) == 1 else []


def _find_fenced(text: str) -> _Framed | None:
    """Content of all fences; None if there is none, or between two more than a name such as "Page 2:"."""
    inside: list[str] = []
    around: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE_LINE.match(line.rstrip("\r"))
        if mark and not fence:
            fence = mark[1]
            around.append([])
        elif mark and mark[1].startswith(fence) and not mark[2]:
            fence = ""
        else:
            (inside if fence else around[-1]).append(line)
    before, *between, after = ["\n".join(lines) for lines in (around if len(around) > 1 else [*around, []])]
    names = [name.strip().rstrip("*_") for name in between]
    if len(around) == 1 or any(len(name) > _LONGEST_NAME or (name and name[-1] not in ":：") for name in names):
        return None
    # An answer that was cut short has no last fence.
    return _Framed(before, "\n".join(inside), after)


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


def _remove_tags(text: str) -> str:
    """Remove tags, also those of models, and write entities as characters."""
    if "<" not in text and "&" not in text:
        return text
    return unescape(_TAG.sub(lambda tag: "" if (tag[1] or "").lower() in _INLINE_TAGS else " ", text))


BY_FUNCTION: Final[Mapping[str, Callable[[str], str]]] = {
    "frames": _unwrap,
    "tags": _remove_tags,
    "quotes": lambda text: "\n".join(map(unwrap_quotes, unwrap_quotes(text).split("\n"))),
    "Markdown": remove_markdown,
}
"""Rules of `remove_shared` that are functions; the others are regular expressions."""


def remove_shared(text: str, *, rules: tuple[str, ...] = ()) -> str:
    r"""Remove what the outputs of a system share and its references lack, by the rules that are found for it.

    >>> remove_shared("Here is the text:\n\n**Dear Sir**", rules=("\\AHere is the text:\\s*", "Markdown"))
    'Dear Sir'
    """
    for rule in rules:
        text = BY_FUNCTION[rule](text) if rule in BY_FUNCTION else _compile(rule).sub("", text)
    return text


def removed_part(before: str, after: str) -> str:
    """What was around or inside a text, with an ellipsis in its place; "" if it was at many places."""
    head, content, tail = before.partition(after.strip() or "\0")
    return " … ".join(filter(None, (head.strip(), tail.strip()))) if content else ""


@cache
def _compile(rule: str) -> re.Pattern[str]:
    return re.compile(rule, re.MULTILINE)
