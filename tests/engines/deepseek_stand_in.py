"""A scripted server that stands in for the protocol of DeepSeek-OCR: it has no model, and is in no result."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager

from tests.engines.scripted_server import reply, serve


@contextmanager
def deepseek_stand_in(texts: Mapping[bytes, str], broken: Set[bytes] = frozenset()) -> Iterator[str]:
    """Address of a server that gives each image the text prepared for it, in the form of the model's answers.

    It fails at images in `broken`.
    """

    def answer(handler, question):
        asked = json.loads(question.body)
        image, prompt = asked["messages"][0]["content"]
        content = base64.b64decode(image["image_url"]["url"].partition(",")[2])
        if content in broken:
            reply(handler, "out of memory", 500)
            return
        text = texts[content]
        assert question.path == "/v1/chat/completions"
        assert (prompt["text"], asked["skip_special_tokens"]) == ("Free OCR.", False)
        content = f"<|ref|>text<|/ref|><|det|>[[0, 0, 999, 999]]<|/det|>\n{text}<｜end▁of▁sentence｜>"
        reply(handler, json.dumps({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}))

    with serve(answer) as server:
        yield f"{server.url}/v1"
