"""Steps that take the text out of what a vision-language model answers."""

import re
from collections.abc import Callable, Mapping
from typing import Final

_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})[^\n`]*\n(.*?)\n?\1\s*", re.DOTALL)
_BOX: Final = re.compile(r"<\|det\|>.*?<\|/det\|>", re.DOTALL)
_LABEL: Final = re.compile(r"<\|ref\|>.*?<\|/ref\|>", re.DOTALL)
_LABEL_TAG: Final = re.compile(r"<\|/?(?:ref|grounding)\|>")
_END: Final = re.compile(r"(?:<｜end▁of▁sentence｜>|<\|im_end\|>|<\|endoftext\|>|<\|eot_id\|>|</s>)\s*\Z")


def drop_boxes(text: str) -> str:
    """Without boxes, `<|det|>[[x, y, x, y]]<|/det|>`, and the line end after one that fills its line."""
    return re.sub(rf"^{_BOX.pattern}[ \t]*\n|{_BOX.pattern}", "", text, flags=re.DOTALL | re.MULTILINE)


def drop_labels(text: str) -> str:
    """Without labels, `<|ref|>title<|/ref|>`, where they name the kind of what follows."""
    return _LABEL.sub("", text)


def unwrap_labels(text: str) -> str:
    """Without the tags of labels, where what they enclose is the text."""
    return _LABEL_TAG.sub("", text)


def unwrap_fence(text: str) -> str:
    """Content of a Markdown fence around the whole text."""
    fenced = _FENCE.fullmatch(text)
    return fenced.group(2) if fenced else text


def drop_end_mark(text: str) -> str:
    """Without the sign by which a model ends."""
    return _END.sub("", text)


ANSWER_STEPS: Final[Mapping[str, Callable[[str], str]]] = {
    step.__name__: step for step in (drop_boxes, drop_labels, unwrap_labels, unwrap_fence, drop_end_mark)
}
"""All steps by their name in configurations."""
