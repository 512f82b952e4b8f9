"""Images and audio of segments, inside the page up to a budget, else linked."""

import base64
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from misread.data.segment_table import SegmentTable, Source
from misread.engines.base import UnreadableSourceError
from misread.engines.cutting import cut_out

MediumKind = Literal["image", "audio", "file"]

# Cutting takes time, and pages have no space for more.
_MOST_PARTS = 200
# Types that browsers show; other files are linked.
_TYPES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".flac": "audio/flac",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".m4a": "audio/mp4",
}


@dataclass(frozen=True)
class Medium:
    """The image or audio of one segment."""

    kind: MediumKind
    # Data URI; empty if beyond the budget or if browsers cannot show it.
    data: str
    # Relative to the folder of the page.
    link: str


def find_media(segments: SegmentTable) -> tuple[dict[str, Path], str]:
    """Images or audio by segment id, and the reason if they are missing; both empty for a data set without media."""
    media = dict(zip(segments.segment_id, segments.media or (), strict=segments.media is not None))
    if media and not any(path.is_file() for path in media.values()):
        return {}, f"There is no file {next(iter(media.values()))}."
    return media, ""


def find_parts(segments: SegmentTable) -> dict[str, Source]:
    """Sources by segment id, for segments that are part of an image or a recording."""
    if segments.areas is None and segments.times is None:
        return {}
    return {source.segment_id: source for source in segments.sources() if source.area or source.span}


def collect_media(
    paths: Mapping[str, Path],
    by_interest: Sequence[str],
    *,
    folder: Path,
    budget: int,
    parts: Mapping[str, Source] | None = None,
) -> dict[str, Medium]:
    """Collect media for the page, most interesting segments first, up to a budget in characters of data URIs.

    Files that no longer exist are left out. Links are relative to `folder`, that of the page. For `parts`, the page
    contains the part and links to the whole.
    """
    collected: dict[str, Medium] = {}
    parts = parts or {}
    cut = _cut(
        [
            parts[segment_id]
            for segment_id in [segment_id for segment_id in by_interest if segment_id in parts][:_MOST_PARTS]
        ]
    )
    for segment_id in by_interest:
        path = paths.get(segment_id)
        if path is None or not path.is_file():
            continue
        mime = _TYPES.get(path.suffix.lower(), "")
        data = ""
        if segment_id in parts:
            data = part if len(part := cut.get(segment_id, "")) <= budget else ""
            # A part is a PNG or WAV file, which browsers show, whatever the type of the whole.
            mime = data.removeprefix("data:").partition(";")[0] or mime
        elif mime and _encoded_size(path, mime) <= budget:
            data = data_uri(path, mime)
        budget -= len(data)
        kind: MediumKind = "image" if mime.startswith("image") else "audio" if mime else "file"
        collected[segment_id] = Medium(kind, data, _link(path, folder))
    return collected


def _cut(sources: Sequence[Source]) -> dict[str, str]:
    """Data URIs by segment id, cut file by file, without parts that cannot be cut."""
    uris = {}
    for source in sorted(sources, key=lambda source: str(source.media)):
        try:
            with cut_out(source) as whole:
                if whole.media is not None:
                    uris[source.segment_id] = data_uri(whole.media, _TYPES[whole.media.suffix])
        except UnreadableSourceError:
            continue
    return uris


def data_uri(path: Path, mime: str) -> str:
    """Whole file as a data URI."""
    return _prefix(mime) + base64.b64encode(path.read_bytes()).decode("ascii")


def _prefix(mime: str) -> str:
    return f"data:{mime};base64,"


def _encoded_size(path: Path, mime: str) -> int:
    return len(_prefix(mime)) + (path.stat().st_size + 2) // 3 * 4


def _link(path: Path, folder: Path) -> str:
    # As bytes: file names may be invalid UTF-8.
    return quote(os.fsencode(Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()))
