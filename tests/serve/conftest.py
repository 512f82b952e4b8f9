"""Images as they are sent."""

from __future__ import annotations

import base64
from io import BytesIO

import pytest
from PIL import Image


@pytest.fixture(scope="session")
def png():
    """Content of a PNG file of white paper."""

    def make(width=20, height=5, mode="L"):
        content = BytesIO()
        Image.new(mode, (width, height), 1 if mode == "1" else 255).save(content, "PNG")
        return content.getvalue()

    return make


@pytest.fixture(scope="session")
def chat_question():
    """What is posted for images in OpenAI's chat API; texts are addresses."""

    def make(*images, model="tesseract", **settings):
        urls = [
            each if isinstance(each, str) else f"data:image/png;base64,{base64.b64encode(each).decode()}"
            for each in images
        ]
        parts = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
        content = [*parts, {"type": "text", "text": "Free OCR."}]
        return {"model": model, "messages": [{"role": "user", "content": content}], **settings}

    return make
