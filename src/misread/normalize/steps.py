"""Steps of normalizers: functions from text to text, each with one purpose."""

import json
import re
from collections.abc import Callable, Collection, Mapping

from misread.text.white_space import WHITE_SPACE

Step = Callable[[str], str]

_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<content>.*?)\n?(?P=fence)\s*", re.DOTALL)
_FENCE_MARK = re.compile(r"`{3,}|~{3,}")
_LABELLED = re.compile(r"\A([\w-]*)(.*)\Z", re.DOTALL)
_RUN_OF_WHITE_SPACE = re.compile(f"[{re.escape(WHITE_SPACE)}]+")
# None of these occurs in collapsed texts that are joined by line feeds, with one at both ends.
_LOOSE_WHITE_SPACE = ("  ", " \n", "\n ", *(character for character in WHITE_SPACE if character not in " \n"))


def collapse_whitespace(text: str) -> str:
    """Strip both ends and turn every run of white space (Unicode White_Space, line breaks too) into one space."""
    if text.isprintable() and "  " not in text:
        # The space is the only printable white space, so only the ends are left to strip, as in most texts.
        return text.strip(" ")
    return _RUN_OF_WHITE_SPACE.sub(" ", text).strip(" ")


def is_collapsed(texts: Collection[str]) -> bool:
    """Whether `collapse_whitespace` changes none of these texts; one scan of all of them."""
    lines = "\n".join(["", *texts, ""])
    return lines.count("\n") == len(texts) + 1 and not any(loose in lines for loose in _LOOSE_WHITE_SPACE)


def lower_case(text: str) -> str:
    """Map to lower case by the Unicode rules that hold for all languages (not right for Turkish I)."""
    return text.lower()


def unwrap_code_fence(text: str) -> str:
    """Extract an answer from the Markdown fence that a language model put around it; other text is unchanged.

    The answer is the content of a fence around the whole text or, failing that, of the first fence that contains a JSON
    object or array, or XML labelled as such; prose and fences around it are dropped.
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


STEPS: Mapping[str, Step] = {step.__name__: step for step in (collapse_whitespace, lower_case, unwrap_code_fence)}
"""All steps by their name in configurations."""
