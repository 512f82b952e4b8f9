"""Transcripts with the outputs of speech recognition systems: TRN, STM with CTM, and files of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from misread.data.base import (
    SETTINGS,
    SettingNames,
    below,
    describe_alike,
    digest_segments,
    number_turns,
    recorded_below,
)
from misread.data.formats.ctm import TimedWords, read_ctm
from misread.data.formats.marked_text import MarkedText, write_text
from misread.data.formats.nlp import read_entities, read_nlp
from misread.data.formats.paired_files import DEFAULT, FolderOptions, pair_folders
from misread.data.formats.stm import TimedSegments, read_stm
from misread.data.formats.time_cuts import cut_confidences, cut_words, find_overlaps, find_strays, place_words
from misread.data.formats.trn import read_trn
from misread.data.segment_table import SegmentTable
from misread.data.transcript_notes import REFERENCES, note_marks, note_overlaps, note_strays
from misread.errors import InputFileError
from misread.io.free_memory import release_memory
from misread.io.stored_columns import pair_values
from misread.io.text import UTF_8
from misread.text.alternatives import has_choices, parse_alternatives
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow
from misread.text.patterns import take_group
from misread.types import IntArray

Value = TypeVar("Value")
Marked = TypeVar("Marked", bound="MarkedText | None")

_NLP_FILES: Final = ("*.nlp",)


@dataclass(frozen=True)
class TrnFiles:
    """Utterances in TRN files, one of references and one per system.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        File of references, relative to `root`; it may have alternatives.
    recorded : mapping of str to str
        File of each system's outputs.
    cluster : str, optional
        Regular expression whose one group is the cluster in an id.
    optional_words : bool
        Whether a word in parentheses is optional; otherwise it is compared as written.
    provenance : str
        Source of the data and its licence.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    cluster: str = ""
    optional_words: bool = False
    provenance: str = ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all files; `below` and `read_trn_files` say what is refused."""
        root = Path(self.root)
        paths = recorded_below(root, self.recorded)
        reference = below(root, self.reference, "setting reference")
        table = read_trn_files(reference, paths, cluster=self.cluster, optional_words=self.optional_words)
        if table.alternatives == "both":
            system = next(name for name, texts in table.hypotheses.items() if any(map(_reads_in_several_ways, texts)))
            raise InputFileError(
                f"the outputs of {system!r} have alternatives, which stages cannot score; `misread score` can."
            )
        return table


@dataclass(frozen=True)
class NlpFolders:
    """Recordings as files of tokens, in one folder of references and one per system.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        Folder of references, relative to `root`.
    recorded : mapping of str to str
        Folder of each system's outputs.
    alternatives : str, optional
        Folder of alternative wordings of the references.
    entities : str, optional
        Folder of files with the labels of all entities of the references.
    provenance : str
        Source of the data and its licence.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    alternatives: str = ""
    entities: str = ""
    provenance: str = ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all files; `below` and `read_nlp_files` say what is refused."""
        root = Path(self.root)
        paths = recorded_below(root, self.recorded)
        alternatives = below(root, self.alternatives, "setting alternatives") if self.alternatives else None
        reference = below(root, self.reference, "setting reference")
        entities = below(root, self.entities, "setting entities") if self.entities else None
        return read_nlp_files(reference, paths, alternatives=alternatives, entities=entities)


def read_trn_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    *,
    cluster: str = "",
    optional_words: bool = False,
    encoding: str = UTF_8,
    names: SettingNames = SETTINGS,
) -> SegmentTable:
    """Read TRN files, of hypotheses by system; ids are matched without case, and spelt as in the references.

    An utterance without hypothesis is a missing one. `cluster` is a regular expression whose one group is the cluster
    in an id. With `optional_words`, a word in parentheses may be omitted; otherwise it is compared as written.
    """
    references = read_trn(reference, optional_words=optional_words, encoding=encoding)
    if not references:
        raise InputFileError(f"{reference} has no utterance, expected lines `TEXT (ID)`.")
    clusters = _clusters(references.ids, cluster, names.cluster)
    found: dict[str, Sequence[MarkedText | None]] = {}
    notes_on: dict[str, list[str]] = {}
    for system, path in hypotheses.items():
        read = read_trn(path, optional_words=optional_words, encoding=encoding)
        if strange := read.rows.keys() - references.rows.keys():
            utterance = read[min(read.rows[key] for key in strange)]
            advice = describe_alike(utterance.utterance_id, references.ids)
            raise InputFileError(
                f"{utterance.place}: {reference} has no utterance {utterance.utterance_id!r} to compare with{advice}."
            )
        rows = [read.rows.get(key) for key in references.rows]
        found[system] = [None if row is None else read.texts[row] for row in rows]
        notes_on[system] = [
            *([] if read else [f"{system}: {path.name} has no utterance."]),
            *note_marks(system, read.marked(), optional_words),
        ]
    return replace(
        _in_one_notation(reference.stem, references.ids, references.texts, found),
        cluster=clusters,
        cluster_name="speaker" if clusters else "",
        notes=note_marks(REFERENCES, references.marked(), optional_words),
        notes_on_hypotheses=notes_on,
    )


def read_timed_files(
    reference: Path, hypotheses: Mapping[str, Path], *, optional_words: bool = False, encoding: str = UTF_8
) -> SegmentTable:
    """Read an STM file and CTM files, by system; each word belongs to the segment at its time.

    Segments to be ignored take their words with them. A channel without words is a missing hypothesis of all its
    segments. Segment ids are SPEAKER-NUMBER, the cluster is the speaker; groups are file, channel, speaker and every
    label position. Confidences are an annotation of the systems that have some.
    """
    segments, label_names = read_stm(reference, optional_words=optional_words, encoding=encoding)
    scored = np.flatnonzero(~segments.ignored)
    if not scored.size:
        raise InputFileError(f"{reference} has no segment to score: all are to be ignored.")
    found: dict[str, Sequence[MarkedText | None]] = {}
    notes_on: dict[str, list[str]] = {}
    confidences: dict[str, Sequence[list[Any] | None]] = {}
    for system, path in hypotheses.items():
        found[system], confidences[system], notes_on[system] = _hear(
            system, path, segments, scored, optional_words=optional_words, encoding=encoding
        )
    speakers = _take(segments.speakers, scored, len(segments))
    overlaps = np.concatenate(
        [rows[find_overlaps(segments.begins[rows], segments.ends[rows])] for rows in segments.rows_of.values()]
    )
    table = replace(
        _in_one_notation(reference.stem, number_turns(speakers), _take(segments.texts, scored, len(segments)), found),
        cluster=speakers,
        cluster_name="speaker",
        groups={
            "file": _take(segments.files, scored, len(segments)),
            "channel": _take(segments.channels, scored, len(segments)),
            "speaker": speakers,
            **{name: [segments.labels[row][at] for row in scored.tolist()] for at, name in enumerate(label_names)},
        },
        times=pair_values(to_arrow(segments.begins[scored]), to_arrow(segments.ends[scored])),
        annotations_of={
            system: {"confidence": of} for system, of in confidences.items() if any(each is not None for each in of)
        },
        notes=[
            *note_marks(REFERENCES, segments.marked(), optional_words),
            *note_overlaps([segments.place(row) for row in overlaps]),
        ],
        notes_on_hypotheses=notes_on,
    )
    # What reading took would otherwise stay with the process, beside what scoring takes.
    release_memory()
    return table


def _hear(
    system: str, path: Path, segments: TimedSegments, scored: IntArray, *, optional_words: bool, encoding: str
) -> tuple[Sequence[MarkedText | None], Sequence[list[Any] | None], list[str]]:
    """Texts that a CTM file has in the scored segments, confidences of their words, and notes on it."""
    words = read_ctm(path, optional_words=optional_words, encoding=encoding)
    if strange := words.keys() - segments.rows_of.keys():
        key = min(strange, key=lambda key: words[key].lines[0])
        raise InputFileError(f"{words[key].place(0)}: {segments.path} has no file {key[0]!r} with channel {key[1]!r}.")
    texts, confidences, strays = _cut_channels(segments, words)
    marked = (((item,), of.place(row)) for of in words.values() for row, item in of.marked.items())
    notes = [
        *([] if words else [f"{system}: {path.name} has no word."]),
        *note_marks(system, marked, optional_words),
        *note_strays(system, strays),
    ]
    return _take(texts, scored, len(segments)), _take(confidences, scored, len(segments)), notes


def _cut_channels(
    segments: TimedSegments, words: Mapping[tuple[str, str], TimedWords]
) -> tuple[Sequence[MarkedText | None], Sequence[list[Any] | None], Sequence[str]]:
    """Text and confidences of every segment, None where there are none, and the places of words outside of segments."""
    texts: list[tuple[IntArray, Sequence[MarkedText]]] = []
    confidences: list[tuple[IntArray, Sequence[list[Any] | None]]] = []
    strays = []
    for key, rows in segments.rows_of.items():
        if key not in words:
            continue
        # sclite keeps times of segments in 32 bits and those of words in 64: that decides where a middle is on an end.
        begins, ends = (times[rows].astype(np.float32).astype(np.float64) for times in (segments.begins, segments.ends))
        of_channel = words[key]
        placed = place_words(begins, ends, of_channel.middles)
        texts.append((rows, cut_words(len(rows), placed, of_channel)))
        confidences.append((rows, cut_confidences(len(rows), placed, of_channel)))
        strays += [of_channel.place(row) for row in find_strays(begins, ends, placed, of_channel)]
    return _put_together(texts, len(segments)), _spread(confidences, len(segments)), strays


def _put_together(parts: Sequence[tuple[IntArray, Sequence[MarkedText]]], number: int) -> Sequence[MarkedText | None]:
    """Texts of all rows from those of the channels: Arrow's where all are, and no row is without one."""
    import pyarrow as pa

    arrays = [texts.__arrow_array__() for _, texts in parts if isinstance(texts, ArrowTexts)]
    if sum(map(len, arrays)) < number:
        return _spread(parts, number)
    order = np.argsort(np.concatenate([rows for rows, _ in parts]))
    return ArrowTexts.of(pa.concat_arrays(arrays).take(to_arrow(order)))


