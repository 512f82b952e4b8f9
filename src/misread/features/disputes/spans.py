"""Spans in which systems differ, drawn from their texts: what a person types the truth of."""

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from misread.data.segment_table import SegmentKeys, Source
from misread.errors import TooDifferentError, UndefinedResultError
from misread.features.disputes.draw import Draw
from misread.features.disputes.random_draws import draw_clusters
from misread.features.disputes.stretches import Stretch, find_disputed
from misread.io.layouts import LAYOUTS
from misread.normalize import Normalizer
from misread.text.nouns import count_of

_AROUND: Final = 30
"""Characters of agreed text that are shown before and after a span, to find it by."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """A part of a segment whose truth is wanted.

    Attributes
    ----------
    key : str
        Identifies the segment, the part and all readings of it.
    segment_id, cluster : str
        Where it is; the cluster is empty where there are none.
    page : str
        Name of the image or recording; empty where it is not known.
    box : tuple of int
        Left, upper, right and lower end of the segment in the image, in pixels; empty where it is all of it.
    seconds : tuple of float
        Begin and end of the segment in the recording; empty where it is all of it.
    before, after : str
        Text around it that all systems have, with … for other disputes.
    readings : tuple of str
        What systems read, each reading once, in an order that says nothing of who read it.
    """

    key: str
    segment_id: str
    cluster: str = ""
    page: str = ""
    box: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    before: str
    readings: tuple[str, ...]
    after: str


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DisputedSpans:
    """Spans in which systems differ, as they are drawn.

    Attributes
    ----------
    name : str
        Of the data set.
    keys : SegmentKeys
        Ids, clusters and groups of the segments that all systems have read.
    unit : str
        What a cluster is called, or "segment".
    systems : mapping of str to sequence of str
        Texts by system, as the normalizer leaves them.
    normalizer : Normalizer
        Done to the truth that is typed, too.
    draw : Draw
        How spans were drawn.
    sources : mapping of str to Source
        Images and recordings by segment id, of segments that have one.
    left_out : int
        Segments that not all systems have read.
    """

    name: str
    keys: SegmentKeys
    unit: str
    systems: Mapping[str, Sequence[str]]
    normalizer: Normalizer
    draw: Draw
    sources: Mapping[str, Source] = field(default_factory=dict)
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.drawn)

    def __repr__(self) -> str:
        spans = count_of(len(self), "span")
        return f"<{type(self).__name__} of {', '.join(self.systems)}: {spans}, {self.share:.1%} of the characters>"

    @cached_property
    def spans(self) -> list[Span]:
        """Spans in the order of the data, or of the clusters drawn."""
        return [self._describe(key, stretch) for key, stretch in self.drawn.items()]

    @cached_property
    def share(self) -> float:
        """Share of the characters of all segments that lie in spans, by their longest readings."""
        typed = sum(max(map(len, stretch.readings(self.texts))) for stretch in self.drawn.values())
        return typed / max(1, sum(max(map(len, texts)) for texts in zip(*self.texts, strict=True)))

    @cached_property
    def order(self) -> list[str]:
        """Systems in the order of the digests of their texts: neither their names nor their order change any span."""
        return sorted(self.systems, key=lambda name: _digest(*self.systems[name]))

    @cached_property
    def texts(self) -> list[Sequence[str]]:
        """Texts of every system, in that order."""
        return [self.systems[name] for name in self.order]

    @cached_property
    def digest(self) -> str:
        """Digest of ids and texts."""
        return _digest(*self.keys.segment_id, *map(_digest, self.keys.segment_id, *self.texts))[:16]

    @cached_property
    def facts(self) -> dict[str, str | int | None]:
        """Facts of spans in files: with the texts, enough to find the spans again."""
        return {
            "format": LAYOUTS["disputes"],
            "context": self.draw.context,
            "budget": self.draw.budget,
            "seed": self.draw.seed,
            **({"units": self.draw.units} if self.draw.units else {}),
            "systems": len(self.systems),
            "normalizer": self.normalizer.signature,
            "texts": self.digest,
            # Nothing else depends on them.
            "clusters": _digest(*self.labels)[:16] if self.draw.budget or self.draw.units else None,
        }

    @cached_property
    def labels(self) -> Sequence[str]:
        """Cluster of every segment; each is its own where there are none."""
        return self.keys.segment_id if self.keys.cluster is None else self.keys.cluster

    @cached_property
    def disputed(self) -> list[list[Stretch]]:
        """All disputed stretches by segment."""
        try:
            return find_disputed(self.texts, self.draw.context)
        except TooDifferentError as error:
            raise error.named(self.keys.segment_id[error.pair]) from None

    @cached_property
    def rows(self) -> list[int]:
        """Segments of the clusters that were drawn, in their random order: the first of them are a sample, too."""
        if self.draw.budget is None and not self.draw.order:
            return [*range(len(self.keys.segment_id))]
        characters = dict.fromkeys(self.labels, 0)
        for label, stretches in zip(self.labels, self.disputed, strict=True):
            characters[label] += sum(max(map(len, stretch.readings(self.texts))) for stretch in stretches)
        segments: dict[str, list[int]] = {}
        for row, label in enumerate(self.labels):
            segments.setdefault(label, []).append(row)
        budget = self.draw.budget
        drawn = self.draw.order if budget is None else draw_clusters(characters, budget, self.draw.seed, self.unit)
        return [row for label in drawn for row in segments[label]]

    @cached_property
    def drawn(self) -> dict[str, Stretch]:
        """Stretches by the key of their span, in the same order."""
        stretches = [stretch for row in self.rows for stretch in self.disputed[row]]
        if not stretches:
            raise UndefinedResultError(
                f"{', '.join(self.systems)} have the same texts in all {len(self.keys.segment_id):,} segments: there "
                "is nothing to decide."
            )
        return {self._key(stretch): stretch for stretch in stretches}

    def _key(self, stretch: Stretch) -> str:
        """Digest of the segment, of where the stretch lies in it, and of what every system reads there."""
        readings = sorted(zip(stretch.starts, stretch.readings(self.texts), strict=True))
        return _digest(self.keys.segment_id[stretch.row], *(f"{start} {reading}" for start, reading in readings))[:12]

    def _describe(self, key: str, stretch: Stretch) -> Span:
        segment_id = self.keys.segment_id[stretch.row]
        source, seed = self.sources.get(segment_id), str(self.draw.seed)
        before, after = self._show_around(stretch)
        x, y = zip(*source.area, strict=True) if source and source.area else ((), ())
        return Span(
            key=key,
            segment_id=segment_id,
            cluster="" if self.keys.cluster is None else self.keys.cluster[stretch.row],
            page=source.media.name if source and source.media else "",
            box=(min(x), min(y), max(x), max(y)) if x else (),
            seconds=source.span or () if source else (),
            before=before,
            readings=tuple(sorted({*stretch.readings(self.texts)}, key=lambda text: _digest(seed, key, text))),
            after=after,
        )

    def _show_around(self, stretch: Stretch) -> tuple[str, str]:
        """Text of the first system on both sides of a stretch, in which no reading of another stretch shows."""
        text, others = self.texts[0][stretch.row], self.disputed[stretch.row]
        first = bisect_left(others, stretch.starts[0], key=lambda other: other.starts[0])
        # Each of the others is one character there, so that no more of them can show.
        return (
            _end_of_agreed(text, stretch.starts[0], others[max(0, first - _AROUND) : first]),
            _start_of_agreed(text, stretch.ends[0], others[first + 1 : first + 1 + _AROUND]),
        )


def _end_of_agreed(text: str, end: int, disputed: Sequence[Stretch]) -> str:
    """The last characters before a place in the first text, with … for disputed stretches."""
    shown = ""
    for stretch in reversed(disputed):
        shown = "…" + text[max(stretch.ends[0], end - _AROUND) : end] + shown
        end = stretch.starts[0]
        if len(shown) >= _AROUND:
            break
    else:
        shown = text[max(0, end - _AROUND) : end] + shown
    return shown[-_AROUND:]


def _start_of_agreed(text: str, start: int, disputed: Sequence[Stretch]) -> str:
    """The first characters after a place in the first text, with … for disputed stretches."""
    shown = ""
    for stretch in disputed:
        shown += text[start : min(stretch.starts[0], start + _AROUND)] + "…"
        start = stretch.ends[0]
        if len(shown) >= _AROUND:
            break
    else:
        shown += text[start : start + _AROUND]
    return shown[:_AROUND]


def _digest(*parts: str) -> str:
    """SHA-256 of texts in a row."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(content)}:".encode() + content)
    return digest.hexdigest()
