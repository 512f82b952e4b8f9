"""Reasoning of a language model that is in the text of its answer, between marks of its own."""

import re
from typing import Final

_TAG: Final = r"(?:think(?:ing)?|thought|reasoning|seed:think)"
_FLAGS: Final = re.DOTALL | re.IGNORECASE
# Tags; Magistral; Kimi; gpt-oss, whose answer is in the channel "final", also without its special tokens.
_REASONING: Final = re.compile(
    rf"\s*(?:<({_TAG})>.*?</\1>|\[THINK\].*?\[/THINK\]|◁think▷.*?◁/think▷"
    r"|(?:<\|start\|>\w+)?(?:<\|channel\|>(?!final\b).*?)?<\|channel\|>final<\|message\|>"
    r"|analysis\S.*?assistantfinal)\s*",
    _FLAGS,
)
_UNENDED: Final = re.compile(rf"\s*(?:<{_TAG}>|\[THINK\]|◁think▷|(?:<\|start\|>\w+)?<\|channel\|>)", _FLAGS)
_END: Final = re.compile(r"(?:</think(?:ing)?>|\[/THINK\]|◁/think▷)\s*", _FLAGS)
_FRAME: Final = re.compile(r"<\|(?:begin_of_box|end_of_box)\|>|(?:<\|return\|>|<\|end\|>)\s*\Z")


def drop_reasoning(text: str) -> str | None:
    """Answer behind a model's reasoning, also where a template opened it; None if there is no end or no answer.

    >>> drop_reasoning("<think>A line.</think> the log"), drop_reasoning("A line.</think> the log")
    ('the log', 'the log')
    >>> drop_reasoning("<think>The image shows the log") is None
    True
    """
    if not (text.lstrip().startswith("analysis") or any(mark in text for mark in "<[◁")):
        # Most texts, for which this takes the least time.
        return text
    answer = text
    while match := _REASONING.match(answer):
        answer = answer[match.end() :]
    if _UNENDED.match(answer):
        return None
    if end := _END.search(answer):
        answer = answer[end.end() :]
    if answer != text and not answer.strip():
        return None
    return _FRAME.sub("", answer) if "<|" in answer else answer
