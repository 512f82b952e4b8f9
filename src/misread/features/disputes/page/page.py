"""Spans, images and audio inside one HTML file."""

import hashlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from misread.features.disputes.spans import DisputedSpans, Span
from misread.features.disputes.tables import NOTHING, UNREADABLE, show_readings, write_facts
from misread.io.checks.choices import check_choice
from misread.io.json_files import write_text
from misread.report.page.assets import read_asset
from misread.report.page.media import Medium, collect_media
from misread.report.page.page import content_security_policy
from misread.report.page.payload import pack
from misread.text.nouns import count_of
from misread.version import __version__

_STYLES: Final = ("colours", "layout")
_SCRIPTS: Final = ("payload", "elements")
MEDIA_CHARACTERS: Final = 100_000_000
"""Images and audio inside the page, in characters of data URIs; further ones are linked."""

# As many parts of images as are cut at a time.
_AT_A_TIME: Final = 200


def write_page(disputes: DisputedSpans, path: Path) -> None:
    """Write the page; images and audio beyond the budget are linked from its folder.

    Raises UnknownNameError for a name that is not that of a page.
    """
    check_choice("page format", path.suffix or path.name, (".html", ".htm"), where=str(path))
    style = "\n".join([*(read_asset("css", f"{name}.css") for name in _STYLES), _read("page.css")])
    parts = "\n".join([*(read_asset("js", f"{name}.js") for name in _SCRIPTS), _read("page.js")])
    script = f'(() => {{\n"use strict";\n{parts}\n}})();\n'
    media = _collect(disputes, path.parent)
    numbers = {segment_id: number for number, segment_id in enumerate(media)}
    holders = (
        f'<script type="text/plain" id="medium-{numbers[segment_id]}">{medium.data}</script>'
        for segment_id, medium in media.items()
        if medium.data
    )
    content = {
        "policy": content_security_policy(script, style),
        "version": escape(__version__),
        "style": style,
        "title": escape(f"{count_of(len(disputes), 'span')} to type"),
        "data": pack(_describe(disputes, media, numbers)),
        "media": "\n".join(holders),
        "script": script,
    }
    html = _read("page.html")
    for name, value in content.items():
        html = html.replace(f"<!-- {name} -->", value)
    write_text(path, html)


def _describe(disputes: DisputedSpans, media: dict[str, Medium], numbers: dict[str, int]) -> dict[str, Any]:
    """Data of the script; nothing of it names a system or tells disputed spans from agreed ones."""
    facts = write_facts(disputes)
    return {
        "facts": {"kind": "disputes", **disputes.facts},
        "made_with": facts,
        "store": f"misread-{hashlib.sha256(facts.encode()).hexdigest()[:16]}",
        "unreadable": UNREADABLE,
        "nothing": NOTHING,
        "unit": "" if disputes.keys.cluster is None else disputes.unit,
        "media": [[medium.kind, bool(medium.data), medium.link] for medium in media.values()],
        "spans": [
            [*_write_span(span), share, numbers.get(span.segment_id, -1)]
            for span, share in zip(disputes.spans, _find_shares(disputes), strict=True)
        ],
    }


def _write_span(span: Span) -> list[Any]:
    seconds = "–".join(f"{end:g}" for end in span.seconds)
    parts = [span.page, f"{seconds} s" if seconds else ""]
    return [
        span.key,
        span.segment_id,
        span.cluster,
        " ".join(filter(None, parts)),
        span.before,
        list(span.readings),
        show_readings(span),
        span.after,
    ]


def _find_shares(disputes: DisputedSpans) -> Iterator[float]:
    """How far into its segment each span begins, from 0 to 1: about where it is in the image or the recording."""
    for stretch in disputes.drawn.values():
        yield round(stretch.starts[0] / max(1, len(disputes.texts[0][stretch.row])), 3)


def _collect(disputes: DisputedSpans, folder: Path) -> dict[str, Medium]:
    """Images and audio of the segments that have spans."""
    ids = [*dict.fromkeys(span.segment_id for span in disputes.spans)]
    sources = {key: source for key in ids if (source := disputes.sources.get(key)) and source.media}
    paths = {key: source.media for key, source in sources.items() if source.media}
    parts = {key: source for key, source in sources.items() if source.area or source.span}
    media: dict[str, Medium] = {}
    budget = MEDIA_CHARACTERS
    ids = [*sources]
    for start in range(0, len(ids), _AT_A_TIME):
        keys = ids[start : start + _AT_A_TIME]
        media |= (collected := collect_media(paths, keys, folder=folder, budget=budget, parts=parts))
        budget -= sum(len(medium.data) for medium in collected.values())
    return media


def _read(name: str) -> str:
    return (files("misread.features.disputes.page") / name).read_text(encoding="utf-8")
