"""The public function, and spans of texts that were read: in which places systems differ."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from misread.data import from_columns
from misread.data.segment_table import Capture, MissingPolicy, SegmentTable, Source, TextPairs
from misread.errors import ConfigurationError, InputTypeError, UndefinedResultError, setting
from misread.features.disputes.disputes import Disputes
from misread.features.disputes.draw import CONTEXT, Draw
from misread.normalize import Normalizer, get_normalizer, normalize
from misread.normalize.common_rows import find_common_rows
from misread.normalize.normalized_texts import NormalizedTexts
from misread.tally.missing_texts import find_rows, require_segments


def dispute(
    systems: Mapping[str, Iterable[str | None]],
    *,
    seed: int,
    ids: Iterable[str | int] | None = None,
    clusters: Iterable[str | int] | None = None,
    normalizer: str | Normalizer = "none",
    missing: MissingPolicy = "error",
    context: int = CONTEXT,
    budget: int | None = None,
    media: Iterable[str] | None = None,
) -> Disputes:
    """Find the spans in which systems differ: to compare them, only the truth of these has to be typed.

    Where all systems read the same, what they read counts as right for all: an error that they share adds the same to
    each rate, and next to nothing to a difference. So the difference of two systems, its interval and its verdict
    follow from the truth of the spans, which are a small part of the text. The rates themselves get bounds alone.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        Texts of two systems or more, the baseline first. None is a missing text, unlike an empty one.
    seed : int
        Of every random draw, and of the order in which readings are shown.
    ids : sequence of str or int, optional
        Distinct ids of the segments; by default they are numbered from 1.
    clusters : sequence of str or int, optional
        Page, speaker or writer of every segment: intervals and tests are by cluster, and `budget` draws whole clusters.
    normalizer : str or Normalizer
        Done to all texts first, and to the truth that is typed: differences that it removes are none.
    missing : {"error", "drop", "empty"}
        What becomes of segments without a text.
    context : int
        Characters on either side of a difference that belong to the span.
    budget : int, optional
        Characters in disputed spans at most: as many whole clusters as fit are drawn at random, and the verdict is
        about them.
    media : sequence of str, optional
        Path of the image or recording of every segment, for the page.

    Returns
    -------
    Disputes
        `spans`; `save` and `page` write them to be filled; `verdict` reads what was filled.

    Raises
    ------
    ConfigurationError
        If a number is out of range, or the normalizer changes what it has made.
    UndefinedResultError
        If there are fewer than two systems, texts are missing, or all systems have the same texts.
    InputTypeError, InputValueError, LengthMismatchError, UnknownNameError
        As `evaluate`.

    Examples
    --------
    >>> import csv, pathlib, tempfile
    >>> first = ["the quick brown fox", "jumps over", "the lazy dog", "pack my b0x"]
    >>> second = ["the quick brovn fox", "jumps ovcr", "the lazy dog", "pack my box"]
    >>> disputes = dispute({"first": first, "second": second}, seed=1)
    >>> [sorted(span.readings) for span in disputes.spans]
    [['ovn', 'own'], ['vcr', 'ver'], ['b0x', 'box']]
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "spans.csv"
    >>> disputes.save(path)

    A person fills the column `truth`:

    >>> with path.open(newline="") as file:
    ...     rows = list(csv.DictReader(file))
    >>> for row, truth in zip(rows, ["own", "ver", "box"], strict=True):
    ...     row["truth"] = truth
    >>> with path.open("w", newline="") as file:
    ...     writer = csv.DictWriter(file, rows[0])
    ...     _ = writer.writeheader()
    ...     _ = writer.writerows(rows)
    >>> pair = disputes.verdict(path).pairs["first", "second"]["cer"]
    >>> round(pair.difference, 4), pair.verdict
    (0.0192, 'inconclusive')
    """
    if isinstance(normalizer, str):
        normalizer = get_normalizer(normalizer)
    if not isinstance(systems, Mapping) or any(isinstance(texts, Mapping | str) for texts in systems.values()):
        raise InputTypeError("systems is no mapping of systems to lists of texts; of several runs, give one.")
    read = {name: [*texts] for name, texts in systems.items()}
    number = len(next(iter(read.values()), []))
    table = from_columns([""] * number, read, ids=ids, clusters=clusters)
    if media is not None:
        table = replace(table, media=[Path(path) for path in media])
    texts = {name: normalize(capture, normalizer) for name, capture in table.captures().items()}
    draw = Draw(context=context, budget=budget, seed=seed)
    return gather_disputes(texts, normalizer, draw, missing=missing, sources=find_sources(table))


def find_sources(table: SegmentTable) -> dict[str, Source]:
    """Images and recordings by segment, of segments that have one or a place in one."""
    if table.media is None and table.areas is None and table.times is None:
        return {}
    return {source.segment_id: source for source in table.sources(recorded=False)}


def gather_disputes(
    texts: Mapping[str, NormalizedTexts],
    normalizer: Normalizer,
    draw: Draw,
    *,
    missing: str = "error",
    sources: Mapping[str, Source] | None = None,
) -> Disputes:
    """Spans of normalized texts by system.

    Raises UndefinedResultError for fewer than two systems, several runs, or missing texts under "error".
    """
    if len(texts) < 2:
        raise UndefinedResultError(
            f"a dispute takes two systems, and there is {', '.join(texts) or 'none'}; give at least one more."
        )
    for name, outputs in texts.items():
        if outputs.further_runs:
            raise UndefinedResultError(
                f"{name} has {1 + len(outputs.further_runs)} runs, and spans are of one text of each system; give one "
                "run."
            )
        policy = cast("MissingPolicy", missing)
        require_segments(find_rows(outputs, policy)[1], outputs.origin, [outputs.run], policy)
    if missing == "empty":
        texts = {name: _with_empty(outputs) for name, outputs in texts.items()}
    rows, left_out = find_common_rows(texts)
    common = {name: outputs.take([*rows[name].values()]) for name, outputs in texts.items()}
    first = next(iter(common.values()))
    disputes = Disputes(
        name=first.origin.dataset,
        keys=first.segments,
        unit="segment" if first.segments.cluster is None else first.origin.cluster_name or "cluster",
        systems={name: [text or "" for text in outputs.normalized.hypotheses] for name, outputs in common.items()},
        normalizer=normalizer,
        draw=draw,
        sources=sources or {},
        left_out=left_out,
    )
    _require_stable(disputes, first)
    return disputes


def _with_empty(outputs: NormalizedTexts) -> NormalizedTexts:
    """Texts in which a missing hypothesis is an empty one."""
    normalized = TextPairs(outputs.normalized.references, [text or "" for text in outputs.normalized.hypotheses])
    return replace(outputs, normalized=normalized)


def _require_stable(disputes: Disputes, outputs: NormalizedTexts) -> None:
    """Refuse a normalizer that changes what it has made: what all systems read becomes part of the truth."""
    for texts in disputes.systems.values():
        capture = Capture(outputs.origin, outputs.segments, TextPairs(texts, texts), outputs.reasons)
        again = normalize(capture, disputes.normalizer).normalized
        for segment_id, text, *pair in zip(
            outputs.segments.segment_id, texts, again.references, again.hypotheses, strict=True
        ):
            if [text, text] != pair:
                raise ConfigurationError(
                    f"{setting('normalizer')} {disputes.normalizer.name} changes its own output in segment "
                    f"{segment_id!r}, so that text which all systems share would not stay as it is; use one without "
                    "the step that does."
                )
