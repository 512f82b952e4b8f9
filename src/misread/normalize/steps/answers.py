"""Steps that take an answer out of what a language model wrote."""

import json
import re

_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<content>.*?)\n?(?P=fence)\s*", re.DOTALL)
_FENCE_MARK = re.compile(r"`{3,}|~{3,}")
_FENCE_LINE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})([^`]*)\Z")
_JSON_START = re.compile(r"[{\[]")
_MOST_STARTS = 200
# A label begins with a letter, so that a time or an object of JSON is none.
_FIELD = re.compile(r"[ \t]*([^\W\d_][^\n:]{0,60}?)[ \t]*:[ \t]*(\S.*?)[ \t]*\Z")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_LABELLED = re.compile(r"\A([\w-]*)(.*)\Z", re.DOTALL)


def unwrap_code_fence(text: str) -> str:
    r"""Extract an answer from the Markdown fence that a language model put around it; other text is unchanged.

    The answer is the content of a fence around the whole text or, failing that, of the first fence that contains a JSON
    object or array, or XML labelled as such; prose and fences around it are dropped.

    >>> unwrap_code_fence("```json\n[1]\n```")
    '[1]'
    """
    fenced = _FENCE.fullmatch(text)
    # Of two fences, the first begins the text and the last ends it.
    if fenced and fenced.group("fence") not in map(str.strip, fenced.group("content").split("\n")):
        return fenced.group("content")
    for inside in _FENCE_MARK.split(text)[1:-1]:
        [(label, rest)] = _LABELLED.findall(inside)
        content = str(rest).strip()
        if (label.lower() == "xml" and content[:1] == "<") or (content[:1] in ("{", "[") and _is_json(content)):
            return content
    return text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def unwrap_fences(text: str) -> str:
    r"""Remove the lines that begin and end code fences anywhere; their content and all prose stay.

    >>> unwrap_fences("Here:\n```text\nDear Sir\n```\nDone.")
    'Here:\nDear Sir\nDone.'
    """
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE_LINE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip():
            fence = ""
        else:
            lines.append(line)
    return "\n".join(lines)


def extract_json(text: str) -> str:
    """Take the first JSON object or array out of prose; text without one is unchanged.

    >>> extract_json('The answer is {"a": [1]}, I think.')
    '{"a": [1]}'
    """
    decoder = json.JSONDecoder()
    # Every start costs up to the rest of the text: of very many, most are not JSON.
    for tried, start in enumerate(match.start() for match in _JSON_START.finditer(text)):
        if tried == _MOST_STARTS:
            return text
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        return text[start:end]
    return text


def read_labelled_fields(text: str) -> str:
    r"""Write the lines `Label: value` of a text as a JSON object; of one label, the first counts; else it is unchanged.

    Names of fields are labels in lower case, joined by `_`.

    >>> read_labelled_fields("INVOICE\nInvoice Number: INV-1\nTotal:  $150.00")
    '{"invoice_number": "INV-1", "total": "$150.00"}'
    """
    fields: dict[str, str] = {}
    for line in text.split("\n"):
        if match := _FIELD.match(line):
            name = _BETWEEN_WORDS.sub("_", match[1].lower()).strip("_")
            fields.setdefault(name, match[2])
    return json.dumps(fields, ensure_ascii=False) if fields else text