def _spread(parts: Sequence[tuple[IntArray, Sequence[Value]]], number: int) -> list[Value | None]:
    """Values by their rows; None where a row has none."""
    found: list[Value | None] = [None] * number
    for rows, values in parts:
        for row, value in zip(rows.tolist(), values, strict=True):
            found[row] = value
    return found


def _take(column: Sequence[Value], rows: IntArray, number: int) -> Sequence[Value]:
    """Values of these rows: the same sequence where they are all of `number`."""
    return column if len(rows) == number else [column[row] for row in rows.tolist()]


def read_nlp_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    options: FolderOptions = DEFAULT,
    *,
    alternatives: Path | None = None,
    entities: Path | None = None,
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read files of tokens, or folders of them paired by path or stem, by system; a file is a segment.

    A file that a folder lacks is a missing hypothesis; folders may have other files than `*.nlp`. `alternatives` is a
    folder of STEM.norm.json with alternative wordings of the references. Without these, labels of entities are an
    annotation of the references; `entities` is a folder of STEM.wer_tag.json with those of all ids.
    """
    pairs = None
    segments, paths = [reference.stem], [reference]
    files: Mapping[str, Sequence[Path | None]] = {system: [path] for system, path in hypotheses.items()}
    if reference.is_dir() or any(path.is_dir() for path in hypotheses.values()):
        pairs = pair_folders(reference, hypotheses, replace(options, patterns=options.patterns or _NLP_FILES))
        segments, paths, files = list(pairs.segment_id), list(pairs.references), pairs.hypotheses
    candidates = [alternatives / f"{each}.norm.json" if alternatives else None for each in segments]
    table = _in_one_notation(
        reference.stem,
        segments,
        [read_nlp(path, of, encoding=encoding) for path, of in zip(paths, candidates, strict=True)],
        {
            system: [None if path is None else read_nlp(path, encoding=encoding) for path in of]
            for system, of in files.items()
        },
    )
    if alternatives is None:
        table = replace(table, annotations=_entities(segments, paths, entities, encoding))
    return pairs.describe(table) if pairs else table


def _entities(
    segments: Sequence[str], paths: Sequence[Path], folder: Path | None, encoding: str
) -> dict[str, list[list[list[str]] | None]]:
    tags = [folder / f"{each}.wer_tag.json" if folder else None for each in segments]
    labels = [read_entities(path, of, encoding=encoding) for path, of in zip(paths, tags, strict=True)]
    return {"entities": labels} if any(labels) else {}


def _in_one_notation(
    name: str,
    ids: Sequence[str],
    references: Sequence[MarkedText],
    hypotheses: Mapping[str, Sequence[MarkedText | None]],
) -> SegmentTable:
    """Texts of all systems in one notation, so that their errors are counted alike."""
    alternatives = ""
    if any(map(_have_choices, hypotheses.values())):
        alternatives = "both"
    elif _have_choices(references):
        alternatives = "references"
    written = _write(references, in_notation=bool(alternatives))
    return SegmentTable(
        name=name,
        digest=digest_segments(ids, written),
        segment_id=ids,
        references=written,
        hypotheses={system: _write(texts, in_notation=alternatives == "both") for system, texts in hypotheses.items()},
        alternatives=alternatives,
    )


def _have_choices(texts: Sequence[MarkedText | None]) -> bool:
    return not isinstance(texts, ArrowTexts) and any(isinstance(text, tuple) and has_choices(text) for text in texts)


def _write(texts: Sequence[Marked], *, in_notation: bool) -> Sequence[Any]:
    if isinstance(texts, ArrowTexts):
        return texts
    return [write_text(text, in_notation=in_notation) if isinstance(text, tuple) else text for text in texts]


def _reads_in_several_ways(text: str | None) -> bool:
    return text is not None and has_choices(parse_alternatives(text))


def _clusters(ids: Sequence[str], pattern: str, name: str) -> list[str] | None:
    if not pattern:
        return None
    # As everywhere in this format, case is not told apart.
    return [cluster.casefold() for cluster in take_group(pattern, ids, name=name, what="cluster")[1]]
