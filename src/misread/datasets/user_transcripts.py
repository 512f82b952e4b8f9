"""Captures from references and hypotheses in the formats of speech recognition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from misread.datasets.formats.nlp import read_nlp
from misread.datasets.formats.paired_files import pair_by_stem
from misread.datasets.formats.transcripts import (
    TimedItem,
    TimedSegment,
    cut_words,
    find_overlaps,
    find_strays,
    find_words_in_parentheses,
    read_ctm,
    read_stm,
    read_trn,
    write_items,
)
from misread.datasets.text_capture import text_capture
from misread.errors import ConfigurationError, InputFileError
from misread.records import Capture, SegmentKeys
from misread.text.alternatives import NO_WORD, Items, has_choices

_REFERENCES: Final = "References"


def read_trn_files(
    reference: Path, hypotheses: Mapping[str, Path], *, cluster: str = "", optional_words: bool = False
) -> dict[str, Capture]:
    """Captures of TRN files, by system; ids are matched without case, and spelt as in the references.

    An utterance without hypothesis is a missing one. `cluster` is a regular expression whose one group is the cluster
    in an id. With `optional_words`, a word in parentheses may be omitted; otherwise it is compared as written.
    """
    references = read_trn(reference, optional_words=optional_words)
    if not references:
        raise InputFileError(f"{reference} has no utterance, expected lines `TEXT (ID)`.")
    notes = _note_marks(_REFERENCES, [(each.items, each.place) for each in references], optional_words)
    clusters = _clusters([utterance.utterance_id for utterance in references], cluster)
    keys = SegmentKeys([utterance.utterance_id for utterance in references], clusters, {})
    known = {utterance.utterance_id.casefold() for utterance in references}
    outputs = {}
    for system, path in hypotheses.items():
        utterances = read_trn(path, optional_words=optional_words)
        found = {utterance.utterance_id.casefold(): utterance for utterance in utterances}
        for key, utterance in found.items():
            if key not in known:
                raise InputFileError(
                    f"{utterance.place}: {reference} has no utterance {utterance.utterance_id!r} to compare with."
                )
        heard = [found.get(utterance.utterance_id.casefold()) for utterance in references]
        outputs[system] = _Outputs(
            [None if utterance is None else utterance.items for utterance in heard],
            [
                *([] if utterances else [f"{system}: {path.name} has no utterance."]),
                *_note_marks(system, [(each.items, each.place) for each in utterances], optional_words),
            ],
        )
    items = [utterance.items for utterance in references]
    return _captures(reference, keys, items, outputs, "speaker" if clusters else "", notes)


def read_timed_files(
    reference: Path, hypotheses: Mapping[str, Path], *, optional_words: bool = False
) -> dict[str, Capture]:
    """Captures of an STM file and CTM files, by system; each word belongs to the segment at its time.

    Segments to be ignored take their words with them. A channel without words is a missing hypothesis of all its
    segments. Segment ids are SPEAKER-NUMBER, the cluster is the speaker; groups are file, channel, speaker and every
    label position.
    """
    segments, label_names = read_stm(reference, optional_words=optional_words)
    scored = [segment for segment in segments if not segment.ignored]
    if not scored:
        raise InputFileError(f"{reference} has no segment to score: all are to be ignored.")
    keys = _timed_keys(scored, label_names)
    channels = {
        key: list(of_channel)
        for key, of_channel in groupby(sorted(segments, key=lambda segment: segment.key), lambda segment: segment.key)
    }
    notes = [
        *_note_marks(_REFERENCES, [(each.items, each.place) for each in scored], optional_words),
        *_note_overlaps([segment for of_channel in channels.values() for segment in find_overlaps(of_channel)]),
    ]
    outputs = {}
    for system, path in hypotheses.items():
        words = read_ctm(path, optional_words=optional_words)
        for key, of_channel in words.items():
            if key not in channels:
                raise InputFileError(
                    f"{of_channel[0].place}: {reference} has no file {key[0]!r} with channel {key[1]!r}."
                )
        cut: dict[TimedSegment, Items] = {}
        strays: list[TimedItem] = []
        for key, in_channel in channels.items():
            if key in words:
                cut |= dict(zip(in_channel, cut_words(in_channel, words[key]), strict=True))
                strays += find_strays(in_channel, words[key])
        outputs[system] = _Outputs(
            [cut.get(segment) for segment in scored],
            [
                *([] if words else [f"{system}: {path.name} has no word."]),
                *_note_marks(
                    system, [((word.item,), word.place) for each in words.values() for word in each], optional_words
                ),
                *_note_strays(system, strays),
            ],
        )
    return _captures(reference, keys, [segment.items for segment in scored], outputs, "speaker", notes)


def read_nlp_files(
    reference: Path, hypotheses: Mapping[str, Path], *, alternatives: Path | None = None
) -> dict[str, Capture]:
    """Captures of files of tokens, or folders of them paired by stem, by system; a file is a segment.

    A file that a folder lacks is a missing hypothesis. `alternatives` is a folder of STEM.norm.json with alternative
    wordings of the references.
    """
    outputs = {}
    read: dict[Path, Items] = {}
    for system, path in hypotheses.items():
        if reference.is_dir() or path.is_dir():
            pairs = pair_by_stem(reference, path, suffix=".nlp")
        else:
            pairs = {reference.stem: (reference, path)}
        for stem, (file, _) in pairs.items():
            if file not in read:
                read[file] = read_nlp(file, alternatives / f"{stem}.norm.json" if alternatives else None)
        outputs[system] = _Outputs([None if file is None else read_nlp(file) for _, file in pairs.values()], [])
    # Every system was paired with the same references.
    return _captures(reference, SegmentKeys(list(pairs), None, {}), [read[file] for file, _ in pairs.values()], outputs)


class _Outputs(NamedTuple):
    """Output of one system, one text per segment, and notes on it."""

    hypotheses: Sequence[Items | None]
    notes: Sequence[str]


def _captures(
    reference: Path,
    keys: SegmentKeys,
    references: Sequence[Items],
    outputs: Mapping[str, _Outputs],
    cluster_name: str = "",
    notes: Sequence[str] = (),
) -> dict[str, Capture]:
    """Captures of all systems in one notation, so that their errors are counted alike."""
    alternatives = ""
    if any(has_choices(items) for of in outputs.values() for items in of.hypotheses if items is not None):
        alternatives = "both"
    elif any(map(has_choices, references)):
        alternatives = "references"
    written = [write_items(items, in_notation=bool(alternatives)) for items in references]
    content = "\x1e".join(f"{key}\x1f{text}" for key, text in zip(keys.segment_id, written, strict=True))
    captures = {}
    for system, of in outputs.items():
        found = [
            None if items is None else write_items(items, in_notation=alternatives == "both") for items in of.hypotheses
        ]
        captures[system] = text_capture(
            *(reference.stem, content, system, keys, written, found, cluster_name),
            alternatives=alternatives,
            notes=[*notes, *of.notes],
        )
    return captures


def _note_marks(side: str, texts: Sequence[tuple[Items, str]], optional_words: bool) -> list[str]:
    """Notes on texts outside of braces that may not mean their characters."""
    notes = []
    places = [place for items, place in texts for item in items if item == NO_WORD]
    if places:
        are = "is" if len(places) == 1 else "are"
        notes.append(f"{side}: {len(places):,} @ ({_first(places)}) {are} taken for no word, as for sclite.")
    places = [place for items, place in texts for _ in find_words_in_parentheses(items)]
    found = f"{side}: {_count(places, 'word')} in parentheses ({_first(places)})" if places else ""
    if found and optional_words:
        notes.append(f"{found} may be left out, which counts as correct.")
    elif found and side == _REFERENCES:
        are = "is" if len(places) == 1 else "are"
        notes.append(f"{found} {are} compared as written: optional words, as for sclite -D, are off.")
    return notes


def _note_overlaps(segments: Sequence[TimedSegment]) -> list[str]:
    if not segments:
        return []
    places = [segment.place for segment in segments]
    begin = "begins before one above ends" if len(places) == 1 else "begin before one above ends"
    return [
        f"{_REFERENCES}: {_count(places, 'segment')} ({_first(places)}) {begin}; a word in both counts in the upper "
        "one, as for sclite."
    ]


def _note_strays(system: str, words: Sequence[TimedItem]) -> list[str]:
    if not words:
        return []
    places = [word.place for word in words]
    lie = "lies outside of all segments and counts" if len(places) == 1 else "lie outside of all segments and count"
    return [f"{system}: {_count(places, 'word')} ({_first(places)}) {lie} in the next one or the last, as for sclite."]


def _count(places: Sequence[str], noun: str) -> str:
    return f"{len(places):,} {noun}{'' if len(places) == 1 else 's'}"


def _first(places: Sequence[str]) -> str:
    """First place, by file name without the folder, so that results do not depend on where data lies."""
    return f"{'' if len(set(places)) == 1 else 'first '}{Path(places[0]).name}"


def _clusters(ids: Sequence[str], pattern: str) -> list[str] | None:
    if not pattern:
        return None
    try:
        expression = re.compile(pattern)
    except re.error as error:
        raise ConfigurationError(f"{pattern!r} is not a regular expression ({error}).") from None
    if expression.groups != 1:
        raise ConfigurationError(f"{pattern!r} has {expression.groups} groups, expected one for the cluster.")
    clusters = []
    for each in ids:
        match = expression.match(each)
        if match is None:
            raise ConfigurationError(f"{pattern!r} finds no cluster in utterance {each!r}.")
        clusters.append(match[1].casefold())
    return clusters


def _timed_keys(segments: Sequence[TimedSegment], label_names: Sequence[str]) -> SegmentKeys:
    numbers: Counter[str] = Counter()
    ids = []
    for segment in segments:
        ids.append(f"{segment.speaker}-{numbers[segment.speaker]:03d}")
        numbers[segment.speaker] += 1
    groups = {
        "file": [segment.file for segment in segments],
        "channel": [segment.channel for segment in segments],
        "speaker": [segment.speaker for segment in segments],
    }
    for position, name in enumerate(label_names):
        groups[name] = [segment.labels[position] for segment in segments]
    return SegmentKeys(ids, groups["speaker"], groups)
