"""Data inside the page: deflated JSON in base64."""

import base64
import json
import zlib
from collections.abc import Iterable
from typing import Any

CHUNK_SEGMENTS = 256
CHUNK_CHARACTERS = 1_000_000
"""Characters of JSON in a chunk, which is unpacked as a whole when one of its segments is shown."""


def pack(content: object) -> str:
    """Pack a JSON value for `unpack` in js/payload.js: base64 of raw deflate (RFC 1951) of UTF-8.

    Base64 has no character that could end the enclosing element.
    """
    return _deflate(_to_json(content))


def unpack(packed: str) -> Any:
    """Inverse of `pack`."""
    return json.loads(zlib.decompress(base64.b64decode(packed), wbits=-zlib.MAX_WBITS))


def pack_chunks(segments: Iterable[object]) -> tuple[list[str], list[int]]:
    """Chunks of packed segments that are fast to unpack, and the position of the first segment of each."""
    chunks: list[str] = []
    starts: list[int] = []
    texts: list[str] = []
    size = 0
    for position, segment in enumerate(segments):
        if not texts:
            starts.append(position)
        texts.append(_to_json(segment))
        size += len(texts[-1])
        if len(texts) == CHUNK_SEGMENTS or size >= CHUNK_CHARACTERS:
            chunks.append(_deflate(f"[{','.join(texts)}]"))
            texts, size = [], 0
    if texts:
        chunks.append(_deflate(f"[{','.join(texts)}]"))
    return chunks, starts


def _to_json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _deflate(text: str) -> str:
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    data = compressor.compress(text.encode("utf-8")) + compressor.flush()
    return base64.b64encode(data).decode("ascii")
