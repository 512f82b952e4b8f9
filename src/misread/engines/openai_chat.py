"""Vision-language models behind a server with OpenAI's chat API, and steps that take the text out of their answers."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from misread.data.segment_table import Source
from misread.engines.base import Answer
from misread.engines.chat_answers import ChatSettings, ask_chat
from misread.engines.http_client import HttpClient
from misread.engines.loading import image_to_send
from misread.io.checks.choices import check_choice

_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})[^\n`]*\n(.*?)\n?\1\s*", re.DOTALL)
_BOX: Final = re.compile(r"<\|det\|>.*?<\|/det\|>", re.DOTALL)
_LABEL: Final = re.compile(r"<\|ref\|>.*?<\|/ref\|>", re.DOTALL)
_LABEL_TAG: Final = re.compile(r"<\|/?(?:ref|grounding)\|>")
# DeepSeek; Qwen; Llama; Granite; dots.ocr; Phi; Gemma; SmolDocling; Mistral.
_END: Final = re.compile(
    r"(?:(?:<｜end▁of▁sentence｜>|<\|(?:im_end|endoftext|eot_id|eom_id|end_of_text|endofassistant|end)\|>"
    r"|<(?:eos|end_of_turn|end_of_utterance|/s)>)\s*)+\Z"
)


def drop_boxes(text: str) -> str:
    """Remove boxes, `<|det|>[[x, y, x, y]]<|/det|>`, and the line end after one that fills its line."""
    return re.sub(rf"^{_BOX.pattern}[ \t]*\n|{_BOX.pattern}", "", text, flags=re.DOTALL | re.MULTILINE)


def drop_labels(text: str) -> str:
    """Remove labels, `<|ref|>title<|/ref|>`, that name the kind of what follows."""
    return _LABEL.sub("", text)


def unwrap_labels(text: str) -> str:
    """Remove the tags of labels that enclose the text itself."""
    return _LABEL_TAG.sub("", text)


def unwrap_fence(text: str) -> str:
    """Content of a Markdown fence around the whole text."""
    fenced = _FENCE.fullmatch(text)
    return fenced.group(2) if fenced else text


def drop_end_mark(text: str) -> str:
    """Remove the end mark of a model."""
    return _END.sub("", text)


ANSWER_STEPS: Final[Mapping[str, Callable[[str], str]]] = {
    step.__name__: step for step in (drop_boxes, drop_labels, unwrap_labels, unwrap_fence, drop_end_mark)
}
"""All steps by their name in configurations."""


@dataclass(frozen=True, kw_only=True)
class OpenAIChat(ChatSettings):
    r"""Sends each image with a prompt to `/chat/completions` of a server.

    The other settings are those of `ChatSettings` and `HttpSettings`.

    Parameters
    ----------
    prompt : str
        What is asked of an image. For DeepSeek-OCR: "Free OCR.", "<|grounding|>OCR this image." or
        "<|grounding|>Convert the document to markdown.".
    image_prefix : str
        Put before the prompt; some servers need "<image>\n", for others it must be absent.
    steps : list of str
        Steps that extract the text from an answer, in this order: drop_boxes, drop_labels, unwrap_labels, unwrap_fence,
        drop_end_mark. The raw answer is stored as well.
    stream : bool
        Whether the server sends its answer while generating it, which gives the time to the first byte and the tokens
        per second.
    medium : {"page_image", "line_image"}
        What it reads.

    References
    ----------
    Wei et al., "DeepSeek-OCR: Contexts Optical Compression", 2025.
    """

    prompt: str = "Free OCR."
    image_prefix: str = ""
    steps: Sequence[str] = ("drop_end_mark",)
    stream: bool = False
    medium: Literal["page_image", "line_image"] = "page_image"

    def __post_init__(self) -> None:
        super().__post_init__()
        for step in self.steps:
            check_choice("step", step, ANSWER_STEPS, where="steps of engine OpenAIChat")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def open(self) -> OpenAIChatReader:
        """Make the client."""
        return OpenAIChatReader(self, HttpClient(self))


@dataclass(frozen=True)
class OpenAIChatReader:
    """Client of the server."""

    settings: OpenAIChat
    client: HttpClient

    def read(self, source: Source) -> Answer:
        """Text of one image, with the model's raw answer."""
        _, content, kind = image_to_send(source)
        image = f"data:{kind};base64,{base64.b64encode(content).decode()}"
        settings = self.settings
        parts: list[dict[str, Any]] = [
            {"type": "image_url", "image_url": {"url": image}},
            {"type": "text", "text": settings.image_prefix + settings.prompt},
        ]
        return ask_chat(self.client, settings, parts, self._apply_steps, stream=settings.stream)

    def _apply_steps(self, text: str) -> str:
        for step in self.settings.steps:
            text = ANSWER_STEPS[step](text)
        return text

    def close(self) -> None:
        self.client.close()
